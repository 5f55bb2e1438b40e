import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
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
import { GatewayError } from "../../../modules/gateway/domain/errors"
import { formatAmount } from "../../../modules/gateway/domain/money"
import type { TransactionStatus } from "../../../modules/gateway/domain/state-machines/transaction"
import { toMinor } from "../amount"
import { speakingMedusa } from "../errors"
import { requirePayable } from "../order"
import { MEDUSA_STATUS } from "../session"
import { paymentSessionOf, type ProviderCradle } from "../store"
import { askStatus } from "./ask"
import { RemoteGateway } from "./client"
import { demand } from "./demand"
import { RemoteCheckoutOpener } from "./opener"
import { parseRemoteOptions, type ParsedRemoteOptions } from "./options"
import { refundRemotely } from "./refund"
import { readSessionData, sameAmount, type RemoteSessionData } from "./session"
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
 * answers, over the API, to this store's own question: no redirect, no delivery, and nothing a client sends.
 */
export class RemoteGatewayPaymentProvider extends AbstractPaymentProvider {
  static override identifier = "gateway"

  private readonly options: ParsedRemoteOptions
  private readonly remote: RemoteGateway
  private readonly opener: RemoteCheckoutOpener

  constructor(private readonly cradle: ProviderCradle, config: Record<string, unknown>) {
    super(cradle, config)
    this.options = parseRemoteOptions(config)
    this.remote = new RemoteGateway(this.options)
    this.opener = new RemoteCheckoutOpener(cradle, this.remote, this.options)
  }

  /** `data.session_id` is the payment session's id here: the payment module puts it over what the client sent. */
  async initiatePayment({ data = {}, amount }: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    return speakingMedusa(async () => {
      const opened = await this.opener.open({ payment_session_id: String(data.session_id), earlier: 0, amount: toMinor(amount), client_data: data })
      // The payment module stores what the client sent under what is answered; undefined takes it out again.
      const forgotten = Object.fromEntries(Object.keys(data).map((key) => [key, undefined]))
      return { id: opened.session_id, status: "pending", data: { ...forgotten, ...opened } }
    })
  }

  /**
   * Asks what became of the checkout, and replaces it when the amount has changed. `data.status` says when the money is
   * there; Medusa's own status does not: authorising writes that down, together with the payment.
   */
  async updatePayment({ data, amount }: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    return speakingMedusa(async () => {
      const current = this.read(data)
      const minor = toMinor(amount)
      if (!sameAmount(current, minor)) {
        requirePayable(minor)
        await this.end(current)
        const session = paymentSessionOf(current.order_id)
        const opened = await this.opener.open({ payment_session_id: session?.id ?? "", earlier: (session?.earlier ?? 0) + 1, amount: minor, client_data: current })
        return { status: "pending", data: opened }
      }
      const asked = await this.ask(current)
      return asked.status === "SUCCESS" ? { data: asked } : { status: MEDUSA_STATUS[asked.status], data: asked }
    })
  }

  /** Ends the checkout over there. Throws while money is there, on its way, or nobody knows: the cart has to wait. */
  async deletePayment({ data }: DeletePaymentInput): Promise<DeletePaymentOutput> {
    return speakingMedusa(async () => {
      const current = readSessionData(data)
      if (current !== null) {
        await this.end(current)
      }
      return { data }
    })
  }

  async authorizePayment({ data }: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    return speakingMedusa(async () => {
      const asked = await this.ask(this.read(data))
      const status = MEDUSA_STATUS[asked.status]
      return { status: status === "pending" ? "requires_more" : status, data: asked }
    })
  }

  /** The money was captured when it was paid; asked again and again, the answer stays the same. */
  async capturePayment({ data }: CapturePaymentInput): Promise<CapturePaymentOutput> {
    return speakingMedusa(async () => {
      const asked = await this.ask(this.read(data))
      if (asked.status !== "SUCCESS" && asked.status !== "REFUNDED") {
        throw new GatewayError("INVALID_STATE_TRANSITION", "The payment cannot be captured: it is not paid")
      }
      return { data: asked }
    })
  }

