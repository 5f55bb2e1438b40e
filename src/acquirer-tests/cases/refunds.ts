import { type Answer, type Bench, promise, textOf } from "../bench"
import { paid, Refunding } from "../gateway"
import { UNANSWERED } from "../line"
import { disturbEach, misstated, requireApplicable, type Case } from "./case"

export const REFUND_CASES: readonly Case[] = [
  {
    code: "refund_exact",
    promise: "A refund of a part and of the rest gives back exactly these, and `done` names them.",
    why: "A shopper gets too little, or the shop gives back more than it took.",
    async run(bench) {
      requireByCall(bench)
      const payment = await paid(bench)
      const { amount } = payment.attempt.request
      const part = await Refunding.of(bench, payment, bench.fitting(amount / 3n))
      await completed(part)
      await completed(await Refunding.of(bench, payment, amount - part.amount, [part]))
    },
  },
  {
    code: "refund_whole",
    promise: "A refund of the whole payment gives all of it back.",
    why: "A cancelled order leaves something at the shop that nobody asks for again.",
    async run(bench) {
      requireByCall(bench)
      const payment = await paid(bench)
      await completed(await Refunding.of(bench, payment, payment.attempt.request.amount))
    },
  },
  {
    code: "refund_amount_of_answer",
    promise: "`amount` of a refund's `done` is the one that the acquirer's answer names.",
    why: "The gateway compares both. A copied amount hides every refund of another amount.",
    async run(bench) {
      requireByCall(bench)
      const refunding = await Refunding.of(bench, await paid(bench, 271_586n), 135_793n)
      refunding.compares = false
      const { standIn } = bench
      const rewrite = (text: string) => text.replace(/1,?357\.93|135793/g, (amount) => amount.replace("93", "92"))
      const act = async () => refunding.found(await refunding.sent())
      standIn.misstateRefund?.(135_792n)
      const answer = standIn.misstateRefund === undefined ? await misstated(bench, rewrite, act, "amount") : await act()
      const isHonest = answer.result === "done" && answer.amount === 135_792n
      promise(isHonest, `the acquirer named another amount, and the answer is ${textOf(answer)}`)
    },
  },
  {
    code: "refund_twice",
    promise: "A refund that is requested again under its key gives money back once, with and without its references.",
    why: "After a crash the gateway requests a refund again. The shop would give the money back twice.",
    async run(bench) {
      requireByCall(bench)
      for (const isCrash of [false, true]) {
        const refunding = await Refunding.of(bench, await paid(bench), bench.fitting(45_264n))
        await refunding.sent()
        if (isCrash) {
          refunding.kept.references = refunding.kept.saved
        }
        await refunding.found(await refunding.sent())
        const moved = await refunding.moved()
        promise(moved.length === 1, `requested twice, the refund has moved ${moved.length} times: ${textOf(moved)}`)
      }
    },
  },
  {
    code: "refund_too_much",
    promise: "A refund of more than is left gives nothing back, and is not `done`.",
    why: "A refund that is made in the acquirer's dashboard as well must not be paid out twice.",
    async run(bench) {
      requireByCall(bench)
      const payment = await paid(bench)
      const { amount } = payment.attempt.request
      const first = await Refunding.of(bench, payment, bench.fitting(amount / 2n))
      await completed(first)
      const above = await Refunding.of(bench, payment, amount - first.amount + 100n, [first])
      const answer = await above.found(await above.sent())
      promise(answer.result !== "done", `more than is left was requested, and the answer is ${textOf(answer)}`)
      const moved = await above.moved()
      promise(moved.length === 0, `more than is left was requested, and has moved: ${textOf(moved)}`)
    },
  },
  {
    code: "refunds_at_once",
    promise:
      "Two refunds of one payment that are requested at the same time each move once, with references of their own.",
    why: "The gateway requests them as people ask for them. `serialRefunds: true` says that it must not.",
    async run(bench) {
      requireByCall(bench)
      requireApplicable(bench.acquirer.serialRefunds !== true, "`serialRefunds` forbids it")
      const payment = await paid(bench)
      const amount = bench.fitting(payment.attempt.request.amount / 3n)
      const both = [await Refunding.of(bench, payment, amount), await Refunding.of(bench, payment, amount)]
      both.forEach((one) => (one.compares = false))
      const first = await Promise.all(both.map((one) => one.sent()))
      const references: unknown[] = []
      for (const [at, one] of both.entries()) {
        const answer = await settled(one, first[at])
        promise(answer.result === "done", `one of two refunds at once ended with ${textOf(answer)}`)
        references.push(answer.reference)
      }
      const moved = await both[0].moved()
      promise(moved.length === 2, `two refunds at once have moved ${moved.length} times`)
      promise(references[0] !== references[1], `two refunds at once have one reference: ${textOf(references)}`)
    },
  },
  {
    code: "lost_refund",
    promise: "A request for a refund that breaks off or is answered with nonsense ends in the truth, and moves once.",
    why: "Answers get lost every day, and a refund that moved and is called refused is made again.",
    async run(bench) {
      requireByCall(bench)
      await disturbEach(bench, "refund", UNANSWERED, async () => {
        const refunding = await Refunding.of(bench, await paid(bench), bench.fitting(45_264n))
        await refunding.found(await refunding.sent())
      })
    },
  },
  {
    code: "lost_refund_status",
    promise: "A question about a refund that breaks off or is answered with nonsense says nothing false.",
    why: "`absent` makes the gateway request the refund again, and `refused` gives it up for good.",
    async run(bench) {
      requireByCall(bench)
      const payment = await paid(bench)
      const refunding = await Refunding.of(bench, payment, bench.fitting(45_264n))
      await completed(refunding)
      await disturbEach(bench, "refundStatus", UNANSWERED, async () => {
        const answer = await refunding.asked()
        promise(answer.result === "done" || answer.result === "unknown", `the answer is ${textOf(answer)}`)
      })
    },
  },
  {
    code: "late_refund",
    promise: "A request for a refund that arrives late, after the gateway has asked and requested again, moves once.",
    why: "`absent` makes the gateway request the refund again, while the first request may still be on its way.",
    async run(bench) {
      requireByCall(bench)
      await disturbEach(bench, "refund", ["late"], async () => {
        const refunding = await Refunding.of(bench, await paid(bench), bench.fitting(45_264n))
        const answer = await refunding.found(await refunding.sent())
        await bench.line.release()
        const moved = await refunding.moved()
        promise(moved.length <= 1, `the refund has moved ${moved.length} times: ${textOf(moved)}`)
        const isWrong = answer.result === "refused" && moved.length > 0
        promise(!isWrong, `the answer was ${textOf(answer)}, and then the late request moved`)
      })
    },
  },
  {
    code: "refund_save_first",
    promise: "When `save` fails, no refund is sent.",
    why: "What is not saved is forgotten by a crash, and the refund is then made again.",
    async run(bench) {
      requireByCall(bench)
      const refunding = await Refunding.of(bench, await paid(bench), bench.fitting(45_264n))
      let isSaving = false
      const save = () => {
        isSaving = true
        return Promise.reject(new Error("the database is away"))
      }
      await bench.acquirer.refund({ ...refunding.request, save }).catch(() => null)
      requireApplicable(isSaving, "the adapter saves nothing before it asks")
      await bench.standIn.finishRefunds?.()
      const moved = await refunding.moved()
      promise(moved.length === 0, `save failed, and the refund has moved: ${textOf(moved)}`)
    },
  },
  {
    code: "refund_by_hand",
    promise: 'Where only the dashboard takes refunds, one is `unknown` with `needs_operator` and `refund: "by_hand"`.',
    why: "The admin's page says to make it there, and a refund that nobody has made is not shown as one.",
    async run(bench) {
      const { refundByHand } = bench.standIn
      requireApplicable(refundByHand !== undefined, "the acquirer takes refunds by a call")
      const payment = await paid(bench)
      const refunding = await Refunding.of(bench, payment, payment.attempt.request.amount)
      for (const answer of [await refunding.sent(), await refunding.asked()]) {
        const isByHand = answer.result === "unknown" && answer.needs_operator === true
        promise(isByHand && answer.references?.refund === "by_hand", `the answer is ${textOf(answer)}`)
      }
      await bench.standIn.refundByHand?.(payment.payment)
      await refunding.found(await refunding.asked())
    },
  },
]

function requireByCall({ standIn }: Bench): void {
  requireApplicable(standIn.refundByHand === undefined, "the acquirer takes refunds in its dashboard only")
}

async function completed(refunding: Refunding): Promise<void> {
  const answer = await refunding.found(await refunding.sent())
  promise(answer.result === "done", `a refund of ${refunding.amount} hundredths ended with ${textOf(answer)}`)
  const [movement] = await refunding.moved()
  promise(movement?.amount === refunding.amount, `${refunding.amount} hundredths were requested: ${textOf(movement)}`)
}

/** As `found`, for refunds whose movements are counted together. */
async function settled(refunding: Refunding, first: Answer): Promise<Answer> {
  let answer = first
  for (let count = 0; count < 4 && answer.result === "unknown"; count++) {
    answer = await refunding.asked()
  }
  return answer
}
