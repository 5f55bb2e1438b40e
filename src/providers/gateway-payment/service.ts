import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  CancelPaymentInput,
  CancelPaymentOutput,
  CapturePaymentInput,
  CapturePaymentOutput,
  CreateAccountHolderInput,
  CreateAccountHolderOutput,
  DeleteAccountHolderInput,
  DeleteAccountHolderOutput,
  DeletePaymentInput,
  DeletePaymentMethodInput,
  DeletePaymentMethodOutput,
  DeletePaymentOutput,
  GetPaymentStatusInput,
  GetPaymentStatusOutput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  ListPaymentMethodsInput,
  ListPaymentMethodsOutput,
  PaymentProviderContext,
  RefundPaymentInput,
  RefundPaymentOutput,
  RetrievePaymentInput,
  RetrievePaymentOutput,
  SavePaymentMethodOutput,
  UpdateAccountHolderInput,
  UpdateAccountHolderOutput,
  UpdatePaymentInput,
  UpdatePaymentOutput,
  WebhookActionResult,
} from "@medusajs/framework/types"
import { AbstractPaymentProvider } from "@medusajs/framework/utils"
import { messageOf } from "../../i18n/message"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { formatAmount } from "../../modules/gateway/kernel/money/money"
import type { PaymentRecord } from "../../modules/gateway/payments/records"
import { accountHolder, holderOf, listMethods, removeAll, removeMethod } from "./account-holder"
import {
  isGivenBack,
  isMoneyKept,
  medusaStatus,
  requireNotReplaced,
  requirePaymentSession,
  sessionData,
  statusOf,
  toMinor,
} from "./session"
import { CheckoutOpener } from "./checkout-opener"
import { withMedusaErrors } from "./errors"
import { requirePayable, requireSameCurrency } from "./order"
import { captureOnce, requireOrdered } from "./capture"
import { refundOnce } from "./refund"
import type { ProviderCradle } from "./store"
import { textOf } from "../../modules/gateway/kernel/text/text"

type Data = Record<string, unknown> | undefined

/**
 * The gateway as a Medusa payment provider (design: The store's side). It stores nothing itself: every answer comes
 * from the gateway's rows, and what a client sends decides nothing about money. The checkout comes from the row of the
 * payment session: Medusa commits what a shopper has sent as its `data` before `initiatePayment`.
 */
export class GatewayPaymentProvider extends AbstractPaymentProvider {
  static override identifier = "gateway"

  protected readonly opener: CheckoutOpener

  /** The cradle is read at each call: Medusa may load the gateway's module after this provider. */
  constructor(
    protected readonly cradle: ProviderCradle,
    config: Record<string, unknown>
  ) {
    super(cradle, config)
    this.opener = new CheckoutOpener(cradle)
  }

  /** `data.session_id` is the payment session's id here: the payment module overwrites what the client sent. */
  async initiatePayment({ data = {}, amount, context }: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    return withMedusaErrors(async () => {
      const payment_session_id = textOf(data.session_id)
      const record = await this.opener.open({
        payment_session_id,
        amount,
        signed_in: signedIn(context),
        holder: holderOf(context),
        client_data: data,
      })
      // The payment module merges the answer over what the client sent; undefined removes a member.
      const forgotten = Object.fromEntries(Object.keys(data).map((key) => [key, undefined]))
      return { id: record.session_id, status: "pending", data: { ...forgotten, ...this.dataOf(record) } }
    })
  }

  /** The checkout follows its cart. When the amount changes, one that has ended unpaid is replaced by a new one. */
  async updatePayment({ amount, currency_code, context }: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    return withMedusaErrors(async () => {
      const record = await this.recordOf(context)
      requireSameCurrency(record, currency_code)
      const minor = toMinor(amount)
      const current =
        minor === BigInt(record.amount_minor) ? record : await this.withAmount(record, minor, signedIn(context))
      return { status: medusaStatus(current), data: this.dataOf(current) }
    })
  }

