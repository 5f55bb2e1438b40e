import { type Bench, promise, textOf } from "../bench"
import { Charging, paid } from "../gateway"
import { UNANSWERED } from "../line"
import { disturbEach, requireApplicable, type Case } from "./case"

export const CHARGE_CASES: readonly Case[] = [
  {
    code: "charge",
    promise: "A kept instrument is charged exactly, and again under another key.",
    why: "Each period of a subscription is such a charge, and nobody is there to notice a wrong one.",
    async run(bench) {
      const token = await kept(bench)
      for (const amount of [49_907n, 113_615n]) {
        const charging = await Charging.of(bench, token, amount)
        const answer = await charging.found(await charging.sent())
        promise(answer.result === "done", `a kept instrument was charged, and the answer is ${textOf(answer)}`)
        const [movement] = await charging.moved()
        promise(movement?.amount === charging.amount, `${charging.amount} were to be charged: ${textOf(movement)}`)
      }
    },
  },
  {
    code: "charge_twice",
    promise: "A charge that is requested again under its key moves once, with and without its references.",
    why: "After a crash the gateway requests a charge again. The customer would pay the period twice.",
    async run(bench) {
      const token = await kept(bench)
      for (const isCrash of [false, true]) {
        const charging = await Charging.of(bench, token, isCrash ? 49_909n : 49_911n)
        const first = await charging.sent()
        if (isCrash) {
          charging.kept.references = charging.kept.saved
        }
        await charging.found(await charging.sent())
        const moved = await charging.moved()
        promise(moved.length <= 1, `requested twice, the charge has moved ${moved.length} times: ${textOf(moved)}`)
        promise(first.result === "done", `a kept instrument was charged, and the answer is ${textOf(first)}`)
      }
    },
  },
  {
    code: "lost_charge",
    promise: "A charge that breaks off or is answered with nonsense ends in the truth, and moves once.",
    why: "A charge that moved and is called declined is made again, by dunning or by the customer.",
    async run(bench) {
      const token = await kept(bench)
      let amount = 50_001n
      await disturbEach(bench, "charge", UNANSWERED, async () => {
        const charging = await Charging.of(bench, token, amount++)
        await charging.found(await charging.sent())
      })
    },
  },
  {
    code: "late_charge",
    promise: "A charge that arrives late is not called `refused` or `absent` before, and moves once.",
    why: "The period counts as unpaid by then, and the customer pays it again.",
    async run(bench) {
      const token = await kept(bench)
      let amount = 60_001n
      await disturbEach(bench, "charge", ["late"], async () => {
        const charging = await Charging.of(bench, token, amount++)
        const answer = await charging.found(await charging.sent())
        await bench.line.release()
        const moved = await charging.moved()
        const isDenied = answer.result === "refused" || answer.result === "absent"
        promise(moved.length <= 1, `the charge has moved ${moved.length} times: ${textOf(moved)}`)
        promise(!isDenied || moved.length === 0, `the answer was ${textOf(answer)}, and then the late request moved`)
      })
    },
  },
  {
    code: "forget",
    promise: "A kept instrument that was forgotten is not charged any more, and forgetting it again is no error.",
    why: "A customer has removed it. The gateway asks once more when the answer is lost.",
    async run(bench) {
      requireApplicable(bench.acquirer.forget !== undefined, "the adapter has no `forget`")
      const token = await kept(bench)
      await bench.acquirer.forget(token)
      await bench.acquirer.forget(token)
      const charging = await Charging.of(bench, token, 70_001n)
      const answer = await charging.found(await charging.sent())
      const moved = await charging.moved()
      promise(moved.length === 0, `the instrument was forgotten, and the answer is ${textOf(answer)}`)
    },
  },
]

/** The token of an instrument that a payment has kept. */
async function kept(bench: Bench): Promise<string> {
  requireApplicable(bench.acquirer.charge !== undefined, "the adapter has no `charge`")
  const { answer } = await paid(bench, undefined, { keep: true })
  promise(answer.kept !== undefined, `the payment was to keep the instrument, and the answer is ${textOf(answer)}`)
  return answer.kept.token
}
