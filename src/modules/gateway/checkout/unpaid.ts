import type { Interval } from "../kernel/money/calendar"
import { addSeconds } from "../kernel/money/clock"
import type { Sql } from "../kernel/database/database"
import { LIMITS } from "../kernel/limits"
import type { Scope, Tenant } from "../kernel/types"
import { ownPage, type MerchantUrls } from "../subscriptions/order-rules"
import type { SubscriptionRow } from "../subscriptions/records"
import type { CheckoutCreated } from "./service"

/** What a checkout of a subscription is for. `offer` is null for a verification, which pays no period. */
type Wanted = { offer: (Interval & { period: number }) | null; amount_minor: number; success_url: string | null }

/** Where a checkout leads by the merchant's own settings. */
export async function merchantUrls(sql: Sql, { merchant_id, environment }: Tenant): Promise<MerchantUrls> {
  const [urls] = await sql.query<MerchantUrls>(
    `SELECT success_url, fail_url, cancel_url, ipn_url FROM gateway_merchant_environment
     WHERE merchant_id = $1 AND environment = $2`,
    [merchant_id, environment]
  )
  return urls
}

/**
 * An earlier checkout that is for the same, leads back to the same page and has time left. Without a `success_url` that
 * page is the checkout's own. While `sql` holds the lock of the subscription's row, concurrent requests find one
 * checkout; without it each would open another, which sends payment.expired half an hour later.
 */
export async function findUnpaid(
  sql: Sql,
  scope: Scope,
  { id }: SubscriptionRow,
  { offer, amount_minor, success_url }: Wanted,
  { publicUrl }: { publicUrl: string }
): Promise<Pick<CheckoutCreated, "session_id" | "expires_at"> | null> {
  const [open] = await sql.query<Pick<CheckoutCreated, "session_id" | "expires_at">>(
    `SELECT s.id AS session_id, t.expires_at FROM gateway_checkout_session s
     JOIN gateway_transaction t ON t.session_id = s.id
     WHERE s.subscription_id = $1 AND t.state = 'OPEN' AND t.expires_at > $2 AND t.amount_minor = $3
       AND s.success_url = COALESCE($4, $5 || s.id) AND s.subscription_period IS NOT DISTINCT FROM $6
       AND s.interval_count IS NOT DISTINCT FROM $7 AND s.interval_unit IS NOT DISTINCT FROM $8
     ORDER BY t.expires_at DESC LIMIT 1`,
    [
      id,
      addSeconds(scope.now, LIMITS.timeToPaySeconds),
      amount_minor,
      success_url,
      ownPage("", publicUrl),
      offer?.period ?? null,
      offer?.interval_count ?? null,
      offer?.interval_unit ?? null,
    ]
  )
  return open ?? null
}
