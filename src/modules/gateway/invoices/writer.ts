import { newId, newOrderedId, newOrderedUuid } from "../kernel/text/ids"
import { periodLines, type InvoiceLine } from "../subscriptions/invoice-line-rules"
import { isLastPeriod } from "../subscriptions/end-rules"
import { asksFor, invoiceData, isCurrent } from "./rules"
import { planMails } from "./mail-rules"
import { seriesOf, takeNumbers } from "./series"
import { invoiceMachine } from "./states"
import type { Bounds } from "../subscriptions/lifecycle"
import { columnar, json, type Sql } from "../kernel/database/database"
import { INVOICE_COLUMNS, type Invoice } from "./records"
import type { OutgoingEvent } from "../kernel/database/outbox"
import type { SubscriptionRow } from "../subscriptions/records"
import type { Cradle } from "../kernel/types"

/** An invoice that a period must have; amount in poisha. The caller has locked the subscription's row. */
export type InvoiceRequest = {
  row: SubscriptionRow
  period: number
  bounds: Bounds
  amount_minor: number
  /** The part of the period's price that credits pay; `row` still has them. */
  credit_minor: number
  /** How many the period is of. */
  quantity: number
  due_date: Date
  /** The merchant's clock. */
  at: Date
  paid: boolean
  /** What was paid, where that is known; they add up to the amount. Otherwise the plan, and what is sent of it. */
  lines?: readonly InvoiceLine[]
}

type InvoicesWritten = { invoices: Invoice[]; events: OutgoingEvent[] }

const PAY = invoiceMachine.require("PENDING", "pay")
const VOID = invoiceMachine.require("PENDING", "void")

/**
 * Writes invoices inside a caller's transaction: at most one valid invoice per subscription and period, and numbers
 * without gaps (decisions: Plans and subscriptions; contract 2.12).
 */
export class InvoiceWriterService {
  private readonly publicUrl: string | null
  private readonly retryDays: readonly number[]

  constructor({ gatewayOptions }: Cradle) {
    this.publicUrl = gatewayOptions.publicUrl?.replace(/\/$/, "") ?? null
    this.retryDays = gatewayOptions.retryDays
  }

  /**
   * Ensures that every requested period has its invoice, open or paid. Returns the invoices in the order of the
   * requests, with the events for new ones, which the caller emits with its own. An outdated open invoice is voided and
   * replaced. A new open one gets its e-mails planned. A paid one stays as it is; one that is being paid finally shows
   * the dates that were paid for. One that asks for something else than was paid is voided, and a paid one replaces it.
   * Call this late in the transaction: it locks one row for the numbers until the transaction ends.
   */
  async write(sql: Sql, requests: readonly InvoiceRequest[]): Promise<InvoicesWritten> {
    const keys = { subscription_id: "text", period: "int" }
    const asked = columnar(
      keys,
      requests.map(({ row, period }) => ({ subscription_id: row.id, period }))
    )
    const existing = await sql.query<Invoice>(
      `SELECT ${INVOICE_COLUMNS} FROM gateway_invoice i JOIN ${asked.source}
         ON i.subscription_id = input.subscription_id AND i.period = input.period
       WHERE i.revision = 0 FOR UPDATE OF i`,
      asked.values,
      "gateway_invoices_of_periods"
    )
    const byPeriod = new Map(existing.map((invoice) => [`${invoice.subscription_id} ${invoice.period}`, invoice]))
    const found = requests.map((request) => ({
      request,
      invoice: byPeriod.get(`${request.row.id} ${request.period}`) ?? null,
    }))
    const fits = ({ request, invoice }: (typeof found)[number]) =>
      invoice !== null &&
      (invoice.status !== "PENDING" || (request.paid ? asksFor(invoice, request) : isCurrent(invoice, request)))
    const stale = found.filter((entry) => entry.invoice !== null && !fits(entry))
    await this.void(
      sql,
      stale.map(({ request, invoice }) => ({ id: invoice?.id ?? "", at: request.at }))
    )
    const toPay = found.filter((entry) => fits(entry) && entry.request.paid && entry.invoice?.status === "PENDING")
    const paid = await this.pay(
      sql,
      toPay.map(({ request: { row, bounds, at }, invoice }) => {
        return { id: invoice?.id ?? "", at, ...bounds, is_last: isLastPeriod(row, bounds) }
      })
    )
    const created = await this.insert(
      sql,
      found.filter((entry) => !fits(entry)).map(({ request }) => request)
    )
    const fresh = new Map(
      [...paid, ...created].map((invoice) => [`${invoice.subscription_id} ${invoice.period}`, invoice])
    )
    const invoices = found.map(({ request }) => {
      const key = `${request.row.id} ${request.period}`
      return (fresh.get(key) ?? byPeriod.get(key)) as Invoice
    })
    const rows = new Map(requests.map(({ row }) => [row.id, row]))
    const events = created.map((invoice) =>
      createdEvent(invoice, rows.get(invoice.subscription_id) as SubscriptionRow, this.publicUrl)
    )
    return { invoices, events }
  }

