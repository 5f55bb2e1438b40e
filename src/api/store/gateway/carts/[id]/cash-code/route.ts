import { messageOf } from "../../../../../../i18n/message"
import { gatewayIn } from "../../../../../../modules/gateway"
import { GatewayError } from "../../../../../../modules/gateway/kernel/errors"
import { retryAfter } from "../../../../../../modules/gateway/kernel/http/abuse-limits"
import { countedNetwork } from "../../../../../../modules/gateway/kernel/http/ip"
import { sendCashCode } from "../../../../../../store/cash/codes"
import { answering } from "../../../../../admin-kit/endpoint"
import { addressOf } from "../../../../../v2-kit/target"

const DAY_SECONDS = 86_400

/** Sends a code to the phone of a cart that is paid in cash, when the store asks for one (docs/storefronts.md). */
export const POST = answering(async (request) => {
  const gateway = gatewayIn(request.scope)
  const { cashCodesFrom: limit } = gateway.options.pageLimits
  const bucket = `cash:codes:from:${countedNetwork(addressOf(gateway, request))}`
  const reading = limit === 0 ? null : await gateway.rateLimits.take(bucket, limit, DAY_SECONDS)
  if (reading !== null && !reading.allowed) {
    const headers = { "Retry-After": String(retryAfter(reading)) }
    throw new GatewayError("RATE_LIMIT_EXCEEDED", messageOf("refusal.cash_codes_from"), { headers })
  }
  return { cash_code: await sendCashCode(request.scope, request.params.id) }
})
