import type { OwnMethod } from "../../../../modules/gateway/saved-methods/service"

/** A saved method as its owner may see it; `id` is the uuid. */
export function presentMethod(saved: OwnMethod): object {
  const { id, method, service, brand, last_four, account, expiry_month, expiry_year, used_by_subscription } = saved
  return {
    id,
    method,
    service,
    brand,
    last_four,
    account,
    expiry_month,
    expiry_year,
    used_by_subscription,
    created_at: saved.opened_at,
  }
}