  /** Voids the open invoices of subscriptions: nothing is owed any more. */
  async voidOpen(sql: Sql, subscriptions: readonly { id: string; at: Date }[]): Promise<void> {
    await this.void(sql, subscriptions, "subscription_id")
  }

  /** A void invoice takes its own number as revision, which frees the period for another invoice. */
  private async void(
    sql: Sql,
    gone: readonly { id: string; at: Date }[],
    by: "id" | "subscription_id" = "id"
  ): Promise<void> {
    if (gone.length === 0) {
      return
    }
    const { source, values } = columnar({ id: "text", at: "timestamptz" }, gone)
    await sql.query(
      `UPDATE gateway_invoice i SET status = '${VOID.to}', voided_at = input.at, revision = i.number, updated_at = now()
       FROM ${source} WHERE i.${by} = input.id AND i.revision = 0 AND i.status = '${VOID.from}'`,
      values
    )
  }

  private async pay(
    sql: Sql,
    invoices: readonly ({ id: string; at: Date; is_last: boolean } & Bounds)[]
  ): Promise<Invoice[]> {
    if (invoices.length === 0) {
      return []
    }
    const dates = { at: "timestamptz", period_start: "timestamptz", period_end: "timestamptz" }
    const types = { id: "text", is_last: "boolean", ...dates }
    const { source, values } = columnar(
      types,
      invoices.map(({ start, end, ...invoice }) => ({ ...invoice, period_start: start, period_end: end }))
    )
    return sql.query<Invoice>(
      `UPDATE gateway_invoice i SET status = '${PAY.to}', paid_at = input.at, period_start = input.period_start,
         period_end = input.period_end, is_last = input.is_last, updated_at = now()
       FROM ${source} WHERE i.id = input.id AND i.status = '${PAY.from}' RETURNING ${INVOICE_COLUMNS}`,
      values
    )
  }

  private async insert(sql: Sql, requests: readonly InvoiceRequest[]): Promise<Invoice[]> {
    if (requests.length === 0) {
      return []
    }
    const next = await takeNumbers(
      sql,
      requests.map(({ row }) => row)
    )
    const rows = requests.map(({ row, period, bounds, amount_minor, due_date, at, paid, lines, ...cost }) => ({
      id: newOrderedId("inv"),
      uuid: newOrderedUuid(),
      number: next(row),
      merchant_id: row.merchant_id,
      environment: row.environment,
      subscription_id: row.id,
      customer_id: row.customer_id,
      status: paid ? PAY.to : PAY.from,
      period,
      period_start: bounds.start,
      period_end: bounds.end,
      amount_minor,
      currency: row.currency,
      interval_count: row.interval_count,
      interval_unit: row.interval_unit,
      time_zone: row.time_zone,
      plan_name: row.plan_name,
      plan_name_bn: row.plan_name_bn,
      customer_name: row.customer_name,
      customer_email: row.customer_email,
      customer_phone: row.customer_phone,
      due_date,
      paid_at: paid ? at : null,
      opened_at: at,
      is_last: isLastPeriod(row, bounds),
      lines: json(lines ?? periodLines(row, { amount_minor, ...cost, bounds })),
    }))
    const { source, values } = columnar({ ...NEW_INVOICE, lines: "text" }, rows)
    const names = Object.keys(NEW_INVOICE)
    const created = await sql.query<Invoice>(
      `INSERT INTO gateway_invoice AS i
         (${names.join(", ")}, business_name, business_name_bn, business_legal_name, business_address, business_bin, lines)
       SELECT ${names.map((name) => `input.${name}`).join(", ")},
         m.name, m.profile->>'name_bn', m.profile->>'legal_name', m.profile->>'address', m.profile->>'bin', COALESCE(input.lines::jsonb, ${SENT_LINES})
       FROM ${source} JOIN gateway_merchant m ON m.id = input.merchant_id
       LEFT JOIN gateway_store_purchase g ON g.subscription_id = input.subscription_id ORDER BY input.id RETURNING ${INVOICE_COLUMNS}`,
      values,
      "gateway_insert_invoices"
    )
    await this.planMails(
      sql,
      created.filter(({ status }) => status === PAY.from)
    )
    return created
  }

