import type { Hint, Incoming, Notification } from "../../acquirers"
import { type Bench, incoming, promise, textOf } from "../bench"
import { Attempt, paid } from "../gateway"
import type { BroughtBack } from "../stand-in"
import { requireApplicable, type Case } from "./case"

const RETURN = "/gateway/acquirers/any/return/key"
/** What nobody sends who means well. */
const GARBAGE: readonly Incoming[] = [
  get(RETURN),
  get(`${RETURN}?`),
  get(`${RETURN}?status=success&status=failure&a[]=%ff&%`),
  get(`${RETURN}?${"a=b&".repeat(5_000)}`),
  sent("application/x-www-form-urlencoded", "status=VALID&&&=&amount=%ZZ"),
  sent("application/json", '{"status":{"paid":[true]},"id":null}'),
  sent("application/json", "[[[[[["),
  sent("application/octet-stream", Buffer.from([0, 255, 254, 0, 195, 40])),
  sent("text/plain", "x".repeat(300_000)),
]

export const HINT_CASES: readonly Case[] = [
  {
    code: "genuine_return",
    promise: "`readReturn` never takes the browser of a declined or cancelled payment for one that has paid.",
    why: "A hint decides what is asked for first. One that says the opposite costs the shopper the page they see.",
    async run(bench) {
      requireApplicable(bench.acquirer.readReturn !== undefined, "the adapter has no `readReturn`")
      requireApplicable(bench.acquirer.flow === "redirect", "nobody is sent to a page")
      for (const [act, never] of [
        ["pay", ["not_paid", "cancelled"]],
        ["decline", ["paid"]],
        ["cancel", ["paid"]],
      ] as const) {
        const { attempt, back } = await returned(bench, act)
        const claims = attempt.hintIn(back)?.claims
        const isWrong = never.some((claim) => claim === claims)
        promise(!isWrong, `the shopper chose ${act}, and the hint claims ${claims}`)
      }
    },
  },
  {
    code: "forged_return",
    promise: "What a browser brings back makes no unpaid attempt `done`, and moves nothing.",
    why: "Anybody can open the return address with the parameters of a payment that somebody has made.",
    async run(bench) {
      requireApplicable(bench.acquirer.readReturn !== undefined, "the adapter has no `readReturn`")
      requireApplicable(bench.acquirer.flow === "redirect", "nobody is sent to a page")
      const { attempt: other, back } = await returned(bench, "pay")
      const honest = await other.settled(back)
      promise(honest.result === "done", `a shopper has paid, and the answer is ${textOf(honest)}`)
      await requireUnmoved(bench, hintOf(bench, back))
    },
  },
  {
    code: "forged_notification",
    promise: "A notification that was changed, or that is about another payment, makes no unpaid attempt `done`.",
    why: "The notification address is public. Whoever is believed there takes goods without paying.",
    async run(bench) {
      const { standIn, acquirer } = bench
      requireApplicable(acquirer.readNotification !== undefined, "the adapter has no `readNotification`")
      promise(standIn.notification !== undefined, "the adapter reads notifications, and the stand-in sends none")
      const { attempt, payment } = await paid(bench)
      const genuine = await standIn.notification(payment)
      const read = await readBy(bench, genuine)
      promise(
        read.result === "hint" && isAbout(read.hint, payment.key, attempt.kept.references),
        `a genuine notification was read as ${textOf(read)}`
      )
      await requireUnmoved(bench, read.hint)
      const changed = await changedReading(bench, genuine, payment.key)
      if (standIn.signsNotifications === true) {
        promise(changed.result === "forged", `a notification was changed, and it is read as ${textOf(changed)}`)
      }
      await requireUnmoved(bench, changed.result === "hint" ? changed.hint : null)
    },
  },
  {
    code: "garbage",
    promise: "Whatever anybody sends to the return and notification addresses is read without throwing.",
    why: "Both are open to the internet: what throws there fills the log, and is answered with an error.",
    async run(bench) {
      const { acquirer } = bench
      const reads = acquirer.readReturn ?? acquirer.readNotification
      requireApplicable(reads !== undefined, "the adapter reads neither returns nor notifications")
      for (const message of GARBAGE) {
        let hint: Hint | null = null
        try {
          hint = acquirer.readReturn?.(message) ?? null
        } catch (error) {
          promise(false, `readReturn threw ${String(error)} for ${shown(message)}`)
        }
        const read = acquirer.readNotification === undefined ? null : await readBy(bench, message)
        promise(hint === null || hint.about === "payment", `${shown(message)} was read as ${textOf(hint)}`)
        const isSigned = bench.standIn.signsNotifications === true
        promise(!isSigned || read?.result !== "hint", `${shown(message)} is read as authentic: ${textOf(read)}`)
      }
    },
  },
]

function get(target: string): Incoming {
  return { method: "GET", target, headers: {}, body: Buffer.alloc(0) }
}

function sent(type: string, body: string | Buffer): Incoming {
  return { method: "POST", target: RETURN, headers: { "content-type": type }, body: Buffer.from(body as string) }
}

const shown = ({ method, target, body }: Incoming) => `${method} ${target.slice(0, 80)} ${body.toString().slice(0, 80)}`

async function returned(bench: Bench, act: "pay" | "decline" | "cancel") {
  const attempt = await Attempt.of(bench)
  const started = await attempt.start()
  promise(attempt.url !== null, `start answers ${textOf(started)}`)
  return { attempt, back: await bench.standIn.shopper(attempt.url, act) }
}

function hintOf(bench: Bench, back: BroughtBack): Hint | null {
  return back === null ? null : (bench.acquirer.readReturn?.(incoming(back)) ?? null)
}

async function readBy(bench: Bench, message: Incoming): Promise<Notification> {
  try {
    const read = await bench.acquirer.readNotification!(message)
    bench.said.push(textOf(read))
    return read
  } catch (error) {
    promise(false, `readNotification threw ${String(error)} for ${shown(message)}`)
  }
}

function isAbout({ key, references = {} }: Hint, own: string, known: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(references)
  return key === own || (key === undefined && names.some((name) => references[name] === known[name]))
}

/** The same notification with another key in its place; where it has none, with another digit. */
async function changedReading(bench: Bench, genuine: Incoming, key: string): Promise<Notification> {
  const text = genuine.body.toString("utf8")
  const other = (await Attempt.of(bench)).request.key
  const changed = text.includes(key)
    ? text.replaceAll(key, other)
    : text.replace(/[0-9](?=[^0-9]*$)/, (digit) => String((Number(digit) + 1) % 10))
  return readBy(bench, { ...genuine, body: Buffer.from(changed) })
}

/** Applies the hint, as one that claims payment, to an attempt that nobody pays, with and without its own references. */
async function requireUnmoved(bench: Bench, hint: Hint | null): Promise<void> {
  const claim: Hint | null = hint === null ? null : { ...hint, claims: "paid" }
  for (const isLost of [false, true]) {
    const attempt = await Attempt.of(bench)
    await attempt.start()
    const answer = await attempt.hinted(claim, isLost ? {} : attempt.kept.references)
    promise(answer.result !== "done", `nobody has paid, and after a forged hint the answer is ${textOf(answer)}`)
    const moved = await attempt.moved()
    promise(moved.length === 0, `nobody has paid, and after a forged hint the money has moved: ${textOf(moved)}`)
  }
}
