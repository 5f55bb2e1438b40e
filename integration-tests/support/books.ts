import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { taka } from "../../src/i18n/formats"
import type { Language } from "../../src/i18n/languages"
import { textOfPdf } from "../../src/modules/gateway/invoices/documents/__tests__/pdf-text"
import { parseCsv } from "../../src/modules/gateway/kernel/text/csv-records"
import { syncDueCaptures } from "../../src/store/captures/sync-order-captures"
import { followCashOrders } from "../../src/store/cash/settle"
import { syncDueRefunds } from "../../src/store/refunds/sync-order-refund"
import type { Admin } from "./admin"
import type { ApiMerchant } from "./api"
import { notificationsOf } from "./mails"
import { orderMoney } from "./order-money"
import type { Store } from "./store"

/** What an order's money must be, in taka. */
export interface Sums {
  captured: number
  refunded: number
  /** What the order still costs: all of `reserved`, `cash`, and what a payment link asks for. */
  due: number
  /** What can still be captured of what the shopper's bank has reserved. */
  reserved?: number
  /** What is due at the door. */
  cash?: number
  /** Every receipt that was sent, by what it is for. */
  paid_mails: number[]
  refund_mails: number[]
}

type Row = Record<string, string | null>
type Table = Record<string, number>

const sum = (amounts: readonly unknown[]) =>
  amounts.reduce<number>((total, amount) => total + Math.round(Number(amount ?? 0) * 100), 0) / 100
const taken = ({ captured_amount, amount, status }: Row) =>
  captured_amount || (["SUCCESS", "REFUNDED", "Paid", "Refunded"].includes(status ?? "") ? amount : 0)

/** Everything that says something about an order's money, compared with what it must be. The store is in this process. */
export class Books {
  constructor(
    private readonly store: Store,
    private readonly merchant: ApiMerchant,
    private readonly admin: Admin,
    private readonly language: Language
  ) {}

  /** Fails with each place whose sum differs. `step`: what has just been done. */
  async agree(step: string, order_id: string, sums: Sums): Promise<void> {
    await this.catchUp(order_id)
    const { captured, refunded, due, reserved = 0, cash = 0, paid_mails, refund_mails } = sums
    const tables = await this.read(order_id)
    const wanted: typeof tables = {
      captured: all(tables.captured, captured),
      refunded: all(tables.refunded, refunded),
      due: all(tables.due, due),
      reserved: all(tables.reserved, reserved),
      cash: all(tables.cash, cash),
      mails: { paid: paid_mails, refunds: refund_mails },
    }
    expect({ step, ...tables }).toEqual({ step, ...wanted })
    expect(await this.store.brokenInvariants()).toEqual([])
  }

  /** What the store's worker does within a minute; under test there is none. */
  private async catchUp(order_id: string): Promise<void> {
    const { container, db, gateway } = this.store
    await db("gateway_cash_order")
      .where({ order_id })
      .update({ looked_at: new Date(0), next_attempt_at: new Date(0) })
    await syncDueCaptures(container)
    await syncDueRefunds(container)
    await followCashOrders(container)
    await gateway.receipts.run(100)
  }

  private async read(order_id: string) {
    const medusa = await this.medusa(order_id)
    const { body } = await this.admin.get(`/orders/${order_id}/payments`)
    const { payments, cash_order } = body as unknown as { payments: Row[]; cash_order: Row | null }
    const ids = payments.map(({ id }) => String(id))
    const [online, door, refunds] = [
      await this.online(ids),
      await this.door(cash_order?.id ?? null),
      await this.refunds(ids),
    ]
    const { balance } = (await this.admin.get(`/orders/${order_id}/balance`)).body as unknown as { balance: Row }
    const returned = Number(door.row.returned ?? 0)
    return {
      captured: {
        ...medusa.captured,
        "admin: the order's page": sum([...payments.map(taken), cash_order?.collected]),
        "admin: the lists": sum([...online.rows.map(taken), door.row.collected]),
        "admin: the exports": sum([...online.lines.map(taken), door.line.collected]),
        "API: verified": sum([...online.verified, door.row.collected]),
        "API: list": sum([...online.listed.map(taken), door.row.collected]),
        events: sum([...online.events, ...door.events]),
        ledger: sum([online.ledger.payment, door.ledger.cash_collected]),
      } as Table,
      refunded: {
        ...medusa.refunded,
        "admin: the order's page": sum([...payments.map((row) => row.refunded_amount), cash_order?.returned]),
        "admin: the lists": sum([...online.rows.map((row) => row.refunded_amount), returned]),
        "admin: the exports": sum([...online.lines.map((row) => row.refunded_amount), door.line.returned]),
        "admin: the list of refunds": sum([...refunds.rows, returned]),
        "API: list": sum([...online.listed.map((row) => row.refunded_amount), returned]),
        "API: refunds": sum([...refunds.api, returned]),
        events: sum([...refunds.events, ...door.returns]),
        ledger: sum([online.ledger.refund_completed, door.ledger.cash_returned]),
      } as Table,
      due: {
        ...medusa.due,
        "balance, reserved and cash": sum([
          balance.outstanding,
          ...online.rows.map((row) => row.capturable_amount),
          door.row.due,
        ]),
      } as Table,
      reserved: {
        "admin: the order's page": sum(payments.map((row) => row.capturable_amount)),
        "admin: the list": sum(online.rows.map((row) => row.capturable_amount)),
        "API: verified": sum(online.reserved),
      } as Table,
      cash: {
        "admin: the order's page": sum([cash_order?.due]),
        "admin: the list": sum([door.row.due]),
        "admin: the export": sum([door.line.due]),
        "the last event": sum([door.due]),
        ledger: sum([door.ledger.due]),
      } as Table,
      mails: await this.mails(ids, refunds.ids),
    }
  }

