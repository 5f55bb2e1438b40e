import type { Sql } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import type { OneTrialMode, RoleLimit, ServiceName, Tenant } from "../kernel/types"
import type { CaptureMode } from "./payment-services"

export type EnvironmentSettings = Tenant & {
  services: ServiceName[]
  ip_allow_list: string[]
  success_url: string | null
  fail_url: string | null
  cancel_url: string | null
  ipn_url: string | null
  rate_limit_requests: number | null
  /** Null: the deployment's own retry schedule, and what follows its last retry (decisions: Plans). */
  retry_days: number[] | null
  after_last_retry: "cancel" | "past_due" | null
  /** Sentences of the merchant's own; null: the gateway's list (docs/decisions/11). */
  cancellation_reasons: string[] | null
  clock_offset_seconds: number
  /** IANA: on its calendar billing dates are counted, and days are written on documents (decisions: Plans). */
  time_zone: string
  /** How often a shopper may try to pay one checkout. */
  payment_attempts: number
  /** Payments that the acquirer flags as risky wait for an admin; false: they succeed, and the flag is shown. */
  hold_risky: boolean
  /** An unpaid order_id may be used again, and gaps that shop modules leave are accepted (docs/decisions/15). */
  shop_modules: boolean
  /** Customers get a receipt of each payment and refund by e-mail (docs/decisions/12). */
  receipts: boolean
  /** When the money of payments is taken; a payment service may say otherwise. */
  capture: CaptureMode
  /** A payment's refunds above this sum need an admin's approval; null: none does. Poisha. */
  refund_approval_threshold_minor: number | null
  /** The same for what is refunded within a day: of all requests, and of each key, admin or process. */
  refund_daily_limit_minor: number | null
  refund_daily_key_limit_minor: number | null
  /** What admins with a role of Medusa's RBAC refund of a payment; null: no role has a limit. */
  refund_role_limits: RoleLimit[] | null
  /** Whoever requested a refund does not approve it. */
  approval_by_another: boolean
  /** Refunds may take the balance below zero (production). */
  may_overdraw: boolean
  /** A received return is refunded at once; false: an admin confirms it. */
  returns_automatic: boolean
  /** Shipping is refunded when everything of an order has come back. */
  returns_refund_shipping: boolean
  one_trial_per_customer: OneTrialMode
}

export const ENVIRONMENT_COLUMNS =
  "merchant_id, environment, services, ip_allow_list, success_url, fail_url, cancel_url, ipn_url, rate_limit_requests, retry_days, after_last_retry, cancellation_reasons, clock_offset_seconds, time_zone, payment_attempts, hold_risky, shop_modules, receipts, capture, refund_approval_threshold_minor, refund_daily_limit_minor, refund_daily_key_limit_minor, refund_role_limits, approval_by_another, may_overdraw, returns_automatic, returns_refund_shipping, one_trial_per_customer"
export const CHANGEABLE = [
  "services",
  "ip_allow_list",
  "success_url",
  "fail_url",
  "cancel_url",
  "ipn_url",
  "rate_limit_requests",
  "retry_days",
  "after_last_retry",
  "time_zone",
  "cancellation_reasons",
  "payment_attempts",
  "hold_risky",
  "shop_modules",
  "receipts",
  "capture",
  "refund_approval_threshold_minor",
  "refund_daily_limit_minor",
  "refund_daily_key_limit_minor",
  "refund_role_limits",
  "approval_by_another",
  "may_overdraw",
  "returns_automatic",
  "returns_refund_shipping",
  "one_trial_per_customer",
] as const

/** The time zone (IANA) on whose calendar a merchant bills. Errors: MERCHANT_NOT_FOUND. */
export async function timeZoneOf(sql: Sql, { merchant_id, environment }: Tenant): Promise<string> {
  const [row] = await sql.query<{ time_zone: string }>(
    "SELECT time_zone FROM gateway_merchant_environment WHERE merchant_id = $1 AND environment = $2",
    [merchant_id, environment]
  )
  if (row === undefined) {
    throw new GatewayError("MERCHANT_NOT_FOUND")
  }
  return row.time_zone
}

/**
 * The query for a key's caller ($1 to $3), plus `columns` from `join`: an operation that reads one row needs one query
 * instead of two. The query itself decides whether a key is invalid, so that nothing else is sent and parsed.
 */
export function callerQuery(columns = "", join = ""): string {
  return `
    SELECT k.id AS key_id, k.type AS key_type, k.scopes, k.merchant_id, k.environment, m.number AS merchant_number,
           m.status AS merchant_status, e.services, e.ip_allow_list, e.rate_limit_requests, e.clock_offset_seconds, e.shop_modules,
           COALESCE(k.last_used_at >= $3, false) AS is_use_recorded ${columns}
    FROM gateway_api_key k
    JOIN gateway_merchant m ON m.id = k.merchant_id
    JOIN gateway_merchant_environment e ON e.merchant_id = k.merchant_id AND e.environment = k.environment
    ${join}
    WHERE k.key_hash = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)`
}
