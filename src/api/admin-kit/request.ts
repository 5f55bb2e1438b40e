import type { MedusaRequest } from "@medusajs/framework/http"
import { z } from "@medusajs/framework/zod"
import type { Language } from "../../i18n/languages"
import { CURRENCIES, HOME_CURRENCY } from "../../modules/gateway/kernel/currencies"
import type GatewayModuleService from "../../modules/gateway/service"
import type { Scope } from "../../modules/gateway/kernel/types"
import type { JsonObject } from "../v2-kit/body"
import { parse, required, rule, withoutAbsent } from "../v2-kit/validate"
import { one } from "./list"

const tenantSchema = z.object({
  merchant_id: z.string(required(rule("merchant_id_listed"))).refine((id) => id.length <= 64, rule("merchant_id")),
  environment: z.enum(["sandbox", "production"], required(rule("either", { values: "sandbox", last: "production" }))),
})

/** The merchant and environment are always given, never guessed; throws MERCHANT_NOT_FOUND. */
export async function readTenant(
  gateway: GatewayModuleService,
  query: JsonObject
): Promise<Scope & { merchant_number: number }> {
  const { merchant_id, environment } = parse(tenantSchema, withoutAbsent(query, []))
  return gateway.merchants.scope(merchant_id, environment)
}

const currencySchema = z.object({ currency: one(CURRENCIES).default(HOME_CURRENCY) })

/** The currency of which a page shows the figures; absent: BDT. Errors: VALIDATION_ERROR. */
export function readCurrency(query: JsonObject): string {
  return parse(currencySchema, withoutAbsent(query, [])).currency
}

/** The admin sends its language with every request; English when it sends none, or another one. */
export function languageOf(request: MedusaRequest): Language {
  return request.acceptsLanguages("en", "bn") === "bn" ? "bn" : "en"
}

const INTEGER = /^[0-9]{1,9}$/

/** An integer id in a path; anything else becomes an id that never exists. */
export function readNumber(text: string): number {
  return INTEGER.test(text) ? Number(text) : -1
}
