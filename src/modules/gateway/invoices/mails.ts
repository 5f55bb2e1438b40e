import type { MailState } from "../kernel/money/retry-schedule"
import { json } from "../kernel/database/database"
import type { Language } from "../../../i18n/languages"
import { messageOf, type Message } from "../../../i18n/message"
import type { By } from "../kernel/database/audit"
import { clockNow } from "../kernel/money/clock"
import { DUE_WORK, DueWork, type Failure, type Lease } from "../kernel/database/due-work"
import { GatewayError } from "../kernel/errors"
import { newId } from "../kernel/text/ids"
import { isMailWanted, isNotPostponed, saidBy, type InvoiceMailKind } from "./mail-rules"
import { invoiceData } from "./rules"
import { invoiceDocument } from "./documents/invoice-document"
import { invoiceMail } from "./documents/invoice-mail"
import { drawPaper } from "./documents/drawing"
import type { MerchantProfileService } from "../merchants/profiles"
import type { Database } from "../kernel/database/database"
import {
  INVOICE_TABLES,
  INVOICE_VIEW_COLUMNS,
  type InvoiceView,
  auditInvoice,
  customerLanguage,
  ownInvoice,
} from "./records"
import type { GatewayOptions } from "../kernel/options"
import type { Cradle, Scope } from "../kernel/types"
import type { StoreConnection, WithStore } from "../store-port"

/** One merchant's sandbox; its clock has come to what is due. */
type Sandbox = { merchant_id: string }
/** `attempts`: this one included. Only the latest claim has the row's number, so it is the fencing token. */
type Claimed = {
  id: string
  invoice_id: string
  kind: InvoiceMailKind
  step: number
  attempts: number
  later: InvoiceMailKind[]
}
export type ListedMail = {
  id: string
  kind: InvoiceMailKind
  state: MailState
  due_at: Date
  /** By the merchant's clock, as `due_at`. */
  sent_at: Date | null
  attempts: number
  last_error: Message | null
}

/** Null: nobody has read a payment page of the subscription. */
type Addressed = InvoiceView & { language: Language | null }

const TEMPLATES: Record<InvoiceMailKind, string> = {
  invoice: "gateway-invoice",
  reminder: "gateway-invoice-reminder",
  past_due: "gateway-invoice-past-due",
}

/**
 * Sends the e-mails that are planned for invoices: each at least once, even if a process dies, and not again once the
 * sending is recorded. Any number of processes may run it: a claim is a lease, and only the latest claim writes its
 * outcome.
 */
export class InvoiceMailService {
  private readonly database: Database
  private readonly options: GatewayOptions
  private readonly store: StoreConnection
  private readonly profiles: MerchantProfileService
  readonly due: DueWork<Claimed, Sandbox>

  constructor({
    database,
    logger,
    gatewayOptions,
    storePort,
    merchantProfileService,
  }: Cradle & WithStore & { merchantProfileService: MerchantProfileService }) {
    this.database = database
    this.options = gatewayOptions
    this.store = storePort
    this.profiles = merchantProfileService
    this.due = new DueWork(logger, DUE_WORK.invoiceMail, {
      id: ({ id }) => id,
      claim: (limit, lease, only) => this.claim(limit, lease, only),
      work: (mail) => this.process(mail),
      failures: ({ attempts }) => attempts - 1,
      failed: (mail, failure) => this.failed(mail, failure),
    })
  }

  /**
   * When the next e-mail of a merchant's sandbox is due, by its own clock; not one that is being tried again or put off.
   */
  async nextDue(merchant_id: string): Promise<Date | null> {
    const [row] = await this.database.query<{ at: Date | null }>(
      `SELECT min(mail.due_at) AS at FROM gateway_invoice_mail mail
       WHERE mail.merchant_id = $1 AND mail.environment = 'sandbox' AND mail.state = 'pending'
         AND mail.next_attempt_at <= now() AND ${isNotPostponed("mail")}`,
      [merchant_id]
    )
    return row.at
  }

  /**
   * Sends or drops at most `most` that are due, oldest first. Returns the number of them. `only` limits it to one
   * merchant's sandbox. What a moving clock has not reached yet waits for its own turn: an e-mail shows the
   * state of the invoice at its due time.
   */
  run(most: number, only?: Sandbox): Promise<number> {
    return this.due.run({ most, only, inOrder: only !== undefined })
  }

  /**
   * Sends an open invoice once more, after those that are on their way. 409 INVALID_STATE_TRANSITION for one that is paid
   * or void, or whose subscription has ended; INVOICE_NOT_FOUND.
   */
  async sendAgain(scope: Scope & By, id: string): Promise<InvoiceView> {
    return this.database.transaction(async (sql) => {
      const invoice = await ownInvoice(sql, scope, id, "FOR UPDATE OF i")
      if (!isMailWanted("invoice", { invoice: invoice.status, subscription: invoice.subscription_status })) {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.invoice_not_open"))
      }
      const { merchant_id, environment } = scope
      const planned = await sql.query(
        `INSERT INTO gateway_invoice_mail (id, merchant_id, environment, invoice_id, kind, step, due_at, next_attempt_at)
         SELECT $1, $2, $3, $4, 'invoice', COALESCE(max(step), -1) + 1, $5, now() FROM gateway_invoice_mail
         WHERE invoice_id = $4 AND kind = 'invoice' HAVING NOT COALESCE(bool_or(state = 'pending'), false) RETURNING 1`,
        [newId("gim"), merchant_id, environment, invoice.id, scope.now]
      )
      if (planned.length > 0) {
        await auditInvoice(sql, scope, "invoice.sent_again", { after: { to: invoice.mail_to } }, invoice)
      }
      return invoice
    })
  }

