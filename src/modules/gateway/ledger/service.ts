import { messageOf } from "../../../i18n/message"
import { NO_BALANCES, type Account, type Balances, type PostingKind } from "./rules"
import { HOME_CURRENCY, inOrder } from "../kernel/money/currencies"
import { validationError } from "../kernel/errors"
import type { Minor } from "../kernel/money/money"
import { placeOfEntries } from "../kernel/database/counters"
import { boundsOf, type Period } from "../kernel/database/counter-rules"
import type { Database } from "../kernel/database/database"
import { Conditions } from "../kernel/database/conditions"
import { pageWithTotals, sumOf, type Page, type Window } from "../kernel/database/paging"
import type { Cradle, Tenant } from "../kernel/types"

/** What leads from the volume of a period to the balance at its end; each is taken off, so money that comes back is negative. */
type Deduction = "refunds" | "disputes" | "dispute_fees" | "payouts"

/** Which of them a posting is; null: a payment, or one that leaves the balance as it is. */
const DEDUCTION_OF: Readonly<Record<PostingKind, Deduction | null>> = {
  payment: null,
  refund_reserved: "refunds",
  refund_completed: null,
  refund_released: "refunds",
  refund_bounced: "refunds",
  surplus_received: null,
  surplus_returned: null,
  payout: "payouts",
  payout_reversed: "payouts",
  dispute_opened: "disputes",
  dispute_fee: "dispute_fees",
  dispute_won: "disputes",
  dispute_lost: null,
  dispute_reinstated: "disputes",
  dispute_fee_returned: "dispute_fees",
  cash_ordered: null,
  cash_collected: null,
  cash_given_up: null,
  cash_returned: null,
  settlement_matched: null,
  settlement_undone: null,
  deposit_matched: null,
  deposit_undone: null,
}

/** The most lines of one statement; request a longer period in parts. */
const STATEMENT_LINES_MAX = 100_000

/** Hundredths of the currency, signed as the account is (ledger/rules.ts). Times on the merchant's clock. */
export type LedgerEntry = {
  id: string
  kind: PostingKind
  account: Account
  amount: Minor
  currency: string
  transaction_id: string | null
  refund_id: string | null
  payout_id: string | null
  dispute_id: string | null
  occurred_at: Date
}

type StatementLine = {
  occurred_at: Date
  kind: PostingKind
  transaction_id: string | null
  order_id: string | null
  refund_id: string | null
  payout_reference: string | null
  /** The fee of a payment. `amount` is the change of the balance. */
  fee: Minor
  amount: Minor
  /** The balance after this line. */
  balance: Minor
}

export type Statement = { opening: Minor; closing: Minor; lines: StatementLine[] }

/** `opening` + `volume` - `fees` - every deduction = `closing`. */
export type BalanceChange = Record<"opening" | "volume" | "fees" | Deduction | "closing", Minor>

type Numbers<Row, Names extends keyof Row> = Omit<Row, Names> & { [Name in Names]: string }

/** As admins see it: a payout's with the bank's reference. */
type ListedEntry = LedgerEntry & { payout_reference: string | null }

type EntryRow = Numbers<LedgerEntry, "amount">

/** `from` is inclusive, `to` exclusive, both on the merchant's clock. */
type EntryFilter = {
  account: Account
  currency?: string
  q?: string
  from?: Date
  to?: Date
  /** Leaves out the entries of payouts. */
  without?: "payouts"
  descending: boolean
}

const ENTRY_COLUMNS =
  "id, kind, account, amount_minor::text AS amount, currency, transaction_id, refund_id, payout_id, dispute_id, occurred_at"

const SUMS = { currency: "e.currency", amounts: [sumOf("amount", "e.amount_minor", "true")] }

