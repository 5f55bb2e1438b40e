import { join } from "node:path"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { Database } from "../../src/modules/gateway/kernel/database/database"
import { secretBoxOf } from "../../src/modules/gateway/kernel/options"
import type { KeptToken } from "../../src/modules/gateway/acquirers/port"
import { DatabaseTokens } from "../../src/modules/gateway/acquirers/tokens"
import { loadStandIn, type StandIn as Bkash } from "../acquirers/bkash/stand-in"
import { startStandIn as startStripe, WEBHOOK_SECRET, type StandIn as Stripe } from "../acquirers/stripe/support"
import type { StandIn as Sslcommerz } from "../acquirers/sslcommerz/support"
import { insertAccount } from "../support/acquirer-accounts"
import { Admin, prepareAdmin, signIn, type AdminAnswer } from "../support/admin"
import { newMerchant, type ApiMerchant } from "../support/api"
import { importModule } from "../support/import-module.cjs"
import { post, visit } from "../support/pages"
import { freePort } from "../support/ports"
import { refund, refundData } from "../support/refunds"
import { useStore } from "../support/store"

type Account = {
  id: string
  source: string
  is_active: boolean
  is_readable: boolean
  position: number | null
  services: string[]
  settings: Record<string, string>
  secrets: Record<string, boolean>
  last_test: { at: string; problem: string | null } | null
  worked_at: string | null
}
type Acquirer = {
  id: string
  name: string
  services: string[]
  fields: { name: string; secret: boolean; required: boolean; max_length: number; variable: string }[]
  return_url: string
  notification_url: string | null
  account: Account | null
}
type Outcome = { works: boolean; problem: string | null; message: string | null; is_stored: boolean }
type Body = { acquirers: Acquirer[]; acquirer: Acquirer; test: Outcome }

let sslcommerz: Sslcommerz
let bkash: Bkash
let bkashCredentials: Record<string, string>
let stripe: Stripe
let headers: Record<string, string>
/** The store's own merchant: its account at bKash comes from the environment. */
let ownMerchant: ApiMerchant

const store = useStore({
  production: false,
  env: async () => {
    const file = join(__dirname, "../acquirers/sslcommerz/stand-in.mjs")
    sslcommerz = await (await importModule<{ startStandIn(): Promise<Sslcommerz> }>(file)).startStandIn()
    const module = await loadStandIn()
    ;[bkash, bkashCredentials, stripe] = [await module.startStandIn(), module.CREDENTIALS, await startStripe()]
    return {
      SSLCOMMERZ_BASE_URL: sslcommerz.url,
      BKASH_BASE_URL: bkash.url,
      STRIPE_BASE_URL: stripe.url,
      ...Object.fromEntries(
        Object.entries(bkashCredentials).map(([name, value]) => [`BKASH_${name.toUpperCase()}`, value])
      ),
    }
  },
  prepare: async (booted) => {
    await prepareAdmin(booted)
    headers = await signIn(booted)
    ownMerchant = await newMerchant(booted)
  },
})

let merchant: ApiMerchant
let admin: Admin

afterAll(() => Promise.all([sslcommerz.close(), bkash.close(), stripe.close()]))
beforeEach(async () => {
  sslcommerz.faults.clear()
  bkash.faults.clear()
  stripe.faults.clear()
  merchant = await newMerchant(store)
  admin = new Admin(store, headers, merchant.id)
})

const bodyOf = (answer: AdminAnswer) => answer.body as unknown as Body
const right = () => ({ store_id: sslcommerz.store_id, store_passwd: sslcommerz.store_passwd })
const listed = async (who = admin) => bodyOf(await who.get("/acquirers")).acquirers
const accountAt = async (id: string, who = admin) => {
  const found = (await listed(who)).find((acquirer) => acquirer.id === id)
  return found?.account ?? null
}
async function saved(body: Record<string, unknown> = { credentials: right() }, id = "sslcommerz", who = admin) {
  const answer = await who.post(`/acquirers/${id}`, body)
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
  return bodyOf(answer).acquirer
}
async function tested(body: Record<string, unknown> = {}, id = "sslcommerz", who = admin): Promise<Outcome> {
  const answer = await who.post(`/acquirers/${id}/connection-test`, body)
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
  return bodyOf(answer).test
}
const rowOf = (id = "sslcommerz", owner = merchant) =>
  store.db("gateway_acquirer_account").where({ merchant_id: owner.id, acquirer: id }).first()
const attempts = (transaction_id: string) =>
  store.db("gateway_payment_attempt").where({ transaction_id }).orderBy("number")

