import { messageOf } from "../../../i18n/message"
import type { AcquirerRegistry, WithAcquirers } from "../acquirers/registry"
import { doneBefore, type By } from "../kernel/database/audit"
import { clockNow } from "../kernel/money/clock"
import { GatewayError } from "../kernel/errors"
import { INVOICE_TOKEN } from "../kernel/text/ids"
import { invoiceOf, payUrl } from "./rules"
import type { Language } from "../../../i18n/languages"
import { invoiceMachine, type InvoiceState } from "./states"
import { invoiceDocument, type InvoiceDocument } from "./documents/invoice-document"
import { PdfCache } from "./documents/pdf-cache"
import { costOf, openRecord } from "../subscriptions/billing/records"
import type { Database } from "../kernel/database/database"
import {
  INVOICE_TABLES,
  INVOICE_VIEW_COLUMNS,
  type InvoiceView,
  auditInvoice,
  factsOf,
  findInvoice,
  ownInvoice,
} from "./records"
import { emit } from "../kernel/database/outbox"
import { requireMayCharge } from "../saved-methods/permission-to-charge"
import { addOwner } from "../kernel/database/numbered-lists"
import { Conditions } from "../kernel/database/conditions"
import { findSubscription } from "../subscriptions/records"
import { countedPlace, placeOf, type Place } from "../kernel/database/counters"
import type { Cradle, Scope, Tenant } from "../kernel/types"
import type { MerchantProfileService } from "../merchants/profiles"
import type { InvoiceWriterService } from "./writer"
import type { SubscriptionCheckoutService } from "../checkout/subscriptions"

type InvoiceFilter = { subscription_id?: string; status?: InvoiceState }
/** The language of the reader, and the public address for links. */
type Reader = { language: Language; publicUrl: string | null }

/** Invoices for merchants and their customers: create, read, list, void, pay, document (contract 2.12, 4.6). */
export class InvoiceService {
  private readonly database: Database
  private readonly acquirers: AcquirerRegistry
  private readonly invoices: InvoiceWriterService
  private readonly checkouts: SubscriptionCheckoutService
  private readonly profiles: MerchantProfileService
  private readonly pdfs = new PdfCache()

  constructor(
    cradle: Cradle &
      WithAcquirers & {
        invoiceWriterService: InvoiceWriterService
        subscriptionCheckoutService: SubscriptionCheckoutService
        merchantProfileService: MerchantProfileService
      }
  ) {
    this.database = cradle.database
    this.acquirers = cradle.acquirerRegistry
    this.invoices = cradle.invoiceWriterService
    this.checkouts = cradle.subscriptionCheckoutService
    this.profiles = cradle.merchantProfileService
  }

  /**
   * Creates the invoice of the open period; idempotent (decisions: Plans). `subscription_id` is an integer id or uuid.
   * Throws SUBSCRIPTION_NOT_FOUND, and INVALID_STATE_TRANSITION when the subscription has ended.
   */
  async generate(scope: Scope & By, subscription_id: string): Promise<InvoiceView> {
    return this.database.transaction(async (sql) => {
      const row = await findSubscription(sql, scope, subscription_id, "FOR UPDATE OF s")
      const content = invoiceOf(row, costOf(row, await openRecord(sql, row)), scope.now)
      const { invoices, events } = await this.invoices.write(sql, [{ row, at: scope.now, paid: false, ...content }])
      await emit(sql, events)
      const invoice = await findInvoice(sql, "i.id = $1", [invoices[0].id])
      if (events.length > 0) {
        await auditInvoice(sql, scope, "invoice.generated", { before: null, after: factsOf(invoice) }, invoice)
      }
      return invoice
    })
  }

  /** Newest first, with the exact total. */
  async list(
    tenant: Tenant,
    filter: InvoiceFilter,
    page: { per_page: number; offset: number }
  ): Promise<{ rows: InvoiceView[]; total: number }> {
    const { merchant_id, environment } = tenant
    const conditions = new Conditions("i.merchant_id = ? AND i.environment = ?", merchant_id, environment)
    conditions.when(filter.status, "i.status = ?")
    addOwner(conditions, "i.subscription_id", "gateway_subscription", tenant, filter.subscription_id)
    const { total, before, skip } = await this.placeIn(tenant, filter, conditions, page)
    const { where, values } = conditions.add("i.number < ?", before)
    const rows = await this.database.query<InvoiceView>(
      `SELECT ${INVOICE_VIEW_COLUMNS} FROM ${INVOICE_TABLES}
       WHERE i.id IN (SELECT i.id FROM gateway_invoice i WHERE ${where} ORDER BY i.number DESC
                      LIMIT $${values.length + 1} OFFSET $${values.length + 2})
       ORDER BY i.number DESC`,
      [...values, page.per_page, skip]
    )
    return { rows, total }
  }

