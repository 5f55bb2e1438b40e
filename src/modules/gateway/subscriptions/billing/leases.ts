import { columnar, limitLockWaits, type Sql } from "../../kernel/database/database"
import { dueAt } from "../due-step"
import type { SubscriptionPaymentService } from "../payments"
import { saveSubscriptions, type SubscriptionRow } from "../records"
import { openPeriod } from "../lifecycle"
import { recordsOf } from "./records"

/** How long a claim is left to its worker (real time): longer than charging a batch usually takes. */
export const LEASE_SECONDS = 120
/** No charge begins with less than this left of the lease: it is over before anybody else can take over. */
export const CALL_SECONDS = 40
/** What cannot even be tried is looked at again after this. */
const POSTPONE_SECONDS = 600

type Leased = { row: SubscriptionRow }

/** Those that are still leased under the token, locked in one order so that two workers never wait for each other. */
export async function lockLeased<One extends Leased>(sql: Sql, some: readonly One[], token: string): Promise<One[]> {
  await limitLockWaits(sql)
  const rows = await sql.query<{ id: string }>(
    "SELECT id FROM gateway_subscription WHERE id = ANY($1) AND lock_token = $2 ORDER BY id FOR UPDATE",
    [some.map(({ row }) => row.id), token],
    "gateway_lock_leased"
  )
  const ours = new Set(rows.map(({ id }) => id))
  return some.filter(({ row }) => ours.has(row.id))
}

/**
 * What was not done stays due. A period that is still PROCESSING may have been charged by an earlier worker: its
 * subscription keeps a lease, which ends now, as if that worker had just died. Without one, the subscription could
 * change before anybody has asked the acquirer.
 */
export async function release(sql: Sql, undone: readonly Leased[], token: string): Promise<void> {
  if (undone.length > 0) {
    await sql.query(
      `UPDATE gateway_subscription s SET lock_token = CASE WHEN ${IN_DOUBT} THEN s.lock_token END,
         locked_until = CASE WHEN ${IN_DOUBT} THEN now() END
       WHERE s.id = ANY($1) AND s.lock_token = $2`,
      [undone.map(({ row }) => row.id), token]
    )
  }
}

const IN_DOUBT = `EXISTS (SELECT 1 FROM gateway_billing_record r
  WHERE r.subscription_id = s.id AND r.period = s.paid_period + 1 AND r.status = 'PROCESSING')`

/**
 * Postpones what cannot be tried at all. A charge that an earlier worker may have sent is left to the reconciler
 * instead, which asks the acquirer, so that nobody charges twice. The rows are locked, and leased under the token.
 */
export async function postpone(
  sql: Sql,
  payments: SubscriptionPaymentService,
  untried: readonly Leased[],
  token: string
): Promise<void> {
  const records = await recordsOf(
    sql,
    untried.map(({ row }) => ({ subscription_id: row.id, period: openPeriod(row) }))
  )
  const isInDoubt = ({ row }: Leased) => records.get(`${row.id} ${openPeriod(row)}`)?.status === "PROCESSING"
  for (const { row } of untried.filter(isInDoubt)) {
    await saveSubscriptions(sql, [{ from: row.status, next: await payments.leaveToReconciler(sql, row) }])
  }
  // An admin's retry had made its subscription due at once, and is answered that nothing was tried: `due_at` is again
  // what it was before the retry.
  const waiting = untried.filter((one) => !isInDoubt(one)).map(({ row }) => ({ id: row.id, due_at: dueAt(row, false) }))
  if (waiting.length > 0) {
    const { source, values } = columnar({ id: "text", due_at: "timestamptz" }, waiting, 3)
    await sql.query(
      `UPDATE gateway_subscription s SET lock_token = NULL, locked_until = now() + $2 * interval '1 second',
         due_at = input.due_at
       FROM ${source} WHERE s.id = input.id AND s.lock_token = $1`,
      [token, POSTPONE_SECONDS, ...values]
    )
  }
}
