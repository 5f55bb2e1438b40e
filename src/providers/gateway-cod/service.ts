import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  CancelPaymentInput,
  CancelPaymentOutput,
  CapturePaymentInput,
  CapturePaymentOutput,
  GetPaymentStatusInput,
  GetPaymentStatusOutput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  PaymentProviderContext,
  RefundPaymentInput,
  RefundPaymentOutput,
  RetrievePaymentInput,
  RetrievePaymentOutput,
  UpdatePaymentInput,
  UpdatePaymentOutput,
} from "@medusajs/framework/types"
import { messageOf } from "../../i18n/message"
import type { CashOrder } from "../../modules/gateway/cash/records"
import { CASH_OPEN } from "../../modules/gateway/cash/states"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { formatAmount } from "../../modules/gateway/kernel/money/money"
import { textOf } from "../../modules/gateway/kernel/text/text"
import type { PaymentRecord } from "../../modules/gateway/payments/records"
import { holderOf } from "../gateway-payment/account-holder"
import { withMedusaErrors } from "../gateway-payment/errors"
import { GatewayPaymentProvider, signedIn } from "../gateway-payment/service"
import {
  isMoneyKept,
  medusaStatus,
  requireNotReplaced,
  requirePaymentSession,
  toMinor,
} from "../gateway-payment/session"
import { cashData, cashOrderOf } from "./amounts"
import { adoptCapture } from "./capture"
import { refundCashOrder } from "./refund"

type Context = InitiatePaymentInput["context"]

/**
 * Cash on delivery as a Medusa payment provider (decisions: Cash on delivery). An order's payment is authorised for the
 * whole sum when the order is made, and captured as the money comes: the advance by a checkout of the gateway, the rest
 * in cash. What a client sends decides nothing about money: every answer comes from the gateway's rows.
 */
export class CashOnDeliveryProvider extends GatewayPaymentProvider {
  static override identifier = "gateway"

  /** `data.session_id` is the payment session's id here: the payment module overwrites what the client sent. */
  override async initiatePayment({ data = {}, amount, context }: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    return withMedusaErrors(async () => {
      const { order, record } = await this.opened(textOf(data.session_id), toMinor(amount), data, context)
      // The payment module merges the answer over what the client sent; undefined removes a member.
      const forgotten = Object.fromEntries(Object.keys(data).map((key) => [key, undefined]))
      return { id: order.id, status: "pending", data: { ...forgotten, ...(await this.cashDataOf(order, record)) } }
    })
  }

  /**
   * Both sums follow the cart. A checkout that is open for the former advance ends. For the same sum nothing is opened
   * again: what has ended, the shopper chooses anew or pays in another way.
   */
  override async updatePayment({ amount, context }: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    return withMedusaErrors(async () => {
      const id = await requirePaymentSession(this.cradle.query, context)
      const order = await this.cashOrder(context)
      const former = await this.checkoutOf(order)
      const status = order.state === "cancelled" ? "canceled" : former === null ? "pending" : medusaStatus(former)
      const isOver = status === "canceled" || status === "error"
      if (order.state === "cancelled" || (isOver && toMinor(amount) === BigInt(order.total_minor))) {
        return { status, data: await this.cashDataOf(order, former) }
      }
      if (former !== null) {
        await this.cradle.gateway.payments.expireNow(former.session_id)
      }
      const data = former === null ? {} : { checkout_url: this.dataOf(former).checkout_url }
      const { order: changed, record } = await this.opened(id, toMinor(amount), data, context)
      return { status: "pending", data: await this.cashDataOf(changed, record) }
    })
  }

  /** Authorised as soon as what is due online is paid; captured never, because cash comes later. */
  override async authorizePayment({ context }: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    return withMedusaErrors(async () => {
      const order = await this.cashOrder(context)
      const record = await this.checkoutOf(order)
      if (order.state === "cancelled" || order.state === "refused") {
        return { status: "canceled", data: await this.cashDataOf(order, record) }
      }
      if (order.advance_minor > 0 && (record === null || !isMoneyKept(record))) {
        const status = record === null ? "requires_more" : medusaStatus(record)
        return { status: status === "pending" ? "requires_more" : status, data: await this.cashDataOf(order, record) }
      }
      await this.cradle.gateway.cashOrders.authorized(order)
      return { status: "authorized", data: await this.cashDataOf(order, record) }
    })
  }

