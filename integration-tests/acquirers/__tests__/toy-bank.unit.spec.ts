import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ACQUIRER_TESTS, requireKept, runAcquirerTests, type TestResult } from "../../../src/acquirer-tests"
import type { Acquirer, Incoming, Instrument, References } from "../../../src/acquirers"
import { bundled, documentedFiles, writeExample } from "../documented"
import { TESTED, type Tested } from "../tested"

const ROOT = join(__dirname, "../../..")
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "toy-bank-"))
  writeExample(folder)
})
afterAll(() => rmSync(folder, { recursive: true }))

describe("docs/acquirers.md, Test your adapter: the example", () => {
  it("is an adapter of 80 lines at most", () => {
    expect(documentedFiles()["src/toy-bank.ts"].trim().split("\n").length).toBeLessThanOrEqual(80)
  })

  it("is type-checked as a host's", () => {
    const { stdout } = spawnSync(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", folder], {
      encoding: "utf8",
    })
    expect(stdout).toBe("")
  }, 120_000)

  it("passes the tests as the guide runs them", () => {
    const run = spawnSync(process.execPath, ["--test", bundled(folder, "tests/toy-bank.test.ts")], { encoding: "utf8" })
    expect(run.stdout).toContain("# pass 1")
    expect(run.status).toBe(0)
  })

  it("fails by a broken promise, by one that is skipped against expectation, and by a code that is none", async () => {
    const result = (code: string, outcome: TestResult["outcome"]) => ({
      code,
      outcome,
      promise: "",
      why: "",
      details: "",
    })
    const skipped = [result("charge", "skipped"), result("amount", "kept")]
    expect(() => requireKept([result("amount", "broken")])).toThrow(/amount/)
    expect(() => requireKept(skipped, ["forget"])).toThrow(/charge/)
    expect([requireKept(skipped), requireKept(skipped, ["charge"])]).toEqual([undefined, undefined])
    await expect(runAcquirerTests({} as Tested, ["amounts"])).rejects.toThrow(/There is no case amounts; they are .*/)
  })

  it("names every promise in its table", () => {
    const guide = readFileSync(join(ROOT, "docs/acquirers.md"), "utf8")
    const rows = ACQUIRER_TESTS.map(({ code, promise }) => `| \`${code}\` | ${promise} |`)
    expect(guide).toContain(rows.join("\n"))
  })
})

type Asked = Record<string, unknown> & { key: string; amount: bigint; currency: string; references?: References }
type Answer = Record<string, unknown> & { result: string }
type Calls = Record<string, (request: Asked) => Promise<Answer>>
type Broken = (real: Acquirer) => object
type Bank = keyof typeof TESTED | "toy"

const callsOf = (real: object) => real as unknown as Calls
/** Changes what a call answers. */
const answers =
  (call: string, change: (answer: Answer, asked: Asked) => object): Broken =>
  (real) => ({ [call]: async (asked: Asked) => change(await callsOf(real)[call](asked), asked) })
/** Changes what a call asks for. */
const asks =
  (call: string, change: (asked: Asked) => object): Broken =>
  (real) => ({ [call]: (asked: Asked) => callsOf(real)[call]({ ...asked, ...change(asked) }) })
/** The same for captures and releases. */
const authorizing =
  (broken: Broken): Broken =>
  (real) => {
    const inner = real.authorizing as object
    return { authorizing: Object.assign(Object.create(inner) as object, broken(inner as Acquirer)) }
  }
const onDone = (change: (answer: Answer, asked: Asked) => object) => (answer: Answer, asked: Asked) =>
  answer.result === "done" ? { ...answer, ...change(answer, asked) } : answer
const REFUSED = { result: "refused", code: "CARD_DECLINED", message: "No" }
const ifUnknown = (instead: object) => (answer: Answer) => (answer.result === "unknown" ? instead : answer)
const another = ({ key }: Asked) => ({ key: `${key.slice(0, 20)}${randomBytes(5).toString("hex")}` })
/** What each process has in its memory only. */
const forgetful: Broken = (real) => {
  const known = new Set<string>()
  return {
    start: (asked: Asked) =>
      callsOf(real)
        .start(asked)
        .finally(() => known.add(asked.key)),
    query: async (asked: Asked) => (known.has(asked.key) ? callsOf(real).query(asked) : { result: "absent" }),
  }
}
/** The money is asked for before anything is saved. */
const savesLater =
  (call: string): Broken =>
  (real) => ({
    [call]: async (asked: Asked) => {
      const answer = await callsOf(real)[call]({ ...asked, save: async () => undefined })
      await (asked.save as (references: object) => Promise<void>)({})
      return answer
    },
  })
