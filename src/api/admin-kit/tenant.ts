import { z } from "@medusajs/framework/zod"
import type GatewayModuleService from "../../modules/gateway/service"
import type { Scope } from "../../modules/gateway/kernel/types"
import type { JsonObject } from "../v2-kit/body"
import { atMost, parse, required, rule, withoutAbsent } from "../v2-kit/validate"

const tenantSchema = z.object({
  merchant_id: z.string(required(rule("merchant_id_listed"))).refine(atMost(64), rule("merchant_id")),
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