describe("decisions: Environments — an account at an acquirer", () => {
  it("each acquirer is listed with its fields and the addresses to register, before anything is entered", async () => {
    const acquirers = await listed()
    expect(acquirers.map(({ id, account, notification_url }) => [id, account, notification_url])).toEqual([
      ["bkash", null, null],
      ["nagad", null, null],
      ["sslcommerz", null, null],
      ["shurjopay", null, null],
      ["stripe", null, null],
    ])
    expect(acquirers[2]).toMatchObject({
      name: "SSLCommerz",
      return_url: `${store.url}/gateway/acquirers/sslcommerz/return/{attempt}`,
      fields: [
        { name: "store_id", variable: "SSLCOMMERZ_STORE_ID", secret: false, required: true, max_length: 30 },
        { name: "store_passwd", variable: "SSLCOMMERZ_STORE_PASSWORD", secret: true, required: true, max_length: 30 },
      ],
    })
  })

  it("is saved, shown without its secret, encrypted under its row's id, and audited by the secret's name", async () => {
    const { account, notification_url } = await saved({ credentials: right(), services: ["CARD", "CARD"] })
    expect(account).toEqual({
      id: expect.stringMatching(/^gaa_[0-9a-f]{26}$/),
      source: "admin",
      is_active: true,
      is_readable: true,
      position: 1,
      services: ["CARD"],
      settings: { store_id: sslcommerz.store_id },
      secrets: { store_passwd: true },
      last_test: null,
      worked_at: null,
    })
    expect(notification_url).toBe(`${store.url}/gateway/acquirers/sslcommerz/notify/${account?.id}`)
    expect(await accountAt("sslcommerz")).toEqual(account)
    const row = await rowOf()
    expect(row.credentials).toMatch(/^enc:v1:tests:/)
    expect(JSON.stringify(row)).not.toContain(sslcommerz.store_passwd)
    const [entry] = await admin.changes(account?.id)
    expect(entry).toMatchObject({
      action: "acquirer_account.created",
      changes: {
        "settings.store_id": { from: null, to: sslcommerz.store_id },
        credentials_changed: { from: null, to: ["store_passwd"] },
      },
    })
  })

  it("a secret that is left out or sent empty stays; null clears what is not required; nothing changed, nothing audited", async () => {
    const credentials = { secret_key: stripe.secret_key, webhook_secret: WEBHOOK_SECRET }
    const { account } = await saved({ credentials }, "stripe")
    const before = (await rowOf("stripe")).credentials
    await saved({ credentials: { secret_key: "" } }, "stripe")
    await saved({ credentials: {} }, "stripe")
    expect((await rowOf("stripe")).credentials).toBe(before)
    expect(await admin.changes(account?.id)).toHaveLength(1)
    const cleared = await saved({ credentials: { webhook_secret: null } }, "stripe")
    expect(cleared.account?.secrets).toEqual({ secret_key: true, webhook_secret: false })
    expect((await admin.changes(account?.id))[0]).toMatchObject({
      action: "acquirer_account.updated",
      changes: { credentials_changed: { from: [], to: ["webhook_secret"] } },
    })
    expect((await tested({}, "stripe")).works).toBe(true)
  })

  it("order, services and activity are changed without touching the credentials", async () => {
    await saved({ credentials: { secret_key: stripe.secret_key } }, "stripe")
    await saved()
    const order = async () =>
      (await listed()).map(({ account }) => account?.position).filter((position) => position !== undefined)
    expect(await order()).toEqual([2, 1])
    await saved({ position: 9 }, "stripe")
    await saved({ services: ["BKASH", "CARD"], is_active: false })
    expect(await accountAt("sslcommerz")).toMatchObject({ position: 2, services: ["BKASH", "CARD"], is_active: false })
    expect(await order()).toEqual([2, 9])
    await saved({ position: null })
    expect(await order()).toEqual([10, 9])
    expect(await accountAt("sslcommerz")).toMatchObject({ services: ["BKASH", "CARD"], is_active: false })
  })

  it("two admins who save the same new account at once make one", async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => admin.post("/acquirers/sslcommerz", { credentials: right() }))
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect(await store.db("gateway_acquirer_account").where({ merchant_id: merchant.id })).toHaveLength(1)
  })

  it("no secret is in any answer, log line, audit entry or other row", async () => {
    const lines: string[] = []
    const logger = store.container.resolve(ContainerRegistrationKeys.LOGGER)
    const spies = (["info", "warn", "error", "debug"] as const).map((level) =>
      jest.spyOn(logger, level).mockImplementation((...line: unknown[]) => void lines.push(line.map(String).join(" ")))
    )
    const secret = "a-password-of-nobody"
    const repeated = () => {
      sslcommerz.faults.add("query", "echo_password")
      return admin.post("/acquirers/sslcommerz/connection-test")
    }
    const texts = [
      await admin.post("/acquirers/sslcommerz", { credentials: { ...right(), store_passwd: secret } }),
      await admin.post("/acquirers/sslcommerz/connection-test"),
      await admin.post("/acquirers/sslcommerz/connection-test", { credentials: { store_passwd: `${secret}-2` } }),
      await repeated(),
      await admin.post("/acquirers/sslcommerz", { credentials: { store_passwd: `${secret} and more than may be` } }),
      await admin.get("/acquirers"),
      await admin.get("/audit?limit=100"),
    ].map(({ text }) => text)
    spies.forEach((spy) => spy.mockRestore())
    expect([...texts, ...lines].filter((text) => text.includes(secret))).toEqual([])
    const { rows } = await store.db.raw<{ rows: { name: string }[] }>(
      `SELECT format('%I', table_name) AS name FROM information_schema.tables WHERE table_name LIKE 'gateway\\_%'`
    )
    for (const { name } of rows) {
      const found = await store.db.raw(`SELECT 1 FROM ${name} t WHERE strpos(t::text, ?) > 0`, [secret])
      expect([name, found.rows.length]).toEqual([name, 0])
    }
  })
})

