import type { Tenant } from "../../../../../modules/gateway/kernel/types"
import { portalLoginPath, portalUrl } from "../../../../../modules/gateway/portal/rules"
import type { PortalLink } from "../../../../../modules/gateway/portal/sessions"
import type { Customer } from "../../../../../modules/gateway/subscriptions/customers"

/**
 * A new link to the portal. `expires_at` is real time, in the sandbox too, and moves with every use. `login_url` is where
 * the merchant's customers ask for a link themselves.
 */
export function presentPortalSession(
  { id, token, expires_at, customer }: PortalLink & { customer: Customer },
  return_url: string | null,
  tenant: Tenant,
  publicUrl: string
): Record<string, unknown> {
  return {
    portal_session_id: id,
    url: portalUrl(publicUrl, token),
    customer_id: customer.number,
    customer_uuid: customer.uuid,
    return_url,
    expires_at: expires_at.toISOString(),
    login_url: `${publicUrl}${portalLoginPath(tenant)}`,
  }
}
