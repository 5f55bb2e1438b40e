import type { Logger } from "@medusajs/framework/types"
import { acquirerTroubles } from "../../kernel/http/metrics"
import type { Database, Sql } from "../../kernel/database/database"
import type { Tenant } from "../../kernel/types"
import { accountsFromEnvironment } from "../accounts"
import { dashboardNumbers } from "../dashboard-rules"
import { askForMoney, inTime } from "../in-time"
import type {
  Acquirer,
  AcquirerDefinition,
  AttemptRequest,
  ChargeRequest,
  CredentialField,
  PaymentRequest,
} from "../port"
import { AcquirerHealth, findingOf, type Finding, type Outage } from "../health"
import { AcquirerRegistry, AcquirerSet, type AcquirerSetting, type Chosen, type ConfiguredAcquirer } from "../registry"
import { TroubleReports, watched } from "../watched"

describe("design: unknown is not failed — an acquirer's call", () => {
  beforeEach(() => void jest.useFakeTimers())
  afterEach(() => void jest.useRealTimers())

  it("its answer is passed on, and no timer stays behind", async () => {
    expect(await inTime(async () => "answer")).toBe("answer")
    expect(jest.getTimerCount()).toBe(0)
  })

  it.each<[string, () => Promise<never>]>([
    ["a rejection", () => Promise.reject(new Error("ECONNRESET"))],
    ["a rejection that is no error", () => Promise.reject("gone")],
    [
      "an exception",
      () => {
        throw new Error("broken")
      },
    ],
  ])("%s is unknown, not a refusal", async (_name, call) => {
    expect(await inTime(call)).toEqual({ result: "unknown", message: expect.stringMatching(/.+/) })
    expect(jest.getTimerCount()).toBe(0)
  })

  it("no answer within 30 seconds is unknown", async () => {
    const settled = jest.fn()
    const waiting = inTime(() => new Promise(() => undefined)).then(settled)
    await jest.advanceTimersByTimeAsync(29_999)
    expect(settled).not.toHaveBeenCalled()
    await jest.advanceTimersByTimeAsync(1)
    await waiting
    expect(settled).toHaveBeenCalledWith(expect.objectContaining({ result: "unknown" }))
  })

  it.each<[string, number, number]>([
    ["three times", 9, 3],
    ["not after the time that its caller has for it", 2, 2],
  ])("a network that cannot be reached is tried %s", async (_name, allowed, tried) => {
    const refused = { result: "refused", code: "NETWORK_ERROR", message: "", retry: true } as const
    const call = jest.fn(async () => refused)
    const asking = askForMoney(call, { mayRepeat: () => call.mock.calls.length < allowed })
    await jest.runAllTimersAsync()
    expect([await asking, call.mock.calls.length]).toEqual([refused, tried])
  })
})

const named = (id: string) => ({ id, flow: "redirect" }) as Acquirer
const payment = (currency = "BDT") => ({ transaction_id: "txn_1", amount_minor: 100_000, currency })
const NO_SQL = {} as Sql
const chosenBy = async (set: AcquirerSet, service: string, currency?: string, isAble?: (one: Acquirer) => boolean) =>
  (await set.choose(NO_SQL, service, payment(currency), { isAble })).chosen.acquirer.id
const accountsOf = (...entries: ConfiguredAcquirer[]) => ({ of: async () => ({ entries, routing: new Map() }) })
const PAID = { reference: "1", amount: 1n, currency: "BDT" }
const outage = (cause: Outage["cause"] = "network", probe_at = new Date(Date.now() + 60_000)): Outage => {
  return { since: new Date(0), probe_at, cause }
}
/** Down; `probes`: whether the payment may try it. */
const down = (cause?: Outage["cause"], probes = false) => ({ outage: outage(cause), claimProbe: async () => probes })