  /** Throws when the money is captured: Medusa's roll-back of a cart would otherwise give it back twice. */
  async cancelPayment({ data }: CancelPaymentInput): Promise<CancelPaymentOutput> {
    return speakingMedusa(async () => {
      const asked = await this.ask(this.read(data))
      if (asked.status === "SUCCESS") {
        throw new GatewayError("INVALID_STATE_TRANSITION", "The payment is captured: refund it instead of cancelling it")
      }
      if (asked.status === "PENDING") {
        await this.end(asked)
      }
      return { data: { ...asked } }
    })
  }

  async refundPayment({ data, amount, context }: RefundPaymentInput): Promise<RefundPaymentOutput> {
    return speakingMedusa(async () => {
      const current = this.read(data)
      const idempotency_key = context?.idempotency_key
      if (!idempotency_key) {
        throw new GatewayError("INVALID_REQUEST", "A refund needs Medusa's idempotency key")
      }
      const minor = toMinor(amount)
      const wish = { transaction_id: current.transaction_id, amount: minor, whole: sameAmount(current, minor), idempotency_key }
      await refundRemotely({ ...this.cradle, remote: this.remote }, wish)
      return { data: { ...current } }
    })
  }

  async getPaymentStatus({ data }: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    return speakingMedusa(async () => {
      const asked = await this.ask(this.read(data))
      return { status: MEDUSA_STATUS[asked.status], data: asked }
    })
  }

  async retrievePayment({ data }: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    return speakingMedusa(async () => ({ data: await this.ask(this.read(data)) }))
  }

  /**
   * A webhook or an IPN of the other deployment. A forged, stale or foreign one is not supported; a genuine one is only
   * a reason to ask. It throws when the question stays open, so that an event bus that keeps events tries again.
   */
  async getWebhookActionAndData(payload: ProviderWebhookPayload["payload"]): Promise<WebhookActionResult> {
    return speakingMedusa(async () => {
      const secrets = [this.options.webhookSecret, this.options.ipnSecret].filter((secret) => secret !== undefined)
      const told = readDelivery(payload, secrets)
      const session = told === null ? null : await this.sessionOf(told.order_id)
      const current = readSessionData(session?.data)
      if (session === null || current === null || current.transaction_id !== told?.transaction_id) {
        return { action: PaymentActions.NOT_SUPPORTED }
      }
      const { status, amount } = await this.ask(current)
      return { action: ACTIONS[status], data: { session_id: session.id, amount } }
    })
  }

  /** Medusa takes a payment session that does not exist for any session there is: it has to be one of this store's. */
  private async sessionOf(order_id: string): Promise<{ id: string; data: Data } | null> {
    const id = paymentSessionOf(order_id)?.id
    if (id === undefined) {
      return null
    }
    const { data } = await this.cradle.query.graph({ entity: "payment_session", fields: ["id", "data", "provider_id"], filters: { id } })
    const session = data[0] as { id: string; data: Data; provider_id: string } | undefined
    return session?.provider_id === `pp_gateway_${this.options.id}` ? session : null
  }

  private ask(data: RemoteSessionData): Promise<RemoteSessionData> {
    return askStatus(this.remote, data)
  }

  private async end(data: RemoteSessionData): Promise<void> {
    const called = await this.remote.expire(data.session_id)
    if (called.result === "refused" && called.code === "INVALID_STATE_TRANSITION") {
      const { status } = await this.ask(data)
      if (status === "REFUNDED") {
        return
      }
    }
    // A sandbox forgets its sessions after a week: nobody can pay one that is gone.
    if (called.result !== "refused" || called.code !== "SESSION_NOT_FOUND") {
      demand(called, "The checkout")
    }
  }

  private read(data: Data): RemoteSessionData {
    const read = readSessionData(data)
    if (read === null) {
      throw new GatewayError("SESSION_NOT_FOUND")
    }
    return { ...read, amount: formatAmount(toMinor(read.amount)) }
  }
}