  /**
   * Throws while money is captured or being captured: the cart has to wait for its order. Medusa passes no payment
   * session here. Its untrusted data can only end an unpaid cart's checkout, which anybody with the session_id can do
   * on its page too.
   */
  async deletePayment({ data }: DeletePaymentInput): Promise<DeletePaymentOutput> {
    return withMedusaErrors(async () => {
      const record = await this.find(data)
      if (record !== null && !isGivenBack(record)) {
        await this.cradle.gateway.payments.expireNow(record.session_id)
      }
      return { data }
    })
  }

  /** Reports the gateway's status; captures nothing that the shopper has not paid on the hosted page. */
  async authorizePayment({ context }: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    return withMedusaErrors(async () => {
      const record = await this.recordOf(context)
      const status = medusaStatus(record)
      return { status: status === "pending" ? "requires_more" : status, data: this.dataOf(record) }
    })
  }

  /** Captures what is authorised. What was captured when it was paid, or by the gateway, is not captured again. */
  async capturePayment({ context }: CapturePaymentInput): Promise<CapturePaymentOutput> {
    return withMedusaErrors(async () => {
      const record = await this.recordOf(context)
      if (record.authorized_minor !== null) {
        await captureOnce(this.cradle, record.transaction_id, context?.idempotency_key ?? "")
        return { data: this.dataOf(await this.cradle.gateway.transactions.bySession(record.session_id)) }
      }
      if (record.verified_at === null) {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.capture_unpaid"))
      }
      return { data: this.dataOf(record) }
    })
  }

  /**
   * Releases what is authorised. Throws when the money is captured, when the order goes on (Medusa logs that, and changes
   * it all the same), and while the payment's cart may still become an order, because Medusa's rollback would end it.
   */
  async cancelPayment({ context }: CancelPaymentInput): Promise<CancelPaymentOutput> {
    return withMedusaErrors(async () => {
      const record = await this.recordOf(context)
      if (record.authorized_minor !== null) {
        await requireNotReplaced(this.cradle.query, record.payment_session_id ?? "")
      }
      if (record.state === "AUTHORIZED") {
        await requireOrdered(this.cradle, record.transaction_id)
        return { data: this.dataOf(await this.cradle.gateway.releases.void(null, record.transaction_id, {})) }
      }
      if (isMoneyKept(record)) {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.cancel_captured"))
      }
      const ended = isGivenBack(record) ? record : await this.cradle.gateway.payments.expireNow(record.session_id)
      return { data: this.dataOf(ended) }
    })
  }

  async refundPayment({ amount, context }: RefundPaymentInput): Promise<RefundPaymentOutput> {
    return withMedusaErrors(async () => {
      const idempotency_key = context?.idempotency_key
      if (!idempotency_key) {
        throw new GatewayError("INVALID_REQUEST", messageOf("refusal.refund_key_missing"))
      }
      const { session_id, transaction_id } = await this.recordOf(context)
      await refundOnce(this.cradle, { transaction_id, amount: toMinor(amount), idempotency_key })
      return { data: this.dataOf(await this.cradle.gateway.transactions.bySession(session_id)) }
    })
  }

  /** Medusa passes no payment session here; this only reads. */
  async getPaymentStatus({ data }: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    return withMedusaErrors(async () => {
      const record = await this.record(data)
      return { status: medusaStatus(record), data: this.dataOf(record) }
    })
  }

  async retrievePayment({ data }: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    return withMedusaErrors(async () => ({ data: this.dataOf(await this.record(data)) }))
  }

  /** Medusa calls it when a signed-in customer starts a payment, and keeps the answer (docs/decisions/07). */
  async createAccountHolder(input: CreateAccountHolderInput): Promise<CreateAccountHolderOutput> {
    return withMedusaErrors(async () => accountHolder(input))
  }

