import { clockNow } from "../kernel/money/clock"
import { GatewayError } from "../kernel/errors"
import type { Posting } from "./rules"
import type { Minor } from "../kernel/money/money"
import type { Sql } from "../kernel/database/database"
import type { Tenant } from "../kernel/types"

/** SQL: what the bank takes from the merchant under the EMI plan `p`; 0 when the customer pays interest and fee. */
export const EMI_COST_MINOR = "p.bank_interest_minor - p.interest_minor + p.bank_fee_minor - p.fee_minor"

/**
 * `post` as part of a larger statement, so that the change and its postings cost one round trip. `parameter` (`$2`) is
 * what `entryRows` returns.
 */
export const entryInsert = (parameter: string) => `
  INSERT INTO gateway_ledger_entry
    (id, posting, kind, account, merchant_id, environment, currency, amount_minor, transaction_id, refund_id, payout_id,
     dispute_id, occurred_at)
  SELECT posting || ':' || account, posting, kind, account, merchant_id, environment, currency, amount_minor,
         transaction_id, refund_id, payout_id, dispute_id, occurred_at
  FROM json_to_recordset(${parameter}::json) AS entry (posting text, kind text, account text, merchant_id text, environment text,
    currency text, amount_minor bigint, transaction_id text, refund_id text, payout_id text,
    dispute_id text, occurred_at timestamptz)`

const POST = entryInsert("$1")

/**
 * SQL: the amount of one account in one posting (SQL, `t.id || ':paid'`), 0 when the posting has no such entry. The
 * posting's time leads to the partition of its entries; without it each partition would be searched.
 */
export const posted = (posting: string, account: string) =>
  `COALESCE((SELECT e.amount_minor FROM gateway_ledger_entry e WHERE ${entryOf(posting, account)}), 0)`

/** SQL: the condition on an entry `e` of one account in one posting. */
export const entryOf = (posting: string, account: string) => `e.id = ${posting} || ':${account}'
  AND e.created_at = (SELECT posting.created_at FROM gateway_ledger_posting posting WHERE posting.id = ${posting})`

/**
 * SQL: what deposits in banks (`lines`: a condition on the lines `l`) bring of their settlements. What the bank has kept of
 * a deposit of several settlements is divided by their amounts, so that the parts are all of it: each is the difference of
 * what is rounded up to it and before it.
 */
export const depositParts = (lines: string) => `
  SELECT parts.*, CASE WHEN parts.whole = 0 THEN CASE WHEN parts.place = 1 THEN parts.kept ELSE 0 END
    ELSE div(parts.kept * parts.until, parts.whole) - div(parts.kept * (parts.until - parts.settled), parts.whole) END AS charge
  FROM (
    SELECT l.merchant_id, l.environment, l.id, l.month, l.occurred_at, l.reference, l.currency, b.source, b.batch,
      b.amount_minor::numeric AS settled, sum(b.amount_minor) OVER of_deposit AS whole, row_number() OVER in_order AS place,
      sum(b.amount_minor) OVER in_order AS until, sum(b.amount_minor) OVER of_deposit - l.gross_minor AS kept
    FROM gateway_settlement_line l JOIN gateway_settlement_allocation b ON b.deposit_id = l.id
    WHERE l.posted_as IS NOT NULL AND ${lines}
    WINDOW of_deposit AS (PARTITION BY l.id), in_order AS (PARTITION BY l.id ORDER BY b.source, b.batch)) parts`

/** The parameter that `entryInsert` reads. */
export function entryRows(postings: readonly Posting[]): string {
  return JSON.stringify(
    postings.flatMap((of) =>
      of.lines.map(({ account, amount }) => ({
        posting: of.id,
        kind: of.kind,
        account,
        merchant_id: of.merchant_id,
        environment: of.environment,
        currency: of.currency,
        amount_minor: amount.toString(),
        // What is left out is null.
        transaction_id: of.transaction_id ?? undefined,
        refund_id: of.refund_id ?? undefined,
        payout_id: of.payout_id ?? undefined,
        dispute_id: of.dispute_id ?? undefined,
        occurred_at: of.occurred_at,
      }))
    )
  )
}

/**
 * Writes postings to the ledger in the transaction of the change (`sql`), in one statement. Database triggers refuse
 * postings that do not sum to zero and keep the totals, and refuse what was posted before. Lock order: lock every
 * gateway_transaction row that the transaction needs before this call. This call locks the totals, and whoever holds
 * such a row may be waiting for them. It locks them in the order of their keys: a transaction whose postings are in
 * several currencies writes them by one statement, because two would have an order of their own.
 */
export async function post(sql: Sql, postings: readonly Posting[]): Promise<void> {
  if (postings.length > 0) {
    await sql.query(POST, [entryRows(postings)], "gateway_ledger_post")
  }
}

/** What is decided by a merchant's sums is decided by one transaction at a time. After the locks of its payments. */
export async function lockTenant(sql: Sql, { merchant_id, environment }: Tenant): Promise<void> {
  await sql.query(
    "SELECT 1 FROM gateway_merchant_environment WHERE merchant_id = $1 AND environment = $2 FOR NO KEY UPDATE",
    [merchant_id, environment]
  )
}

/**
 * Reads the merchant's balance in one currency and locks it, in every currency, against other spending until the
 * transaction of `sql` ends: every change that takes money from the balance holds this lock. Incoming money needs no
 * lock and is not waited for.
 */
export async function lockBalance(sql: Sql, tenant: Tenant, currency: string): Promise<Minor> {
  await lockTenant(sql, tenant)
  // A separate statement: it sees what was committed while this transaction waited for the lock.
  const [{ balance }] = await sql.query<{ balance: string }>(
    `SELECT COALESCE(sum(balance_minor), 0)::text AS balance FROM gateway_ledger_total
     WHERE merchant_id = $1 AND environment = $2 AND account = 'merchant_balance' AND currency = $3`,
    [tenant.merchant_id, tenant.environment, currency]
  )
  return BigInt(balance)
}

/** The moment on the merchant's clock. Throws MERCHANT_NOT_FOUND. */
export async function tenantNow(sql: Sql, { merchant_id, environment }: Tenant): Promise<Date> {
  const [row] = await sql.query<{ clock_offset_seconds: number }>(
    "SELECT clock_offset_seconds FROM gateway_merchant_environment WHERE merchant_id = $1 AND environment = $2",
    [merchant_id, environment]
  )
  if (row === undefined) {
    throw new GatewayError("MERCHANT_NOT_FOUND")
  }
  return clockNow(new Date(), row.clock_offset_seconds)
}
