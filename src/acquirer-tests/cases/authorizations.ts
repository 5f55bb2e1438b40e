import type { CaptureRequest, Minor, References } from "../../acquirers"
import { type Answer, type Bench, newKey, promise, textOf } from "../bench"
import { Attempt, requireFound, requireTrue } from "../gateway"
import { UNANSWERED } from "../line"
import { disturbEach, requireApplicable, type Case } from "./case"

export const AUTHORIZATION_CASES: readonly Case[] = [
  {
    code: "authorized",
    promise: "With `authorize_only` the money is reserved: `done` with `authorized`, and nothing has moved.",
    why: "The shop takes the money when it sends the goods. Money that is taken before has to be given back by hand.",
    async run(bench) {
      const { attempt, answer } = await reserved(bench)
      const { amount, currency, now } = attempt.request
      const isExact = answer.amount === amount && answer.currency === currency
      promise(isExact, `${amount} hundredths were to be reserved, and the answer is ${textOf(answer)}`)
      promise((answer.authorized?.capture_before ?? now) > now, `capture_before is over: ${textOf(answer)}`)
    },
  },
  {
    code: "capture",
    promise: "A capture of a part takes exactly that part, and of the whole all of it.",
    why: "Only what was sent may be taken.",
    async run(bench) {
      for (const divisor of [1n, 3n]) {
        const { attempt, request, moved } = await reservedCapture(bench, divisor)
        const answer = await captured(bench, request, moved)
        promise(answer.result === "done", `reserved money was captured, and the answer is ${textOf(answer)}`)
        const taken = (await attempt.moved()).filter(({ kind }) => kind === "payment")
        promise(
          taken[0]?.amount === request.amount,
          `${request.amount} were captured, and the books show ${textOf(taken)}`
        )
      }
    },
  },
  {
    code: "capture_twice",
    promise: "A capture that is requested again under its key moves once.",
    why: "After a crash the gateway requests it again.",
    async run(bench) {
      const { request, moved } = await reservedCapture(bench, 2n)
      await captured(bench, request, moved)
      const again = await captured(bench, request, moved)
      promise(again.result === "done", `the same capture again is answered ${textOf(again)}`)
    },
  },
  {
    code: "lost_capture",
    promise: "A capture that breaks off or is answered with nonsense ends in the truth, and moves once.",
    why: "`refused` ends a capture for good; if it moved, the shop does not know of its money.",
    async run(bench) {
      requireAuthorizing(bench)
      await disturbEach(bench, "capture", [...UNANSWERED, "late"], async () => {
        const { request, moved } = await reservedCapture(bench, 2n)
        const answer = await captured(bench, request, moved)
        await bench.line.release()
        const isDenied = answer.result === "refused"
        promise(!isDenied || (await moved()).length === 0, `the answer was ${textOf(answer)}, and the money has moved`)
      })
    },
  },
  {
    code: "release",
    promise: "`release` gives the reserved money back, also when it is asked twice, and nothing is captured after it.",
    why: "An order is cancelled: the shopper's bank must not keep the money for a week, nor the shop take it.",
    async run(bench) {
      const { request, moved } = await reservedCapture(bench, 1n)
      for (let count = 0; count < 2; count++) {
        const answer = await bench.ask("release", ({ authorizing }) => authorizing!.release(request.authorization))
        promise(answer.result === "released", `reserved money was released, and the answer is ${textOf(answer)}`)
      }
      const late = await captured(bench, request, moved)
      promise(late.result !== "done", `the money was released, and a capture is answered ${textOf(late)}`)
    },
  },
]

function requireAuthorizing({ acquirer }: Bench): void {
  requireApplicable(acquirer.authorizing !== undefined, "the adapter has no `authorizing`")
}

async function reserved(bench: Bench) {
  requireAuthorizing(bench)
  const attempt = await Attempt.of(bench, undefined, { authorize_only: true })
  const answer = await attempt.played("pay")
  promise(answer.authorized !== undefined, `the money was to be reserved, and the answer is ${textOf(answer)}`)
  const moved = (await attempt.moved()).filter(({ kind }) => kind === "payment")
  promise(moved.length === 0, `the money was to be reserved, and it has moved: ${textOf(moved)}`)
  return { attempt, answer }
}

async function reservedCapture(bench: Bench, divisor: Minor) {
  const { attempt, answer } = await reserved(bench)
  const { key, amount, currency, now } = attempt.request
  const { references } = attempt.kept
  const authorization = { key, reference: answer.reference ?? "", amount, currency, references, now }
  const part = bench.fitting(amount / divisor)
  const request: CaptureRequest = {
    key: newKey(),
    amount: part,
    currency,
    is_final: true,
    references: {},
    authorization,
    now,
  }
  return { attempt, request, moved: attempt.moved }
}

/** Captures and asks until the outcome is clear; what the acquirer has never received is requested again. */
async function captured(bench: Bench, asked: CaptureRequest, moved: Attempt["moved"]): Promise<Answer> {
  let references: References = asked.references
  const make = async (call: "capture" | "captureStatus") => {
    const request = { ...asked, references }
    const answer: Answer = await bench.ask<Answer>(call, ({ authorizing }) => authorizing![call](request))
    references = { ...references, ...answer.references }
    requireTrue(call, answer, "payment", await moved())
    return answer
  }
  let answer = await make("capture")
  for (let count = 0; count < 4 && (answer.result === "unknown" || answer.result === "absent"); count++) {
    answer = await make(answer.result === "absent" ? "capture" : "captureStatus")
  }
  requireFound(
    "captureStatus",
    answer,
    (await moved()).filter(({ kind }) => kind === "payment")
  )
  return answer
}
