import type { Logger } from "@medusajs/framework/types"
import { acquirerTroubles } from "../../kernel/http/metrics"
import type { Tenant } from "../../kernel/types"
import { accountsFromEnvironment } from "../accounts"
import { askForMoney, inTime } from "../in-time"
import type { Acquirer, AcquirerDefinition, AttemptRequest, CredentialField } from "../port"
import { AcquirerRegistry, AcquirerSet, type AcquirerSetting, type ConfiguredAcquirer } from "../registry"
import { Breaker, TroubleReports, watched } from "../watched"

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
    const asking = askForMoney(call, () => call.mock.calls.length < allowed)
    await jest.runAllTimersAsync()
    expect([await asking, call.mock.calls.length]).toEqual([refused, tried])
  })
})

const named = (id: string) => ({ id, flow: "redirect" }) as Acquirer

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
    expect([set.forService("BKASH", "BDT").acquirer.id, set.forService("CARD", "BDT").acquirer.id]).toEqual([
      "wallets",
      "bank",
    ])
    expect((await registry.of(test)).forService("ANYTHING", "BDT").acquirer.id).toBe("sandbox")
  })

  it("decisions: Environments — where none is configured: SERVICE_NOT_ENABLED", async () => {
    const set = await registry.of(live)
    expect(() => set.forService("ROCKET", "BDT")).toThrow(
      expect.objectContaining({ code: "SERVICE_NOT_ENABLED", status: 403 })
    )
    const empty = new AcquirerRegistry([{ environment: "sandbox", create: () => named("sandbox") }])
    expect([await empty.has(live), await empty.has(test)]).toEqual([false, true])
  })

  it("says which of them take new payments, and which this process cannot reach", () => {
    const set = new AcquirerSet("production", [
      { acquirer: named("bank") },
      { acquirer: named("wallet"), isUp: () => false },
      { acquirer: named("old"), isOff: true, isUp: () => true },
    ])
    expect(set.states).toEqual([
      { acquirer: "bank", is_off: false, is_up: true },
      { acquirer: "wallet", is_off: false, is_up: false },
      { acquirer: "old", is_off: true, is_up: true },
    ])
  })

  it("a running payment finds its own acquirer, in its own environment only", async () => {
    expect((await registry.byId(live, "bank")).id).toBe("bank")
    await expect(registry.byId(test, "bank")).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE", status: 503 })
  })

  it("a merchant's own account goes before what all share; one that is off answers only for old payments", async () => {
    const accounts = (isOff: boolean) => ({
      of: async ({ merchant_id }: Tenant) =>
        merchant_id === "mer_1" ? [{ acquirer: named("own"), services: ["CARD"], isOff }] : [],
    })
    const cardOf = async (isOff: boolean, merchant_id = "mer_1") =>
      (await new AcquirerRegistry(settings, accounts(isOff)).of({ ...live, merchant_id })).forService("CARD", "BDT")
        .acquirer.id
    expect([await cardOf(false), await cardOf(true), await cardOf(false, "mer_2")]).toEqual(["own", "bank", "bank"])
    expect((await new AcquirerRegistry(settings, accounts(true)).byId(live, "own")).id).toBe("own")
    const alone = new AcquirerRegistry([], accounts(true))
    expect([await alone.has(live), await new AcquirerRegistry([], accounts(false)).has(live)]).toEqual([false, true])
  })

  it("a payment service names its acquirers in order; those that it does not name follow in the accounts' order", async () => {
    let secondIsUp = true
    const accounts = {
      of: async (): Promise<ConfiguredAcquirer[]> => [
        { acquirer: named("first") },
        { acquirer: named("second"), ranks: { CARD: 0 }, isUp: () => secondIsUp },
        { acquirer: named("third"), ranks: { CARD: 1, BKASH: 0 } },
      ],
    }
    const set = await new AcquirerRegistry([], accounts).of(live)
    const chosen = (service: string) => set.forService(service, "BDT").acquirer.id
    expect([chosen("CARD"), chosen("BKASH"), chosen("NAGAD")]).toEqual(["second", "third", "first"])
    secondIsUp = false
    expect(chosen("CARD")).toBe("third")
  })

  it("one that does not take the currency is passed over", async () => {
    const accounts = { of: async () => [{ acquirer: named("taka"), currencies: ["BDT"] }, { acquirer: named("any") }] }
    const set = await new AcquirerRegistry([], accounts).of(live)
    expect([set.forService("CARD", "BDT").acquirer.id, set.forService("CARD", "USD").acquirer.id]).toEqual([
      "taka",
      "any",
    ])
  })

  it("one that is down is passed over before the attempt; when all are, the shopper is asked to wait", async () => {
    let firstIsUp = false
    const accounts = {
      of: async () => [
        { acquirer: named("first"), isUp: () => firstIsUp },
        { acquirer: named("second"), isUp: () => true },
      ],
    }
    const set = await new AcquirerRegistry([], accounts).of(live)
    expect(set.forService("CARD", "BDT").acquirer.id).toBe("second")
    firstIsUp = true
    expect(set.forService("CARD", "BDT").acquirer.id).toBe("first")
    const down = { of: async () => [{ acquirer: named("first"), isUp: () => false }] }
    const none = await new AcquirerRegistry([], down).of(live)
    expect(() => none.forService("CARD", "BDT")).toThrow(
      expect.objectContaining({ code: "SERVICE_UNAVAILABLE", status: 503 })
    )
    expect(none.byId("first").id).toBe("first")
  })
})