  /** Medusa passes no amount: its capture's row has it, and says who wants it. */
  override async capturePayment({ context }: CapturePaymentInput): Promise<CapturePaymentOutput> {
    return withMedusaErrors(async () => {
      const order = await this.cashOrder(context)
      const record = await this.checkoutOf(order)
      await adoptCapture(this.cradle, order, context?.idempotency_key ?? "")
      return { data: await this.cashDataOf((await this.cradle.gateway.cashOrders.find(order.id)) ?? order, record) }
    })
  }

  /**
   * Ends what is still due. While the order is being made, Medusa calls it to roll back: the payment stays, because a
   * later run makes the order with it, and a cancelled payment could never be captured (docs/decisions/04). With an edit of
   * the order Medusa cancels the whole collection: the cash is still to come, and can only be shown by this payment.
   */
  override async cancelPayment({ context }: CancelPaymentInput): Promise<CancelPaymentOutput> {
    return withMedusaErrors(async () => {
      const order = await this.cashOrder(context)
      const record = await this.checkoutOf(order)
      if (order.state === "placing") {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.order_on_its_way"))
      }
      if (CASH_OPEN.includes(order.state)) {
        await requireNotReplaced(this.cradle.query, order.payment_session_id)
      }
      if (record !== null && order.advance_capture_id === null && isMoneyKept(record)) {
        // A cancelled payment could never show the advance. What cash came is asked under the order's lock.
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.capture_under_way"))
      }
      return { data: await this.cashDataOf(await this.cradle.gateway.cash.cancelPayment(order.id), record) }
    })
  }

  /** The advance goes back through the gateway; cash is given back by the store, which is written down. */
  override async refundPayment({ amount, context }: RefundPaymentInput): Promise<RefundPaymentOutput> {
    return withMedusaErrors(async () => {
      const idempotency_key = context?.idempotency_key
      if (!idempotency_key) {
        throw new GatewayError("INVALID_REQUEST", messageOf("refusal.refund_key_missing"))
      }
      const order = await this.cashOrder(context)
      await refundCashOrder(this.cradle, order, toMinor(amount), idempotency_key)
      return { data: await this.cashDataOf(order, await this.checkoutOf(order)) }
    })
  }

  /** Medusa passes no payment session here; the untrusted data only says what to read. */
  override async getPaymentStatus({ data }: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    return withMedusaErrors(async () => {
      const order = await this.cradle.gateway.cashOrders.find(textOf(data?.cash_order_id))
      const isPlaced = order !== null && order.state !== "placing"
      return { status: isPlaced ? "authorized" : "pending", data: data ?? {} }
    })
  }

  override async retrievePayment({ data }: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    return { data }
  }

  private async opened(
    payment_session_id: string,
    total: bigint,
    client_data: Record<string, unknown>,
    context: Context
  ): Promise<{ order: CashOrder; record: PaymentRecord | null }> {
    const { gateway } = this.cradle
    const order = await gateway.cashOrders.open(await cashOrderOf(this.cradle, payment_session_id, total))
    if (order.advance_minor === 0) {
      return { order, record: null }
    }
    const record = await this.opener.open({
      payment_session_id,
      amount: formatAmount(order.advance_minor),
      signed_in: signedIn(context),
      holder: holderOf(context),
      client_data,
      is_advance: true,
    })
    await gateway.cashOrders.linkCheckout(order.id, record.transaction_id)
    return { order: { ...order, transaction_id: record.transaction_id }, record }
  }

  private async cashDataOf(order: CashOrder, record: PaymentRecord | null): Promise<Record<string, unknown>> {
    return { ...(await cashData(this.cradle, order)), ...(record === null ? {} : this.dataOf(record)) }
  }

  /** The cash order of the payment session that Medusa works on, whatever the session's `data` contains. */
  private async cashOrder(context: PaymentProviderContext | undefined): Promise<CashOrder> {
    const id = await requirePaymentSession(this.cradle.query, context)
    const order = await this.cradle.gateway.cashOrders.ofPaymentSession(id)
    if (order === null) {
      throw new GatewayError("CASH_ORDER_NOT_FOUND")
    }
    return order
  }

  /** The checkout of the advance; null: none was asked for. */
  private async checkoutOf({ transaction_id }: CashOrder): Promise<PaymentRecord | null> {
    return transaction_id === null ? null : this.cradle.gateway.transactions.byId(transaction_id)
  }
}
