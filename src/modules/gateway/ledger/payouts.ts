import { GatewayError } from "../kernel/errors"
import { newPayoutId } from "../kernel/text/ids"
import { payoutPosting, requireBalance } from "./rules"
import { formatAmount, type Minor } from "../kernel/money/money"
import { payoutMachine, type PayoutState } from "./payout-states"
import { actorOf, audit, type By } from "../kernel/database/audit"
import type { AuditAction } from "../kernel/database/logged-actions"
import type { Database, Sql } from "../kernel/database/database"
import { lockBalance, post, tenantNow } from "./records"
import { Conditions, startingWith } from "../kernel/database/conditions"
import { pageWithTotals, sumOf, type Page, type Window } from "../kernel/database/paging"
import type { Cradle, Tenant } from "../kernel/types"

/** Amounts in hundredths of the currency; times on the merchant's clock. */
export type Payout = Tenant & {
  id: string
  state: PayoutState
  amount: Minor
  currency: string
  reference: string
  note: string | null
  /** Days as `2026-11-20`: of the bank's transfer, and the first and last that it pays for, in the merchant's time zone. */
  transferred_on: string | null
  period_from: string | null
  period_to: string | null
  recorded_by: string
  recorded_at: Date
  reversed_by: string | null
  reversed_at: Date | null
}

type PayoutRow = Omit<Payout, "amount"> & { amount: string }

type Days = Pick<Payout, "transferred_on" | "period_from" | "period_to">

/** With both days of the period or neither. */
export type NewPayout = { amount: Minor; currency: string; reference: string; note: string | null } & Partial<Days>

/** `from` is inclusive, `to` exclusive, both on the merchant's clock. */
type PayoutFilter = { q?: string; state?: PayoutState; from?: Date; to?: Date; descending: boolean }

const COLUMNS =
  "id, merchant_id, environment, state, amount_minor::text AS amount, currency, reference, note, transferred_on::text AS transferred_on, period_from::text AS period_from, period_to::text AS period_to, recorded_by, recorded_at, reversed_by, reversed_at"

const SUMS = { currency: "p.currency", amounts: [sumOf("amount", "p.amount_minor", "p.state = 'recorded'")] }

/** Payouts to merchants: an admin records what the bank has transferred, and reverses a wrong record. */
export class PayoutService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /**
   * Errors: MERCHANT_NOT_FOUND; DUPLICATE_PAYOUT (a recorded one has this reference, in any currency: a bank's
   * reference names one transfer); INSUFFICIENT_BALANCE in the payout's currency, in the sandbox too and even for a
   * merchant that may overdraw: only refunds may.
   */
  async record(tenant: Tenant & By, input: NewPayout): Promise<Payout> {
    return this.database.transaction(async (sql) => {
      const now = await tenantNow(sql, tenant)
      const available = await lockBalance(sql, tenant, input.currency)
      await requireNewReference(sql, tenant, input.reference)
      requireBalance(available, input.amount, input.currency)
      const [row] = await sql.query<PayoutRow>(
        `INSERT INTO gateway_payout (id, merchant_id, environment, amount_minor, currency, reference, note, transferred_on, period_from,
           period_to, recorded_by, recorded_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING ${COLUMNS}`,
        [
          newPayoutId(),
          tenant.merchant_id,
          tenant.environment,
          input.amount.toString(),
          input.currency,
          input.reference,
          input.note,
          input.transferred_on ?? null,
          input.period_from ?? null,
          input.period_to ?? null,
          actorOf(tenant).id,
          now,
        ]
      )
      const payout = toPayout(row)
      await post(sql, [payoutPosting(payout, "payout", now)])
      await note(sql, payout, tenant, "payout.recorded", null)
      return payout
    })
  }

  /**
   * Reverses a payout that was recorded wrongly or that the bank returned: the money is the merchant's again. Errors:
   * PAYOUT_NOT_FOUND, INVALID_STATE_TRANSITION.
   */
  async reverse(tenant: Tenant & By, id: string): Promise<Payout> {
    return this.database.transaction(async (sql) => {
      const [row] = await sql.query<PayoutRow>(
        `SELECT ${COLUMNS} FROM gateway_payout p WHERE id = $1 AND merchant_id = $2 AND environment = $3 FOR UPDATE`,
        [id, tenant.merchant_id, tenant.environment]
      )
      if (row === undefined) {
        throw new GatewayError("PAYOUT_NOT_FOUND")
      }
      const { to } = payoutMachine.require(row.state, "reverse")
      const now = await tenantNow(sql, row)
      const [written] = await sql.query<PayoutRow>(
        `UPDATE gateway_payout SET state = $2, reversed_by = $3, reversed_at = $4, updated_at = now()
         WHERE id = $1 AND state = 'recorded' RETURNING ${COLUMNS}`,
        [id, to, actorOf(tenant).id, now]
      )
      const payout = toPayout(written)
      await post(sql, [payoutPosting(payout, "payout_reversed", now)])
      await note(sql, payout, tenant, "payout.reversed", toPayout(row))
      return payout
    })
  }

  /** A window of the admin's list, newest first; `q` is the id of one or the beginning of a reference. */
  async window(tenant: Tenant, filter: PayoutFilter, window: Window): Promise<Page<Payout>> {
    const conditions = new Conditions("p.merchant_id = ? AND p.environment = ?", tenant.merchant_id, tenant.environment)
      .when(filter.state, "p.state = ?")
      .when(filter.from, "p.recorded_at >= ?")
      .when(filter.to, "p.recorded_at < ?")
    const direction = filter.descending ? "DESC" : "ASC"
    const { where, values } = conditions
    const order = `p.recorded_at ${direction}, p.id ${direction}`
    const search =
      filter.q === undefined
        ? undefined
        : [
            { sql: "id = ?", values: [filter.q] },
            { sql: "reference LIKE ?", values: [startingWith(filter.q)] },
          ]
    const page = await pageWithTotals<PayoutRow>(
      this.database,
      {
        table: "gateway_payout p",
        where,
        values,
        order,
        key: "p.recorded_at, p.id",
        columns: COLUMNS,
        sums: SUMS,
        search,
      },
      window
    )
    return { ...page, rows: page.rows.map(toPayout) }
  }
}

function toPayout(row: PayoutRow): Payout {
  return { ...row, amount: BigInt(row.amount) }
}

/** Runs under the balance's lock, so that a transfer that is entered twice at once is recorded once. */
async function requireNewReference(sql: Sql, { merchant_id, environment }: Tenant, reference: string): Promise<void> {
  const recorded = await sql.query(
    "SELECT 1 FROM gateway_payout WHERE merchant_id = $1 AND environment = $2 AND reference = $3 AND state = 'recorded'",
    [merchant_id, environment, reference]
  )
  if (recorded.length > 0) {
    throw new GatewayError("DUPLICATE_PAYOUT", undefined, { field: "reference" })
  }
}

async function note(sql: Sql, payout: Payout, by: By, action: AuditAction, before: Payout | null): Promise<void> {
  const visible = ({
    state,
    amount,
    currency,
    reference,
    note: text,
    transferred_on,
    period_from,
    period_to,
  }: Payout) => ({
    state,
    amount: formatAmount(amount),
    currency,
    reference,
    note: text,
    transferred_on,
    period_from,
    period_to,
  })
  await audit(sql, {
    merchant_id: payout.merchant_id,
    environment: payout.environment,
    by,
    action,
    resource_id: payout.id,
    before: before === null ? null : visible(before),
    after: visible(payout),
  })
}
