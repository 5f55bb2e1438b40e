import { z } from "@medusajs/framework/zod"
import { publicId } from "../../../../../modules/gateway/kernel/text/ids"
import { LIMITS } from "../../../../../modules/gateway/kernel/limits"
import type { Tenant } from "../../../../../modules/gateway/kernel/types"
import { portalLoginPath, portalUrl } from "../../../../../modules/gateway/portal/rules"
import type { PortalLink } from "../../../../../modules/gateway/portal/sessions"
import type { Customer } from "../../../../../modules/gateway/subscriptions/customers"
import type { JsonObject } from "../../../../v2-kit/body"
import { moment, uuid, whole, words } from "../../../../v2-kit/openapi/fields"
import { named } from "../../../../v2-kit/openapi/named"
import { parseWithUrls } from "../../../../v2-kit/refusals"
import { anyText, required, rule, withoutAbsent } from "../../../../v2-kit/validate"

export const portalSession = named("PortalSession", () =>
  z.object({
    portal_session_id: words("The session of the portal."),
    url: z
      .url()
      .describe(
        "The customer's own way in. Whoever opens it acts as the customer: redirect at once, store it nowhere."
      ),
    customer_id: whole("The customer."),
    customer_uuid: uuid("The same customer by its uuid."),
    return_url: z.url().nullable().describe("Where the portal leads back to."),
    expires_at: moment("When it ends unless it is used. Real time, in the sandbox too."),
    login_url: z.url().describe("Where your customers ask for such a link themselves."),
  })
)

/** As paths name a customer: by the integer id or by the uuid. */
const customerId = z
  .union([z.number(), z.string()], required(rule("id")))
  .transform(String)
  .refine((value) => publicId(value) !== null, rule("id"))

export const sessionSchema = z.object({ customer_id: customerId, return_url: anyText.optional() })

/** A refused URL is 400 INVALID_CALLBACK_URL, as at POST /payments/checkout. */
export function readPortalSession(
  body: JsonObject,
  allowPrivate: boolean
): { customer_id: string; return_url: string | null } {
  const urls = { return_url: LIMITS.callbackUrlMaxChars }
  const { customer_id, return_url = null } = parseWithUrls(sessionSchema, withoutAbsent(body, []), urls, allowPrivate)
  return { customer_id, return_url }
}

/**
 * A new link to the portal. `expires_at` is real time, in the sandbox too, and moves with every use. `login_url` is where
 * the merchant's customers ask for a link themselves.
 */
export function presentPortalSession(
  { id, token, expires_at, customer }: PortalLink & { customer: Customer },
  return_url: string | null,
  tenant: Tenant,
  publicUrl: string
) {
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
