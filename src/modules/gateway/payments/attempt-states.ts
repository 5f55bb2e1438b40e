import { defineStateMachine } from "../kernel/database/state-machine"

/**
 * The states of one try to pay (decisions: Checkout; docs/decisions/01).
 * - STARTED: the acquirer is being asked, or its answer is not known
 * - REDIRECTED: the shopper is on the acquirer's page; no money has moved as far as anybody knows
 * - CONFIRMING: the acquirer has been asked to move the money, and its answer is not known
 * - HELD: the money has moved, the acquirer flags the payment as risky, and an admin decides (docs/decisions/03)
 * - AUTHORIZED: the shopper's bank has reserved the money, and nothing of it has moved
 * - SUCCEEDED: this attempt's money is the transaction's
 * - DECLINED: the acquirer says that nothing has moved
 * - ABANDONED: the shopper has left it, or its time was up; it is watched, because money may still come
 * - SURPLUS: money came that the transaction does not take, or no longer needs, and is being given back
 * - RETURNED: it has been given back
 * - RELEASED: the reserved money was not captured; gateway_authorization says whether the acquirer has let it go
 */
export const ATTEMPT_STATES = [
  "STARTED",
  "REDIRECTED",
  "CONFIRMING",
  "HELD",
  "AUTHORIZED",
  "SUCCEEDED",
  "DECLINED",
  "ABANDONED",
  "SURPLUS",
  "RETURNED",
  "RELEASED",
] as const
export type AttemptState = (typeof ATTEMPT_STATES)[number]

/** The attempt's money has come, or is reserved: what else comes for it is more than was asked for. */
export const PAID_STATES: readonly AttemptState[] = [
  "HELD",
  "AUTHORIZED",
  "SUCCEEDED",
  "SURPLUS",
  "RETURNED",
  "RELEASED",
]

/**
 * The condition of an attempt whose outcome is open; what is decided under the transaction's lock does not go stale.
 */
export const IS_OPEN = "state IN ('STARTED', 'REDIRECTED', 'CONFIRMING')"

/** What only the acquirer's own dashboard shows: of an open attempt its outcome, of a surplus whether it went back. */
export const IS_UNRESOLVED =
  "operator_since IS NOT NULL AND state IN ('STARTED', 'REDIRECTED', 'CONFIRMING', 'SURPLUS')"

const ATTEMPT_TRIGGERS = [
  "redirect",
  "confirm",
  "hold",
  "authorize",
  "release",
  "succeed",
  "decline",
  "abandon",
  "reopen",
  "overpay",
  "give_back",
  "return",
] as const
export type AttemptTrigger = (typeof ATTEMPT_TRIGGERS)[number]

const source = "decisions: Checkout"
const row = (from: AttemptState, on: AttemptTrigger, to: AttemptState) => ({ from, on, to, emits: [], source })

export const attemptMachine = defineStateMachine({
  name: "payment attempt",
  initial: "STARTED",
  states: ATTEMPT_STATES,
  triggers: ATTEMPT_TRIGGERS,
  transitions: [
    row("STARTED", "redirect", "REDIRECTED"),
    row("STARTED", "hold", "HELD"),
    row("STARTED", "authorize", "AUTHORIZED"),
    row("STARTED", "succeed", "SUCCEEDED"),
    row("STARTED", "decline", "DECLINED"),
    // Without a shopper on its page: the process died before it wrote down where the shopper goes.
    row("STARTED", "abandon", "ABANDONED"),
    row("REDIRECTED", "confirm", "CONFIRMING"),
    row("REDIRECTED", "hold", "HELD"),
    row("REDIRECTED", "authorize", "AUTHORIZED"),
    row("REDIRECTED", "succeed", "SUCCEEDED"),
    row("REDIRECTED", "decline", "DECLINED"),
    row("REDIRECTED", "abandon", "ABANDONED"),
    row("CONFIRMING", "hold", "HELD"),
    row("CONFIRMING", "authorize", "AUTHORIZED"),
    row("CONFIRMING", "succeed", "SUCCEEDED"),
    row("CONFIRMING", "decline", "DECLINED"),
    // The acquirer says that the shopper has not agreed: whoever claimed so was not the shopper.
    row("CONFIRMING", "reopen", "REDIRECTED"),
    // The process died before it asked the acquirer, and nobody asks any more.
    row("CONFIRMING", "abandon", "ABANDONED"),
    // An admin decides.
    row("HELD", "succeed", "SUCCEEDED"),
    row("HELD", "give_back", "SURPLUS"),
    // Its first capture.
    row("AUTHORIZED", "succeed", "SUCCEEDED"),
    row("AUTHORIZED", "release", "RELEASED"),
    // Late answers: an acquirer may report money for an attempt that it declined before.
    row("ABANDONED", "hold", "HELD"),
    row("ABANDONED", "authorize", "AUTHORIZED"),
    row("ABANDONED", "release", "RELEASED"),
    row("ABANDONED", "succeed", "SUCCEEDED"),
    row("ABANDONED", "decline", "DECLINED"),
    row("ABANDONED", "overpay", "SURPLUS"),
    row("DECLINED", "hold", "HELD"),
    row("DECLINED", "authorize", "AUTHORIZED"),
    row("DECLINED", "release", "RELEASED"),
    row("DECLINED", "succeed", "SUCCEEDED"),
    row("DECLINED", "overpay", "SURPLUS"),
    row("SURPLUS", "return", "RETURNED"),
  ],
})

/** So often a shopper may close the acquirer's page at no cost. Each time a page is opened there, so it has an end. */
const FREE_CLOSINGS = 10

/**
 * How many attempts may follow. `attempts_max` is the merchant's setting; one that the shopper has closed costs none, and
 * `closings` counts those (docs/decisions/01). Negative when the setting was lowered meanwhile.
 */
export function attemptsLeft(of: { attempts: number; attempts_max: number; closings: number }): number {
  return of.attempts_max + Math.min(of.closings, FREE_CLOSINGS) - of.attempts
}