/** A merchant's balances and the entries behind them (decisions: Refunds, double entry). */
export class LedgerService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  async balances(tenant: Tenant, currency: string): Promise<Balances> {
    return (await this.balancesByCurrency(tenant)).get(currency) ?? NO_BALANCES
  }

  /** The balances in BDT, and in each other currency in which money has moved: BDT first, the others by code. */
  async balancesByCurrency(tenant: Tenant): Promise<Map<string, Balances>> {
    const rows = await this.database.query<{ currency: string; account: Account; balance: string }>(
      `SELECT currency, account, sum(balance_minor)::text AS balance FROM gateway_ledger_total
       WHERE merchant_id = $1 AND environment = $2 GROUP BY currency, account`,
      [tenant.merchant_id, tenant.environment]
    )
    const currencies = inOrder([HOME_CURRENCY, ...rows.map(({ currency }) => currency)])
    return new Map(
      currencies.map((code) => {
        const own = rows.filter(({ currency }) => currency === code)
        const kept = Object.fromEntries(own.map(({ account, balance }) => [account, BigInt(balance)]))
        return [code, { ...NO_BALANCES, ...kept }]
      })
    )
  }

  /**
   * How the balance in one currency has changed over days of a time zone. From counters of quarters of an hour since
   * the period's first, however many payments those have: a balance of the past is today's without what came later. One
   * statement, so that balances and changes are of one moment.
   */
  async change(tenant: Tenant, currency: string, period: Period): Promise<BalanceChange> {
    const rows = await this.database.query<CountedChange>(CHANGE, [
      tenant.merchant_id,
      tenant.environment,
      currency,
      ...boundsOf(period),
    ])
    const sums = { volume: 0n, fees: 0n, refunds: 0n, disputes: 0n, dispute_fees: 0n, payouts: 0n }
    let closing = BigInt(rows[0].balance)
    let gained = 0n
    for (const { kind, amount, fee, later } of rows) {
      closing -= BigInt(later)
      gained += BigInt(amount) - BigInt(fee)
      const deduction = kind === null ? null : DEDUCTION_OF[kind]
      sums.fees += BigInt(fee)
      sums[deduction ?? "volume"] += deduction === null ? BigInt(amount) : -BigInt(amount)
    }
    return { opening: closing - gained, ...sums, closing }
  }

  /** A page of an account's entries in one currency, newest first, and the total number. */
  async entries(
    tenant: Tenant,
    { account, currency }: { account: Account; currency: string },
    page: { per_page: number; offset: number }
  ): Promise<{ rows: LedgerEntry[]; total: number }> {
    const { total, before, skip } = await placeOfEntries(this.database, tenant, { account, currency }, page.offset)
    const rows = await this.database.query<EntryRow>(
      `SELECT ${ENTRY_COLUMNS} FROM gateway_ledger_entry
       WHERE merchant_id = $1 AND environment = $2 AND account = $3 AND currency = $4 AND occurred_at < $5
       ORDER BY occurred_at DESC, number DESC LIMIT $6 OFFSET $7`,
      [tenant.merchant_id, tenant.environment, account, currency, before, page.per_page, skip]
    )
    return { rows: rows.map(toEntry), total }
  }

  /** A window of the admin's list of an account's entries, newest first; `q` is the id of their subject. */
  async window(tenant: Tenant, filter: EntryFilter, window: Window): Promise<Page<ListedEntry>> {
    const { merchant_id, environment } = tenant
    const conditions = new Conditions(
      "e.merchant_id = ? AND e.environment = ? AND e.account = ?",
      merchant_id,
      environment,
      filter.account
    )
    if (filter.q !== undefined) {
      conditions.add(
        `(e.transaction_id = ? OR e.payout_id = ? OR ${OF_REFUND} OR ${OF_DISPUTE})`,
        ...Array.from({ length: 6 }, () => filter.q)
      )
    }
    conditions.when(filter.currency, "e.currency = ?")
    conditions.when(filter.from, "e.occurred_at >= ?").when(filter.to, "e.occurred_at < ?")
    if (filter.without !== undefined) {
      conditions.add("e.payout_id IS NULL")
    }
    const direction = filter.descending ? "DESC" : "ASC"
    const { where, values } = conditions
    const order = `e.occurred_at ${direction}, e.number ${direction}`
    const page = await pageWithTotals<EntryRow & Pick<ListedEntry, "payout_reference">>(
      this.database,
      {
        table: "gateway_ledger_entry e",
        where,
        values,
        order,
        key: "e.occurred_at, e.number",
        columns: `${ENTRY_COLUMNS}, (SELECT p.reference FROM gateway_payout p WHERE p.id = payout_id) AS payout_reference`,
        sums: SUMS,
      },
      window
    )
    return {
      ...page,
      rows: page.rows.map(({ payout_reference, ...row }) => ({ ...toEntry(row), payout_reference })),
    }
  }

  /**
   * The balance in one currency over a period, `from` inclusive to `before` exclusive, oldest first. One statement, so
   * that opening balance, lines and closing balance are consistent. Errors: VALIDATION_ERROR when it has too many lines.
   */
  async statement(tenant: Tenant, currency: string, period: { from: Date; before: Date }): Promise<Statement> {
    const rows = await this.database.query<
      Numbers<Omit<StatementLine, "balance">, "fee" | "amount"> & { opening: string }
    >(STATEMENT, [tenant.merchant_id, tenant.environment, period.from, period.before, currency])
    if (rows.length > STATEMENT_LINES_MAX) {
      const reason = messageOf("refusal.statement_too_long", { max: STATEMENT_LINES_MAX })
      throw validationError([{ field: "to_date", code: "VALIDATION_ERROR", reason }])
    }
    const opening = BigInt(rows[0].opening)
    let balance = opening
    const lines = rows
      .filter(({ occurred_at }) => occurred_at !== null)
      .map((row): StatementLine => {
        const amount = BigInt(row.amount)
        balance += amount
        return { ...row, fee: BigInt(row.fee), amount, balance }
      })
    return { opening, closing: balance, lines }
  }
}

