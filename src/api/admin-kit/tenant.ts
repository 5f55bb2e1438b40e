import { z } from "@medusajs/framework/zod"
import type GatewayModuleService from "../../modules/gateway/service"
import type { Scope } from "../../modules/gateway/kernel/types"
import type { JsonObject } from "../v2-kit/body"
import { parse, required, withoutAbsent } from "../v2-kit/validate"

const WHERE_TO_FIND = "GET /admin/gateway lists them"

const tenantSchema = z.object({
  merchant_id: z.string(required(`must be a merchant's id; ${WHERE_TO_FIND}`)).max(64, "must be a merchant's id"),
  environment: z.enum(["sandbox", "production"], required("must be sandbox or production")),
})

/** The merchant and environment are always given, never guessed; throws MERCHANT_NOT_FOUND. */
export async function readTenant(
  gateway: GatewayModuleService,
  query: JsonObject
): Promise<Scope & { merchant_number: number }> {
  const { merchant_id, environment } = parse(tenantSchema, withoutAbsent(query, []))
  return gateway.merchants.scope(merchant_id, environment)
}
