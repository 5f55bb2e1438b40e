import { randomUUID } from "node:crypto"
import { messageOf, type Message } from "../../../../i18n/message"
import { audit, type By } from "../../kernel/database/audit"
import { CHARGE_COLUMNS, CHARGE_TABLES } from "./automatic-payments"
import { amountDue, openRecord, recordsOf } from "./records"
import type { Database, Sql } from "../../kernel/database/database"
import { GatewayError } from "../../kernel/errors"
import { dueAt, dueStep } from "../due-step"
import { openPeriod } from "../lifecycle"
import { requireMayCharge } from "../../saved-methods/permission-to-charge"
import { findSubscription, SUBSCRIPTION_COLUMNS, SUBSCRIPTION_TABLES, type SubscriptionRow } from "../records"
import type { Cradle, Scope } from "../../kernel/types"
import type { BillingService } from "./service"
import type { DueSubscription } from "./charge"
import { CALL_SECONDS, LEASE_SECONDS } from "./leases"

/** What became of it; `unknown`: the acquirer has not said, and is asked again. */
type Retried = { outcome: "paid" | "declined" | "unknown"; error_code: string | null }

/**
 * Retries the payment of a past-due subscription now instead of at its next date (contract 3.1). It claims, charges and
 * settles like the billing run, so neither a worker nor a second click charges as well.
 */
export class PaymentRetryService {
  private readonly database: Database
  private readonly billing: BillingService

  constructor({ database, billingService }: Cradle & { billingService: BillingService }) {
    this.database = database
    this.billing = billingService
  }

  /**
   * `attempts`: how many charges of the period the caller has seen. After a further one nothing is charged:
   * INVALID_STATE_TRANSITION. The same for a subscription that is not past due, one that is being charged, one without
   * a payment instrument, and one of the store whose goods cannot be sent. Also SUBSCRIPTION_NOT_FOUND,
   * MERCHANT_SUSPENDED, SERVICE_NOT_ENABLED.
   */
  async retry(scope: Scope & By, id: string, attempts: number): Promise<Retried> {
    const { id: subscription_id } = await findSubscription(this.database, scope, id)
    const missing = await this.billing.renewals.refusal(subscription_id)
    if (missing !== null) {
      throw new GatewayError(
        "INVALID_STATE_TRANSITION",
        messageOf(missing === "out_of_stock" ? "refusal.retry_out_of_stock" : "refusal.retry_not_sold")
      )
    }
    const token = randomUUID()
    const until = Date.now() + (LEASE_SECONDS - CALL_SECONDS) * 1_000
    const claimed = await this.database.transaction((sql) => this.claim(sql, scope, id, { attempts, token }))
    const period = openPeriod(claimed)
    await this.billing.charge([{ row: claimed, at: claimed.merchant_now }], { token, until })
    const records = await recordsOf(this.database, [{ subscription_id: claimed.id, period }])
    const record = records.get(`${claimed.id} ${period}`)
    if ((record?.attempts ?? 0) <= attempts) {
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.retry_not_tried"))
    }
    switch (record?.status) {
      case "SUCCESS":
        return { outcome: "paid", error_code: null }
      case "FAILED":
        return { outcome: "declined", error_code: record.error_code }
      default:
        return { outcome: "unknown", error_code: null }
    }
  }

  /**
   * Charges at once what a change has made due. Where it cannot be charged for now, or somebody else does, the billing
   * run does the rest.
   */
  async chargeDue(scope: Scope, id: string): Promise<void> {
    const token = randomUUID()
    const until = Date.now() + (LEASE_SECONDS - CALL_SECONDS) * 1_000
    const claimed = await this.database.transaction(async (sql) => {
      const row = await findSubscription(sql, scope, id, "FOR UPDATE OF s")
      const isFree = !row.charging && row.awaiting_transaction_id === null
      return isFree && isChargeDue(row, scope.now) ? this.lease(sql, scope, row, token) : null
    })
    if (claimed !== null) {
      await this.billing.charge([{ row: claimed, at: claimed.merchant_now }], { token, until })
    }
  }

  /** Leased like a batch of the billing run, and made due: if this process dies, a worker completes the charge. */
  private async claim(
    sql: Sql,
    scope: Scope & By,
    id: string,
    { attempts, token }: { attempts: number; token: string }
  ): Promise<DueSubscription> {
    const row = await findSubscription(sql, scope, id, "FOR UPDATE OF s")
    const record = await openRecord(sql, row)
    if (record?.status === "PROCESSING") {
      // A worker died in this charge. Another one takes it over, and then it is known whether it was made.
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.subscription_being_paid"))
    }
    await refuse(sql, row, attempts, record?.attempts ?? 0)
    const { merchant_id, environment } = scope
    const after = { amount_minor: amountDue(row, record), attempt: attempts + 1 }
    await audit(sql, {
      merchant_id,
      environment,
      by: scope,
      action: "subscription.payment_retried",
      resource_id: row.uuid,
      after,
    })
    return this.lease(sql, scope, row, token)
  }

  private async lease(sql: Sql, scope: Scope, row: SubscriptionRow, token: string): Promise<DueSubscription> {
    await sql.query(
      `UPDATE gateway_subscription SET lock_token = $2, locked_until = now() + $3 * interval '1 second', due_at = $4, updated_at = now()
       WHERE id = $1`,
      [row.id, token, LEASE_SECONDS, scope.now]
    )
    const [claimed] = await sql.query<DueSubscription>(
      `SELECT ${SUBSCRIPTION_COLUMNS}, ${CHARGE_COLUMNS}, s.due_at, $2::timestamptz AS merchant_now
       FROM ${SUBSCRIPTION_TABLES} ${CHARGE_TABLES} WHERE s.id = $1 AND s.due_at IS NOT NULL`,
      [row.id, scope.now]
    )
    return claimed
  }
}

/** A period that is overdue without a payment method waits for its customer: another charge would count as a failure. */
function isChargeDue(row: SubscriptionRow, now: Date): boolean {
  const due = dueAt(row, false)
  return row.status === "PAST_DUE"
    ? row.instrument_id !== null
    : dueStep(row) === "charge" && due !== null && due <= now
}

async function refuse(sql: Sql, row: SubscriptionRow, seen: number, attempts: number): Promise<void> {
  const refusal = (reason: Message) => new GatewayError("INVALID_STATE_TRANSITION", reason)
  if (row.charging || row.awaiting_transaction_id !== null) {
    throw refusal(messageOf("refusal.subscription_being_paid"))
  }
  if (row.status !== "PAST_DUE") {
    throw refusal(messageOf("refusal.subscription_not_past_due", { state: row.status }))
  }
  if (seen !== attempts) {
    throw refusal(messageOf("refusal.retried_since", { attempts, seen }))
  }
  if (row.instrument_id === null) {
    throw refusal(messageOf("refusal.no_instrument"))
  }
  await requireMayCharge(sql, row, "subscriptions")
}
