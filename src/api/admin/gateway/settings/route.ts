import { formatAmount } from "../../../../modules/gateway/kernel/money/money"
import type { GatewayOptions } from "../../../../modules/gateway/kernel/options"
import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { CANCELLATION_REASONS } from "../../../../modules/gateway/subscriptions/cancellation-rules"
import type { EnvironmentSettings } from "../../../../modules/gateway/merchants/records"
import { readSettings } from "./resource"
import { presentRoleLimits, requireRoles } from "./role-limits"

/** A merchant's settings for one environment. */
export const GET = tenantEndpoint(async ({ gateway, tenant, request }) => {
  const row = await gateway.merchants.environment(tenant)
  return { settings: { ...present(row, gateway.options), ...(await presentRoleLimits(request.scope, row)) } }
})

/** Changes only what is given; null or an empty text clears a URL or the merchant's own rate limit. */
export const POST = tenantEndpoint(async ({ gateway, tenant, request, body }) => {
  const change = readSettings(body, gateway.options.allowPrivateUrls)
  const known = (await gateway.merchants.environment(tenant)).refund_role_limits
  await requireRoles(request.scope, change.refund_role_limits ?? [], known ?? [])
  if (change.capture !== undefined) {
    await gateway.captureSettings.require(tenant, change.capture)
  }
  const row = await gateway.merchants.configure(tenant, change)
  return { settings: { ...present(row, gateway.options), ...(await presentRoleLimits(request.scope, row)) } }
})

/** Null means that the deployment's default applies; the defaults are in the response too. */
function present(row: EnvironmentSettings, options: GatewayOptions): object {
  const { services, ip_allow_list, success_url, fail_url, cancel_url, ipn_url, rate_limit_requests } = row
  const approval = {
    refund_approval_threshold: limitOf(row.refund_approval_threshold_minor),
    refund_daily_limit: limitOf(row.refund_daily_limit_minor),
    refund_daily_key_limit: limitOf(row.refund_daily_key_limit_minor),
  }
  const { payment_attempts, hold_risky, shop_modules, receipts, capture, time_zone } = row
  const { approval_by_another, may_overdraw, returns_automatic, returns_refund_shipping } = row
  const urls = { success_url, fail_url, cancel_url, ipn_url }
  const refunds = { ...approval, approval_by_another, may_overdraw, returns_automatic, returns_refund_shipping }
  const { retry_days, after_last_retry, cancellation_reasons, one_trial_per_customer } = row
  const retries = {
    retry_days,
    retry_days_default: options.retryDays,
    after_last_retry,
    after_last_retry_default: options.afterLastRetry,
  }
  const limits = { rate_limit_requests, rate_limit_default: options.rateLimitRequests }
  return {
    services,
    ip_allow_list,
    payment_attempts,
    hold_risky,
    shop_modules,
    receipts,
    capture,
    time_zone,
    cancellation_reasons,
    cancellation_reasons_default: CANCELLATION_REASONS,
    one_trial_per_customer,
    ...urls,
    ...limits,
    ...refunds,
    ...retries,
  }
}

function limitOf(minor: number | null): string | null {
  return minor === null ? null : formatAmount(minor)
}