  /** Nothing of the customer's details is kept here. */
  async updateAccountHolder({ context }: UpdateAccountHolderInput): Promise<UpdateAccountHolderOutput> {
    return { data: context.account_holder.data }
  }

  /** Removes everything that the customer has saved. */
  async deleteAccountHolder(input: DeleteAccountHolderInput): Promise<DeleteAccountHolderOutput> {
    return withMedusaErrors(async () => {
      await removeAll(this.cradle, input)
      return {}
    })
  }

  /** What the customer has saved; never a number or a token. */
  async listPaymentMethods(input: ListPaymentMethodsInput): Promise<ListPaymentMethodsOutput> {
    return withMedusaErrors(() => listMethods(this.cradle, input))
  }

  /** Throws: a method is saved by its owner, with a payment on the hosted page. */
  async savePaymentMethod(): Promise<SavePaymentMethodOutput> {
    return withMedusaErrors(async () => {
      throw new GatewayError("INVALID_REQUEST", messageOf("refusal.saved_on_page"))
    })
  }

  async deletePaymentMethod(input: DeletePaymentMethodInput): Promise<DeletePaymentMethodOutput> {
    return withMedusaErrors(async () => {
      await removeMethod(this.cradle, input)
      return {}
    })
  }

  /** Never used: the gateway runs in this process and settles carts itself. */
  async getWebhookActionAndData(): Promise<WebhookActionResult> {
    return { action: "not_supported" }
  }

  private async withAmount(record: PaymentRecord, amount: bigint, signed_in: string | null): Promise<PaymentRecord> {
    requirePayable(amount, record.currency)
    const { gateway } = this.cradle
    if (statusOf(record) === "PENDING") {
      await gateway.checkouts.changeAmount(record.session_id, amount)
      return gateway.transactions.bySession(record.session_id)
    }
    if (isMoneyKept(record) || record.payment_session_id === null) {
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.amount_paid"))
    }
    const { checkout_url } = this.dataOf(record)
    const { payment_session_id } = record
    return this.opener.open({
      payment_session_id,
      amount: formatAmount(amount),
      signed_in,
      // The trusted call that made the former checkout of this payment session has said whose it is.
      holder: record.store_customer_id === signed_in ? signed_in : null,
      client_data: { checkout_url },
    })
  }

  protected dataOf(record: PaymentRecord): ReturnType<typeof sessionData> {
    return sessionData(record, this.opener.publicUrl)
  }

  /** The checkout of the payment session that Medusa works on, whatever the session's `data` contains. */
  private async recordOf(context: PaymentProviderContext | undefined): Promise<PaymentRecord> {
    const id = await requirePaymentSession(this.cradle.query, context)
    return found(await this.cradle.gateway.transactions.ofPaymentSession(id))
  }

  private async record(data: Data): Promise<PaymentRecord> {
    return found(await this.find(data))
  }

  /**
   * Null for a payment session whose checkout was never opened or has been purged (sandbox data is kept for a week),
   * for a checkout of the API, and for one that no longer belongs to its payment session.
   */
  private async find(data: Data): Promise<PaymentRecord | null> {
    const { transactions } = this.cradle.gateway
    try {
      const { session_id, payment_session_id } = await transactions.bySession(textOf(data?.session_id))
      const current = payment_session_id === null ? null : await transactions.ofPaymentSession(payment_session_id)
      return current?.session_id === session_id ? current : null
    } catch (error) {
      if (GatewayError.is(error) && error.code === "SESSION_NOT_FOUND") {
        return null
      }
      throw error
    }
  }
}

function found(record: PaymentRecord | null): PaymentRecord {
  if (record === null) {
    throw new GatewayError("SESSION_NOT_FOUND")
  }
  return record
}

/** The signed-in customer, as Medusa passes it to providers; null for guests. */
export function signedIn(context: InitiatePaymentInput["context"]): string | null {
  return context?.customer?.id ?? null
}