describe("decisions: Requests — what an account's form refuses", () => {
  const proto = (value: unknown) => JSON.parse(`{"__proto__": ${JSON.stringify(value)}}`) as object
  type Case = [name: string, id: string, credentials: () => unknown, field: string, rule: RegExp]
  const REFUSED: Case[] = [
    ["a required field is missing", "sslcommerz", () => ({ store_passwd: "x" }), "store_id", /is required/],
    ["a required secret is missing", "sslcommerz", () => ({ store_id: "x" }), "store_passwd", /is required/],
    [
      "a required secret is empty",
      "sslcommerz",
      () => ({ store_id: "x", store_passwd: "" }),
      "store_passwd",
      /required/,
    ],
    ["a required field is null", "sslcommerz", () => ({ store_id: null, store_passwd: "x" }), "store_id", /required/],
    [
      "a field is too long",
      "sslcommerz",
      () => ({ store_id: "x".repeat(31), store_passwd: "x" }),
      "store_id",
      /at most 30 characters/,
    ],
    [
      "a secret is too long",
      "sslcommerz",
      () => ({ store_id: "x", store_passwd: "x".repeat(31) }),
      "store_passwd",
      /at most 30 characters/,
    ],
    ["a space inside", "sslcommerz", () => ({ store_id: "a b", store_passwd: "x" }), "store_id", /acquirer gives out/],
    [
      "a space around",
      "bkash",
      () => ({ ...bkashCredentials, username: " x" }),
      "username",
      /begin or end with a space/,
    ],
    ["a line break", "bkash", () => ({ ...bkashCredentials, password: "a\nb" }), "password", /control characters/],
    ["another form", "stripe", () => ({ secret_key: "pk_test_1" }), "secret_key", /acquirer gives out/],
    [
      "another form of an optional field",
      "bkash",
      () => ({ ...bkashCredentials, topic_arn: "arn:x" }),
      "topic_arn",
      /acquirer gives out/,
    ],
    [
      "another form of a choice",
      "bkash",
      () => ({ ...bkashCredentials, unattended_agreements: "may" }),
      "unattended_agreements",
      /acquirer gives/,
    ],
    ["an unknown field", "sslcommerz", () => ({ ...right(), store_name: "x" }), "store_name", /no field; use store_id/],
    ["another acquirer's field", "sslcommerz", () => ({ ...right(), secret_key: "x" }), "secret_key", /no field/],
    ["a number", "sslcommerz", () => ({ store_id: 5, store_passwd: "x" }), "store_id", /must be text/],
    ["a list", "sslcommerz", () => ({ store_id: ["x"], store_passwd: "x" }), "store_id", /must be text/],
    ["an object", "sslcommerz", () => ({ store_id: "x", store_passwd: { length: 1 } }), "store_passwd", /must be text/],
    ["true", "sslcommerz", () => ({ store_id: true, store_passwd: "x" }), "store_id", /must be text/],
    ["a member of every object", "sslcommerz", () => ({ ...right(), constructor: "x" }), "constructor", /no field/],
  ]

  it.each(REFUSED)("%s at %s", async (_name, id, credentials, field, rule) => {
    for (const path of [`/acquirers/${id}`, `/acquirers/${id}/connection-test`]) {
      const answer = await admin.post(path, { credentials: credentials() })
      expect([answer.status, answer.body.field]).toEqual([422, `credentials.${field}`])
      const reason = expect.objectContaining({ kind: "field" })
      expect(answer.body.details).toEqual([
        { field: `credentials.${field}`, message: expect.stringMatching(rule), reason },
      ])
    }
    expect(await rowOf(id)).toBeUndefined()
  })

  it("every failing field is named at once, in Bangla too", async () => {
    const body = { credentials: { store_id: "a b", store_passwd: 1, x: 1 } }
    const answer = await admin.post("/acquirers/sslcommerz", body)
    expect([answer.body.code, answer.body.details?.map(({ field }) => field)]).toEqual([
      "VALIDATION_ERROR",
      ["credentials.store_id", "credentials.store_passwd", "credentials.x"],
    ])
    const bangla = new Admin(store, { ...headers, "Accept-Language": "bn" }, merchant.id)
    expect((await bangla.post("/acquirers/sslcommerz", body)).body.details?.[0].message).toMatch(/অ্যাকোয়ারারের/)
  })

  it.each([
    ["a list of credentials", { credentials: [] }, "credentials"],
    ["text for credentials", { credentials: "x" }, "credentials"],
    ["null for credentials of a new account", { credentials: null }, "credentials.store_id"],
    ["no credentials of a new account", {}, "credentials.store_id"],
    ["a service that it cannot serve", { services: ["CARD", "NOTHING"] }, "services[1]"],
    ["a service of every object", { services: ["constructor"] }, "services[0]"],
    ["text for services", { services: "CARD" }, "services"],
    ["a number among the services", { services: [1] }, "services[0]"],
    ["too many services", { services: Array(51).fill("CARD") }, "services"],
    ["position 0", { position: 0 }, "position"],
    ["half a position", { position: 1.5 }, "position"],
    ["a huge position", { position: 1e9 }, "position"],
    ["text for activity", { is_active: "yes" }, "is_active"],
  ])("%s", async (_name, body, field) => {
    const answer = await admin.post("/acquirers/sslcommerz", body)
    expect([answer.status, answer.body.field]).toEqual([422, field])
    expect(await rowOf()).toBeUndefined()
  })

  it("a member named __proto__ changes no prototype and is no credential", async () => {
    const raw = `{"credentials": {"__proto__": {"store_id": "x", "store_passwd": "y"}}}`
    const url = `${store.url}/admin/gateway/acquirers/sslcommerz?merchant_id=${merchant.id}&environment=sandbox`
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body: raw,
    })
    expect(response.status).toBe(422)
    expect(Object.prototype).not.toHaveProperty("store_id")
    expect((await admin.post("/acquirers/sslcommerz", proto({ credentials: right() }))).status).toBe(422)
    expect(await rowOf()).toBeUndefined()
  })

  it.each(["nobody", "__proto__", "constructor", "SSLCOMMERZ", "default"])("the acquirer %s is 404", async (id) => {
    for (const path of [`/acquirers/${id}`, `/acquirers/${id}/connection-test`]) {
      expect((await admin.post(path, { credentials: right() })).status).toBe(404)
    }
  })
})

