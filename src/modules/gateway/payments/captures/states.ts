import { defineStateMachine } from "../../kernel/database/state-machine"

/**
 * Reserved money (docs/decisions/01).
 * - open: it can be captured
 * - releasing: it, or what is left of it, is not captured any more, and the acquirer is asked to release it
 * - released: the acquirer has released it
 * - used: nothing is left to capture or to release
 */
export const AUTHORIZATION_STATES = ["open", "releasing", "released", "used"] as const
export type AuthorizationState = (typeof AUTHORIZATION_STATES)[number]

/**
 * Why reserved money is not captured any more: all of it was, the merchant has voided it, its time is up, it came for an
 * attempt that was over, or the acquirer takes one capture only.
 */
export const RELEASE_REASONS = ["captured", "voided", "expired", "late", "rest"] as const
export type ReleaseReason = (typeof RELEASE_REASONS)[number]

const AUTHORIZATION_TRIGGERS = ["release", "released", "use"] as const

const source = "decisions: Captures"

export const authorizationMachine = defineStateMachine({
  name: "authorization",
  initial: "open",
  states: AUTHORIZATION_STATES,
  triggers: AUTHORIZATION_TRIGGERS,
  transitions: [
    { from: "open", on: "release", to: "releasing", emits: [], source },
    { from: "open", on: "use", to: "used", emits: [], source },
    { from: "releasing", on: "released", to: "released", emits: [], source },
  ],
})

export const CAPTURE_STATES = ["processing", "completed", "failed"] as const
export type CaptureState = (typeof CAPTURE_STATES)[number]

export const captureMachine = defineStateMachine({
  name: "capture",
  initial: "processing",
  states: CAPTURE_STATES,
  triggers: ["complete", "fail"] as const,
  transitions: [
    { from: "processing", on: "complete", to: "completed", emits: ["payment.captured"], source },
    { from: "processing", on: "fail", to: "failed", emits: [], source },
  ],
})
