import * as fc from "fast-check"
import type { Absent, Done, Refused, Unknown } from "../../acquirers/port"
import { ATTEMPT_STATES, type AttemptState } from "../attempt-states"
import { nextStep, type Asked, type Step } from "../inquiry-rules"

const unknown: Unknown = { result: "unknown", message: "no answer" }
const ANSWERS = {
  done: { result: "done", amount_minor: 100, currency: "BDT", reference: "r" } as unknown as Done,
  refused: { result: "refused", code: "CARD_DECLINED", message: "no" } as unknown as Refused,
  "try again": { result: "refused", code: "NETWORK_ERROR", message: "no", retry: true } as unknown as Refused,
  absent: { result: "absent" } as Absent,
  unknown,
  "awaits the shopper": { ...unknown, awaiting_shopper: true },
  agreed: { ...unknown, agreed: true },
} as const
type Name = keyof typeof ANSWERS

const asked = (state: AttemptState, changes: Partial<Asked> = {}): Asked => ({
  state,
  isUnderWay: false,
  isOver: false,
  hasConfirm: true,
  isMismatched: false,
  ...changes,
})

describe("decisions: Checkout — what an acquirer's answer does to an attempt", () => {
  it.each<[AttemptState, Name, Partial<Asked>, Step, boolean]>([
    // On the acquirer's page.
    ["REDIRECTED", "done", {}, "settle", false],
    ["REDIRECTED", "refused", {}, "settle", false],
    ["REDIRECTED", "absent", {}, "settle", true],
    ["REDIRECTED", "awaits the shopper", {}, "settle", true],
    ["REDIRECTED", "unknown", {}, "settle", true],
    ["REDIRECTED", "unknown", { hasConfirm: false }, "settle", false],
    ["REDIRECTED", "agreed", {}, "confirm", true],
    ["REDIRECTED", "agreed", { hasConfirm: false }, "settle", false],
    ["REDIRECTED", "agreed", { isOver: true }, "expire", true],
    ["REDIRECTED", "awaits the shopper", { isOver: true }, "expire", true],
    ["REDIRECTED", "awaits the shopper", { isMismatched: true }, "settle", false],
    // While the call that may move the money can still be running.
    ["STARTED", "absent", { isUnderWay: true }, "wait", false],
    ["STARTED", "try again", { isUnderWay: true }, "wait", false],
    ["STARTED", "refused", { isUnderWay: true }, "settle", false],
    ["CONFIRMING", "agreed", { isUnderWay: true }, "settle", true],
    ["CONFIRMING", "awaits the shopper", { isUnderWay: true, isOver: true }, "settle", true],
    // After it: the process died.
    ["STARTED", "absent", {}, "settle", false],
    ["STARTED", "awaits the shopper", {}, "lost", true],
    ["STARTED", "agreed", {}, "confirm", true],
    ["CONFIRMING", "agreed", {}, "confirm", true],
    ["CONFIRMING", "agreed", { hasConfirm: false }, "settle", false],
    ["CONFIRMING", "awaits the shopper", {}, "reopen", true],
    ["CONFIRMING", "awaits the shopper", { isOver: true }, "expire", true],
    ["CONFIRMING", "unknown", {}, "settle", false],
    // Ended attempts are watched: their time cannot be up a second time.
    ["ABANDONED", "done", { isOver: true }, "settle", false],
    ["ABANDONED", "awaits the shopper", { isOver: true }, "settle", true],
    ["DECLINED", "agreed", { isOver: true }, "settle", true],
  ])("%s, %s, %j: %s", (state, answer, changes, step, isUnpaid) => {
    expect(nextStep(asked(state, changes), ANSWERS[answer])).toEqual({ step, isUnpaid })
  })

  const facts = fc.record({
    state: fc.constantFrom(...ATTEMPT_STATES),
    isUnderWay: fc.boolean(),
    isOver: fc.boolean(),
    hasConfirm: fc.boolean(),
    isMismatched: fc.boolean(),
  })
  const answers = fc.constantFrom(...(Object.keys(ANSWERS) as Name[]))

  it("money that has moved is always settled, and nothing else is said of it", () => {
    fc.assert(
      fc.property(facts, (given) => {
        expect(nextStep(given, ANSWERS.done)).toEqual({ step: "settle", isUnpaid: false })
      })
    )
  })

  it("money is asked for only where the shopper has agreed, and never where another amount was reported", () => {
    fc.assert(
      fc.property(facts, answers, (given, name) => {
        const { step } = nextStep(given, ANSWERS[name])
        expect(step !== "confirm" || (name === "agreed" && given.hasConfirm && !given.isMismatched)).toBe(true)
      })
    )
  })

  it("nothing is closed or reopened while its call can still be running, nor once it has ended", () => {
    fc.assert(
      fc.property(facts, answers, (given, name) => {
        const { step } = nextStep(given, ANSWERS[name])
        const closes = step === "expire" || step === "lost" || step === "reopen"
        const isOpen = ["STARTED", "REDIRECTED", "CONFIRMING"].includes(given.state)
        expect(!closes || (isOpen && !given.isUnderWay)).toBe(true)
      })
    )
  })
})
