import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { z } from "@medusajs/framework/zod"
import { LIMITS } from "../../../../modules/gateway/kernel/limits"
import { readCheckoutRequest, returnOrigins } from "../../../../providers/gateway-payment/checkout-request"
import type { JsonObject } from "../../../v2-kit/body"
import { flag, parse, text, withoutAbsent } from "../../../v2-kit/validate"
import { listSchema, readList } from "../../../admin-kit/list"
import type { ShopperContext } from "./endpoint"

const pageSchema = listSchema({}, ["created_at"])

export function readPage(query: JsonObject): { limit: number; offset: number } {
  const { limit, offset } = readList(pageSchema, query)
  return { limit, offset }
}

const cancelSchema = z.object({
  cancel_at_period_end: flag.optional(),
  cancellation_reason: text(LIMITS.cancellationReasonMaxChars).optional(),
})

/** Cancels at the end of the paid period unless the shopper asks otherwise. */
export function readCancellation(body: JsonObject): { atPeriodEnd: boolean; reason: string | null } {
  const { cancel_at_period_end, cancellation_reason } = parse(cancelSchema, withoutAbsent(body, []))
  return { atPeriodEnd: cancel_at_period_end ?? true, reason: cancellation_reason ?? null }
}

/** Where the shopper returns to: on an origin of STORE_CORS, the store's own, or of `returnOrigins`. */
export function readReturnUrl({ body, gateway, request }: ShopperContext): string | null {
  const { storeCors } = request.scope.resolve(ContainerRegistrationKeys.CONFIG_MODULE).projectConfig.http
  const { publicUrl, returnOrigins: extra } = gateway.options
  return readCheckoutRequest({ return_url: body.return_url }, returnOrigins({ storeCors, publicUrl, extra })).return_url
}
