import type { Posting } from "./rules"
import type { Minor } from "../kernel/money"
import type { Sql } from "../kernel/database"
import type { Tenant } from "../kernel/types"

/**
 * `post` as part of a larger statement, whose change and postings then cost one round trip. `parameter` (`$2`) is what
 * `entryRows` makes.
 */
export const entryInsert = (parameter: string) => `
  INSERT INTO gateway_ledger_entry
    (id, posting, kind, account, merchant_id, environment, currency, amount_minor, transaction_id, refund_id, payout_id, occurred_at)
  SELECT posting || ':' || account, posting, kind, account, merchant_id, environment, currency, amount_minor,
         transaction_id, refund_id, payout_id, occurred_at
  FROM jsonb_to_recordset(${parameter}::jsonb) AS entry (posting text, kind text, account text, merchant_id text, environment text,
    currency text, amount_minor bigint, transaction_id text, refund_id text, payout_id text, occurred_at timestamptz)`

const POST = entryInsert("$1")

/** The parameter that `entryInsert` reads. */
export function entryRows(postings: readonly Posting[]): string {
  return JSON.stringify(
    postings.flatMap(({ id: posting, lines, ...rest }) =>
      lines.map(({ account, amount }) => ({ ...rest, posting, account, amount_minor: amount.toString() }))
    )
  )
}

/**
 * Writes postings into the ledger: `sql` is the transaction of the change they tell of. One statement; triggers in the
 * database refuse what does not sum to zero and keep the totals, and the entries' ids keep anything from being
 * posted twice. Every row of gateway_transaction that the transaction needs is locked before: it holds totals from
 * here on, and somebody who holds such a row may be waiting for them.
 */
export async function post(sql: Sql, postings: readonly Posting[]): Promise<void> {
  if (postings.length > 0) {
    await sql.query(POST, [entryRows(postings)], "gateway_ledger_post")
  }
}

/**
 * What the merchant has, read so that nobody else can spend it before the transaction of `sql` ends: whoever takes
 * from the balance holds this lock. Money that comes in meanwhile does not need it and is not waited for.
 */
export async function lockBalance(sql: Sql, tenant: Tenant): Promise<Minor> {
  await sql.query(
    "SELECT 1 FROM gateway_merchant_environment WHERE merchant_id = $1 AND environment = $2 FOR NO KEY UPDATE",
    [tenant.merchant_id, tenant.environment]
  )
  // A statement of its own: it sees what was committed while the lock was waited for.
  const [{ balance }] = await sql.query<{ balance: string }>(
    `SELECT COALESCE(sum(balance_minor), 0)::text AS balance FROM gateway_ledger_total
     WHERE merchant_id = $1 AND environment = $2 AND account = 'merchant_balance'`,
    [tenant.merchant_id, tenant.environment]
  )
  return BigInt(balance)
}