describe("decisions: Environments — the connection test", () => {
  it("right credentials work, before they are saved and after; the list says when", async () => {
    expect(await tested({ credentials: right() })).toEqual({
      works: true,
      problem: null,
      message: null,
      is_stored: false,
    })
    expect(await rowOf()).toBeUndefined()
    await saved()
    expect(await accountAt("sslcommerz")).toMatchObject({ last_test: null, worked_at: null })
    expect(await tested()).toMatchObject({ works: true, is_stored: true })
    const account = await accountAt("sslcommerz")
    expect(account).toMatchObject({ last_test: { problem: null }, worked_at: account?.last_test?.at })
    const [entry] = await admin.changes(account?.id)
    expect(entry).toMatchObject({
      action: "acquirer_account.tested",
      changes: { works: { from: null, to: true }, is_stored: { from: null, to: true } },
    })
  })

  it.each([
    ["sslcommerz", () => right(), { store_passwd: "wrong" }],
    ["bkash", () => bkashCredentials, { password: "wrong" }],
    ["stripe", () => ({ secret_key: stripe.secret_key }), { secret_key: "sk_test_wrong" }],
  ])("%s: wrong credentials are said to be wrong; they may be saved, and the list says so", async (id, good, wrong) => {
    await saved({ credentials: { ...good(), ...wrong } }, id)
    expect(await tested({}, id)).toMatchObject({ works: false, problem: "credentials", is_stored: true })
    expect(await accountAt(id)).toMatchObject({ last_test: { problem: "credentials" }, worked_at: null })
    expect(await tested({ credentials: good() }, id)).toMatchObject({ works: true, is_stored: false })
    expect(await accountAt(id)).toMatchObject({ last_test: { problem: "credentials" }, worked_at: null })
    await saved({ credentials: good() }, id)
    expect(await accountAt(id)).toMatchObject({ last_test: null, worked_at: null })
    expect(await tested({}, id)).toMatchObject({ works: true, is_stored: true })
    expect((await accountAt(id))?.worked_at).not.toBeNull()
  })

  it("a live key in the sandbox is refused by the test", async () => {
    const outcome = await tested({ credentials: { secret_key: "sk_live_1" } }, "stripe")
    expect(outcome).toMatchObject({ works: false, problem: "credentials", message: expect.stringMatching(/test key/) })
  })

  it("a provider that breaks the connection, or answers HTML, is no proof against the credentials", async () => {
    await saved()
    await tested()
    for (const fault of ["lost_before", "html"]) {
      sslcommerz.faults.add("query", fault)
      const outcome = await tested()
      expect([outcome.works, outcome.problem]).not.toEqual([false, "credentials"])
      expect(outcome.works).toBe(false)
    }
    const account = await accountAt("sslcommerz")
    expect(account?.last_test?.problem).not.toBeNull()
    expect(account?.worked_at).not.toBeNull()
  })

  it("moves no money, and two of one account never run at once", async () => {
    await saved()
    const [before, payments] = [sslcommerz.book.requests.length, sslcommerz.book.sessions.length]
    sslcommerz.faults.add("query", "slow", { ms: 1_500 })
    const answers = await Promise.all([1, 2, 3].map(() => admin.post("/acquirers/sslcommerz/connection-test")))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429])
    expect(sslcommerz.book.requests.slice(before).map(({ call }) => call)).toEqual(["query"])
    expect(sslcommerz.book.sessions).toHaveLength(payments)
  })

  it("an account is tested ten times an hour, others meanwhile too", async () => {
    await saved()
    for (let time = 0; time < 10; time++) {
      expect((await tested()).works).toBe(true)
    }
    const refused = await admin.post("/acquirers/sslcommerz/connection-test")
    expect([refused.status, refused.body.message]).toEqual([429, expect.stringMatching(/at most 10 times in an hour/)])
    expect((await tested({ credentials: { secret_key: stripe.secret_key } }, "stripe")).works).toBe(true)
  })

  it("without an account there is nothing to test", async () => {
    expect((await admin.post("/acquirers/sslcommerz/connection-test")).status).toBe(404)
  })

  it("bKash: the test, the saved account and later tests share one token, and other credentials never use it", async () => {
    const grants = () => bkash.calls("grant").length
    const before = grants()
    expect((await tested({ credentials: bkashCredentials }, "bkash")).works).toBe(true)
    await saved({ credentials: bkashCredentials }, "bkash")
    expect((await tested({}, "bkash")).works).toBe(true)
    expect(grants()).toBe(before + 1)
    const tokens = await store.db("gateway_acquirer_token").whereLike("id", `${merchant.id}:%`)
    expect(tokens).toMatchObject([{ token: expect.stringMatching(/^enc:v1:tests:/), lock_token: null }])
    await saved({ credentials: { password: "wrong" } }, "bkash")
    expect(await store.db("gateway_acquirer_token").whereLike("id", `${merchant.id}:%`)).toEqual([])
    expect(await tested({}, "bkash")).toMatchObject({ works: false, problem: "credentials" })
    bkash.advance(3_600)
  })

  it("credentials that no key decrypts are said to be unreadable, and can be entered again or switched off", async () => {
    await saved()
    await store
      .db("gateway_acquirer_account")
      .where({ merchant_id: merchant.id })
      .update({ credentials: "enc:v1:lost:AAAA" })
    expect(await accountAt("sslcommerz")).toMatchObject({ is_readable: false, secrets: { store_passwd: false } })
    expect((await admin.post("/acquirers/sslcommerz/connection-test")).status).toBe(409)
    expect((await saved({ is_active: false })).account).toMatchObject({ is_active: false, is_readable: false })
    expect((await admin.post("/acquirers/sslcommerz", { credentials: {} })).body.field).toBe("credentials.store_passwd")
    expect((await saved({ credentials: { store_passwd: sslcommerz.store_passwd } })).account?.is_readable).toBe(true)
    expect((await tested()).works).toBe(true)
  })
})

