import type { Absent, Done, Refused, Unknown } from "../acquirers/port"
import type { AttemptState } from "./attempt-states"

/** What an attempt is when its acquirer answers a question about it. */
export type Asked = {
  state: AttemptState
  /** The call that may move the money can still be running. */
  isUnderWay: boolean
  /** The time in which the session can be paid is up. */
  isOver: boolean
  /** The acquirer moves the money in a step of its own, once the shopper has agreed. */
  hasConfirm: boolean
  /** The acquirer has reported another amount or currency than it was asked for: money has moved. */
  isMismatched: boolean
}

type Answer = Done | Refused | Unknown | Absent

/**
 * What an answer does to an attempt:
 * - settle: it is written down, whatever it says
 * - wait: it is too early to believe it
 * - confirm: the shopper has agreed, and the acquirer is asked to move the money
 * - reopen: the shopper is on the acquirer's page again: it was asked before they had agreed
 * - expire, lost: the attempt is closed, because the time is up, or because the process died that was to go on with it
 */
export type Step = "settle" | "wait" | "confirm" | "reopen" | "expire" | "lost"

type Facts = Asked & { isOpen: boolean; isLost: boolean; hasAgreed: boolean; isTooEarly: boolean }

/** Of an attempt whose money has not moved: the first row that holds. */
const UNMOVED: readonly (readonly [step: Step, holds: (facts: Facts) => boolean])[] = [
  ["expire", ({ isOver, isOpen, isUnderWay }) => isOver && isOpen && !isUnderWay],
  [
    "confirm",
    ({ hasAgreed, hasConfirm, isLost, state }) => hasAgreed && hasConfirm && (isLost || state === "REDIRECTED"),
  ],
  ["reopen", ({ isLost, state, isTooEarly }) => isLost && state === "CONFIRMING" && isTooEarly],
  ["lost", ({ isLost }) => isLost],
  ["settle", () => true],
]

/** `isUnpaid`: the acquirer knows of no money of this attempt. */
export function nextStep(asked: Asked, answer: Answer): { step: Step; isUnpaid: boolean } {
  if (asked.isMismatched || !isUnmoved(asked, answer)) {
    const mayChange = answer.result === "absent" || (answer.result === "refused" && answer.retry === true)
    return { step: mayChange && asked.isUnderWay ? "wait" : "settle", isUnpaid: false }
  }
  const { state, isUnderWay } = asked
  const isOpen = state === "STARTED" || state === "REDIRECTED" || state === "CONFIRMING"
  const facts: Facts = {
    ...asked,
    isOpen,
    // Without a page of the acquirer's nothing brings the shopper back.
    isLost: isOpen && state !== "REDIRECTED" && !isUnderWay,
    hasAgreed: answer.result === "unknown" && answer.agreed === true,
    isTooEarly: isTooEarly(answer),
  }
  const [step] = UNMOVED.find(([, holds]) => holds(facts)) ?? ["settle" as const]
  return { step, isUnpaid: true }
}

/**
 * Whether no money has moved yet. Where the acquirer moves it in a step of its own, nothing moves before that step,
 * however unclear the answer is; the acquirer knows whether it was asked to.
 */
function isUnmoved({ state, hasConfirm }: Asked, answer: Answer): boolean {
  if (answer.result === "absent") {
    return state === "REDIRECTED"
  }
  if (answer.result !== "unknown") {
    return false
  }
  return answer.awaiting_shopper === true || (hasConfirm && (state === "REDIRECTED" || answer.agreed === true))
}

/** The acquirer was asked to move the money of a shopper who has not agreed, or who agreed only after that. */
export function isTooEarly(answer: Answer): answer is Unknown {
  return answer.result === "unknown" && (answer.awaiting_shopper === true || answer.agreed === true)
}