/** Signed as the balance is; `later`: what has changed after the period. */
type CountedChange = { balance: string; kind: PostingKind | null; amount: string; fee: string; later: string }

/** Always returns a row, for the balance: of a merchant without payments its `kind` is null. */
const CHANGE = `
  SELECT kept.balance, changes.kind, COALESCE(changes.amount, 0)::text AS amount, COALESCE(changes.fee, 0)::text AS fee,
         COALESCE(changes.later, 0)::text AS later
  FROM (SELECT COALESCE(sum(balance_minor), 0)::text AS balance FROM gateway_ledger_total
        WHERE merchant_id = $1 AND environment = $2 AND account = 'merchant_balance' AND currency = $3) AS kept
  LEFT JOIN (
    SELECT CASE WHEN subject = 'payment' THEN 'payment' ELSE label END AS kind,
           sum(amount_minor) FILTER (WHERE bucket < $5) AS amount, sum(fee_minor) FILTER (WHERE bucket < $5) AS fee,
           sum(amount_minor - fee_minor) FILTER (WHERE bucket >= $5) AS later
    FROM gateway_counter
    WHERE merchant_id = $1 AND environment = $2 AND currency = $3 AND bucket >= $4
      AND (subject = 'balance' OR subject = 'payment' AND starts_with(label, 'SUCCESS:'))
    GROUP BY 1) AS changes ON true`

/** A refund's entries are found through its transaction id, which has an index. */
const OF_REFUND = "e.refund_id = ? AND e.transaction_id = (SELECT transaction_id FROM gateway_refund WHERE id = ?)"

/** A dispute's entries are found in the same way. */
const OF_DISPUTE = "e.dispute_id = ? AND e.transaction_id = (SELECT transaction_id FROM gateway_dispute WHERE id = ?)"

function toEntry(row: EntryRow): LedgerEntry {
  return { ...row, amount: BigInt(row.amount) }
}

/**
 * The opening balance is the kept balance without what came since: a statement is mostly about the last weeks, and what
 * came before them grows for ever. Always returns a row, for the opening balance: without lines its other columns are
 * null.
 */
const STATEMENT = `
  SELECT opening.balance AS opening, line.*
  FROM (SELECT (kept.amount - since.amount)::text AS balance
        FROM (SELECT COALESCE(sum(balance_minor), 0) AS amount FROM gateway_ledger_total
              WHERE merchant_id = $1 AND environment = $2 AND account = 'merchant_balance' AND currency = $5) AS kept,
          (SELECT COALESCE(sum(amount_minor), 0) AS amount FROM gateway_ledger_entry
           WHERE merchant_id = $1 AND environment = $2 AND account = 'merchant_balance' AND currency = $5
             AND occurred_at >= $3) AS since) AS opening
  LEFT JOIN (
    SELECT e.occurred_at, e.kind, e.transaction_id, t.order_id, e.refund_id, p.reference AS payout_reference,
           COALESCE(fee.amount_minor, 0)::text AS fee, e.amount_minor::text AS amount, e.number
    FROM gateway_ledger_entry e
    LEFT JOIN gateway_ledger_entry fee ON fee.id = e.posting || ':fees' AND fee.created_at = e.created_at
    LEFT JOIN gateway_transaction t ON t.id = e.transaction_id
    LEFT JOIN gateway_payout p ON p.id = e.payout_id
    WHERE e.merchant_id = $1 AND e.environment = $2 AND e.account = 'merchant_balance' AND e.currency = $5
      AND e.occurred_at >= $3 AND e.occurred_at < $4
    ORDER BY e.occurred_at, e.number LIMIT ${STATEMENT_LINES_MAX + 1}) AS line ON true
  ORDER BY line.occurred_at, line.number`