describe("decisions: Environments — the store's own merchant and the environment", () => {
  const own = () => admin.at(ownMerchant.id)

  it("its account is shown with the addresses, without secrets; only the environment changes it", async () => {
    const bkashOf = (await listed(own())).find(({ id }) => id === "bkash")
    expect(bkashOf).toMatchObject({
      notification_url: `${store.url}/gateway/acquirers/bkash/notify/default`,
      account: {
        id: "default",
        source: "environment",
        settings: { app_key: bkashCredentials.app_key, username: bkashCredentials.username },
        secrets: { app_secret: true, password: true },
      },
    })
    expect(JSON.stringify(bkashOf)).not.toContain(bkashCredentials.password)
    expect((await tested({}, "bkash", own())).works).toBe(true)
    for (const path of ["/acquirers/bkash", "/acquirers/bkash/connection-test"]) {
      const answer = await own().post(path, { credentials: bkashCredentials })
      expect([answer.status, answer.body.message]).toEqual([409, expect.stringMatching(/comes from the environment/)])
    }
    expect(await accountAt("bkash", admin.at(ownMerchant.id, "production"))).toBeNull()
    expect(await accountAt("bkash")).toBeNull()
  })

  it("an account that was stored before the environment gave one stays the one that is used", async () => {
    const id = "gaa_earlier"
    await insertAccount(store, {
      id,
      merchant_id: ownMerchant.id,
      acquirer: "bkash",
      settings: { app_key: "k", username: "u" },
      secrets: { app_secret: "s", password: "p" },
    })
    // The directory forgets what it remembers when an account changes.
    await saved({ is_active: true }, "bkash", own())
    expect((await accountAt("bkash", own()))?.id).toBe(id)
    const tenant = { merchant_id: ownMerchant.id, environment: "sandbox" } as const
    const known = await store.gateway.acquirers.byAccount("bkash", id)
    expect(known?.owner).toEqual(tenant)
    expect(await store.gateway.acquirers.byAccount("bkash", "default")).toBeNull()
    await store.db("gateway_acquirer_account").where({ id }).delete()
    await saved({ credentials: right() }, "sslcommerz", own())
    expect((await store.gateway.acquirers.byAccount("bkash", "default"))?.owner).toEqual(tenant)
  })
})

