import { z } from "@medusajs/framework/zod"
import { CURRENCIES, HOME_CURRENCY } from "../../modules/gateway/kernel/currencies"
import type { JsonObject } from "../v2-kit/body"
import { parse, withoutAbsent } from "../v2-kit/validate"
import { one } from "./list"

const schema = z.object({ currency: one(CURRENCIES).default(HOME_CURRENCY) })

/** The currency of which a page shows the figures; absent: BDT. Errors: VALIDATION_ERROR. */
export function readCurrency(query: JsonObject): string {
  return parse(schema, withoutAbsent(query, [])).currency
}
