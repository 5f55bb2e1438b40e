import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  BigNumberInput,
  CancelPaymentInput,
  CancelPaymentOutput,
  CapturePaymentInput,
  CapturePaymentOutput,
  DeletePaymentInput,
  DeletePaymentOutput,
  GetPaymentStatusInput,
  GetPaymentStatusOutput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  PaymentProviderContext,
  ProviderWebhookPayload,
  RefundPaymentInput,
  RefundPaymentOutput,
  RetrievePaymentInput,
  RetrievePaymentOutput,
  UpdatePaymentInput,
  UpdatePaymentOutput,
  WebhookActionResult,
} from "@medusajs/framework/types"
import { AbstractPaymentProvider, PaymentActions } from "@medusajs/framework/utils"
import { messageOf } from "../../../i18n/message"
import { GatewayError } from "../../../modules/gateway/kernel/errors"
import { formatAmount, type Minor } from "../../../modules/gateway/kernel/money"
import { gatewayProviderId } from "../../../modules/gateway/kernel/provider-id"
import type { TransactionStatus } from "../../../modules/gateway/payments/states"
import type { RemotePayment } from "../../../modules/gateway/payments/remote-payments"
import { toMinor } from "../amount"
import { awaitsOrder } from "../cart"
import { withMedusaErrors } from "../errors"
import { requirePayable, requireSameCurrency } from "../order"
import { requirePaymentSession } from "../payment-session"
import { MEDUSA_STATUS } from "../session"
import type { ProviderCradle } from "../store"
import { askStatus, ENDED, sessionData } from "./session"
import { RemoteGateway } from "./client"
import { demand } from "./demand"
import { RemoteCheckoutOpener } from "./opener"
import { parseRemoteOptions, type ParsedRemoteOptions } from "./options"
import { refundRemotely } from "./refund"
import { readDelivery } from "./webhook"
import { textOf } from "../../../modules/gateway/kernel/text"

type Data = Record<string, unknown> | undefined

const ACTIONS: Readonly<Record<TransactionStatus, PaymentActions>> = {
  PENDING: PaymentActions.PENDING,
  SUCCESS: PaymentActions.SUCCESSFUL,
  FAILED: PaymentActions.FAILED,
  CANCELLED: PaymentActions.CANCELED,
  EXPIRED: PaymentActions.CANCELED,
  REFUNDED: PaymentActions.NOT_SUPPORTED,
}

/**
 * A gateway in another deployment as a Medusa payment provider. It believes about money only that gateway's answers to
 * its own API calls: no redirect, no delivery, and nothing that a client sends. The transaction comes from the row of
 * the payment session (`remotePayments`), never from its `data`: Medusa commits what a shopper has sent there before it
 * calls `initiatePayment`.
 */
export class RemoteGatewayPaymentProvider extends AbstractPaymentProvider {
  static override identifier = "gateway"

  private readonly options: ParsedRemoteOptions
  private readonly remote: RemoteGateway
  private readonly opener: RemoteCheckoutOpener

  constructor(
    private readonly cradle: ProviderCradle,
    config: Record<string, unknown>
  ) {
    super(cradle, config)
    this.options = parseRemoteOptions(config)
    this.remote = new RemoteGateway(this.options)
    this.opener = new RemoteCheckoutOpener(cradle, this.remote, this.options)
  }

  /** `data.session_id` is the payment session's id here: the payment module overwrites what the client sent. */
  async initiatePayment({ data = {}, amount }: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    return withMedusaErrors(async () => {
      const opened = await this.opener.open({
        payment_session_id: textOf(data.session_id),
        amount: toMinor(amount),
        client_data: data,
      })
      // The payment module merges the answer over what the client sent; undefined removes a member.
      const forgotten = Object.fromEntries(Object.keys(data).map((key) => [key, undefined]))
      return { id: opened.session_id, status: "pending", data: { ...forgotten, ...sessionData(opened) } }
    })
  }

