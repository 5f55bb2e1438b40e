import { z } from "@medusajs/framework/zod"
import { moment, uuid, whole, words } from "../../../../v2-kit/openapi/fields"
import { named } from "../../../../v2-kit/openapi/named"

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
