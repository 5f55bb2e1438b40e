import { randomUUID } from "node:crypto"
import { newId } from "../domain/ids"
import { invoiceMachine } from "../domain/state-machines/invoice"
import type { Bounds } from "../domain/standing"
import { columnar, type Sql } from "../database"
import { INVOICE_COLUMNS, invoiceData, type Invoice } from "../invoice-records"
import { emit, type OutgoingEvent } from "../outbox"
import type { SubscriptionRow } from "../subscription-records"

/** An invoice that a period is to have; amount in poisha. Its subscription's row is locked by the caller. */
export type InvoiceWish = {
  row: SubscriptionRow
  period: number
  bounds: Bounds
  amount_minor: number
  due_date: Date
  /** The merchant's clock. */
  at: Date
  paid: boolean
}

export type InvoicesWritten = { invoices: Invoice[]; events: OutgoingEvent[] }

const PAY = invoiceMachine.require("PENDING", "pay")
const VOID = invoiceMachine.require("PENDING", "void")

/**
 * Invoices, as a part of somebody else's transaction: at most one that counts for a subscription and period, and
 * numbers without gaps (decisions: Plans and subscriptions; contract 2.12).
 */
export class InvoiceService {
  /** The open invoice of a period: the one there is, or a new one; one of another amount is void from now on. */
  async ensureOpen(sql: Sql, wish: Omit<InvoiceWish, "paid">): Promise<Invoice> {
    const { invoices, events } = await this.write(sql, [{ ...wish, paid: false }])
    await emit(sql, events)
    return invoices[0]
  }

  /**
   * Gives every period its invoice, open or paid, and answers them in the order of the wishes, with the events that
   * tell of new ones: the caller emits them with its own. A paid invoice stays as it is. Numbers are taken under one
   * row's lock until the transaction ends, so this comes as late in it as can be.
   */
  async write(sql: Sql, wishes: readonly InvoiceWish[]): Promise<InvoicesWritten> {
    const keys = { subscription_id: "text", period: "int" }
    const asked = columnar(keys, wishes.map(({ row, period }) => ({ subscription_id: row.id, period })))
    const existing = await sql.query<Invoice>(
      `SELECT ${INVOICE_COLUMNS} FROM gateway_invoice i JOIN ${asked.source}
         ON i.subscription_id = input.subscription_id AND i.period = input.period
       WHERE i.revision = 0 FOR UPDATE OF i`,
      asked.values
    )
    const byPeriod = new Map(existing.map((invoice) => [`${invoice.subscription_id} ${invoice.period}`, invoice]))
    const found = wishes.map((wish) => ({ wish, invoice: byPeriod.get(`${wish.row.id} ${wish.period}`) ?? null }))
    const fits = ({ wish, invoice }: (typeof found)[number]) =>
      invoice !== null && (invoice.status !== "PENDING" || invoice.amount_minor === wish.amount_minor)
    const stale = found.filter((entry) => entry.invoice !== null && !fits(entry))
    await this.void(sql, stale.map(({ wish, invoice }) => ({ id: invoice?.id ?? "", at: wish.at })))
    const toPay = found.filter((entry) => fits(entry) && entry.wish.paid && entry.invoice?.status === "PENDING")
    const paid = await this.pay(sql, toPay.map(({ wish, invoice }) => ({ id: invoice?.id ?? "", at: wish.at })))
    const created = await this.insert(sql, found.filter((entry) => !fits(entry)).map(({ wish }) => wish))
    const fresh = new Map([...paid, ...created].map((invoice) => [`${invoice.subscription_id} ${invoice.period}`, invoice]))
    const invoices = found.map(({ wish }) => {
      const key = `${wish.row.id} ${wish.period}`
      return (fresh.get(key) ?? byPeriod.get(key)) as Invoice
    })
    return { invoices, events: created.map(createdEvent) }
  }

  /** Voids the open invoices of subscriptions: nothing is owed any more. */
  async voidOpen(sql: Sql, subscriptions: readonly { id: string; at: Date }[]): Promise<void> {
    if (subscriptions.length === 0) {
      return
    }
    const { source, values } = columnar({ id: "text", at: "timestamptz" }, subscriptions)
    await sql.query(
      `UPDATE gateway_invoice i SET status = '${VOID.to}', voided_at = input.at, revision = i.number, updated_at = now()
       FROM ${source} WHERE i.subscription_id = input.id AND i.revision = 0 AND i.status = '${VOID.from}'`,
      values
    )
  }