describe("docs/decisions/08 — instalments are collected by an acquirer that can, or not at all", () => {
  it("the next acquirer is passed over when it lacks what the first one can, which is down", async () => {
    let firstIsUp = true
    const able = { ...named("able"), instalments: true } as Acquirer
    const accounts = {
      of: async (): Promise<ConfiguredAcquirer[]> => [
        { acquirer: able, isUp: () => firstIsUp },
        { acquirer: named("unable") },
      ],
    }
    const set = await new AcquirerRegistry([], accounts).of({ merchant_id: "mer_1", environment: "production" })
    const isAble = ({ instalments }: Acquirer) => instalments === true
    expect(set.forService("CARD", "BDT", isAble).acquirer.id).toBe("able")
    firstIsUp = false
    expect(set.forService("CARD", "BDT").acquirer.id).toBe("unable")
    expect(() => set.forService("CARD", "BDT", isAble)).toThrow(
      expect.objectContaining({ code: "SERVICE_UNAVAILABLE" })
    )
  })
})

describe("docs/decisions/07 — a saved method is charged by the acquirer that keeps it", () => {
  const live: Tenant = { merchant_id: "mer_1", environment: "production" }
  const keeping = (id: string) =>
    ({ id, flow: "redirect", charge: async () => ({ result: "unknown" }) }) as never as Acquirer
  const of = (
    ...settings: (Omit<AcquirerSetting, "environment"> & Pick<ConfiguredAcquirer, "isUp" | "isOff" | "currencies">)[]
  ) =>
    new AcquirerRegistry([], {
      of: async () => settings.map(({ create, ...entry }) => ({ ...entry, acquirer: create() })),
    }).of(live)

  it("and by no other one that serves the payment service, even if that comes first", async () => {
    const set = await of({ create: () => keeping("first") }, { create: () => keeping("second") })
    expect([set.forService("CARD", "BDT").acquirer.id, set.forSaved("second", "CARD", "BDT").acquirer.id]).toEqual([
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
    expect(set.forSaved("reserving", "CARD", "BDT", true).acquirer.id).toBe("reserving")
    expect(() => set.forSaved("bank", "CARD", "BDT", true)).toThrow(
      expect.objectContaining({ code: "SERVICE_UNAVAILABLE" })
    )
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
    ["is down", { create: () => keeping("bank"), isUp: () => false }],
    ["does not serve the payment service any more", { create: () => keeping("bank"), services: ["BKASH"] }],
  ])("not at all when it %s", async (_why, setting) => {
    const set = await of(setting)
    expect(set.canCharge("bank", "CARD", "BDT")).toBe(false)
    expect(() => set.forSaved("bank", "CARD", "BDT")).toThrow(expect.objectContaining({ code: "SERVICE_UNAVAILABLE" }))
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

describe("an acquirer's circuit breaker", () => {
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
      const acquirer = watched(answering(refused), new Breaker(), reports())
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
    "a call that fails with %s is not logged for an admin: the breaker handles it",
    async (trouble) => {
      error.mockClear()
      reports().note("query", trouble)
      expect(error).not.toHaveBeenCalled()
    }
  )

  it("five calls in a row without the acquirer open it for a minute; an answer of any kind closes it", async () => {
    const breaker = new Breaker()
    const acquirer = watched(answering(lost, broken, lost, lost, declined, lost), breaker, reports())
    for (let call = 0; call < 9; call++) {
      await ask(acquirer)
    }
    expect(breaker.isUp()).toBe(true)
    await ask(acquirer)
    expect(breaker.isUp()).toBe(false)
    expect([breaker.isUp(Date.now() + 59_000), breaker.isUp(Date.now() + 61_000)]).toEqual([false, true])
  })

  it("after the minute one call tries again, and the others wait for what it finds", async () => {
    const now = jest.spyOn(Date, "now")
    const breaker = new Breaker()
    let answer: (found: ReturnType<typeof lost> | ReturnType<typeof declined>) => void = () => undefined
    const hanging = () => new Promise((done) => (answer = done)) as unknown as ReturnType<typeof lost>
    const acquirer = watched(answering(lost, lost, lost, lost, lost, hanging, hanging), breaker, reports())
    for (let call = 0; call < 5; call++) {
      await ask(acquirer)
    }
    const opened = Date.now()
    now.mockReturnValue(opened + 61_000)
    expect(breaker.isUp()).toBe(true)
    const first = ask(acquirer)
    expect(breaker.isUp()).toBe(false)
    now.mockReturnValue(opened + 86_000)
    answer(lost())
    await first
    expect([breaker.isUp(), breaker.isUp(opened + 147_000)]).toEqual([false, true])
    now.mockReturnValue(opened + 147_000)
    const second = ask(acquirer)
    answer(declined())
    await second
    expect(breaker.isUp()).toBe(true)
    now.mockRestore()
  })

  it("leaves out what the acquirer does not have", () => {
    const plain = watched(answering(declined), new Breaker(), reports())
    expect([plain.confirm, plain.abandon, plain.charge, plain.test]).toEqual(Array(4).fill(undefined))
    const full = { ...answering(declined), confirm: async () => declined() } as unknown as Acquirer
    expect([watched(full, new Breaker(), reports()).confirm, plain.settlements]).toEqual([
      expect.any(Function),
      undefined,
    ])
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
    const breaker = new Breaker()
    const acquirer = watched(giving, breaker, reports())
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
    answers = [down]
    for (let call = 0; call < 3; call++) {
      await read()
    }
    expect(breaker.isUp()).toBe(true)
    await read()
    expect(breaker.isUp()).toBe(false)
  })
})
