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

/** A merchant is warned this long before reserved money is lost, and sees this long what was lost. */
const WARNING_HOURS = 48
const LOST_DAYS = 7

/** SQL, of gateway_authorization: it ends soon. `now`: the expression of the merchant's time. */
export const endsSoon = (now: string) =>
  `state = 'open' AND capture_before <= ${now}::timestamptz + interval '${WARNING_HOURS} hours'`
/** SQL, of gateway_authorization: its time was up lately before all of it was captured. */
export const lostLately = (now: string) =>
  `ended_because = 'expired' AND ended_at > ${now}::timestamptz - interval '${LOST_DAYS} days'`
/** SQL, of gateway_authorization: the acquirer does not say that it has let the money go. */
export const IS_UNRELEASED = "state = 'releasing' AND operator_since IS NOT NULL"
/** SQL, of gateway_capture: only the acquirer's dashboard shows what became of it. */
export const IS_UNRESOLVED_CAPTURE = "state = 'processing' AND operator_since IS NOT NULL"

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

/** SQL: what of the authorisation `z` can still be captured; null: nothing. As `capturable` in rules.ts. */
export const CAPTURABLE_MINOR =
  "CASE WHEN z.state = 'open' AND NOT (z.is_single AND z.captured_minor > 0) THEN z.amount_minor - z.captured_minor END"