describe("decisions: Checkout — payments go to the merchant's own account", () => {
  /** The shopper chooses the card on our page, and is sent to SSLCommerz's. */
  async function leaveFor(page: string): Promise<string> {
    const sent = await post(page, await visit(page), { method: "card" })
    expect([sent.status, sent.location.startsWith(sslcommerz.url)]).toEqual([303, true])
    return sent.location
  }
  async function paid(owner = merchant) {
    const { session_id, transaction_id } = await owner.open()
    await sslcommerz.shopper.pay(await leaveFor(`${store.url}/pay/${session_id}`))
    const [created] = sslcommerz.book.requests.filter(({ call }) => call === "create").slice(-1)
    return { transaction_id, created: created.fields }
  }

  it("and its notification comes to that account's address; nobody else sees or uses the account", async () => {
    const { notification_url } = await saved()
    const { transaction_id, created } = await paid()
    expect(created).toMatchObject({ store_id: sslcommerz.store_id, ipn_url: notification_url })
    expect((await merchant.verified(transaction_id)).status).toBe("SUCCESS")
    const [attempt] = await attempts(transaction_id)
    expect(attempt).toMatchObject({ acquirer: "sslcommerz", state: "SUCCEEDED" })

    const stranger = await newMerchant(store)
    const strangers = admin.at(stranger.id)
    expect(await accountAt("sslcommerz", strangers)).toBeNull()
    expect(await accountAt("sslcommerz", admin.at(merchant.id, "production"))).toBeNull()
    expect((await strangers.post("/acquirers/sslcommerz/connection-test")).status).toBe(404)
    const page = await visit(`${store.url}/pay/${(await stranger.open()).session_id}`)
    expect(page.text).toContain('name="card_number"')
    const theirs = await saved(
      { credentials: { store_id: "another", store_passwd: "theirs" } },
      "sslcommerz",
      strangers
    )
    expect(theirs.account?.id).not.toBe(await accountAt("sslcommerz").then((account) => account?.id))
    expect(await accountAt("sslcommerz")).toMatchObject({ settings: { store_id: sslcommerz.store_id } })
  })

  it("design: a payment service names the acquirers that are asked first; the change holds at once", async () => {
    await saved()
    await saved({ credentials: { secret_key: stripe.secret_key } }, "stripe")
    const acquirerOf = async () => {
      const { session_id, transaction_id } = await merchant.open()
      const page = `${store.url}/pay/${session_id}`
      expect((await post(page, await visit(page), { method: "card" })).status).toBe(303)
      return (await attempts(transaction_id))[0].acquirer
    }
    expect(await acquirerOf()).toBe("sslcommerz")
    const routed = (acquirer: string, of = {}) => ({ acquirer, share: null, from: null, to: null, ...of })
    const routes = [routed("stripe", { from: "10.00", to: "5000.00" }), routed("sslcommerz")]
    const ordered = await admin.post("/payment-services/1", { routes })
    expect(ordered.body.payment_service).toMatchObject({
      code: "CARD",
      routes,
      possible_acquirers: [
        { id: "sslcommerz", name: "SSLCommerz" },
        { id: "shurjopay", name: "shurjoPay" },
        { id: "stripe", name: "Stripe" },
      ],
    })
    expect(await acquirerOf()).toBe("stripe")
    const stored = { acquirer: "stripe", share: null, from_minor: 1_000, to_minor: 500_000 }
    const second = { acquirer: "sslcommerz", share: null, from_minor: null, to_minor: null }
    expect((await admin.changes("CARD"))[0].changes).toEqual({ routes: { from: null, to: [stored, second] } })
    await admin.post("/payment-services/1", { routes: [] })
    expect(await acquirerOf()).toBe("sslcommerz")
  })

  it("an account that is switched off takes no new payment, and still refunds old ones", async () => {
    await saved()
    const { transaction_id } = await paid()
    await saved({ is_active: false })
    const { session_id } = await merchant.open()
    expect((await visit(`${store.url}/pay/${session_id}`)).text).toContain('name="card_number"')
    const tenant = { merchant_id: merchant.id, environment: "sandbox" } as const
    const set = await store.gateway.acquirers.of(tenant)
    expect(() => set.toCharge("sslcommerz")).toThrow(expect.objectContaining({ code: "SERVICE_UNAVAILABLE" }))
    const asked = refundData(await refund(merchant, transaction_id, { refund_amount: "250.50" }))
    expect(asked.refund_status).toBe("processing")
    const { refund_ref_id } = sslcommerz.book.refunds.slice(-1)[0]
    const other = await admin.post("/acquirers/sslcommerz", { credentials: { store_id: "another" } })
    expect([other.status, other.body.message]).toEqual([409, expect.stringMatching(/still open/)])
    sslcommerz.finishRefund(refund_ref_id, "refunded")
    await store.gateway.refunds.inquire(asked.refund_id)
    const [ended] = await store.gateway.refunds.list(transaction_id)
    expect(ended.state).toBe("completed")
    await saved({ is_active: true })
    expect((await paid()).created.store_id).toBe(sslcommerz.store_id)
  })

  it("while a payment is open the account stays the same one; its password may change", async () => {
    await saved()
    const { session_id } = await merchant.open()
    const url = await leaveFor(`${store.url}/pay/${session_id}`)
    const other = await admin.post("/acquirers/sslcommerz", { credentials: { store_id: "another" } })
    expect([other.status, other.body.code]).toEqual([409, "INVALID_STATE_TRANSITION"])
    await saved({ credentials: { store_passwd: sslcommerz.store_passwd } })
    await sslcommerz.shopper.pay(url)
    await saved({ credentials: { store_id: "another" } })
    expect(await accountAt("sslcommerz")).toMatchObject({ settings: { store_id: "another" } })
  })
})