  /** The e-mails about an invoice, in their order. */
  async ofInvoice(invoice: Pick<InvoiceView, "id">): Promise<ListedMail[]> {
    return this.database.query<ListedMail>(
      `SELECT id, kind, state, due_at, sent_at, attempts, last_error FROM gateway_invoice_mail
       WHERE invoice_id = $1 ORDER BY due_at, kind, step`,
      [invoice.id]
    )
  }

  private claim(limit: number, lease: Lease, only?: Sandbox): Promise<Claimed[]> {
    return this.database.query<Claimed>(
      `WITH due AS (
         SELECT mail.id FROM gateway_invoice_mail mail
         JOIN gateway_merchant_environment e ON e.merchant_id = mail.merchant_id AND e.environment = mail.environment
         WHERE mail.state = 'pending' AND mail.next_attempt_at <= now()
           AND ($2::text IS NULL OR mail.merchant_id = $2 AND mail.environment = 'sandbox')
           AND mail.due_at <= now() + e.clock_offset_seconds * interval '1 second' AND ${isNotPostponed("mail")}
         ORDER BY mail.due_at, mail.id LIMIT $1 FOR UPDATE OF mail SKIP LOCKED)
       UPDATE gateway_invoice_mail m
       SET attempts = m.attempts + 1, next_attempt_at = now() + $3 * interval '1 second', updated_at = now()
       FROM due, gateway_merchant_environment e
       WHERE m.id = due.id AND e.merchant_id = m.merchant_id AND e.environment = m.environment
       RETURNING m.id, m.invoice_id, m.kind, m.step, m.attempts, ARRAY(
         SELECT later.kind FROM gateway_invoice_mail later
         WHERE later.invoice_id = m.invoice_id AND later.state = 'pending' AND later.due_at > m.due_at
           AND later.due_at <= now() + e.clock_offset_seconds * interval '1 second') AS later`,
      [limit, only?.merchant_id ?? null, lease.seconds]
    )
  }

  private async process(mail: Claimed): Promise<void> {
    const [invoice] = await this.database.query<Addressed>(
      `SELECT ${INVOICE_VIEW_COLUMNS}, ${customerLanguage("i.subscription_id")} AS language FROM ${INVOICE_TABLES} WHERE i.id = $1`,
      [mail.invoice_id]
    )
    const states = { invoice: invoice.status, subscription: invoice.subscription_status }
    // After a long rest of the workers, of all that is due about an invoice only the latest goes out.
    if (!isMailWanted(mail.kind, states) || mail.later.some((kind) => isMailWanted(kind, states))) {
      return this.record(mail, "dropped", null, 0)
    }
    await this.send(mail, invoice)
    await this.record(mail, "sent", null, 0)
  }

  private async send(mail: Claimed, invoice: Addressed): Promise<void> {
    const { publicUrl, mailLanguage } = this.options
    const language = invoice.language ?? mailLanguage
    const { connected: store } = this.store
    if (publicUrl === undefined) {
      // A link made of a request's Host header could be forged, so it is this address or none.
      throw new GatewayError("SERVICE_UNAVAILABLE", messageOf("mail.no_public_url"))
    }
    const address = publicUrl.replace(/\/$/, "")
    const now = clockNow(new Date(), invoice.clock_offset_seconds)
    const shown = invoiceDocument(invoice, { language, now, publicUrl: address })
    const logo = await this.profiles.printableLogo(shown.profile)
    await store.sendMail({
      occasion: `gateway-invoice:${mail.id}`,
      template: TEMPLATES[mail.kind],
      to: invoice.mail_to,
      ...invoiceMail(saidBy(mail.kind, invoice.subscription_status), shown, address),
      attachment: { filename: `${shown.number}.pdf`, type: "application/pdf", bytes: await drawPaper(shown, logo) },
      data: {
        kind: mail.kind,
        step: mail.step,
        language,
        customer_name: invoice.customer_name,
        invoice: invoiceData(invoice, address),
      },
      resource: { id: invoice.id, type: "gateway_invoice" },
    })
  }

  private failed(mail: Claimed, { reason, retry_seconds }: Failure): Promise<void> {
    return this.record(mail, retry_seconds === null ? "failed" : "pending", reason, retry_seconds ?? 0)
  }

  private async record(mail: Claimed, state: MailState, error: Message | null, seconds: number): Promise<void> {
    await this.database.query(
      `UPDATE gateway_invoice_mail m SET state = $3, last_error = $4,
         sent_at = CASE WHEN $3 = 'sent' THEN now() + e.clock_offset_seconds * interval '1 second' END,
         next_attempt_at = now() + $5 * interval '1 second', updated_at = now()
       FROM gateway_merchant_environment e
       WHERE e.merchant_id = m.merchant_id AND e.environment = m.environment
         AND m.id = $1 AND m.attempts = $2 AND m.state = 'pending'`,
      [mail.id, mail.attempts, state, json(error), seconds]
    )
  }
}
