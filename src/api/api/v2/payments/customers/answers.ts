import { z } from "@medusajs/framework/zod"
import { moment, uuid, whole, words } from "../../../../v2-kit/openapi/fields"
import { named } from "../../../../v2-kit/openapi/named"

export const customer = named("Customer", () =>
  z.object({
    id: whole("The customer."),
    uuid: uuid("The same customer by its uuid."),
    name: words("Name."),
    email: words("E-mail address; a merchant has one customer for each."),
    phone: words("Phone number; empty without any."),
    created_at: moment("When the first subscription named them."),
  })
)
