import { inSpan, telemetry } from "../../kernel/http/tracing"
import type { SendResult } from "./send"
import type { ClaimedDelivery } from "./statements"

const ACKNOWLEDGED = 200

/** A delivery in the log, with the trace of the request that caused it when that was traced. */
export function named({ id, traceparent }: Pick<ClaimedDelivery, "id" | "traceparent">): string {
  const trace = traceparent?.split("-")[1]
  return trace === undefined ? `delivery ${id}` : `delivery ${id} (trace ${trace})`
}

/**
 * Sends a delivery in a span when somebody traces: in the trace of the change that its event reports, or in one of its
 * own. The address stays out of it, because merchants keep tokens there.
 */
export function inDeliverySpan(claimed: ClaimedDelivery, send: () => Promise<SendResult>): Promise<SendResult> {
  const api = telemetry()
  if (api === undefined) {
    return send()
  }
  const attributes = {
    "gateway.event_type": claimed.event_type,
    "gateway.event_id": claimed.event_id,
    "gateway.delivery_id": claimed.id,
    "gateway.delivery.attempt": claimed.attempts + 1,
    "gateway.merchant_id": claimed.merchant_id,
    "gateway.environment": claimed.environment,
  }
  const span = {
    name: `deliver ${claimed.event_type}`,
    kind: "CLIENT",
    attributes,
    cause: claimed.traceparent,
  } as const
  return inSpan(api, span, async (one) => {
    const result = await send()
    if (result.status_code !== null) {
      one.setAttribute("http.response.status_code", result.status_code)
    }
    if (result.status_code !== ACKNOWLEDGED) {
      one.setStatus({ code: api.SpanStatusCode.ERROR })
    }
    return result
  })
}