  private async void(sql: Sql, invoices: readonly { id: string; at: Date }[]): Promise<void> {
    if (invoices.length === 0) {
      return
    }
    const { source, values } = columnar({ id: "text", at: "timestamptz" }, invoices)
    await sql.query(
      `UPDATE gateway_invoice i SET status = '${VOID.to}', voided_at = input.at, revision = i.number, updated_at = now()
       FROM ${source} WHERE i.id = input.id AND i.status = '${VOID.from}'`,
      values
    )
  }

  private async pay(sql: Sql, invoices: readonly { id: string; at: Date }[]): Promise<Invoice[]> {
    if (invoices.length === 0) {
      return []
    }
    const { source, values } = columnar({ id: "text", at: "timestamptz" }, invoices)
    return sql.query<Invoice>(
      `UPDATE gateway_invoice i SET status = '${PAY.to}', paid_at = input.at, updated_at = now()
       FROM ${source} WHERE i.id = input.id AND i.status = '${PAY.from}' RETURNING ${INVOICE_COLUMNS}`,
      values
    )
  }

  private async insert(sql: Sql, wishes: readonly InvoiceWish[]): Promise<Invoice[]> {
    if (wishes.length === 0) {
      return []
    }
    const next = await this.numbers(sql, wishes)
    const rows = wishes.map(({ row, period, bounds, amount_minor, due_date, at, paid }) => ({
      id: newId("inv"),
      uuid: randomUUID(),
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
      due_date,
      paid_at: paid ? at : null,
      opened_at: at,
    }))
    const { source, values } = columnar(NEW_INVOICE, rows)
    const names = Object.keys(NEW_INVOICE).join(", ")
    return sql.query<Invoice>(
      `INSERT INTO gateway_invoice AS i (${names}) SELECT ${names} FROM ${source} RETURNING ${INVOICE_COLUMNS}`,
      values,
      "gateway_insert_invoices"
    )
  }

  /** Takes as many numbers of each series as are needed; they go back when the transaction does not commit. */
  private async numbers(sql: Sql, wishes: readonly InvoiceWish[]): Promise<(row: SubscriptionRow) => number> {
    const wanted = new Map<string, { id: string; merchant_id: string; environment: string; count: number }>()
    for (const { row } of wishes) {
      const key = `${row.merchant_id} ${row.environment}`
      const { merchant_id, environment } = row
      const entry = wanted.get(key) ?? { id: newId("ins"), merchant_id, environment, count: 0 }
      wanted.set(key, { ...entry, count: entry.count + 1 })
    }
    const { source, values } = columnar({ id: "text", merchant_id: "text", environment: "text", count: "int" }, [...wanted.values()])
    const taken = await sql.query<{ merchant_id: string; environment: string; last_number: number }>(
      `INSERT INTO gateway_invoice_series AS series (id, merchant_id, environment, last_number)
       SELECT id, merchant_id, environment, count FROM ${source} ORDER BY merchant_id, environment
       ON CONFLICT (merchant_id, environment) DO UPDATE
         SET last_number = series.last_number + excluded.last_number, updated_at = now()
       RETURNING merchant_id, environment, last_number`,
      values
    )
    const next = new Map(
      taken.map(({ merchant_id, environment, last_number }) => {
        const key = `${merchant_id} ${environment}`
        return [key, last_number - (wanted.get(key)?.count ?? 0)]
      })
    )
    return ({ merchant_id, environment }) => {
      const key = `${merchant_id} ${environment}`
      const number = (next.get(key) ?? 0) + 1
      next.set(key, number)
      return number
    }
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
  due_date: "timestamptz",
  paid_at: "timestamptz",
  opened_at: "timestamptz",
}

function createdEvent(invoice: Invoice): OutgoingEvent {
  return {
    merchant_id: invoice.merchant_id,
    environment: invoice.environment,
    event_type: "invoice.created",
    resource_id: invoice.id,
    data: invoiceData(invoice),
    occurred_at: invoice.opened_at,
  }
}