  /** A subscription has few invoices, which are counted; counters know the number of all invoices. */
  private async placeIn(
    tenant: Tenant,
    filter: InvoiceFilter,
    conditions: Conditions,
    { offset }: { offset: number }
  ): Promise<Place> {
    return filter.subscription_id === undefined
      ? placeOf(this.database, tenant, "invoice", offset, filter.status === undefined ? undefined : [filter.status])
      : countedPlace(this.database, "gateway_invoice i", conditions, offset)
  }

  /** By its invoice_id or uuid; throws INVOICE_NOT_FOUND, for other merchants' too. */
  async retrieve(tenant: Tenant, id: string): Promise<InvoiceView> {
    return ownInvoice(this.database, tenant, id)
  }

  /**
   * Voids an invoice: nothing is to be paid for it any more, and the period may get another one.
   * INVALID_STATE_TRANSITION for a paid one.
   */
  async void(scope: Scope & By, id: string): Promise<InvoiceView> {
    return this.database.transaction(async (sql) => {
      const invoice = await ownInvoice(sql, scope, id, "FOR UPDATE OF i")
      if ((await doneBefore(sql, scope)) !== null) {
        return invoice
      }
      const { from, to } = invoiceMachine.require(invoice.status, "void")
      await sql.query(
        `UPDATE gateway_invoice SET status = $2, voided_at = $3, revision = number, updated_at = now()
         WHERE id = $1 AND status = $4`,
        [invoice.id, to, scope.now, from]
      )
      const change = { before: { status: from }, after: { status: to } }
      await auditInvoice(sql, scope, "invoice.voided", change, invoice)
      return findInvoice(sql, "i.id = $1", [invoice.id])
    })
  }

  /** By the token in its public address; throws INVOICE_NOT_FOUND. */
  async byToken(pay_token: string): Promise<InvoiceView> {
    if (!INVOICE_TOKEN.test(pay_token)) {
      throw new GatewayError("INVOICE_NOT_FOUND")
    }
    return findInvoice(this.database, "i.pay_token = $1", [pay_token])
  }

  /**
   * Returns a checkout that pays the invoice and leads back to its page; the same one for as long as it can be paid.
   * When the invoice is outdated, returns the one that replaces it. INVALID_STATE_TRANSITION when it is not open;
   * MERCHANT_SUSPENDED and SERVICE_NOT_ENABLED.
   */
  async pay(pay_token: string, publicUrl: string): Promise<{ session_id: string } | { pay_token: string }> {
    const invoice = await this.byToken(pay_token)
    invoiceMachine.require(invoice.status, "pay")
    if (invoice.payment_under_way) {
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.invoice_being_confirmed"))
    }
    await requireMayCharge(this.database, invoice, "subscriptions")
    if (!(await this.acquirers.has(invoice))) {
      throw new GatewayError("SERVICE_NOT_ENABLED")
    }
    const { merchant_id, environment, subscription_uuid } = invoice
    const scope = { merchant_id, environment, now: clockNow(new Date(), invoice.clock_offset_seconds) }
    const current = await this.generate(scope, subscription_uuid)
    if (current.id !== invoice.id) {
      return { pay_token: current.pay_token }
    }
    const page = payUrl(publicUrl, pay_token)
    const request = { success_url: page, fail_url: page, cancel_url: page }
    const { session_id } = await this.checkouts.openOnce(scope, subscription_uuid, request, { publicUrl })
    return { session_id }
  }

  /** The invoice as texts and figures, at this moment of its merchant's clock. */
  document(invoice: InvoiceView, reader: Reader): InvoiceDocument {
    return invoiceDocument(invoice, { ...reader, now: clockNow(new Date(), invoice.clock_offset_seconds) })
  }

  /** `mayDraw` throws where the file would have to be drawn and may not be: drawing costs hundredths of a second. */
  pdf(invoice: InvoiceView, reader: Reader, mayDraw?: () => Promise<void>): Promise<Buffer> {
    const shown = this.document(invoice, reader)
    return this.pdfs.pdf(shown, () => this.profiles.printableLogo(shown.profile), mayDraw)
  }
}
