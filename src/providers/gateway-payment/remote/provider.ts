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
import type { TransactionStatus } from "../../../modules/gateway/payments/states"
import type { RemotePayment } from "../../../modules/gateway/payments/remote-payments"
import { toMinor } from "../amount"
import { speakingMedusa } from "../errors"
import { requirePayable } from "../order"
import { requirePaymentSession } from "../payment-session"
import { MEDUSA_STATUS } from "../session"
import type { ProviderCradle } from "../store"
import { askStatus } from "./ask"
import { RemoteGateway } from "./client"
import { demand } from "./demand"
import { RemoteCheckoutOpener } from "./opener"
import { parseRemoteOptions, type ParsedRemoteOptions } from "./options"
import { refundRemotely } from "./refund"
import { sessionData } from "./session"
import { readDelivery } from "./webhook"

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
 * A gateway in another deployment as a Medusa payment provider. Nothing about money is believed but what that gateway
 * answers, over the API, to this store's own question: no redirect, no delivery, and nothing a client sends. Which
 * transaction is meant is read from the row of the payment session (`remotePayments`), never from its `data`: Medusa
 * commits what a shopper has sent there before it calls `initiatePayment`.
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

  /** `data.session_id` is the payment session's id here: the payment module puts it over what the client sent. */
  async initiatePayment({ data = {}, amount }: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    return speakingMedusa(async () => {
      const opened = await this.opener.open({
        payment_session_id: String(data.session_id),
        amount: toMinor(amount),
        client_data: data,
      })
      // The payment module stores what the client sent under what is answered; undefined takes it out again.
      const forgotten = Object.fromEntries(Object.keys(data).map((key) => [key, undefined]))
      return { id: opened.session_id, status: "pending", data: { ...forgotten, ...sessionData(opened) } }
    })
  }

  /**
   * Asks what became of the checkout, and replaces it when the amount has changed. `data.status` says when the money is
   * there; Medusa's own status does not: authorising writes that down, together with the payment.
   */
  async updatePayment({ amount, context }: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    return speakingMedusa(async () => {
      const current = await this.paymentOf(context)
      const minor = toMinor(amount)
      if (minor !== BigInt(current.amount_minor)) {
        requirePayable(minor)
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
   * Ends the checkout over there. Throws while money is there, on its way, or nobody knows: the cart has to wait.
   * Medusa names no payment session here; its data leads to nothing but an unpaid checkout, which whoever knows the
   * session_id may end on its payment page as well.
   */
  async deletePayment({ data }: DeletePaymentInput): Promise<DeletePaymentOutput> {
    return speakingMedusa(async () => {
      const current = await this.paymentIn(data)
      if (current !== null) {
        await this.end(current)
      }
      return { data }
    })
  }

  async authorizePayment({ context }: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    return speakingMedusa(async () => {
      const current = await this.paymentOf(context)
      await this.requireSameAmount(current)
      const asked = await this.ask(current)
      const status = MEDUSA_STATUS[asked]
      return { status: status === "pending" ? "requires_more" : status, data: sessionData(current, asked) }
    })
  }

  /** The money was captured when it was paid; asked again and again, the answer stays the same. */
  async capturePayment({ context }: CapturePaymentInput): Promise<CapturePaymentOutput> {
    return speakingMedusa(async () => {
      const current = await this.paymentOf(context)
      const status = await this.ask(current)
      if (status !== "SUCCESS" && status !== "REFUNDED") {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.capture_unpaid"))
      }
      return { data: sessionData(current, status) }
    })
  }

  /** Throws when the money is captured: Medusa's roll-back of a cart would otherwise give it back twice. */
  async cancelPayment({ context }: CancelPaymentInput): Promise<CancelPaymentOutput> {
    return speakingMedusa(async () => {
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
    return speakingMedusa(async () => {
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

  /** Medusa names no payment session here, and nothing is done but shown. */
  async getPaymentStatus({ data }: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    return speakingMedusa(async () => {
      const current = await this.requirePaymentIn(data)
      const status = await this.ask(current)
      return { status: MEDUSA_STATUS[status], data: sessionData(current, status) }
    })
  }

  async retrievePayment({ data }: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    return speakingMedusa(async () => {
      const current = await this.requirePaymentIn(data)
      return { data: sessionData(current, await this.ask(current)) }
    })
  }

  /**
   * A webhook or an IPN of the other deployment. A forged, stale or foreign one is not supported; a genuine one is only
   * a reason to ask. It throws when the question stays open, so that an event bus that keeps events tries again.
   */
  async getWebhookActionAndData(payload: ProviderWebhookPayload["payload"]): Promise<WebhookActionResult> {
    return speakingMedusa(async () => {
      const secrets = [this.options.webhookSecret, this.options.ipnSecret].filter((secret) => secret !== undefined)
      const told = readDelivery(payload, secrets)
      const current = told === null ? null : this.own(await this.cradle.gateway.remotePayments.byOrder(told.order_id))
      if (current === null || current.transaction_id !== told?.transaction_id || !(await this.isAlive(current))) {
        return { action: PaymentActions.NOT_SUPPORTED }
      }
      const status = await this.ask(current)
      return {
        action: ACTIONS[status],
        data: { session_id: current.payment_session_id, amount: formatAmount(current.amount_minor) },
      }
    })
  }

  /** Medusa takes a payment session that does not exist any more for any session there is. */
  private async isAlive({ payment_session_id: id }: RemotePayment): Promise<boolean> {
    const { data } = await this.cradle.query.graph({ entity: "payment_session", fields: ["id"], filters: { id } })
    return data.length > 0
  }

  /** The payment that Medusa makes has the session's amount: it has to be what is paid over there. */
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
    return payment?.provider_id === `pp_gateway_${this.options.id}` ? payment : null
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
    // A sandbox forgets its sessions after a week: nobody can pay one that is gone.
    if (called.result !== "refused" || called.code !== "SESSION_NOT_FOUND") {
      demand(called, "checkout")
    }
  }
}

function found(payment: RemotePayment | null): RemotePayment {
  if (payment === null) {
    throw new GatewayError("SESSION_NOT_FOUND")
  }
  return payment
}
