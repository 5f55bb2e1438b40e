import { Attempt, paid } from "../gateway"
import { type Answer, type Bench, promise, textOf } from "../bench"
import { UNANSWERED } from "../line"
import { disturbEach, misstated, requireApplicable, type Case } from "./case"

/** In hundredths: the smallest, what is not exact as a binary fraction, round ones, and the largest. */
const AMOUNTS = [1n, 7n, 435n, 1_999n, 50_000n, 113_615n, 125_050n, 99_999_999n]

const LOST = "Answers get lost every day. A payment that moved and is called declined is paid again by its shopper."

export const PAYMENT_CASES: readonly Case[] = [
  {
    code: "exact_amounts",
    promise: "A payment moves exactly what was asked for, and `done` says so with the acquirer's reference.",
    why: "A hundredth that is lost in a binary fraction, or an amount in other units, is real money of every payment.",
    async run(bench) {
      const amounts = new Set(AMOUNTS.map((amount) => bench.fitting(amount)))
      for (const amount of amounts) {
        const { attempt } = await paid(bench, amount)
        const [movement] = await attempt.moved()
        const isExact = movement?.amount === amount && movement.currency === attempt.request.currency
        promise(isExact, `${amount} hundredths were asked for, and the books show ${textOf(movement)}`)
      }
    },
  },
  {
    code: "amount_of_answer",
    promise: "`amount` of a paid `done` is the one that the acquirer's answer names, and not the request's.",
    why: "The gateway compares both. An amount that is copied from the request hides every payment of another amount.",
    async run(bench) {
      // 1,357.93 becomes 1,357.92, as decimals and in hundredths.
      const rewrite = (text: string) => text.replace(/1,?357\.93|135793/g, (amount) => amount.replace("93", "92"))
      await requireReported(bench, rewrite, "amount", ({ amount }) => amount === 135_792n)
    },
  },
  {
    code: "currency_of_answer",
    promise: "`currency` of a paid `done` is the one that the acquirer's answer names, and not the request's.",
    why: "1,000 of one currency are not 1,000 of another one, and only the comparison with the request notices.",
    async run(bench) {
      const { currency } = bench.request(1n)
      const other = currency === "SGD" ? "LKR" : "SGD"
      const words = new RegExp(`\\b(${currency}|${currency.toLowerCase()})\\b`, "g")
      const rewrite = (text: string) => text.replace(words, (word) => (word === currency ? other : other.toLowerCase()))
      await requireReported(bench, rewrite, "currency", (answer) => answer.currency === other)
    },
  },
  {
    code: "declined",
    promise: "After a decline or a cancellation nothing has moved, and no answer says `done`.",
    why: "Goods would leave the shop unpaid; and a `refused` while money can still move would be paid twice.",
    async run(bench) {
      const isInline = bench.acquirer.flow === "inline"
      const { declined: instrument } = bench.standIn
      requireApplicable(!isInline || instrument !== undefined, "the stand-in names no instrument that is `declined`")
      for (const act of isInline ? (["decline"] as const) : (["decline", "cancel"] as const)) {
        const attempt = await Attempt.of(bench, undefined, isInline ? { instrument } : {})
        const answer = await attempt.played(act)
        const moved = await attempt.moved()
        promise(moved.length === 0, `the shopper chose ${act}, and the money has moved: ${textOf(moved)}`)
        promise(answer.result !== "absent", `the acquirer knows the attempt, and the answer is absent`)
        await requireOver(bench, attempt, answer.result === "refused")
      }
    },
  },
  {
    code: "not_paid_yet",
    promise: "While the shopper is on the acquirer's page the outcome is `unknown`, and a payment then is `done`.",
    why: "An attempt that is called over too early lets the shopper pay again, and both payments move.",
    async run(bench) {
      const attempt = await Attempt.of(bench)
      await attempt.start()
      requireApplicable(attempt.url !== null, "nobody is sent to a page")
      const early = await attempt.asked()
      promise(early.result === "unknown", `nobody has paid yet, and the answer is ${textOf(early)}`)
      const late = await attempt.settled(await bench.standIn.shopper(attempt.url, "pay"))
      promise(late.result === "done", `the shopper has paid, and the answer is ${textOf(late)}`)
    },
  },
  {
    code: "left",
    promise: "An attempt that `abandon` calls `refused` moves no money any more, whatever its page still shows.",
    why: "The shopper pays in another way next. A page that still takes money takes it a second time.",
    async run(bench) {
      const attempt = await Attempt.of(bench)
      await attempt.start()
      const answer = await attempt.abandoned()
      requireApplicable(answer !== null, "the adapter has no `abandon`")
      await requireOver(bench, attempt, answer.result === "refused")
    },
  },
  {
    code: "asked_again",
    promise: "A question about a payment that is `done` is answered alike again, and moves nothing.",
    why: "The gateway asks after each return and notification, and by itself; one payment is counted once by its reference.",
    async run(bench) {
      const { attempt, answer: first } = await paid(bench)
      for (const after of [1, 60, 3_600]) {
        const again = await attempt.asked(after)
        const isSame = again.result === "done" && again.reference === first.reference
        promise(isSame, `first ${textOf(first)}, then ${textOf(again)}`)
      }
    },
  },
  ...(["start", "confirm"] as const).map((call): Case => ({
    code: `lost_${call}`,
    promise: `A request of \`${call}\` that breaks off or is answered with nonsense ends in the truth, and moves once.`,
    why: LOST,
    async run(bench) {
      requireApplicable(call !== "confirm" || bench.acquirer.confirm !== undefined, "the adapter has no `confirm`")
      await disturbEach(bench, call, UNANSWERED, async () => {
        const attempt = await Attempt.of(bench)
        await attempt.played("pay")
      })
    },
  })),
  {
    code: "lost_query",
    promise:
      "A request of `query` that breaks off or is answered with nonsense says nothing false, and the next one finds the payment.",
    why: LOST,
    async run(bench) {
      // Where the browser that comes back makes the gateway ask for the money at once (`confirm`), it asks what became of
      // a payment only when no browser has come back.
      const comesBack = bench.acquirer.confirm === undefined ? [true, false] : [false]
      for (const isBack of comesBack) {
        await disturbEach(bench, "query", UNANSWERED, async () => {
          const attempt = await Attempt.of(bench)
          const answer = await attempt.played("pay", isBack)
          promise(answer.result === "done", `the shopper has paid, and the answer is ${textOf(answer)}`)
        })
      }
    },
  },
  {
    code: "late_payment",
    promise: "`refused` and `absent` are answered only when a request that is late can no longer move money.",
    why: "The attempt is over by then. Money that moves afterwards belongs to no order, and the shopper may have paid again.",
    async run(bench) {
      for (const call of bench.acquirer.confirm === undefined
        ? (["start"] as const)
        : (["start", "confirm"] as const)) {
        await disturbEach(bench, call, ["late"], async () => {
          const attempt = await Attempt.of(bench)
          const answer = await attempt.played("pay")
          await bench.line.release()
          const isDenied = answer.result === "refused" || answer.result === "absent"
          const moved = await attempt.moved()
          promise(moved.length <= 1, `the money has moved ${moved.length} times`)
          promise(!isDenied || moved.length === 0, `the answer was ${textOf(answer)}, and then the late request moved`)
          await attempt.found({ result: "unknown" })
        })
      }
    },
  },
  {
    code: "down",
    promise: "While the acquirer cannot be reached nothing is `done`, nothing throws, and the next try is paid once.",
    why: "The gateway sends the shopper elsewhere when it hears so; an error page would lose the order.",
    async run(bench) {
      const attempt = await Attempt.of(bench)
      const answer = await bench.down(() => attempt.start())
      const isClear = answer.result === "refused" || answer.result === "unknown"
      promise(isClear, `the acquirer cannot be reached, and start answers ${textOf(answer)}`)
      const asked = await bench.down(() => attempt.asked())
      promise(asked.result !== "done", `the acquirer cannot be reached, and query answers ${textOf(asked)}`)
      const next = await attempt.played("pay")
      promise(next.result === "done", `it can be reached again, and a paid attempt is ${textOf(next)}`)
    },
  },
  {
    code: "save_first",
    promise: "When `save` fails, nothing is sent that could move money.",
    why: "What is not saved is forgotten by a crash. A payment without its number is never found again.",
    async run(bench) {
      const attempt = await Attempt.of(bench)
      let isSaving = false
      const save = () => {
        isSaving = true
        return Promise.reject(new Error("the database is away"))
      }
      const request = { ...attempt.request, save }
      const started = await bench.acquirer.start(request).catch(() => null)
      if (started?.result === "redirect" && bench.acquirer.confirm !== undefined) {
        const hint = attempt.hintIn(await bench.standIn.shopper(started.url, "pay"))
        const references = { ...hint?.references, ...started.references }
        await bench.acquirer.confirm({ ...attempt.question(0, references), save }).catch(() => null)
      }
      requireApplicable(isSaving, "the adapter saves nothing before it asks")
      const moved = await attempt.moved()
      promise(moved.length === 0, `save failed, and the money has moved: ${textOf(moved)}`)
    },
  },
  {
    code: "check",
    promise: "`check` takes the instrument of a payment; an error with which it refuses another one names the field.",
    why: "The page shows the error beside the field. Without a name the shopper does not learn what to correct.",
    async run(bench) {
      bench.acquirer.check(bench.request(1n).instrument)
      for (const method of ["card", "mobile_banking", "wallet"] as const) {
        try {
          bench.acquirer.check({ method, payment_service: "NO_SUCH_SERVICE" })
        } catch (error) {
          const { code, field } = error as { code?: unknown; field?: unknown }
          const isNamed = code === "VALIDATION_ERROR" && typeof field === "string" && field !== ""
          promise(isNamed, `check threw ${String(error)}, which is no VALIDATION_ERROR with a field`)
        }
      }
    },
  },
]