  private async medusa(order_id: string): Promise<Record<"captured" | "refunded" | "due", Table>> {
    const money = await orderMoney(this.store, order_id)
    const query = this.store.container.resolve(ContainerRegistrationKeys.QUERY)
    const fields = ["payment_collections.captured_amount", "transactions.amount", "transactions.reference"]
    const { data } = await query.graph({ entity: "order", fields, filters: { id: order_id } })
    const order = data[0] as unknown as {
      payment_collections: { captured_amount: number }[]
      transactions: { amount: number; reference: string }[]
    }
    const booked = (reference: string) =>
      order.transactions.filter((one) => one.reference === reference).map(({ amount }) => amount)
    return {
      captured: {
        "Medusa: transactions": sum(booked("capture")),
        "Medusa: captures": money.captured,
        "Medusa: payment collections": sum(order.payment_collections.map(({ captured_amount }) => captured_amount)),
      },
      refunded: {
        "Medusa: transactions": 0 - sum(money.transactions),
        "Medusa: refunds": sum(money.refunds),
        "Medusa: payment collections": money.refunded,
      },
      due: {
        "Medusa: summary": money.pending,
        "Medusa: cost less transactions": sum([money.cost, -money.transaction_total]),
      },
    }
  }

  /** What was paid online. */
  private async online(ids: readonly string[]) {
    const { db } = this.store
    const rows: Row[] = []
    const lines: Row[] = []
    const listed: Row[] = []
    const [verified, reserved]: [unknown[], unknown[]] = [[], []]
    for (const id of ids) {
      rows.push(...((await this.admin.get(`/payments?q=${id}`)).body.payments as unknown as Row[]))
      lines.push(...(await this.exported(`/payments?q=${id}`, PAYMENT_COLUMNS)))
      listed.push(...((await this.merchant.call("GET", `/payments?q=${id}`)).body.data as unknown as Row[]))
      const { data } = (await this.merchant.verify(id)).body as unknown as { data: Row }
      verified.push(data.captured_amount ?? data.amount)
      reserved.push(data.capturable_amount)
    }
    const told: { event_type: string; data: Row }[] = await db("gateway_event").whereIn("resource_id", ids)
    const captures = told.filter(({ event_type }) => event_type === "payment.captured")
    const isCaptured = (id: string | null) => captures.some(({ data }) => data.transaction_id === id)
    const atOnce = told.filter(
      ({ event_type, data }) => event_type === "payment.succeeded" && !isCaptured(data.transaction_id)
    )
    const entries = await db("gateway_ledger_entry").whereIn("transaction_id", ids)
    const events = [...captures.map(({ data }) => data.capture_amount), ...atOnce.map(({ data }) => data.amount)]
    return { rows, lines, listed, verified, reserved, events, ledger: posted(entries) }
  }

