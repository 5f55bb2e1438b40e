import type { MailState } from "../kernel/money/retry-schedule"
import { timingSafeEqual } from "node:crypto"
import type { ConfigModule } from "@medusajs/framework/types"
import { messageOf, type Message } from "../../../i18n/message"
import { audit, type By } from "../kernel/database/audit"
import { json, type Database, type Sql } from "../kernel/database/database"
import { DUE_WORK, DueWork, type Failure, type Lease } from "../kernel/database/due-work"
import { GatewayError } from "../kernel/errors"
import { keyedDigest, type KeyedDigest } from "../kernel/http/abuse-limits"
import { newId } from "../kernel/text/ids"
import type { Language } from "../../../i18n/languages"
import { formatAmount } from "../kernel/money/money"
import type { GatewayOptions } from "../kernel/options"
import type { Cradle, Scope, Tenant } from "../kernel/types"
import { paymentsOf } from "../emi/plan"
import { drawPaper } from "../invoices/documents/drawing"
import { PdfCache } from "../invoices/documents/pdf-cache"
import type { MerchantProfileService } from "../merchants/profiles"
import { refundReasonText } from "../refunds/rules"
import type { StoreConnection, WithStore } from "../store-port"
import { methodText, receiptDocument } from "./documents/receipt-document"
import { receiptMail } from "./documents/receipt-mail"
import { findSubject, type OwnedSubject, type ReceiptOf } from "./records"
import { fileName, taxOf, type ReceiptKind } from "./rules"

/** One merchant's sandbox. */
type Sandbox = { merchant_id: string }
/** `attempts`: this one included. Only the latest claim has the row's number, so it is the fencing token. */
type Claimed = { id: string; kind: ReceiptKind; transaction_id: string; resource_id: string; attempts: number }
export type ListedReceipt = {
  id: string
  step: number
  state: MailState
  due_at: Date
  sent_at: Date | null
  attempts: number
  last_error: Message | null
}
type ReceiptFile = { name: string; bytes: Buffer }
/** What a payer sees of a payment. `mail`: where its receipt went, or is about to go; null: to nobody. */
export type ShownReceipt = {
  transaction_id: string
  method: string
  service: string | null
  brand: string | null
  last_four: string | null
  account: string | null
  paid_at: Date
  mail: { to: string; is_sent: boolean } | null
}

/** The one of refunds is older than receipts: hosts have templates under its name (contract 4.8: notify_customer). */
const TEMPLATES: Record<ReceiptKind, string> = { payment: "gateway-receipt", refund: "gateway-refund-completed" }

/** A paid cart's receipt waits until the cart has its order, whose number and tax it shows, or the money goes back. */
const WITH_ORDER = `NOT EXISTS (
  SELECT 1 FROM gateway_cart_completion c WHERE c.transaction_id = r.transaction_id AND c.state = 'waiting')`

/**
 * Receipts of payments and refunds (docs/decisions/12). Each is sent at least once, even if a process dies, and not
 * again once the sending is recorded. Any number of processes may run it: a claim is a lease, and only the latest claim
 * writes its outcome.
 */
export class ReceiptService {
  private readonly database: Database
  private readonly options: GatewayOptions
  private readonly store: StoreConnection
  private readonly profiles: MerchantProfileService
  private readonly keys: KeyedDigest
  private readonly pdfs = new PdfCache()
  readonly due: DueWork<Claimed, Sandbox>

  constructor(
    cradle: Cradle & WithStore & { configModule: ConfigModule; merchantProfileService: MerchantProfileService }
  ) {
    this.database = cradle.database
    this.options = cradle.gatewayOptions
    this.store = cradle.storePort
    this.profiles = cradle.merchantProfileService
    this.keys = keyedDigest(cradle.configModule, "receipt")
    this.due = new DueWork(cradle.logger, DUE_WORK.receipt, {
      id: ({ id }) => id,
      claim: (limit, lease, only) => this.claim(limit, lease, only),
      work: (receipt) => this.process(receipt),
      failures: ({ attempts }) => attempts - 1,
      failed: (receipt, failure) => this.failed(receipt, failure),
    })
  }

  /** When the next receipt of a merchant's sandbox is due, by its own clock; not one that is being tried again. */
  async nextDue(merchant_id: string): Promise<Date | null> {
    const [row] = await this.database.query<{ at: Date | null }>(
      `SELECT min(r.due_at) AS at FROM gateway_receipt r
       WHERE r.merchant_id = $1 AND r.environment = 'sandbox' AND r.state = 'pending' AND r.next_attempt_at <= now()
         AND ${WITH_ORDER}`,
      [merchant_id]
    )
    return row.at
  }

  /** Sends at most `most`, oldest first. Returns the number of them. `only` limits it to one merchant's sandbox. */
  run(most: number, only?: Sandbox): Promise<number> {
    return this.due.run({ most, only, inOrder: only !== undefined })
  }

