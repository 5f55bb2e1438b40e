import type { Sql } from "../../kernel/database/database"
import { addDays } from "../../kernel/money/calendar"
import type { Tenant } from "../../kernel/types"

/** When a failed charge is retried, and what follows the last retry (decisions: Plans). */
export type Dunning = {
  /** Days of the merchant's time zone after the first failure, ascending. */
  retryDays: readonly number[]
  afterLast: "cancel" | "past_due"
}

/**
 * When a period that has failed `failures` times is retried; null after the last retry. If a worker comes so late that
 * the next date has passed too, the interval to it is kept, so that the retries are not all used up at once.
 */
export function nextRetryAt(
  dunning: Dunning,
  { firstFailure, failures, now }: { firstFailure: Date; failures: number; now: Date },
  zone: string
): Date | null {
  const days = dunning.retryDays[failures - 1]
  if (days === undefined) {
    return null
  }
  const scheduled = addDays(firstFailure, days, zone)
  const distance = days - (dunning.retryDays[failures - 2] ?? 0)
  return scheduled > now ? scheduled : addDays(now, distance, zone)
}

/** Each merchant's own schedule of retries, asked for only when something has failed; `usual` where it has none. */
export async function dunningOf(
  sql: Sql,
  usual: Dunning,
  failed: readonly Tenant[]
): Promise<(tenant: Tenant) => Dunning> {
  if (failed.length === 0) {
    return () => usual
  }
  const rows = await sql.query<{
    tenant: string
    retry_days: number[] | null
    after_last_retry: Dunning["afterLast"] | null
  }>(
    `SELECT merchant_id || ' ' || environment AS tenant, retry_days, after_last_retry
     FROM gateway_merchant_environment WHERE merchant_id = ANY($1)`,
    [[...new Set(failed.map(({ merchant_id }) => merchant_id))]]
  )
  const own = new Map(rows.map(({ tenant, ...dunning }) => [tenant, dunning]))
  return ({ merchant_id, environment }) => {
    const set = own.get(`${merchant_id} ${environment}`)
    return {
      retryDays: set?.retry_days ?? usual.retryDays,
      afterLast: set?.after_last_retry ?? usual.afterLast,
    }
  }
}