describe("design: an acquirer is chosen per environment, merchant and payment service", () => {
  const settings: AcquirerSetting[] = [
    { environment: "production", services: ["BKASH", "NAGAD"], create: () => named("wallets") },
    { environment: "production", services: ["CARD", "BKASH"], create: () => named("bank") },
    { environment: "sandbox", create: () => named("sandbox") },
  ]
  const live: Tenant = { merchant_id: "mer_1", environment: "production" }
  const test: Tenant = { merchant_id: "mer_1", environment: "sandbox" }
  const registry = new AcquirerRegistry(settings)

  it("the first setting that fits wins, and one without services fits all", async () => {
    const set = await registry.of(live)
    expect([await chosenBy(set, "BKASH"), await chosenBy(set, "CARD")]).toEqual(["wallets", "bank"])
    expect(await chosenBy(await registry.of(test), "ANYTHING")).toBe("sandbox")
  })

  it("decisions: Environments — where none is configured: SERVICE_NOT_ENABLED", async () => {
    const set = await registry.of(live)
    await expect(chosenBy(set, "ROCKET")).rejects.toMatchObject({ code: "SERVICE_NOT_ENABLED", status: 403 })
    const empty = new AcquirerRegistry([{ environment: "sandbox", create: () => named("sandbox") }])
    expect([await empty.has(live), await empty.has(test)]).toEqual([false, true])
  })

  it("says which of them take new payments, and which cannot begin them", () => {
    const wallet = down("slow")
    const set = new AcquirerSet("production", [
      { acquirer: named("bank") },
      { acquirer: named("wallet"), health: wallet },
      { acquirer: named("old"), isOff: true },
    ])
    expect(set.states).toEqual([
      { acquirer: "bank", is_off: false, outage: null },
      { acquirer: "wallet", is_off: false, outage: wallet.outage },
      { acquirer: "old", is_off: true, outage: null },
    ])
  })

  it("a running payment finds its own acquirer, in its own environment only", async () => {
    expect((await registry.byId(live, "bank")).id).toBe("bank")
    await expect(registry.byId(test, "bank")).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE", status: 503 })
  })

  it("a merchant's own account goes before what all share; one that is off answers only for old payments", async () => {
    const accounts = (isOff: boolean) => ({
      of: async ({ merchant_id }: Tenant) => ({
        entries: merchant_id === "mer_1" ? [{ acquirer: named("own"), services: ["CARD"], isOff }] : [],
        routing: new Map(),
      }),
    })
    const cardOf = async (isOff: boolean, merchant_id = "mer_1") =>
      chosenBy(await new AcquirerRegistry(settings, accounts(isOff)).of({ ...live, merchant_id }), "CARD")
    expect([await cardOf(false), await cardOf(true), await cardOf(false, "mer_2")]).toEqual(["own", "bank", "bank"])
    expect((await new AcquirerRegistry(settings, accounts(true)).byId(live, "own")).id).toBe("own")
    const alone = new AcquirerRegistry([], accounts(true))
    expect([await alone.has(live), await new AcquirerRegistry([], accounts(false)).has(live)]).toEqual([false, true])
  })

  it("one that does not take the currency is passed over", async () => {
    const accounts = accountsOf({ acquirer: named("taka"), currencies: ["BDT"] }, { acquirer: named("any") })
    const set = await new AcquirerRegistry([], accounts).of(live)
    expect([await chosenBy(set, "CARD"), await chosenBy(set, "CARD", "USD")]).toEqual(["taka", "any"])
  })
})