  /**
   * Sends a receipt once more, after the one that is on its way; whether or not the merchant has receipts switched on.
   * 409 INVALID_STATE_TRANSITION when there is none (the payment has not succeeded, or the refund is not complete), or
   * when the customer has given no e-mail address.
   * Errors: TRANSACTION_NOT_FOUND, REFUND_NOT_FOUND.
   */
  async sendAgain(scope: Scope & By, of: ReceiptOf): Promise<void> {
    await this.database.transaction(async (sql) => {
      // One admin after the other: both would take the same step.
      await sql.query("SELECT 1 FROM gateway_transaction WHERE id = $1 FOR UPDATE", [of.transaction_id])
      const subject = await this.ownSubject(sql, scope, of)
      if (subject.customer.email === "") {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.no_receipt_address"))
      }
      const { merchant_id, environment } = scope
      const kind = of.refund_id === null ? "payment" : "refund"
      const resource_id = of.refund_id ?? of.transaction_id
      const queued = await sql.query(
        `INSERT INTO gateway_receipt
           (id, merchant_id, environment, kind, transaction_id, resource_id, step, due_at, next_attempt_at)
         SELECT $1, $2, $3, $4, $5, $6, COALESCE(max(step), -1) + 1, $7, now() FROM gateway_receipt
         WHERE resource_id = $6 HAVING NOT COALESCE(bool_or(state = 'pending'), false) RETURNING 1`,
        [newId("rcp"), merchant_id, environment, kind, of.transaction_id, resource_id, scope.now]
      )
      if (queued.length > 0) {
        const { actor, key_id, origin } = scope
        const entry = { merchant_id, environment, by: { actor, key_id, origin }, resource_id }
        await audit(sql, { ...entry, action: `${kind}.receipt_sent_again`, after: { to: subject.customer.email } })
      }
    })
  }

  /** The e-mails with the receipt of a transaction or refund, by its id, in their order. */
  async sentFor(resource_id: string): Promise<ListedReceipt[]> {
    return this.database.query<ListedReceipt>(
      `SELECT id, step, state, due_at, sent_at, attempts, last_error FROM gateway_receipt
       WHERE resource_id = $1 ORDER BY step`,
      [resource_id]
    )
  }

  /** How a payment was made, for its payer; null when it has not succeeded. */
  async shown(transaction_id: string, language: Language): Promise<ShownReceipt | null> {
    const subject = await findSubject(this.database, { transaction_id, refund_id: null })
    if (subject === null) {
      return null
    }
    const mails = await this.sentFor(transaction_id)
    const is_sent = mails.some(({ state }) => state === "sent")
    const isMailed = is_sent || mails.some(({ state }) => state === "pending")
    const to = subject.customer.email
    return {
      transaction_id,
      method: methodText(subject, language),
      service: subject.payment_service,
      brand: subject.instrument?.brand ?? null,
      last_four: subject.instrument?.last_four ?? null,
      account: subject.instrument?.account ?? null,
      paid_at: subject.verified_at,
      mail: isMailed && to !== "" ? { to, is_sent } : null,
    }
  }

  /**
   * What the browser keeps that makes an attempt, to see the receipt where the payment's address is no secret. It is of
   * the attempt, not of the payment: somebody else may have paid after a decline.
   */
  keyOf(attempt_id: string): string {
    return this.keys(attempt_id)
  }

  /** Whether a browser has the key of the attempt; compared in constant time. */
  isKeyOf(attempt_id: string, key: string): boolean {
    const [own, sent] = [Buffer.from(this.keyOf(attempt_id)), Buffer.from(key)]
    return own.length === sent.length && timingSafeEqual(own, sent)
  }

  /** The receipt as PDF. Errors as of `sendAgain`. `language`: null is the shopper's own. */
  async pdf(tenant: Tenant, of: ReceiptOf, language: Language | null): Promise<ReceiptFile> {
    const subject = await this.ownSubject(this.database, tenant, of)
    const shown = receiptDocument(subject, language ?? this.languageOf(subject))
    const bytes = await this.pdfs.pdf(shown, () => this.profiles.printableLogo(shown.profile))
    return { name: fileName(subject), bytes }
  }