  /**
   * Asks for the checkout's status, and replaces the checkout when the amount has changed. `data.status` shows when the
   * money has arrived. Medusa's own status does not: authorising writes it, together with the payment.
   */
  async updatePayment({ amount, currency_code, context }: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    return withMedusaErrors(async () => {
      const current = await this.paymentOf(context)
      requireSameCurrency(current, currency_code)
      const minor = toMinor(amount)
      if (minor !== BigInt(current.amount_minor)) {
        requirePayable(minor, current.currency)
        await this.end(current)
        const { payment_session_id, return_url } = current
        const opened = await this.opener.open({
          payment_session_id,
          replaces: current,
          amount: minor,
          client_data: { return_url },
        })
        return { status: "pending", data: sessionData(opened) }
      }
      const status = await this.ask(current)
      const data = sessionData(current, status)
      return status === "SUCCESS" ? { data } : { status: MEDUSA_STATUS[status], data }
    })
  }

  /**
   * Ends the checkout in the other deployment. Throws while money has arrived, is on its way, or the status is unknown:
   * the cart has to wait. Medusa passes no payment session here. Its untrusted data can only end an unpaid checkout,
   * which anybody with the session_id can do on its payment page too.
   */
  async deletePayment({ data }: DeletePaymentInput): Promise<DeletePaymentOutput> {
    return withMedusaErrors(async () => {
      const current = await this.paymentIn(data)
      if (current !== null) {
        await this.end(current)
      }
      return { data }
    })
  }

  async authorizePayment({ context }: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    return withMedusaErrors(async () => {
      const current = await this.paymentOf(context)
      await this.requireSameAmount(current)
      const asked = await this.ask(current)
      const status = MEDUSA_STATUS[asked]
      return { status: status === "pending" ? "requires_more" : status, data: sessionData(current, asked) }
    })
  }

  /** The money was captured when it was paid; idempotent. */
  async capturePayment({ context }: CapturePaymentInput): Promise<CapturePaymentOutput> {
    return withMedusaErrors(async () => {
      const current = await this.paymentOf(context)
      const status = await this.ask(current)
      if (status !== "SUCCESS" && status !== "REFUNDED") {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.capture_unpaid"))
      }
      return { data: sessionData(current, status) }
    })
  }

  /** Throws when the money is captured: otherwise Medusa's rollback of a cart would refund it a second time. */
  async cancelPayment({ context }: CancelPaymentInput): Promise<CancelPaymentOutput> {
    return withMedusaErrors(async () => {
      const current = await this.paymentOf(context)
      const status = await this.ask(current)
      if (status === "SUCCESS") {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.cancel_captured"))
      }
      if (status === "PENDING") {
        await this.end(current)
      }
      return { data: sessionData(current, status) }
    })
  }

  async refundPayment({ amount, context }: RefundPaymentInput): Promise<RefundPaymentOutput> {
    return withMedusaErrors(async () => {
      const idempotency_key = context?.idempotency_key
      if (!idempotency_key) {
        throw new GatewayError("INVALID_REQUEST", messageOf("refusal.refund_key_missing"))
      }
      const current = await this.paymentOf(context)
      const minor: Minor = toMinor(amount)
      const request = {
        transaction_id: current.transaction_id,
        amount: minor,
        whole: minor === BigInt(current.amount_minor),
        idempotency_key,
      }
      await refundRemotely({ ...this.cradle, remote: this.remote }, request)
      return { data: sessionData(current) }
    })
  }

  /** Medusa passes no payment session here; this only reads. */
  async getPaymentStatus({ data }: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    return withMedusaErrors(async () => {
      const current = await this.requirePaymentIn(data)
      const status = await this.ask(current)
      return { status: MEDUSA_STATUS[status], data: sessionData(current, status) }
    })
  }