describe("decisions: secrets are encrypted at rest — access tokens that all processes share", () => {
  const secretBox = () => secretBoxOf(store.gateway.options)
  let names = 0
  /** As many processes would see one account: each with a store of its own. */
  const stores = (count: number) => {
    const account = `tokens-${++names}`
    return {
      account,
      all: Array.from({ length: count }, () => new DatabaseTokens(new Database(store.db), secretBox(), account)),
    }
  }
  const token = (text: string, seconds = 3_600): KeptToken => ({
    token: text,
    refresh_token: `refresh-${text}`,
    expires_at: new Date(Date.now() + seconds * 1_000),
  })
  const tokenRow = (account: string) => store.db("gateway_acquirer_token").where({ id: account }).first()

  it("many at once get one token from one call, and nothing of it lies readable in the table", async () => {
    const { account, all } = stores(20)
    let [running, release] = [() => {}, () => {}]
    const begun = new Promise<void>((done) => (running = done))
    const hold = new Promise<void>((done) => (release = done))
    const issue = jest.fn(async () => {
      running()
      await hold
      return token("secret-token")
    })
    const got = Promise.all(all.map((tokens) => tokens.get(issue)))
    await begun
    release()
    expect(new Set(await got)).toEqual(new Set(["secret-token"]))
    expect(issue).toHaveBeenCalledTimes(1)
    const row = await tokenRow(account)
    expect(row).toMatchObject({ lock_token: null, locked_until: null })
    expect(JSON.stringify(row)).not.toContain("secret-token")
    expect([row.token, row.refresh_token]).toEqual(Array(2).fill(expect.stringMatching(/^enc:v1:tests:/)))
  })

  it("the lease of a process that died runs out, and another one renews", async () => {
    const { account } = stores(0)
    await store.db("gateway_acquirer_token").insert({
      id: account,
      lock_token: "dead",
      locked_until: new Date(Date.now() + 3_600_000),
    })
    let turnedAway = () => {}
    const waits = new Promise<void>((done) => (turnedAway = done))
    const database = new Database(store.db)
    const query = database.query.bind(database)
    jest.spyOn(database, "query").mockImplementation(async (text, values) => {
      const rows = await query(text, values)
      if (text.startsWith("INSERT") && rows.length === 0) {
        turnedAway()
      }
      return rows as never[]
    })
    const issue = jest.fn(async () => token("after-the-dead"))
    const got = new DatabaseTokens(database, secretBox(), account).get(issue)
    await waits
    expect(issue).not.toHaveBeenCalled()
    await store
      .db("gateway_acquirer_token")
      .where({ id: account })
      .update({ locked_until: new Date(0) })
    expect(await got).toBe("after-the-dead")
    expect(issue).toHaveBeenCalledTimes(1)
  })

  it("a process that comes back after its lease has run out does not overwrite the newer token", async () => {
    const { account, all } = stores(2)
    const late = all[0].get(async () => {
      await store
        .db("gateway_acquirer_token")
        .where({ id: account })
        .update({ locked_until: new Date(Date.now() - 1) })
      expect(await all[1].get(async () => token("newer"))).toBe("newer")
      return token("late")
    })
    expect(await late).toBe("late")
    expect(await all[0].get(() => Promise.reject(new Error("not asked")))).toBe("newer")
  })

  it("a token that the acquirer refuses is renewed once, with what is left of it", async () => {
    const { all } = stores(8)
    await all[0].get(async () => token("first"))
    const issue = jest.fn(async (previous: KeptToken | null) => {
      expect(previous).toMatchObject({ token: "first", refresh_token: "refresh-first" })
      return token("second")
    })
    expect(new Set(await Promise.all(all.map((tokens) => tokens.get(issue, "first"))))).toEqual(new Set(["second"]))
    expect(issue).toHaveBeenCalledTimes(1)
  })

  it("a token that is about to end is renewed; a failed renewal leaves the lease free and says why", async () => {
    const { account, all } = stores(1)
    await all[0].get(async () => token("short", 30))
    await expect(all[0].get(() => Promise.reject(new Error("the provider is down")))).rejects.toThrow("is down")
    expect(await tokenRow(account)).toMatchObject({ lock_token: null, locked_until: null })
    expect(await all[0].get(async () => token("long"))).toBe("long")
    expect(await all[0].get(() => Promise.reject(new Error("not asked")))).toBe("long")
  })

  it("a token that was copied from another account, or whose key is lost, is never used but replaced", async () => {
    const [from, to] = [stores(1), stores(1)]
    await from.all[0].get(async () => token("theirs"))
    const row = await tokenRow(from.account)
    await store.db("gateway_acquirer_token").insert({ ...row, id: to.account })
    const issue = jest.fn(async (previous: KeptToken | null) => token(`own, after ${JSON.stringify(previous)}`))
    expect(await to.all[0].get(issue)).toBe("own, after null")
    await store.db("gateway_acquirer_token").where({ id: to.account }).update({ token: "enc:v1:lost:AAAA" })
    expect(await to.all[0].get(async () => token("again"))).toBe("again")
  })
})

it("decisions: Environments — a provider that cannot be reached is said to be unreachable", async () => {
  await saved()
  const port = await freePort()
  const server = await store.startServerProcess({ env: { SSLCOMMERZ_BASE_URL: `http://127.0.0.1:${port}` } })
  const answer = await fetch(
    `${server.url}/admin/gateway/acquirers/sslcommerz/connection-test?merchant_id=${merchant.id}&environment=sandbox`,
    { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body: "{}" }
  )
  expect(((await answer.json()) as Body).test).toMatchObject({ works: false, problem: "network", is_stored: true })
  expect(await accountAt("sslcommerz")).toMatchObject({ last_test: { problem: "network" }, worked_at: null })
})
