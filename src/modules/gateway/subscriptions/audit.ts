import { audit, isAttributed, type By } from "../kernel/database/audit"
import type { AuditAction } from "../kernel/database/logged-actions"
import type { Sql } from "../kernel/database/database"
import type { SubscriptionRow } from "./records"
import type { Tenant } from "../kernel/types"

/** The fields of a subscription that audit entries show. */
function factsOf(row: SubscriptionRow) {
  const {
    status,
    customer_email: customer,
    plan_number: plan,
    amount_minor,
    quantity,
    interval_count,
    interval_unit,
  } = row
  const {
    trial_end_date,
    next_billing_date,
    cancel_at_period_end,
    cancellation_reason,
    cancellation_note,
    current_period_end,
    billing_cycles,
    ends_at,
    scheduled_change,
    meta_data,
  } = row
  return {
    status,
    customer,
    plan,
    amount_minor,
    quantity,
    interval_count,
    interval_unit,
    trial_end_date,
    next_billing_date,
    current_period_end,
    cancel_at_period_end,
    cancellation_reason,
    cancellation_note,
    billing_cycles,
    ends_at,
    scheduled_plan: scheduled_change?.plan_number ?? null,
    scheduled_amount_minor: scheduled_change?.amount_minor ?? null,
    scheduled_quantity: scheduled_change?.quantity ?? null,
    meta_data,
  }
}

/**
 * Audits what an admin, a merchant's key or a customer in the portal did with a subscription. Events record what
 * customers of the store do in its account pages, and what billing does.
 */
export async function auditSubscription(
  sql: Sql,
  by: Tenant & By,
  action: AuditAction,
  before: SubscriptionRow | null,
  after: SubscriptionRow
): Promise<void> {
  if (isAttributed(by)) {
    const { merchant_id, environment } = by
    const change = { before: before && factsOf(before), after: factsOf(after) }
    await audit(sql, { merchant_id, environment, by, action, resource_id: after.uuid, ...change })
  }
}