/** Of a payment whose answers name another amount or currency: `done` has to say that. */
async function requireReported(
  bench: Bench,
  rewrite: (text: string) => string,
  what: string,
  isReported: (answer: Answer) => boolean
): Promise<void> {
  const attempt = await Attempt.of(bench)
  // What the acquirer then says is not what its books show.
  attempt.compares = false
  const answer =
    bench.acquirer.flow === "inline"
      ? await misstated(bench, rewrite, () => attempt.start(), what)
      : await misstatedPage(bench, attempt, rewrite, what)
  const isHonest = answer.result === "done" && isReported(answer)
  promise(isHonest, `the acquirer named another ${what}, and the answer is ${textOf(answer)}`)
}

async function misstatedPage(bench: Bench, attempt: Attempt, rewrite: (text: string) => string, what: string) {
  const started = await attempt.start()
  promise(attempt.url !== null, `start answers ${textOf(started)}`)
  const hint = attempt.hintIn(await bench.standIn.shopper(attempt.url, "pay"))
  return misstated(bench, rewrite, () => attempt.hinted(hint), what)
}

/** An attempt that an answer has ended: the page may be there, but it takes no money, unless the adapter says so. */
async function requireOver(bench: Bench, attempt: Attempt, isEnded: boolean): Promise<void> {
  if (!isEnded || attempt.url === null || bench.acquirer.pageStaysOpen === true) {
    return
  }
  await bench.standIn.shopper(attempt.url, "pay").catch(() => null)
  const moved = await attempt.moved()
  promise(moved.length === 0, `the attempt was refused, and its page has taken the money: ${textOf(moved)}`)
}
