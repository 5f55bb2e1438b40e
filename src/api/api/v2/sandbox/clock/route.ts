import { endpoint } from "../../../../v2-kit/endpoint"
import { envelope } from "../../../../v2-kit/envelopes"
import { readMove } from "./schemas"

/** The merchant's own sandbox clock (decisions: Sandbox). */
export const GET = endpoint(async ({ gateway, caller }) => {
  const { now, offset_seconds } = await gateway.clock.read(caller)
  return envelope("The sandbox clock", { now: now.toISOString(), offset_seconds, processed: {} })
})

export const POST = endpoint(async ({ store, caller, body }) => {
  const { now, offset_seconds, processed } = await store.moveClock(caller, readMove(body))
  return envelope("The sandbox clock has moved", { now: now.toISOString(), offset_seconds, processed })
})
