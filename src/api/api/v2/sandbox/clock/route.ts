import { operation } from "../../../../v2-kit/operation"
import { moveSchema, readMove, sandboxClock } from "../resource"
import { enveloped } from "../../../../v2-kit/answers"

/** The merchant's own sandbox clock (decisions: Sandbox). */
export const GET = operation({
  id: "getClock",
  tag: "Sandbox",
  summary: "Read the sandbox's clock",
  description: "The merchant's own: all that happens in its sandbox goes by it.",
  scope: null,
  sandboxOnly: true,
  answer: enveloped({
    message: "The sandbox clock",
    data: sandboxClock,
    description: "The clock.",
    example: { now: "2027-03-01T10:00:00.000Z", offset_seconds: 0, processed: {} },
  }),
  run: async ({ gateway, caller }) => {
    const { now, offset_seconds } = await gateway.clock.read(caller)
    return { now: now.toISOString(), offset_seconds, processed: {} }
  },
})

export const POST = operation({
  id: "moveClock",
  tag: "Sandbox",
  summary: "Move the sandbox's clock forward",
  description: "By seconds or to a moment; send one of the two. Everything that falls due is done before the answer.",
  scope: "subscriptions:write",
  sandboxOnly: true,
  body: {
    name: "ClockMove",
    schema: moveSchema,
    notes: {
      advance_seconds: { description: "How far, in seconds.", minimum: 0 },
      now: "To which moment; it must not be past.",
    },
    example: { advance_seconds: 86_400 },
  },
  answer: enveloped({
    message: "The sandbox clock has moved",
    data: sandboxClock,
    description: "The clock has moved.",
    example: {
      now: "2027-03-02T10:00:00.000Z",
      offset_seconds: 86_400,
      processed: { subscriptions: 1, expired_sessions: 0, webhook_deliveries: 2 },
    },
  }),
  run: async ({ store, caller, body }) => {
    const { now, offset_seconds, processed } = await store.moveClock(caller, readMove(body))
    return { now: now.toISOString(), offset_seconds, processed }
  },
})