const seen = new Set<string>()
const refusesAgain = ({ key }: Asked, answer: Answer) => (seen.has(key) ? REFUSED : (seen.add(key), answer))

/** The promise by which each is caught, whose adapter it was before, and what it does wrong. */
const BROKEN: readonly [string, Bank, string, Broken][] = [
  [
    "secrets",
    "toy",
    "repeats its request in messages",
    answers("start", (answer) => ({ ...answer, message: "toy-bank-secret" })),
  ],
  [
    "exact_amounts",
    "toy",
    "counts in taka",
    asks("start", ({ amount }) => ({ amount: BigInt(Math.floor((Number(amount) / 100) * 100)) })),
  ],
  [
    "exact_amounts",
    "toy",
    "sends the amount without poisha",
    asks("start", ({ amount }) => ({ amount: (amount / 100n) * 100n })),
  ],
  [
    "amount_of_answer",
    "toy",
    "copies the amount of the request",
    answers(
      "query",
      onDone((_, { amount }) => ({ amount }))
    ),
  ],
  [
    "currency_of_answer",
    "toy",
    "copies the currency of the request",
    answers(
      "query",
      onDone((_, { currency }) => ({ currency }))
    ),
  ],
  [
    "declined",
    "toy",
    "takes a decline for a payment",
    answers("query", (answer, asked) => (answer.result === "refused" ? paidBy(asked) : answer)),
  ],
  ["not_paid_yet", "toy", "calls an attempt over while its page is open", answers("query", ifUnknown(REFUSED))],
  ["left", "stripe", "says that it has closed the page", () => ({ abandon: async () => REFUSED })],
  ["asked_again", "toy", "remembers in its memory", forgetful],
  [
    "asked_again",
    "toy",
    "makes up references",
    answers(
      "query",
      onDone((_, asked) => ({ reference: another(asked).key }))
    ),
  ],
  [
    "lost_start",
    "toy",
    "throws when no answer comes",
    answers("start", (answer) => thrownUnless(answer.result !== "unknown", answer)),
  ],
  ["lost_query", "toy", "calls a lost answer a decline", answers("query", ifUnknown(REFUSED))],
  [
    "lost_query",
    "toy",
    "calls a lost answer absent",
    answers("query", (answer) => (answer.awaiting_shopper ? answer : ifUnknown({ result: "absent" })(answer))),
  ],
  [
    "lost_query",
    "bkash",
    "calls a lost answer a decline",
    answers("query", (answer) => (answer.agreed === true ? answer : ifUnknown(REFUSED)(answer))),
  ],
  [
    "lost_confirm",
    "bkash",
    "throws when no answer comes",
    answers("confirm", (answer) => thrownUnless(answer.result !== "unknown", answer)),
  ],
  ["late_payment", "bkash", "calls a request that is late a decline", answers("query", ifUnknown(REFUSED))],
  [
    "down",
    "toy",
    "throws when nobody listens",
    answers("start", (answer) => thrownUnless(answer.result !== "unknown", answer)),
  ],
  ["save_first", "bkash", "saves after it has asked", savesLater("confirm")],
  [
    "check",
    "toy",
    "names no field",
    () => ({ check: (asked: Instrument) => thrownUnless(asked.method === "card", undefined) }),
  ],
  [
    "genuine_return",
    "toy",
    "takes every browser for one that has paid",
    () => ({ readReturn: () => ({ about: "payment", claims: "paid" }) }),
  ],
  ["forged_return", "toy", "believes what the browser brings back", believing],
  [
    "forged_notification",
    "sslcommerz",
    "reads notifications without checking them",
    (real) => ({
      readNotification: async (message: Incoming) => ({ result: "hint", hint: real.readReturn?.(message) }),
    }),
  ],
  [
    "garbage",
    "toy",
    "expects a status in each address",
    (real) => ({
      readReturn: (message: Incoming) => thrownUnless(message.target.includes("status="), real.readReturn?.(message)),
    }),
  ],
  ["refund_exact", "toy", "gives back a hundredth less", asks("refund", ({ amount }) => ({ amount: amount - 1n }))],
  ["refund_whole", "toy", "gives back a hundredth less", asks("refund", ({ amount }) => ({ amount: amount - 1n }))],
  [
    "refund_amount_of_answer",
    "toy",
    "copies the amount of the request",
    answers(
      "refund",
      onDone((_, { amount }) => ({ amount }))
    ),
  ],
  ["refund_twice", "toy", "gives each request a key of its own", asks("refund", another)],
  [
    "refund_too_much",
    "toy",
    "takes a refusal for a refund",
    answers("refund", (answer, asked) => (answer.result === "refused" ? paidBy(asked) : answer)),
  ],
  [
    "refunds_at_once",
    "stripe",
    "finds a refund by its payment alone",
    answers(
      "refund",
      onDone((_, asked) => ({ reference: (asked.payment as Asked).reference }))
    ),
  ],
  ["lost_refund", "toy", "calls a lost answer a refusal", answers("refund", ifUnknown(REFUSED))],
  ["lost_refund_status", "toy", "calls a lost answer absent", answers("refundStatus", ifUnknown({ result: "absent" }))],
  ["late_refund", "toy", "gives each request a key of its own", asks("refund", another)],
  ["refund_save_first", "nagad", "saves after it has asked", savesLater("refund")],
  ["refund_by_hand", "shurjopay", "says that it was refunded", answers("refund", (_, asked) => paidBy(asked))],
  ["charge", "stripe", "charges a hundredth more", asks("charge", ({ amount }) => ({ amount: amount + 1n }))],
  ["charge_twice", "stripe", "gives each request a key of its own", asks("charge", another)],
  ["lost_charge", "stripe", "calls a lost answer a decline", answers("charge", ifUnknown(REFUSED))],
  ["late_charge", "bkash", "calls a request that is late a decline", answers("charge", ifUnknown(REFUSED))],
  ["forget", "stripe", "forgets nothing", () => ({ forget: async () => undefined })],
  ["authorized", "stripe", "takes the money at once", asks("start", () => ({ authorize_only: false }))],
  [
    "capture",
    "stripe",
    "captures all that is reserved",
    authorizing(asks("capture", ({ authorization }) => ({ amount: (authorization as Asked).amount }))),
  ],
  [
    "capture_twice",
    "stripe",
    "refuses what it has captured",
    authorizing(answers("capture", (answer, asked) => refusesAgain(asked, answer))),
  ],
  [
    "lost_capture",
    "stripe",
    "takes its own capture for somebody else's",
    authorizing(answers("capture", () => REFUSED)),
  ],
  ["release", "stripe", "releases nothing", authorizing(() => ({ release: async () => ({ result: "released" }) }))],
]