describe("decisions: Checkout — an acquirer that cannot begin payments is passed over before a page exists", () => {
  const choose = (...entries: ConfiguredAcquirer[]) =>
    new AcquirerSet("production", entries).choose(NO_SQL, "CARD", payment())
  const ids = (chosen: Chosen) => [chosen.chosen, ...chosen.others].map(({ acquirer }) => acquirer.id)
  const bank = { acquirer: named("bank") }
  const broken = (cause?: Outage["cause"], probes?: boolean) => {
    return { acquirer: named("broken"), health: down(cause, probes) }
  }

  const due = (cause?: Outage["cause"]) => ({
    acquirer: named("broken"),
    health: { outage: outage(cause, new Date(0)), claimProbe: async () => true },
  })

  it.each<[string, ConfiguredAcquirer[], string[]]>([
    ["the others are asked", [broken(), bank, { acquirer: named("third") }], ["bank", "third"]],
    ["a slow one is none of the others", [bank, broken("slow")], ["bank"]],
    ["one payment may try it, and the others stand by", [broken("network", true), bank], ["broken", "bank"]],
    ["it is not tried while one that comes first is up", [bank, broken("network", true)], ["bank"]],
    ["it stands by once it is due to be tried", [bank, due("network")], ["bank", "broken"]],
    ["a slow one is better than none", [broken("network"), { ...broken("slow"), acquirer: named("slow") }], ["slow"]],
  ])("%s", async (_what, entries, asked) => {
    expect(ids(await choose(...entries))).toEqual(asked)
  })

  it("a method that is to be kept goes to an acquirer that can keep it, while the others stand by", async () => {
    const keeping = { acquirer: { ...named("keeping"), charge: async () => PAID } as never as Acquirer }
    const set = new AcquirerSet("production", [bank, keeping])
    const prefers = ({ charge }: Acquirer) => charge !== undefined
    expect(ids(await set.choose(NO_SQL, "CARD", payment(), { prefers }))).toEqual(["keeping", "bank"])
  })

  it("when none can be asked, the shopper is asked to wait; a payment under way finds it still", async () => {
    await expect(choose(broken())).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE", status: 503 })
    expect(new AcquirerSet("production", [broken()]).byId("broken").id).toBe("broken")
  })

  it("docs/decisions/08 — the next one is passed over when it lacks what the payment needs", async () => {
    const able = { acquirer: { ...named("able"), instalments: true } as Acquirer }
    const isAble = ({ instalments }: Acquirer) => instalments === true
    const set = (entry: ConfiguredAcquirer) => new AcquirerSet("production", [entry, { acquirer: named("unable") }])
    expect(ids(await set(able).choose(NO_SQL, "CARD", payment(), { isAble }))).toEqual(["able"])
    const isDown = set({ ...able, health: down() })
    expect(await chosenBy(isDown, "CARD")).toBe("unable")
    await expect(chosenBy(isDown, "CARD", "BDT", isAble)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" })
  })
})

describe("docs/decisions/07 — a saved method is charged by the acquirer that keeps it", () => {
  const live: Tenant = { merchant_id: "mer_1", environment: "production" }
  const keeping = (id: string) =>
    ({ id, flow: "redirect", charge: async () => ({ result: "unknown" }) }) as never as Acquirer
  const of = (
    ...settings: (Omit<AcquirerSetting, "environment"> & Pick<ConfiguredAcquirer, "health" | "isOff" | "currencies">)[]
  ) =>
    new AcquirerRegistry(
      [],
      accountsOf(...settings.map(({ create, ...entry }) => ({ ...entry, acquirer: create() })))
    ).of(live)

  it("and by no other one that serves the payment service, even if that comes first", async () => {
    const set = await of({ create: () => keeping("first") }, { create: () => keeping("second") })
    expect([await chosenBy(set, "CARD"), (await set.forSaved(NO_SQL, "second", "CARD", "BDT")).acquirer.id]).toEqual([
      "first",
      "second",
    ])
  })

  it("decisions: Captures — and reserves money only at an acquirer that can", async () => {
    const reserving = () => ({ ...keeping("reserving"), authorizing: {} }) as never as Acquirer
    const set = await of({ create: () => keeping("bank") }, { create: reserving })
    const can = (id: string) => [false, true].map((authorize) => set.canCharge(id, "CARD", "BDT", authorize))
    expect([can("bank"), can("reserving")]).toEqual([
      [true, false],
      [true, true],
    ])
    expect((await set.forSaved(NO_SQL, "reserving", "CARD", "BDT", true)).acquirer.id).toBe("reserving")
    await expect(set.forSaved(NO_SQL, "bank", "CARD", "BDT", true)).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
    })
  })

  it("decisions: Captures — which acquirer serves a payment service depends on the currency", async () => {
    const reserving = () => ({ ...keeping("reserving"), authorizing: {} }) as never as Acquirer
    const set = await of({ create: () => keeping("local"), currencies: ["BDT"] }, { create: reserving })
    expect(["BDT", "USD", undefined].map((currency) => set.authorizes("CARD", currency))).toEqual([false, true, false])
  })

  it.each([
    ["is not configured any more", { create: () => keeping("other") }],
    ["charges nothing", { create: () => ({ id: "bank", flow: "redirect" }) as Acquirer }],
    ["is switched off", { create: () => keeping("bank"), isOff: true }],
    ["is down", { create: () => keeping("bank"), health: down() }],
    ["does not serve the payment service any more", { create: () => keeping("bank"), services: ["BKASH"] }],
  ])("not at all when it %s", async (_why, setting) => {
    const set = await of(setting)
    expect(set.canCharge("bank", "CARD", "BDT")).toBe(false)
    await expect(set.forSaved(NO_SQL, "bank", "CARD", "BDT")).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" })
  })
})

