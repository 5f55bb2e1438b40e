import { answeredWithin, type Period } from "../kernel/database/counter-rules"
import type { Sql } from "../kernel/database/database"
import type { Tenant } from "../kernel/types"
import type { AcquirerSet } from "../acquirers/registry"
import { IS_OPEN } from "../payments/attempt-states"

/** How an acquirer has served a merchant. `left`: attempts that the shopper gave up; they are no answer of its. */
export type AcquirerFigures = {
  acquirer: string
  paid: number
  declined: number
  left: number
  /** Within how many milliseconds half of its first answers came, and 95 of 100; null: nothing was measured. */
  median_ms: number | null
  p95_ms: number | null
  /** At this moment, not in the period. */
  in_doubt: number
  /** `down`: this process could not reach it lately; `off`: it takes no new payments; `gone`: it is not configured. */
  state: "up" | "down" | "off" | "gone"
}

type Outcome = "paid" | "declined" | "left"

/**
 * Attempts in doubt: the acquirer was asked, and did not know yet; a shopper on its page is in doubt once the session's
 * time is up. Walks a partial index of few rows.
 */
const IN_DOUBT = `
  FROM gateway_payment_attempt a
  JOIN gateway_transaction t ON t.id = a.transaction_id
  JOIN gateway_merchant_environment e ON e.merchant_id = a.merchant_id AND e.environment = a.environment
  WHERE a.inquiry_count > 0 AND a.${IS_OPEN}
    AND (a.state <> 'REDIRECTED' OR t.expires_at <= now() + e.clock_offset_seconds * interval '1 second')`

/** The attempts in doubt of all merchants, by acquirer. */
export function attemptsInDoubt(sql: Sql): Promise<{ acquirer: string; count: number }[]> {
  return sql.query<{ acquirer: string; count: number }>(
    `SELECT a.acquirer, count(*)::int AS count ${IN_DOUBT} GROUP BY a.acquirer`
  )
}

/** Each acquirer that is configured or was used within the period, by its name. */
export async function acquirerFigures(
  sql: Sql,
  { merchant_id, environment }: Tenant,
  { first, last }: Period,
  configured: AcquirerSet
): Promise<AcquirerFigures[]> {
  const rows = await sql.query<{ label: string; count: number }>(
    `SELECT label, sum(count)::int AS count FROM gateway_counter
     WHERE merchant_id = $1 AND environment = $2 AND subject = 'attempt' AND bucket BETWEEN $3 AND $4
     GROUP BY label HAVING sum(count) > 0`,
    [merchant_id, environment, first, last]
  )
  const doubtful = await sql.query<{ acquirer: string; count: number }>(
    `SELECT a.acquirer, count(*)::int AS count ${IN_DOUBT} AND a.merchant_id = $1 AND a.environment = $2 GROUP BY a.acquirer`,
    [merchant_id, environment]
  )
  const counted = rows.map(({ label, count }) => {
    const [outcome, bucket, ...acquirer] = label.split(":")
    return { outcome: outcome as Outcome, bucket: Number(bucket), acquirer: acquirer.join(":"), count }
  })
  const { states } = configured
  const names = new Set([...states, ...counted, ...doubtful].map(({ acquirer }) => acquirer))
  return [...names].sort().map((acquirer) => {
    const own = counted.filter((one) => one.acquirer === acquirer)
    const sum = (outcome: Outcome) => own.reduce((total, one) => total + (one.outcome === outcome ? one.count : 0), 0)
    const answers = new Map<number, number>()
    own.forEach(({ bucket, count }) => answers.set(bucket, (answers.get(bucket) ?? 0) + count))
    return {
      acquirer,
      paid: sum("paid"),
      declined: sum("declined"),
      left: sum("left"),
      median_ms: answeredWithin(answers, 0.5),
      p95_ms: answeredWithin(answers, 0.95),
      in_doubt: doubtful.find((one) => one.acquirer === acquirer)?.count ?? 0,
      state: stateOf(states.filter((one) => one.acquirer === acquirer)),
    }
  })
}

/** A merchant may reach an acquirer by its own account and by the deployment's. */
function stateOf(states: AcquirerSet["states"]): AcquirerFigures["state"] {
  const on = states.filter(({ is_off }) => !is_off)
  if (on.length === 0) {
    return states.length === 0 ? "gone" : "off"
  }
  return on.some(({ is_up }) => is_up) ? "up" : "down"
}