  async retrievePayment({ data }: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    return withMedusaErrors(async () => {
      const current = await this.requirePaymentIn(data)
      return { data: sessionData(current, await this.ask(current)) }
    })
  }

  /**
   * Handles a webhook or an IPN of the other deployment. A forged, stale or foreign one is NOT_SUPPORTED; a genuine one
   * only triggers an inquiry. Throws when the inquiry fails, so that an event bus with retries delivers it again.
   *
   * NOT_SUPPORTED is also one whose payment session is gone, as Medusa would apply the action to any other, and one whose
   * cart has an order: Medusa would record the payment on it, even when the worker is to remove it or another one paid it.
   */
  async getWebhookActionAndData(payload: ProviderWebhookPayload["payload"]): Promise<WebhookActionResult> {
    return withMedusaErrors(async () => {
      const secrets = [this.options.webhookSecret, this.options.ipnSecret].filter((secret) => secret !== undefined)
      const hint = readDelivery(payload, secrets)
      const current = hint === null ? null : this.own(await this.cradle.gateway.remotePayments.byOrder(hint.order_id))
      const isMeant = current !== null && current.transaction_id === hint?.transaction_id
      if (!isMeant || !(await awaitsOrder(this.cradle.query, current.payment_session_id))) {
        return { action: PaymentActions.NOT_SUPPORTED }
      }
      const status = await this.ask(current)
      return {
        action: ACTIONS[status],
        data: { session_id: current.payment_session_id, amount: formatAmount(current.amount_minor) },
      }
    })
  }

  /** Medusa's payment gets the session's amount, which must equal the amount that is paid in the other deployment. */
  private async requireSameAmount({ payment_session_id: id, amount_minor, currency }: RemotePayment): Promise<void> {
    const { data } = await this.cradle.query.graph({
      entity: "payment_session",
      fields: ["raw_amount", "currency_code"],
      filters: { id },
    })
    const session = data[0] as unknown as { raw_amount: BigNumberInput; currency_code: string } | undefined
    if (
      session === undefined ||
      toMinor(session.raw_amount) !== BigInt(amount_minor) ||
      session.currency_code.toUpperCase() !== currency
    ) {
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.session_amount"))
    }
  }

  private async paymentOf(context: PaymentProviderContext | undefined): Promise<RemotePayment> {
    const id = await requirePaymentSession(this.cradle.query, context)
    return found(this.own(await this.cradle.gateway.remotePayments.ofPaymentSession(id)))
  }

  private async paymentIn(data: Data): Promise<RemotePayment | null> {
    const session_id = data?.session_id
    return typeof session_id === "string"
      ? this.own(await this.cradle.gateway.remotePayments.bySession(session_id))
      : null
  }

  private async requirePaymentIn(data: Data): Promise<RemotePayment> {
    return found(await this.paymentIn(data))
  }

  private own(payment: RemotePayment | null): RemotePayment | null {
    return payment?.provider_id === gatewayProviderId(this.options.id) ? payment : null
  }

  private ask(payment: RemotePayment): Promise<TransactionStatus> {
    return askStatus({ gateway: this.cradle.gateway, remote: this.remote }, payment)
  }

  private async end(payment: RemotePayment): Promise<void> {
    const called = await this.remote.expire(payment.session_id)
    if (
      called.result === "refused" &&
      called.code === "INVALID_STATE_TRANSITION" &&
      (await this.ask(payment)) === "REFUNDED"
    ) {
      return
    }
    // A sandbox purges its sessions after a week; a purged one can no longer be paid.
    if (called.result !== "refused" || called.code !== "SESSION_NOT_FOUND") {
      const status = ENDED.find((ended) => ended === demand(called, "checkout").status)
      if (status !== undefined) {
        await this.cradle.gateway.remotePayments.answered(payment.id, status)
      }
    }
  }
}

function found(payment: RemotePayment | null): RemotePayment {
  if (payment === null) {
    throw new GatewayError("SESSION_NOT_FOUND")
  }
  return payment
}
