import { z } from "@medusajs/framework/zod"
import { anyObject, words } from "../../../v2-kit/openapi/fields"
import { named } from "../../../v2-kit/openapi/named"

export const openApi = named("OpenApi", () =>
  z
    .looseObject({
      openapi: words("The version of OpenAPI."),
      info: anyObject("What this API is."),
      servers: z.array(z.unknown()).describe("The base URLs of this deployment."),
      paths: anyObject("The operations."),
      webhooks: anyObject("The events."),
      components: anyObject("The schemas."),
    })
    .describe("An OpenAPI 3.1 document.")
)
