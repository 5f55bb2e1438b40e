import type { Logger } from "@medusajs/framework/types"
import { json } from "../kernel/database"
import { translate } from "../../../i18n/translate"
import { messageOf, type Message } from "../../../i18n/message"
import type { By } from "../kernel/audit"
import { addSeconds, clockNow } from "../kernel/clock"
import { GatewayError, reasonOf } from "../kernel/errors"
import { newId } from "../kernel/ids"
import { isMailWanted, nextMailSeconds, type InvoiceMailKind, type InvoiceMailState } from "./mail-rules"
import { invoiceData } from "./rules"
import { invoiceDocument } from "./documents/invoice-document"
import { invoiceMail } from "./documents/invoice-mail"
import { invoicePdf } from "./documents/invoice-pdf"
import type { Database } from "../kernel/database"
import { auditInvoice } from "./audit"
import { INVOICE_TABLES, INVOICE_VIEW_COLUMNS, ownInvoice, type InvoiceView } from "./records"
import { currentMailer, type Mailer } from "../kernel/mailer"
import type { GatewayOptions } from "../kernel/options"
import type { Cradle, Scope } from "../kernel/types"

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
  state: InvoiceMailState
  due_at: Date
  sent_at: Date | null
  attempts: number
  last_error: Message | null
}
type Outcome = { state: InvoiceMailState; error: Message | null; retry_seconds: number }

/** How long a claimed e-mail is left alone: longer than a provider may take. */
const LEASE_SECONDS = 300
const TEMPLATES: Record<InvoiceMailKind, string> = {
  invoice: "gateway-invoice",
  reminder: "gateway-invoice-reminder",
  past_due: "gateway-invoice-past-due",
}

/**
 * Sends what the invoices' plans say, at least once each whatever dies meanwhile, and never twice what is known to have
 * gone out. Any number of processes may run it: a claim is a lease, and only the latest claim writes its outcome.
 */
export class InvoiceMailService {
  private readonly database: Database
  private readonly logger: Logger
  private readonly options: GatewayOptions

  constructor({ database, logger, gatewayOptions }: Cradle) {
    this.database = database
    this.logger = logger
    this.options = gatewayOptions
  }

  /** When the next e-mail of a merchant's sandbox is due, by its own clock; not one that is being tried again. */
  async nextDue(merchant_id: string): Promise<Date | null> {
    const [row] = await this.database.query<{ at: Date | null }>(
      `SELECT min(due_at) AS at FROM gateway_invoice_mail
       WHERE merchant_id = $1 AND environment = 'sandbox' AND state = 'pending' AND next_attempt_at <= now()`,
      [merchant_id]
    )
    return row.at
  }

  /**
   * Deals with what is due, oldest first, and answers how many that were; `only` limits it to one merchant's sandbox.
   * What a moving clock has not reached yet waits for its own turn: an e-mail says how things stand when it is due.
   */
  async run(limit: number, only?: { merchant_id: string }): Promise<number> {
    const mailer = currentMailer()
    const claimed = await this.claim(limit, only)
    for (const mail of claimed) {
      await this.record(mail, await this.deal(mail, mailer))
    }
    return claimed.length
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
        await auditInvoice(sql, scope, "invoice.sent_again", { after: { to: invoice.customer_email } }, invoice)
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

  private async claim(limit: number, only?: { merchant_id: string }): Promise<Claimed[]> {
    return this.database.query<Claimed>(
      `WITH due AS (
         SELECT mail.id FROM gateway_invoice_mail mail
         JOIN gateway_merchant_environment e ON e.merchant_id = mail.merchant_id AND e.environment = mail.environment
         WHERE mail.state = 'pending' AND mail.next_attempt_at <= now()
           AND ($2::text IS NULL OR mail.merchant_id = $2 AND mail.environment = 'sandbox')
           AND mail.due_at <= now() + e.clock_offset_seconds * interval '1 second'
         ORDER BY mail.due_at, mail.id LIMIT $1 FOR UPDATE OF mail SKIP LOCKED)
       UPDATE gateway_invoice_mail m
       SET attempts = m.attempts + 1, next_attempt_at = now() + $3 * interval '1 second', updated_at = now()
       FROM due, gateway_merchant_environment e
       WHERE m.id = due.id AND e.merchant_id = m.merchant_id AND e.environment = m.environment
       RETURNING m.id, m.invoice_id, m.kind, m.step, m.attempts, ARRAY(
         SELECT later.kind FROM gateway_invoice_mail later
         WHERE later.invoice_id = m.invoice_id AND later.state = 'pending' AND later.due_at > m.due_at
           AND later.due_at <= now() + e.clock_offset_seconds * interval '1 second') AS later`,
      [limit, only?.merchant_id ?? null, LEASE_SECONDS]
    )
  }

  private async deal(mail: Claimed, mailer: Mailer | null): Promise<Outcome> {
    try {
      const [invoice] = await this.database.query<InvoiceView>(
        `SELECT ${INVOICE_VIEW_COLUMNS} FROM ${INVOICE_TABLES} WHERE i.id = $1`,
        [mail.invoice_id]
      )
      const states = { invoice: invoice.status, subscription: invoice.subscription_status }
      // After a long rest of the workers, of all that is due about an invoice only the latest goes out.
      if (!isMailWanted(mail.kind, states) || mail.later.some((kind) => isMailWanted(kind, states))) {
        return { state: "dropped", error: null, retry_seconds: 0 }
      }
      await this.send(mail, invoice, mailer)
      return { state: "sent", error: null, retry_seconds: 0 }
    } catch (error) {
      return this.failure(mail, reasonOf(error))
    }
  }

  private async send(mail: Claimed, invoice: InvoiceView, mailer: Mailer | null): Promise<void> {
    const { publicUrl, mailLanguage: language } = this.options
    if (mailer === null || publicUrl === undefined) {
      // A link made of a request's Host header could be forged, so it is this address or none.
      throw new GatewayError(
        "SERVICE_UNAVAILABLE",
        messageOf(mailer === null ? "mail.no_sender" : "mail.no_public_url")
      )
    }
    const address = publicUrl.replace(/\/$/, "")
    const now = clockNow(new Date(), invoice.clock_offset_seconds)
    const shown = invoiceDocument(invoice, { language, now, publicUrl: address })
    await mailer({
      occasion: `gateway-invoice:${mail.id}`,
      template: TEMPLATES[mail.kind],
      to: invoice.customer_email,
      ...invoiceMail(mail.kind, shown),
      attachment: { filename: `${shown.number}.pdf`, type: "application/pdf", bytes: await invoicePdf(shown) },
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

  private failure(mail: Claimed, error: Message): Outcome {
    const seconds = nextMailSeconds(mail.attempts)
    this.logger.warn(
      `gateway: the ${mail.kind} e-mail of invoice ${mail.invoice_id} could not be sent: ${translate(error)}`
    )
    return {
      state: seconds === null ? "failed" : "pending",
      error,
      retry_seconds: seconds ?? 0,
    }
  }

  private async record(mail: Claimed, { state, error, retry_seconds }: Outcome): Promise<void> {
    const retry_at = addSeconds(new Date(), retry_seconds)
    await this.database.query(
      `UPDATE gateway_invoice_mail
       SET state = $3, last_error = $4, sent_at = CASE WHEN $3 = 'sent' THEN now() END, next_attempt_at = $5, updated_at = now()
       WHERE id = $1 AND attempts = $2 AND state = 'pending'`,
      [mail.id, mail.attempts, state, json(error), retry_at]
    )
  }
}