describe("decisions: Environments — accounts from the environment", () => {
  const definition = (id: string, credentials: CredentialField[]) =>
    ({ id, name: id.toUpperCase(), credentials }) as unknown as AcquirerDefinition
  const field = (name: string, variable: string, required = true): CredentialField => ({
    name,
    variable,
    required,
    secret: true,
    max_length: 50,
  })
  const definitions = [
    definition("bank", [field("user", "BANK_USER"), field("pass", "BANK_PASS"), field("topic", "BANK_TOPIC", false)]),
    definition("wallet", [field("key", "WALLET_KEY")]),
  ]
  const read = (variables: Record<string, string>) => accountsFromEnvironment(definitions, "production", variables)

  it("an acquirer is configured when all that it requires is set", () => {
    const { accounts, base_urls } = read({ BANK_USER: "u", BANK_PASS: "p", BANK_BASE_URL: "http://127.0.0.1:1" })
    expect([...accounts]).toEqual([["bank", { user: "u", pass: "p" }]])
    expect([...base_urls]).toEqual([["bank", "http://127.0.0.1:1"]])
    expect(read({ BANK_USER: "u", BANK_PASS: "p", BANK_TOPIC: "t" }).accounts.get("bank")).toEqual({
      user: "u",
      pass: "p",
      topic: "t",
    })
    expect(read({ BANK_USER: "", WALLET_KEY: "" }).accounts.size).toBe(0)
  })

  it("an acquirer with only some of its variables stops the start, and the message names the missing ones", () => {
    expect(() => read({ BANK_USER: "u" })).toThrow("BANK needs BANK_PASS as well")
    expect(() => read({ BANK_TOPIC: "t" })).toThrow("BANK needs BANK_USER, BANK_PASS as well")
  })
})