  /** What is paid at the door; its rows are empty of an order that was paid online alone. */
  private async door(id: string | null) {
    if (id === null) {
      return { row: {} as Row, line: {} as Row, events: [], returns: [], due: 0, ledger: posted([]) }
    }
    const { db } = this.store
    const [row] = (await this.admin.get(`/cash-orders?q=${id}`)).body.cash_orders as unknown as Row[]
    const [line] = await this.exported(`/cash-orders?q=${id}`, CASH_COLUMNS)
    const told: { data: Row }[] = await db("gateway_event").where({ resource_id: id }).orderBy("id")
    const entries = await db("gateway_ledger_entry").where("posting", "like", `${id}:%`)
    return {
      row,
      line,
      events: told.map(({ data }) => data.collection_amount),
      returns: [row.returned],
      due: told.at(-1)?.data.due,
      ledger: { ...posted(entries), due: -balanceOf(entries, "cash_due") },
    }
  }

  private async refunds(transactions: readonly string[]) {
    const rows: Row[] = []
    for (const id of transactions) {
      rows.push(...((await this.admin.get(`/refunds?q=${id}`)).body.refunds as unknown as Row[]))
    }
    const { data } = (await this.merchant.call("GET", "/payments/refunds?limit=100")).body
    const api = (data as unknown as { refunds: Row[] }).refunds.filter((one) =>
      transactions.includes(String(one.transaction_id))
    )
    const done = rows.filter(({ status }) => status === "completed")
    const ids = done.map(({ id }) => String(id))
    const told: { data: Row }[] = await this.store
      .db("gateway_event")
      .whereIn("resource_id", ids)
      .where({ event_type: "refund.completed" })
    return {
      ids,
      rows: done.map(({ amount }) => amount),
      api: api.filter((one) => one.refund_status === "completed").map(({ refund_amount }) => refund_amount),
      events: told.map(({ data }) => data.refund_amount),
    }
  }

  /** The amounts of the receipts, once their text and their PDF say them too. */
  private async mails(transactions: string[], refunds: string[]): Promise<{ paid: number[]; refunds: number[] }> {
    const read = async (resource_id: string) => {
      const sent = await notificationsOf(this.store).listNotifications({ resource_id })
      for (const { data, template } of sent) {
        const shown = taka(sum([data?.amount]) * 100, this.language)
        expect([template, data?.subject, data?.text]).toEqual([
          template,
          expect.stringContaining(shown),
          expect.stringContaining(shown),
        ])
        const of = refunds.includes(resource_id)
          ? { transaction_id: await this.paymentOf(resource_id), refund_id: resource_id }
          : { transaction_id: resource_id, refund_id: null }
        const tenant = { merchant_id: this.merchant.id, environment: "sandbox" as const }
        const { bytes } = await this.store.gateway.receipts.pdf(tenant, of, this.language)
        expect(textOfPdf(bytes)).toContain(shown)
      }
      return sent.map(({ data }) => sum([data?.amount]))
    }
    return {
      paid: (await Promise.all(transactions.map(read))).flat(),
      refunds: (await Promise.all(refunds.map(read))).flat(),
    }
  }

  private async paymentOf(refund_id: string): Promise<string> {
    return (await this.store.db("gateway_refund").where({ id: refund_id }).first()).transaction_id
  }

  /** The lines of a list's CSV, with these names for its columns. */
  private async exported(path: string, names: Record<string, string>): Promise<Row[]> {
    const { text } = await this.admin.get(`${path}&format=csv`)
    const [{ cells: headers }, ...lines] = parseCsv(text)
    return lines.map(({ cells }) =>
      Object.fromEntries(Object.entries(names).map(([name, header]) => [name, cells[headers.indexOf(header)] ?? null]))
    )
  }
}

const PAYMENT_COLUMNS = {
  status: "Status",
  amount: "Amount",
  captured_amount: "Captured",
  refunded_amount: "Refunded",
}
const CASH_COLUMNS = { collected: "Cash collected", due: "Cash due", returned: "Cash given back" }

type Entry = { kind: string; account: string; amount_minor: string }

const balanceOf = (entries: readonly Entry[], account: string) =>
  sum(entries.filter((one) => one.account === account).map((one) => Number(one.amount_minor) / 100))

/** What each kind of posting has moved, by the account that tells it. */
function posted(entries: readonly Entry[]) {
  const moved = (kind: string, account: string) =>
    balanceOf(
      entries.filter((one) => one.kind === kind),
      account
    )
  return {
    payment: -moved("payment", "acquirer_clearing"),
    refund_completed: moved("refund_completed", "acquirer_clearing"),
    cash_collected: moved("cash_collected", "cash_due"),
    cash_returned: moved("cash_returned", "cash_received"),
    due: 0,
  }
}

const all = (table: Table, amount: number): Table =>
  Object.fromEntries(Object.keys(table).map((place) => [place, amount]))