  /** Plans the e-mails of open invoices, by their merchants' retry days. */
  private async planMails(sql: Sql, invoices: readonly Invoice[]): Promise<void> {
    if (invoices.length === 0) {
      return
    }
    const settings = await sql.query<{ merchant_id: string; environment: string; retry_days: number[] | null }>(
      "SELECT merchant_id, environment, retry_days FROM gateway_merchant_environment WHERE merchant_id = ANY($1)",
      [[...new Set(invoices.map(({ merchant_id }) => merchant_id))]]
    )
    const retryDays = new Map(settings.map((row) => [seriesOf(row), row.retry_days]))
    const mails = invoices.flatMap((invoice) => {
      const { id: invoice_id, merchant_id, environment, opened_at } = invoice
      const days = retryDays.get(seriesOf(invoice)) ?? this.retryDays
      return planMails(invoice, opened_at, days).map((mail) => ({
        ...mail,
        id: newId("gim"),
        merchant_id,
        environment,
        invoice_id,
      }))
    })
    const { source, values } = columnar(NEW_MAIL, mails)
    const names = Object.keys(NEW_MAIL).join(", ")
    await sql.query(
      `INSERT INTO gateway_invoice_mail (${names}, next_attempt_at) SELECT ${names}, now() FROM ${source}`,
      values
    )
  }
}

const NEW_INVOICE = {
  id: "text",
  uuid: "text",
  number: "int",
  merchant_id: "text",
  environment: "text",
  subscription_id: "text",
  customer_id: "text",
  status: "text",
  period: "int",
  period_start: "timestamptz",
  period_end: "timestamptz",
  amount_minor: "int",
  currency: "text",
  interval_count: "int",
  interval_unit: "text",
  time_zone: "text",
  plan_name: "text",
  plan_name_bn: "text",
  customer_name: "text",
  customer_email: "text",
  customer_phone: "text",
  is_last: "boolean",
  due_date: "timestamptz",
  paid_at: "timestamptz",
  opened_at: "timestamptz",
}

const line = (kind: InvoiceLine["kind"], quantity: string, amount: string) =>
  `jsonb_build_object('kind', '${kind}', 'name', null, 'quantity', ${quantity}, 'amount_minor', ${amount},
     'discount_minor', 0, 'tax_minor', null)`

/** What the store sends, with its delivery: as its order will have them (`goodsOf`). Null: nothing is sent. */
const SENT_LINES = `
  CASE WHEN g.delivery_minor > 0 AND g.delivery_minor < input.amount_minor
       THEN jsonb_build_array(${line("plan", "g.quantity", "input.amount_minor - g.delivery_minor")},
         ${line("delivery", "1", "g.delivery_minor")})
       WHEN g.id IS NOT NULL THEN jsonb_build_array(${line("plan", "g.quantity", "input.amount_minor")}) END`

const NEW_MAIL = {
  id: "text",
  merchant_id: "text",
  environment: "text",
  invoice_id: "text",
  kind: "text",
  step: "int",
  due_at: "timestamptz",
}

function createdEvent(invoice: Invoice, row: SubscriptionRow, publicUrl: string | null): OutgoingEvent {
  const subscription = {
    subscription_number: row.number,
    subscription_uuid: row.uuid,
    customer_number: row.customer_number,
  }
  return {
    merchant_id: invoice.merchant_id,
    environment: invoice.environment,
    event_type: "invoice.created",
    resource_id: invoice.id,
    data: invoiceData({ ...invoice, ...subscription }, publicUrl),
    occurred_at: invoice.opened_at,
  }
}