describe("an acquirer that is watched", () => {
  const answering = (...answers: (() => unknown)[]) => {
    let at = 0
    const query = async () => answers[Math.min(at++, answers.length - 1)]()
    return { id: "bank", flow: "redirect", query } as unknown as Acquirer
  }
  const ask = (acquirer: Acquirer) => acquirer.query({} as AttemptRequest).catch(() => null)
  const lost = () => ({ result: "unknown", message: "", trouble: "network" })
  const broken = () => {
    throw new Error("reset")
  }
  const declined = () => ({ result: "refused", code: "CARD_DECLINED", message: "" })

  const found: unknown[] = []
  const health = { note: async (cause: unknown) => void found.push(cause) }
  const error = jest.fn<void, [string]>()
  const reports = () =>
    new TroubleReports(
      { error } as unknown as Logger,
      { acquirer: "bank", environment: "production" },
      "the account of mer_1 at bank"
    )
  const troubles = async () =>
    Object.fromEntries((await acquirerTroubles.get()).values.map(({ labels, value }) => [labels.trouble, value]))

  it.each(["credentials", "rate_limited", "bad_request"] as const)(
    "a refusal with %s is counted each time, and logged for an admin once in ten minutes",
    async (trouble) => {
      error.mockClear()
      const before = (await troubles())[trouble] ?? 0
      const refused = () => ({ result: "refused", code: "NETWORK_ERROR", message: "sk_live_secret", trouble })
      const acquirer = watched(answering(refused), health, reports())
      await ask(acquirer)
      await ask(acquirer)
      expect((await troubles())[trouble]).toBe(before + 2)
      expect(error.mock.calls).toEqual([
        [`gateway: the account of mer_1 at bank refuses our calls: ${trouble}, in query; test the account in Settings`],
      ])
      const own = reports()
      for (const minute of [0, 9, 10, 11]) {
        own.note("query", trouble, minute * 60_000)
      }
      expect(error).toHaveBeenCalledTimes(3)
    }
  )

  it.each(["network", "maintenance", undefined] as const)(
    "a call that fails with %s is not for an admin",
    (trouble) => {
      error.mockClear()
      reports().note("query", trouble)
      expect(error).not.toHaveBeenCalled()
    }
  )

  it("what new payments find counts, and nothing that is asked about old ones", async () => {
    found.length = 0
    const inner = { ...answering(lost), start: async () => lost(), charge: async () => declined() }
    const acquirer = watched(inner as unknown as Acquirer, health, reports())
    await ask(acquirer)
    await acquirer.start({} as PaymentRequest)
    await acquirer.charge?.({} as ChargeRequest)
    await expect(
      watched({ ...inner, start: broken } as unknown as Acquirer, health, reports()).start({} as PaymentRequest)
    ).rejects.toThrow()
    expect(found).toEqual(["network", "works", "network"])
  })

  it.each<[string, Parameters<typeof findingOf>, ReturnType<typeof findingOf>]>([
    ["a page", ["redirect", { result: "redirect", url: "" }, 1], "works"],
    ["a page that took long", ["redirect", { result: "redirect", url: "" }, 10.1], "slow"],
    ["a charge that took long", ["redirect", { ...PAID, result: "done" }, 12], "works"],
    ["an unknown outcome without a page", ["inline", { result: "unknown", message: "" }, 20], "nothing"],
    ["an answer without sense", ["redirect", { result: "unknown", message: "" }, 1], "unclear"],
    ["a decline", ["inline", { result: "refused", code: "CARD_DECLINED", message: "" }, 1], "works"],
    [
      "a request that is wrong in itself",
      ["redirect", { result: "refused", code: "NETWORK_ERROR", message: "", trouble: "bad_request" }, 1],
      "nothing",
    ],
    [
      "credentials that are refused",
      ["redirect", { result: "refused", code: "NETWORK_ERROR", message: "", trouble: "credentials" }, 1],
      "credentials",
    ],
    ["no connection", ["redirect", { result: "unknown", message: "", trouble: "network" }, 20], "network"],
  ])("%s", (_what, answer, cause) => {
    expect(findingOf(...answer)).toBe(cause)
  })

  it("leaves out what the acquirer does not have", () => {
    const plain = watched(answering(declined), health, reports())
    expect([plain.confirm, plain.abandon, plain.charge, plain.test]).toEqual(Array(4).fill(undefined))
    const full = { ...answering(declined), confirm: async () => declined() } as unknown as Acquirer
    expect([watched(full, health, reports()).confirm, plain.settlements]).toEqual([expect.any(Function), undefined])
  })

  it("takes each page of settlements as a call of its own, and none after another answer", async () => {
    const page = { result: "page", movements: [], problems: [] } as const
    const down = { result: "unknown", message: "", trouble: "network" } as const
    let answers: object[] = [page, page]
    const giving = {
      ...answering(declined),
      settlements: async function* () {
        yield* answers
      },
    } as unknown as Acquirer
    const acquirer = watched(giving, health, reports())
    const read = async () => {
      const found: string[] = []
      for await (const { result } of acquirer.settlements!({ from: new Date(0), until: new Date(0) })) {
        found.push(result)
      }
      return found
    }
    expect(await read()).toEqual(["page", "page"])
    answers = [page, down, page]
    expect(await read()).toEqual(["page", "unknown"])
  })
})