  /** A receipt of another tenant gets the answer of an id that does not exist. */
  private async ownSubject(sql: Sql, { merchant_id, environment }: Tenant, of: ReceiptOf): Promise<OwnedSubject> {
    const [own] = await sql.query<{ has_refund: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM gateway_refund r WHERE r.id = $4 AND r.transaction_id = t.id) AS has_refund
       FROM gateway_transaction t WHERE t.id = $1 AND t.merchant_id = $2 AND t.environment = $3`,
      [of.transaction_id, merchant_id, environment, of.refund_id]
    )
    if (own === undefined || (of.refund_id !== null && !own.has_refund)) {
      throw new GatewayError(of.refund_id === null ? "TRANSACTION_NOT_FOUND" : "REFUND_NOT_FOUND")
    }
    const subject = await findSubject(sql, of)
    if (subject === null) {
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.no_receipt"))
    }
    return subject
  }

  private languageOf({ language }: OwnedSubject): Language {
    return language ?? this.options.mailLanguage
  }

  private claim(limit: number, lease: Lease, only?: Sandbox): Promise<Claimed[]> {
    return this.database.query<Claimed>(
      `WITH due AS (
         SELECT r.id FROM gateway_receipt r
         WHERE r.state = 'pending' AND r.next_attempt_at <= now()
           AND ($2::text IS NULL OR r.merchant_id = $2 AND r.environment = 'sandbox') AND ${WITH_ORDER}
         ORDER BY r.due_at, r.id LIMIT $1 FOR UPDATE OF r SKIP LOCKED)
       UPDATE gateway_receipt r
       SET attempts = r.attempts + 1, next_attempt_at = now() + $3 * interval '1 second', updated_at = now()
       FROM due WHERE r.id = due.id RETURNING r.id, r.kind, r.transaction_id, r.resource_id, r.attempts`,
      [limit, only?.merchant_id ?? null, lease.seconds]
    )
  }

  private async process(receipt: Claimed): Promise<void> {
    const { kind, transaction_id, resource_id } = receipt
    const refund_id = kind === "refund" ? resource_id : null
    const subject = await findSubject(this.database, { transaction_id, refund_id })
    if (subject === null || subject.customer.email === "") {
      return this.record(receipt, "dropped", null, 0)
    }
    await this.send(receipt, subject)
    await this.record(receipt, "sent", null, 0)
  }

  private async send({ id, kind, resource_id }: Claimed, subject: OwnedSubject): Promise<void> {
    const language = this.languageOf(subject)
    const shown = receiptDocument(subject, language)
    const logo = await this.profiles.printableLogo(shown.profile)
    const bytes = await drawPaper(shown, logo)
    await this.store.connected.sendMail({
      occasion: `gateway-receipt:${id}`,
      template: TEMPLATES[kind],
      to: subject.customer.email,
      ...receiptMail(shown, this.options.publicUrl?.replace(/\/$/, "") ?? null),
      attachment: { filename: fileName(subject), type: "application/pdf", bytes },
      data: { language, ...dataOf(subject, language), merchant_name: shown.merchant },
      resource: { id: resource_id, type: kind === "payment" ? "gateway_transaction" : "gateway_refund" },
    })
  }

  private failed(receipt: Claimed, { reason, retry_seconds }: Failure): Promise<void> {
    return this.record(receipt, retry_seconds === null ? "failed" : "pending", reason, retry_seconds ?? 0)
  }

  private async record(
    { id, attempts }: Claimed,
    state: MailState,
    error: Message | null,
    seconds: number
  ): Promise<void> {
    await this.database.query(
      `UPDATE gateway_receipt r SET state = $3, last_error = $4, next_attempt_at = now() + $5 * interval '1 second', updated_at = now(),
         sent_at = CASE WHEN $3 = 'sent' THEN now() + e.clock_offset_seconds * interval '1 second' END
       FROM gateway_merchant_environment e WHERE (e.merchant_id, e.environment, r.id, r.attempts, r.state) = (r.merchant_id, r.environment, $1, $2, 'pending')`,
      [id, attempts, state, json(error), seconds]
    )
  }
}

/** For mail providers that render by a template of their own. */
function dataOf(subject: OwnedSubject, language: Language): Record<string, unknown> {
  const { transaction_id, order_id, order_number, currency, refund, emi } = subject
  const names = { customer_name: subject.customer.name }
  const order = { transaction_id, order_id, order_number, currency }
  if (refund !== null) {
    const { id: refund_id, amount_minor, reason, completed_at } = refund
    return {
      refund_id,
      ...order,
      amount: formatAmount(amount_minor),
      reason: refundReasonText(reason, language),
      ...names,
      completed_at: completed_at.toISOString(),
    }
  }
  const tax = taxOf(subject)
  return {
    ...order,
    amount: formatAmount(subject.amount_minor),
    total_with_fee: formatAmount(emi === null ? subject.amount_minor : paymentsOf(emi).with_fee_minor),
    emi: emi === null ? null : { bank: emi.bank_name, tenure: String(emi.tenure_months) },
    vat: tax === null ? null : formatAmount(tax),
    due_in_cash: subject.in_cash_minor ? formatAmount(subject.in_cash_minor) : null,
    payment_method: subject.payment_service,
    ...names,
    paid_at: subject.verified_at.toISOString(),
  }
}