function paidBy({ key: reference, amount, currency }: Asked): Answer {
  return { result: "done", reference, amount, currency }
}

function thrownUnless<T>(is: boolean, value: T): T {
  if (!is) {
    throw new Error("this is not expected")
  }
  return value
}

/** The browser's word is kept as if it were the bank's. */
function believing(real: Acquirer): object {
  return {
    readReturn: (message: Incoming) => ({ ...real.readReturn?.(message), references: { status: "paid" } }),
    query: (asked: Asked) =>
      asked.references?.status === "paid" ? Promise.resolve(paidBy(asked)) : callsOf(real).query(asked),
  }
}

describe("an adapter that breaks a promise is caught by it", () => {
  const standIns: Partial<Record<Bank, Tested>> = {}
  afterAll(() => Promise.all(Object.values(standIns).map((standIn) => standIn.close())))

  async function standInOf(bank: Bank): Promise<Tested> {
    if (bank !== "toy") {
      return TESTED[bank]()
    }
    const { startToyBank } = createRequire(__filename)(bundled(folder, "tests/toy-bank-stand-in.ts")) as {
      startToyBank(): Promise<Tested>
    }
    return startToyBank()
  }

  test.each(BROKEN)("%s: %s that %s", async (code, bank, _, broken) => {
    const standIn = (standIns[bank] ??= await standInOf(bank))
    const open = (address: string) => {
      const real = standIn.open(address)
      return Object.assign(Object.create(real) as Acquirer, broken(real))
    }
    const [honest] = await runAcquirerTests(standIn, [code])
    const [caught] = await runAcquirerTests({ ...standIn, open }, [code])
    expect([honest.outcome, caught.outcome, caught.details]).toEqual([
      "kept",
      "broken",
      expect.not.stringContaining("could not be played"),
    ])
  })

  it("by each of them", () => {
    expect(new Set(BROKEN.map(([code]) => code))).toEqual(new Set(ACQUIRER_TESTS.map(({ code }) => code)))
  })
})