describe("docs/decisions/15 — when an acquirer counts as down", () => {
  const made = () => {
    const statements: string[] = []
    const query = async (text: string) => {
      statements.push(text.trim().split(/\s/)[0])
      return text.includes("INSERT INTO gateway_acquirer_outage") ? [outage("network")] : [{ id: "gao_1" }]
    }
    const database = {
      query,
      transaction: (work: (sql: Sql) => unknown) => work({ query } as Sql),
    } as never as Database
    const logger = { warn: () => undefined, error: () => undefined }
    const tenant: Tenant = { merchant_id: "mer_1", environment: "production" }
    return { statements, health: new AcquirerHealth({ database, logger }, tenant, "bank") }
  }
  const notes = async (health: AcquirerHealth, ...found: readonly [Finding, string][]) => {
    for (const one of found) {
      await health.note(...one)
    }
  }
  const failing = (...keys: string[]) => keys.map((key): [Finding, string] => ["network", key])

  it.each<[string, [Finding, string][], boolean]>([
    ["five payments in a row", failing("1", "2", "3", "4", "5"), true],
    ["four", failing("1", "2", "3", "4"), false],
    ["tries of one payment are one payment", failing("1", "1", "1", "2", "2", "3"), false],
    ["one that works begins anew", [...failing("1", "2", "3", "4"), ["works", "5"], ...failing("6", "7")], false],
    ["one that says nothing changes nothing", [...failing("1", "2", "3", "4"), ["nothing", "5"], ["slow", "6"]], true],
  ])("%s", async (_what, found, isDown) => {
    const { health } = made()
    await notes(health, ...found)
    expect(health.outage !== null).toBe(isDown)
  })

  it("the reason follows what is found; what works ends it, and what says nothing does not", async () => {
    const { health, statements } = made()
    await notes(health, ...failing("1", "2", "3", "4", "5"), ["slow", "6"], ["slow", "7"], ["nothing", "8"])
    expect([health.outage?.cause, statements.filter((word) => word === "UPDATE").length]).toEqual(["slow", 1])
    await notes(health, ["works", "9"])
    expect([health.outage, statements.includes("DELETE")]).toEqual([null, true])
  })
})

describe("docs/decisions/03 — what somebody looks up in an acquirer's dashboard", () => {
  it.each([
    [
      "bkash",
      { paymentID: "TR0011", mode: "0011", execute: "sent", trxID: "9BK" },
      ["Payment ID: TR0011", "TrxID: 9BK"],
    ],
    ["nagad", { orderId: "N1", page: "shown", startedAt: "2026-11-30T00:00:00.000Z" }, ["Order ID: N1"]],
    ["shurjopay", { sp_order_id: "SPT1", returned: "yes" }, ["shurjoPay Order ID: SPT1"]],
    ["sslcommerz", { sent: "yes", refund_ref_id: "R1" }, ["Refund Reference ID: R1"]],
    ["stripe", { made_by: "charge", sent_at: "", lookup_in: "intents", charge: "ch_1" }, ["Charge ID: ch_1"]],
    ["a host's own", { my_number: "7" }, ["my number: 7"]],
  ])("%s: its numbers under the dashboard's names, without the adapter's notes", (acquirer, references, shown) => {
    const numbers = dashboardNumbers(acquirer, references as Record<string, string>)
    expect(numbers.map(({ name, value }) => `${name}: ${value}`)).toEqual(shown)
  })
})
