import { messageOf, type Message } from "../../../i18n/message"
import { startOfDay } from "../kernel/money/calendar"
import { HOME_CURRENCY } from "../kernel/money/currencies"
import type { Actor } from "../kernel/database/audit"
import type { Sql } from "../kernel/database/database"
import { formatAmount, type Minor } from "../kernel/money/money"
import { lockTenant } from "../ledger/records"
import type { Held, Refund, RefundableRecord, RefundRequest } from "./records"
import { exceededRoleLimit, hasDailyLimit, roleLimit, type Unapproved } from "./rules"

/** SQL: a refund `r` that moves money, or may, and that no admin has approved. One that waits for approval is one. */
const UNAPPROVED =
  "(r.state = 'pending' OR r.state IN ('processing', 'completed') AND r.held_for IS DISTINCT FROM 'approval')"

const OF_PAYMENT = `
  SELECT COALESCE(sum(r.amount_minor), 0)::text AS sum FROM gateway_refund r WHERE r.transaction_id = $1 AND ${UNAPPROVED}`

const OF_DAY = `
  SELECT r.requested_by, sum(r.amount_minor)::text AS sum FROM gateway_refund r
  WHERE r.merchant_id = $1 AND r.environment = $2 AND r.requested_at >= $3 AND r.currency = $4 AND ${UNAPPROVED}
  GROUP BY r.requested_by`

/** The refunds without approval of one payment and of its merchant's day, with those that are being decided. */
export class UnapprovedSums {
  private constructor(
    private payment: Minor,
    private readonly day: Map<string, Minor>
  ) {}

  /**
   * Reads them under the locks that every refund takes: the payment's, which the caller holds, and with a daily limit
   * the merchant's. `day` is what earlier calls of the same database transaction have read and added.
   */
  static async of(sql: Sql, record: RefundableRecord, now: Date, day: Map<string, Minor>): Promise<UnapprovedSums> {
    if (record.currency !== HOME_CURRENCY) {
      return new UnapprovedSums(0n, new Map())
    }
    const { transaction_id, merchant_id, environment } = record
    if (hasDailyLimit(record) && day.size === 0) {
      await lockTenant(sql, record)
      // A separate statement: it sees what was committed while this transaction waited for the lock.
      const rows = await sql.query<{ requested_by: string; sum: string }>(OF_DAY, [
        merchant_id,
        environment,
        startOfDay(now, record.time_zone),
        HOME_CURRENCY,
      ])
      rows.forEach(({ requested_by, sum }) => day.set(requested_by, BigInt(sum)))
    }
    const [{ sum }] =
      record.refund_approval_threshold_minor === null
        ? [{ sum: "0" }]
        : await sql.query<{ sum: string }>(OF_PAYMENT, [transaction_id], "gateway_refund_unapproved")
    return new UnapprovedSums(BigInt(sum), day)
  }

  /** What the sums are with a refund of this amount. */
  with(amount: Minor, { requested_by }: Pick<RefundRequest, "requested_by">): Unapproved {
    const day = [...this.day.values()].reduce((sum, one) => sum + one, amount)
    return { payment: this.payment + amount, day, requester: (this.day.get(requested_by) ?? 0n) + amount }
  }

  add({ amount_minor, requested_by }: Pick<Refund, "amount_minor" | "requested_by">): void {
    this.payment += BigInt(amount_minor)
    this.day.set(requested_by, (this.day.get(requested_by) ?? 0n) + BigInt(amount_minor))
  }
}

/** What of a payment has gone back, or goes back without another decision: not what else waits for approval. */
const GIVEN_BACK = `
  SELECT COALESCE(sum(r.amount_minor), 0)::text AS sum FROM gateway_refund r
  WHERE r.transaction_id = $1 AND (r.state IN ('processing', 'completed') OR r.state = 'pending' AND r.held_for = 'batch')`

/**
 * Why this admin may not approve a refund that waits for approval; null: nothing is in the way.
 * - With `approval_by_another`, whoever requested it, and a key of Medusa's Admin API, which could be the same person's.
 *   Who is behind a key that requested one, or behind a return, is not known here: any admin may approve those.
 * - Where one of the admin's roles has a limit, what would go back of the payment in all is compared with it: admins who
 *   request or approve in parts get no further than at once.
 */
export async function approvalObstacle(
  sql: Sql,
  { refund, record }: Held,
  { type, id }: Pick<Actor, "type" | "id">,
  roles: readonly string[]
): Promise<Message | null> {
  if (record.approval_by_another && (type !== "user" || id === refund.requested_by)) {
    return messageOf("refusal.refund_of_your_own")
  }
  if (roleLimit(record.refund_role_limits, roles) === null) {
    return null
  }
  const [{ sum }] = await sql.query<{ sum: string }>(GIVEN_BACK, [record.transaction_id])
  const above = exceededRoleLimit(record, BigInt(sum) + BigInt(refund.amount_minor), roles)
  return above === null ? null : messageOf("refusal.approval_above_role_limit", { amount: formatAmount(above) })
}
