import { randomBytes } from "node:crypto"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { runMigrations } from "graphile-worker"
import { Client } from "@medusajs/framework/pg"
import { ModulesSdkUtils } from "@medusajs/framework/utils"
import { verifyWebhook } from "../../src/webhooks"
import { EVENT_TYPES } from "../../src/modules/gateway/kernel/database/events"
import { newMerchant, type ApiMerchant } from "../support/api"
import { deploymentOf, runCommand, startCommand, storeFolder, type RunningCommand } from "../support/command-line"
import { copyTemplate, dropDatabase } from "../support/database"
import { gatewayOn } from "../support/gateway-fixtures"
import { freePort } from "../support/ports"
import { secretsIn } from "../support/process-checks"
import { useReceiver } from "../support/receiver"
import type { ServerProcess } from "../support/server-process"
import { ROOT, useStore } from "../support/store"
import { until } from "../support/until"

const store = useStore({
  production: true,
  shop: true,
  prepare: async (booted) => {
    // The program's requests go to another server: each of the store's own must be one of this process. It has a worker,
    // which doctor looks for and `events resend` needs.
    server = await booted.startServerProcess()
    merchant = await newMerchant(booted)
    // A secret that the deployment's key has encrypted.
    await merchant.call("GET", "/merchants/ipn-secret")
  },
})
const receiver = useReceiver()
let merchant: ApiMerchant
let server: ServerProcess

/** Something that is no gateway. */
let elsewhere: Server
const elsewhereUrl = () => `http://localhost:${(elsewhere.address() as AddressInfo).port}`
beforeAll(async () => {
  elsewhere = createServer((_request, response) => void response.writeHead(404).end("<html>"))
  await new Promise<void>((done) => elsewhere.listen(0, "localhost", done))
})
afterAll(() => new Promise((done) => elsewhere.close(done)))

const asMerchant = () => ({ GATEWAY_API_KEY: merchant.key, GATEWAY_PUBLIC_URL: server.url })

/** Runs a command that must succeed, and returns its JSON. */
async function answered<Answer>(
  typed: string,
  env: Record<string, string | undefined> = asMerchant()
): Promise<Answer> {
  const { code, out, err } = await runCommand([...typed.split(" "), "--json"], env)
  expect([code, err]).toEqual([0, ""])
  return JSON.parse(out) as Answer
}

/** The code with which a command fails. */
async function refused(typed: string, env: Record<string, string | undefined> = asMerchant()): Promise<string> {
  const { code, out } = await runCommand([...typed.split(" "), "--json"], env)
  const { error } = JSON.parse(out) as { error: { code: string; params: { api_code?: string } } }
  return [code, error.code, error.params.api_code].filter((part) => part !== undefined).join(" ")
}

type Line = {
  type: string
  secret?: string
  event?: { event_id: string; event_type?: string; event?: string; data: Record<string, unknown> }
  delivery?: { delivered: boolean; status: number | null }
  code?: string
}

const linesOf = (command: RunningCommand): Line[] =>
  command
    .printed()
    .out.split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line)
const eventsOf = (command: RunningCommand) => linesOf(command).filter(({ type }) => type === "event")
const nameOf = ({ event }: Line) => event?.event_type ?? event?.event

describe("listen", () => {
  let running: RunningCommand | undefined
  afterEach(async () => {
    running?.signal("SIGKILL")
    await running?.ended
    running = undefined
  })

  async function listening(typed: string[], env: Record<string, string> = {}): Promise<RunningCommand> {
    running = await startCommand(["listen", "--json", ...typed], { ...asMerchant(), ...env })
    const command = running
    await until("it listens", () => linesOf(command).some(({ type }) => type === "ready"))
    return command
  }

  it("sends new events, signed, to a receiver that verifies them; Ctrl-C ends it with 0", async () => {
    const before = await merchant.open()
    await merchant.pay(before.session_id)
    const command = await listening(["--forward-to", `${receiver.url}/hook`])
    const secret = linesOf(command)[0].secret ?? ""
    const { session_id, transaction_id } = await merchant.open()
    await merchant.pay(session_id)
    await merchant.call("POST", "/payments/refund", { transaction_id, refund_reason: "listen" })
    await until("four events have come", () => eventsOf(command).length === 4)
    const names = ["payment.succeeded", "refund.initiated", "refund.processing", "refund.completed"]
    expect(eventsOf(command).map(nameOf).sort()).toEqual([...names].sort())
    expect(receiver.received.map(({ body }) => (body.data as { transaction_id: string }).transaction_id)).toEqual(
      names.map(() => transaction_id)
    )
    for (const { raw, headers, url } of receiver.received) {
      expect([url, verifyWebhook(raw, headers, secret)]).toEqual(["/hook", true])
      expect(verifyWebhook(raw, headers, "whsec_" + randomBytes(32).toString("base64"))).toBe(false)
    }
    command.signal("SIGINT")
    expect(await command.ended).toMatchObject({ code: 0, err: "" })
  })

  it("has the bodies of real deliveries", async () => {
    const own = await newMerchant(store)
    const { body } = await own.call("POST", "/merchants/webhooks", {
      endpoint_url: `${receiver.url}/endpoint`,
      event_types: ["payment.succeeded"],
    })
    const { secret } = body.data as unknown as { secret: string }
    const command = await listening(["--forward-to", `${receiver.url}/listen`], {
      GATEWAY_API_KEY: own.key,
      WEBHOOK_SECRET: secret,
    })
    expect(linesOf(command)[0].secret).toBeUndefined()
    const { session_id } = await own.open()
    await own.pay(session_id)
    await until("both have come", () => receiver.at("/endpoint").length === 1 && receiver.at("/listen").length === 1)
    const [[real], [forwarded]] = [receiver.at("/endpoint"), receiver.at("/listen")]
    expect(forwarded.body).toEqual(real.body)
    expect([real, forwarded].map(({ raw, headers }) => verifyWebhook(raw, headers, secret))).toEqual([true, true])
    expect(
      Object.keys(real.headers)
        .filter((name) => /webhook/.test(name))
        .sort()
    ).toEqual(
      Object.keys(forwarded.headers)
        .filter((name) => /webhook/.test(name))
        .sort()
    )
  })

  it("goes on after failures of the receiver, and shows only the events that were asked for", async () => {
    const command = await listening(["--forward-to", receiver.url, "--events", "payment.failed,payment.cancelled"])
    receiver.answer = (response) => response.writeHead(500).end("out of order")
    const declined = await merchant.open()
    await merchant.pay(declined.session_id, { payment_method: "card", card_number: "4000000000000002" })
    await until("the first event has come", () => eventsOf(command).length === 1)
    receiver.answer = (response) => response.writeHead(200).end()
    const succeeded = await merchant.open()
    await merchant.pay(succeeded.session_id)
    const cancelled = await merchant.open()
    await merchant.cancel(cancelled.session_id)
    await until("the second event has come", () => eventsOf(command).length === 2)
    expect(eventsOf(command).map((line) => [nameOf(line), line.delivery?.delivered, line.delivery?.status])).toEqual([
      ["payment.failed", false, 500],
      ["payment.cancelled", true, 200],
    ])
  })

  it("goes on when the gateway goes away, and finds what it has missed", async () => {
    const other = await store.startServerProcess({ env: { MEDUSA_WORKER_MODE: "server" } })
    const command = await listening(["--url", other.url])
    await other.kill("SIGTERM")
    await until("it reports that the gateway is gone", () =>
      linesOf(command).some(({ type, code }) => type === "trouble" && code === "GATEWAY_UNREACHABLE")
    )
    const { session_id, transaction_id } = await merchant.open()
    await merchant.pay(session_id)
    await store.startServerProcess({ port: other.port, env: { MEDUSA_WORKER_MODE: "server" } })
    await until("the event has come", () => eventsOf(command).length > 0, { limitMs: 60_000 })
    expect(eventsOf(command).map(({ event }) => event?.data.transaction_id)).toEqual([transaction_id])
  })

  it("for people: one line for each event, the secret once, no colours", async () => {
    running = await startCommand(["listen", "--forward-to", receiver.url], asMerchant())
    const command = running
    await until("it prints the secret", () => command.printed().err.includes("whsec_"))
    const { session_id, transaction_id } = await merchant.open()
    await merchant.pay(session_id)
    await until("it prints the answer", () => command.printed().out.includes("200 after"))
    command.signal("SIGINT")
    const { code, out, err } = await command.ended
    expect(code).toBe(0)
    expect(out).toMatch(/^\S+Z {2}payment\.succeeded +txn[0-9a-f]+ {2}[0-9a-f-]{36}\n {2}200 after [0-9]+ ms\n$/)
    expect(out).toContain(transaction_id)
    expect(err).toContain("1 events, 1 delivered, 0 not delivered.")
    expect(secretsIn(out)).toEqual([])
    expect(out + err).not.toContain("\u001b")
  })

  it("a wrong key or address ends it at once", async () => {
    const unknown = { ...asMerchant(), GATEWAY_API_KEY: `sk_test_${"a".repeat(43)}` }
    expect(await refused("listen", unknown)).toBe("1 API_REFUSED INVALID_API_KEY")
    expect(await refused(`listen --url http://localhost:${await freePort()}`)).toBe("1 GATEWAY_UNREACHABLE")
    expect(await refused(`listen --url ${elsewhereUrl()}`)).toBe("1 GATEWAY_NOT_THERE")
  })
})

describe("trigger", () => {
  const SAMPLES = [
    "payment.authorization_expired",
    "subscription.trial_ended",
    "subscription.payment_failed",
    "subscription.period_skipped",
    "dispute.created",
    "dispute.updated",
    "dispute.closed",
    "cash_order.placed",
    "cash_order.collected",
    "cash_order.refused",
    "cash_order.changed",
    "cash_order.refunded",
  ]

  it.each(EVENT_TYPES.filter((type) => !SAMPLES.includes(type)))("%s really occurs", async (type) => {
    const own = await newMerchant(store)
    const env = { ...asMerchant(), GATEWAY_API_KEY: own.key }
    const { kind, event_id, subject } = await answered<Record<string, string>>(`trigger ${type}`, env)
    expect(kind).toBe("occurred")
    const [row] = await store.db("gateway_event").where({ event_id }).select("event_type", "merchant_id", "data")
    expect([row.event_type, row.merchant_id]).toEqual([type, own.id])
    expect(Object.values(row.data)).toContain(subject)
  })

  it.each(SAMPLES)("%s is a sample for the registered endpoints, or for --to", async (type) => {
    const own = await newMerchant(store)
    const env = { ...asMerchant(), GATEWAY_API_KEY: own.key }
    expect(await refused(`trigger ${type}`, env)).toBe("1 ENDPOINT_NONE")
    await own.call("POST", "/merchants/webhooks", { endpoint_url: `${receiver.url}/all`, event_types: ["*"] })
    await own.call("POST", "/merchants/webhooks", {
      endpoint_url: `${receiver.url}/payments`,
      event_types: ["payment.succeeded"],
    })
    expect(await answered(`trigger ${type}`, env)).toMatchObject({ event: type, kind: "sample" })
    await answered(`trigger ${type} --to ${receiver.url}/given`, env)
    expect(receiver.received.map(({ url, body }) => [url, body.event_type])).toEqual([
      ["/all", type],
      ["/given", type],
    ])
    receiver.answer = (response) => response.writeHead(500).end()
    expect(await refused(`trigger ${type}`, env)).toBe("1 SAMPLE_NOT_DELIVERED")
  })
})

describe("events resend", () => {
  it("repeats every delivery of the event, or sends it to one receiver", async () => {
    const own = await newMerchant(store)
    const env = { ...asMerchant(), GATEWAY_API_KEY: own.key }
    const { body } = await own.call("POST", "/merchants/webhooks", {
      endpoint_url: `${receiver.url}/hook`,
      event_types: ["payment.succeeded"],
    })
    const { secret } = body.data as unknown as { secret: string }
    const { event_id } = await answered<{ event_id: string }>("trigger payment.succeeded", env)
    await until("the event has come", () => receiver.at("/hook").length === 1)
    const resent = await answered<{ deliveries: { url: string }[] }>(`events resend ${event_id}`, env)
    expect(resent.deliveries.map(({ url }) => url)).toEqual([`${receiver.url}/hook`])
    await until("the event has come again", () => receiver.at("/hook").length === 2)
    const forward = `events resend ${event_id} --forward-to ${receiver.url}/mine`
    expect(await refused(forward, env)).toBe("1 WEBHOOK_SECRET_UNSET")
    await answered(forward, { ...env, WEBHOOK_SECRET: secret })
    const [mine] = receiver.at("/mine")
    expect([mine.body, verifyWebhook(mine.raw, mine.headers, secret)]).toEqual([receiver.at("/hook")[0].body, true])
    receiver.answer = (response) => response.writeHead(404).end()
    expect(await refused(forward, { ...env, WEBHOOK_SECRET: secret })).toBe("1 DELIVERY_FAILED")
  })

  it("one receiver that is off or deleted keeps the event from no other, and is named", async () => {
    const own = await newMerchant(store)
    const env = { ...asMerchant(), GATEWAY_API_KEY: own.key }
    const register = async (path: string) => {
      const endpoint = { endpoint_url: `${receiver.url}${path}`, event_types: ["payment.succeeded"] }
      return ((await own.call("POST", "/merchants/webhooks", endpoint)).body.data as unknown as { id: number }).id
    }
    const [off, , deleted] = [await register("/off"), await register("/on"), await register("/deleted")]
    const { event_id } = await answered<{ event_id: string }>("trigger payment.succeeded", env)
    const received = () => ["/off", "/on", "/deleted"].map((path) => receiver.at(path).length)
    await until("each endpoint has the event", () => received().every((count) => count === 1))
    await own.call("PATCH", `/merchants/webhooks/${off}`, { is_active: false })
    await own.call("DELETE", `/merchants/webhooks/${deleted}`)
    const ran = await runCommand(["events", "resend", event_id, "--json"], env)
    const { deliveries, error } = JSON.parse(ran.out)
    expect([ran.code, error.code]).toEqual([1, "REDELIVERY_REFUSED"])
    expect(deliveries.map(({ url }: { url: string }) => url)).toEqual([`${receiver.url}/on`])
    expect(error.message).toContain(`${receiver.url}/off: `)
    await until("the event has come again", () => received()[1] === 2)
    expect(received()).toEqual([1, 2, 1])
    const forPeople = await runCommand(["events", "resend", event_id], env)
    expect([forPeople.code, forPeople.out]).toEqual([1, expect.stringContaining(`${receiver.url}/on`)])
    expect(forPeople.err).toContain(`${receiver.url}/off: `)
  })

  it("an event that went nowhere, and one that does not exist", async () => {
    const { event_id } = await answered<{ event_id: string }>("trigger payment.cancelled")
    expect(await refused(`events resend ${event_id}`)).toBe("1 DELIVERY_NONE")
    expect(await refused("events resend 00000000-0000-4000-8000-000000000000")).toBe("1 API_REFUSED NOT_FOUND")
  })
})

describe("payments and clock", () => {
  it("lists payments for people and for programs", async () => {
    const own = await newMerchant(store)
    const env = { ...asMerchant(), GATEWAY_API_KEY: own.key }
    const { transaction_id, session_id } = await own.open({ order_id: "CLI-1", order_amount: "300.00" })
    await own.pay(session_id)
    await own.open({ order_id: "CLI-2" })
    const { payments, total } = await answered<{ payments: { order_id: string }[]; total: number }>("payments", env)
    expect([payments.map(({ order_id }) => order_id), total]).toEqual([["CLI-2", "CLI-1"], 2])
    const { code, out, err } = await runCommand(["payments", "--status", "FAILED"], env)
    expect([code, err]).toEqual([0, "1 of 1\n"])
    expect(out.split("\n")[1]).toMatch(
      new RegExp(`^\\S+Z {2}FAILED CARD_DECLINED {2}300.00 BDT {2}CARD {4}CLI-1 {2}${transaction_id}$`)
    )
    expect(await refused("payments --status PAID", env)).toBe("1 API_REFUSED VALIDATION_ERROR")
  })

  it("reads and moves the sandbox's clock, and says what fell due", async () => {
    const own = await newMerchant(store)
    const env = { ...asMerchant(), GATEWAY_API_KEY: own.key }
    await own.open()
    expect(await answered("clock", env)).toMatchObject({ offset_seconds: 0 })
    const moved = await answered<{ offset_seconds: number; processed: Record<string, number> }>("clock advance 3d", env)
    // What fell due takes real time, which the clock does not jump over.
    expect(moved.offset_seconds).toBeGreaterThan(259_200 - 120)
    expect(Object.values(moved.processed).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0)
    const { out } = await runCommand(["clock"], env)
    expect(out).toMatch(/^\d{4}-\S+Z, \d+ seconds ahead of real time\n$/)
  })
})

describe("in the store's folder", () => {
  it("keys create: a key that works, shown once and nowhere else", async () => {
    const { code, out, err } = await runCommand(
      ["keys", "create", "--merchant", merchant.id],
      deploymentOf({ databaseUrl: store.databaseUrl, url: server.url })
    )
    expect([code, out]).toEqual([0, expect.stringMatching(/^sk_test_[A-Za-z0-9_-]{43}\n$/)])
    expect(secretsIn(err)).toEqual([])
    const key = out.trim()
    await answered("clock", { ...asMerchant(), GATEWAY_API_KEY: key })
    const [{ changes }] = await store
      .db("gateway_audit_entry")
      .where({ merchant_id: merchant.id, action: "api_key.created" })
      .orderBy("created_at", "desc")
      .limit(1)
    expect(changes).toMatchObject({ name: { to: "Command line" }, last_four: { to: key.slice(-4) } })
  })

  it("keys create --json: the type says what the key may do", async () => {
    const env = deploymentOf({ databaseUrl: store.databaseUrl, url: server.url })
    const { out } = await runCommand(["keys", "create", "--merchant", merchant.id, "--json"], env)
    expect(JSON.parse(out)).toMatchObject({ type: "secret", scopes: [], key: expect.stringMatching(/^sk_test_/) })
  })

  it.each([
    ["an error of syntax", "module.exports = {", "medusa-config cannot be loaded"],
    ["an error when it runs", 'throw new Error("no such thing")', "medusa-config cannot be loaded: no such thing"],
    ["no gateway", configuration("{}"), "has no payment gateway"],
  ])("keys create: a fault of the configuration has words and no backtrace: %s", async (_name, text, words) => {
    const folder = newFolder()
    writeFileSync(join(folder, "medusa-config.js"), text)
    const env = deploymentOf({ databaseUrl: store.databaseUrl, url: server.url })
    const { code, err } = await runCommand(["keys", "create", "--directory", folder], env)
    expect([code, err]).toEqual([1, expect.stringContaining(words)])
    expect(err).not.toMatch(/^\s+at |node_modules/m)
  })

  it("keys create: what the gateway refuses is said in its words", async () => {
    const typed = `keys create --merchant ${merchant.id} --environment production`
    expect(await refused(typed, deploymentOf({ databaseUrl: store.databaseUrl, url: server.url }))).toBe(
      "1 STORE_REFUSED"
    )
    const ran = await runCommand(typed.split(" "), deploymentOf({ databaseUrl: store.databaseUrl, url: server.url }))
    expect([ran.code, ran.out]).toEqual([1, ""])
    expect(ran.err).toContain("verification")
  })

  it("keys create: ends although the store's configuration keeps something open", async () => {
    const folder = newFolder()
    const own = await storeFolder()
    symlinkSync(join(own, "src"), join(folder, "src"))
    const whole = `setInterval(() => {}, 1000)\nmodule.exports = require(${JSON.stringify(join(own, "medusa-config.js"))})`
    writeFileSync(join(folder, "medusa-config.js"), whole)
    const { code, out } = await runCommand(
      ["keys", "create", "--merchant", merchant.id, "--directory", folder],
      deploymentOf({ databaseUrl: store.databaseUrl, url: server.url })
    )
    expect([code, out]).toEqual([0, expect.stringMatching(/^sk_test_/)])
  })

  it("keys create: a database without tables is named", async () => {
    const url = new URL(store.databaseUrl)
    url.pathname = "/postgres"
    const typed = ["keys", "create", "--merchant", merchant.id]
    const { code, err } = await runCommand(typed, deploymentOf({ databaseUrl: url.href, url: server.url }))
    expect([code, err]).toEqual([1, expect.stringContaining('relation "gateway_merchant" does not exist')])
  })

  const onDatabase = (change: (url: URL) => void) => {
    const url = new URL(store.databaseUrl)
    change(url)
    return deploymentOf({ databaseUrl: url.href, url: server.url })
  }

  it.each(["keys create", "rotate-secrets", "region add", "sample add"])(
    "%s: a database that does not answer is said in doctor's words, before Medusa tries for a minute",
    async (typed) => {
      const port = String(await freePort())
      const env = onDatabase((url) => (url.port = port))
      const { code, out, err } = await runCommand(typed.split(" "), env)
      expect([code, out]).toEqual([1, ""])
      expect(err).toContain(`PostgreSQL does not answer at localhost:${port}`)
      expect(err).not.toContain(env.DATABASE_URL)
    }
  )

  it("--json names what is wrong with the database with doctor's codes", async () => {
    const port = String(await freePort())
    expect(
      await refused(
        "keys create",
        onDatabase((url) => (url.port = port))
      )
    ).toBe("1 DATABASE_REFUSED")
    const missing = onDatabase((url) => (url.pathname = "/nothing_here"))
    expect(await refused("keys create", missing)).toBe("1 DATABASE_MISSING")
  })

  it("rotate-secrets encrypts with the new first key, and says when a key is missing", async () => {
    const databaseUrl = await copied()
    const [old, fresh] = [newKey("k1"), newKey("k2")]
    const env = (keys: string) => ({ ...deploymentOf({ databaseUrl, url: server.url }), GATEWAY_ENCRYPTION_KEYS: keys })
    await storeSecret(databaseUrl, old)
    expect(await refused("rotate-secrets", env(fresh))).toBe("1 SECRETS_UNREADABLE")
    type Columns = { columns: { rotated: number; left: number }[] }
    const { columns } = await answered<Columns>("rotate-secrets", env(`${fresh},${old}`))
    expect(columns.reduce((sum, { rotated }) => sum + rotated, 0)).toBe(1)
    expect(columns.every(({ left }) => left === 0)).toBe(true)
  }, 240_000)
})

describe("something to sell in taka, in the store's folder", () => {
  type Added = { region: { id: string }; change: string; variant_id: string; publishable_key: string }

  it("sample add makes region, product, delivery and key once; region add puts the gateway back, and refuses a region in euros", async () => {
    const databaseUrl = await copied()
    const env = deploymentOf({ databaseUrl, url: server.url })
    const { region, change, variant_id, publishable_key } = await answered<Added>("sample add", env)
    expect([change, region]).toEqual([
      "made",
      {
        id: expect.stringMatching(/^reg_/),
        name: "Bangladesh",
        currency_code: "bdt",
        provider_id: "pp_gateway_default",
        cash_provider_id: null,
      },
    ])
    const again = await runCommand(["sample", "add"], env)
    expect([again.code, again.out]).toEqual([
      0,
      `Found the region Bangladesh (${region.id}): BDT, paid with pp_gateway_default.\nKEY=${publishable_key} VARIANT=${variant_id}\n`,
    ])
    const [counts] = await rowsOf<Record<string, number>>(
      databaseUrl,
      `SELECT (SELECT count(*)::int FROM region) regions, (SELECT count(*)::int FROM product) products,
         (SELECT count(*)::int FROM shipping_option) deliveries,
         (SELECT count(*)::int FROM store_currency WHERE currency_code = 'bdt') currencies,
         (SELECT count(*)::int FROM tax_region WHERE country_code = 'bd') tax_regions`
    )
    expect(counts).toEqual({ regions: 1, products: 1, deliveries: 1, currencies: 1, tax_regions: 1 })
    await rowsOf(databaseUrl, "DELETE FROM region_payment_provider")
    expect(await answered("region add", env)).toEqual({ region, change: "provider_added" })
    const cash = { ...region, cash_provider_id: "pp_gateway_cod" }
    expect(await answered("region add --cash", env)).toEqual({ region: cash, change: "provider_added" })
    expect(await answered("region add --cash", env)).toEqual({ region: cash, change: "none" })
    const providers = await rowsOf<{ id: string }>(
      databaseUrl,
      "SELECT payment_provider_id AS id FROM region_payment_provider WHERE deleted_at IS NULL ORDER BY 1"
    )
    expect(providers.map(({ id }) => id)).toEqual(["pp_gateway_cod", "pp_gateway_default"])
    await rowsOf(databaseUrl, "UPDATE region SET currency_code = 'eur'")
    const taken = await runCommand(["region", "add"], env)
    expect([taken.code, taken.out]).toEqual([1, ""])
    expect(taken.err).toContain("Bangladesh belongs to the region Bangladesh, which is in EUR.")
  }, 240_000)

  it("region add in a store without the gateway: its payment provider is missing", async () => {
    const folder = newFolder()
    writeFileSync(join(folder, "medusa-config.js"), configuration("{}"))
    const env = deploymentOf({ databaseUrl: store.databaseUrl, url: server.url })
    expect(await refused(`region add --directory ${folder}`, env)).toBe("1 PROVIDER_MISSING")
  })
})

const newKey = (id: string) => `${id}:${randomBytes(32).toString("base64")}`

const copies: string[] = []
afterEach(async () => {
  for (const name of copies.splice(0)) {
    await dropDatabase(name)
  }
})

/** Another migrated database for the test, which no store uses. */
async function copied(withShop = false): Promise<string> {
  const name = `test_cli_${randomBytes(6).toString("hex")}`
  copies.push(name)
  return copyTemplate(name, withShop)
}

async function rowsOf<Row>(databaseUrl: string, text: string): Promise<Row[]> {
  let rows: Row[] = []
  await withDatabase(databaseUrl, async (client) => (rows = (await client.query(text)).rows as Row[]))
  return rows
}

async function withDatabase(databaseUrl: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/** One merchant with an IPN secret that these keys have encrypted. */
async function storeSecret(databaseUrl: string, keys: string): Promise<void> {
  const db = ModulesSdkUtils.createPgConnection({ clientUrl: databaseUrl, pool: { min: 0, max: 2 } })
  const { GATEWAY_ENCRYPTION_KEYS: before } = process.env
  process.env.GATEWAY_ENCRYPTION_KEYS = keys
  try {
    const gateway = await gatewayOn(db)
    const { id } = await gateway.merchants.create({ name: "Keys" })
    await gateway.webhookEndpoints.ipnSecret({ merchant_id: id, environment: "sandbox" })
    await gateway.__hooks.onApplicationShutdown()
  } finally {
    process.env.GATEWAY_ENCRYPTION_KEYS = before
    await db.destroy()
  }
}

type Report = { ok: boolean; checks: { check: string; status: string; findings: { level: string; code: string }[] }[] }

/** What doctor says: its exit code, errors and warnings. */
async function diagnosis(env: Record<string, string | undefined>, typed: string[] = []) {
  const { code, out, err } = await runCommand(["doctor", "--json", ...typed], env)
  expect(err).toBe("")
  const { ok, checks } = JSON.parse(out) as Report
  expect(ok).toBe(code === 0)
  const said = (level: string) =>
    checks.flatMap(({ findings }) => findings.filter((one) => one.level === level).map((one) => one.code))
  return { code, out, errors: said("error"), warnings: said("warning"), checks }
}

describe("doctor", () => {
  const deployment = () => deploymentOf({ databaseUrl: store.databaseUrl, url: server.url })

  it("finds nothing wrong with a store that runs; a sandbox in production mode is worth two warnings", async () => {
    const { code, errors, warnings, checks, out } = await diagnosis(deployment())
    expect([code, errors, warnings]).toEqual([0, [], ["SANDBOX_IN_PRODUCTION", "PUBLIC_URL_LOCAL"]])
    expect(checks.flatMap(({ check, status }) => (status === "not_checked" ? [check] : []))).toEqual(["Redis"])
    expect(out).not.toContain(deployment().GATEWAY_ENCRYPTION_KEYS?.split(":")[1])
    const { code: exit, out: text } = await runCommand(["doctor"], deployment())
    expect([exit, text]).toEqual([0, expect.stringMatching(/^database +ok$/m)])
  })

  const ofDatabase = (change: (url: URL) => void) => {
    const url = new URL(store.databaseUrl)
    change(url)
    return { DATABASE_URL: url.href }
  }

  type Env = Record<string, string | undefined>
  // Every run loads Medusa for seconds: what is wrong with the database stands beside a fault that needs none.
  it.each<[string, () => Env | Promise<Env>, string[]]>([
    [
      "no database, and a Redis that is not there",
      () => ({ DATABASE_URL: undefined, REDIS_URL: `redis://localhost:${closedPort}` }),
      ["DATABASE_UNSET", "REDIS_SILENT"],
    ],
    [
      "a database's port where nothing listens, and a public URL where nothing answers",
      () => ({
        ...ofDatabase((url) => (url.port = String(closedPort))),
        GATEWAY_PUBLIC_URL: `http://localhost:${closedPort}`,
      }),
      ["DATABASE_REFUSED", "PUBLIC_URL_SILENT"],
    ],
    [
      "a host that does not exist, and a key that is no key",
      () => ({ ...ofDatabase((url) => (url.hostname = "database.invalid")), GATEWAY_ENCRYPTION_KEYS: "secret" }),
      ["DATABASE_HOST_UNKNOWN", "ENCRYPTION_KEYS_WRONG"],
    ],
    [
      "a wrong password, and a public URL of something else",
      () => ({ ...ofDatabase((url) => (url.password = "wrong")), GATEWAY_PUBLIC_URL: elsewhereUrl() }),
      ["DATABASE_PASSWORD_WRONG", "PUBLIC_URL_ELSEWHERE"],
    ],
    [
      "a database that does not exist, and a public URL that is no URL",
      () => ({ ...ofDatabase((url) => (url.pathname = "/nothing_here")), GATEWAY_PUBLIC_URL: "shop.example.com" }),
      ["DATABASE_MISSING", "PUBLIC_URL_WRONG"],
    ],
    [
      "a database without tables, and half of an acquirer",
      () => ({ ...ofDatabase((url) => (url.pathname = "/postgres")), BKASH_APP_KEY: "key" }),
      ["MIGRATIONS_NEVER_RUN", "ACQUIRER_VARIABLES_MISSING"],
    ],
    ["a key that is lost", () => ({ GATEWAY_ENCRYPTION_KEYS: newKey("k9") }), ["ENCRYPTION_KEY_LOST"]],
    [
      "another key under the same id",
      () => ({ GATEWAY_ENCRYPTION_KEYS: newKey("tests") }),
      ["ENCRYPTION_KEY_REPLACED"],
    ],
    ["no key", () => ({ GATEWAY_ENCRYPTION_KEYS: "" }), ["ENCRYPTION_KEYS_UNSET", "ENCRYPTION_KEY_LOST"]],
    ["a wrong setting", () => ({ GATEWAY_RATE_LIMIT: "many" }), ["OPTIONS_WRONG"]],
    [
      "production as it never should be",
      () => ({
        GATEWAY_ENVIRONMENT: "production",
        JWT_SECRET: "supersecret",
        STRIPE_BASE_URL: "http://localhost:12111",
      }),
      [
        "PRIVATE_URLS_IN_PRODUCTION",
        "ACQUIRER_ADDRESS_REPLACED",
        "PUBLIC_URL_NOT_HTTPS",
        "JWT_SECRET_WEAK",
        "ACQUIRER_NONE",
      ],
    ],
  ])("names the fault: %s", async (_name, change, codes) => {
    closedPort = await freePort()
    const { code, errors } = await diagnosis({ ...deployment(), ...(await change()) })
    expect([code, errors]).toEqual([1, codes])
  })
  let closedPort = 0

  it("a fresh database: nothing has run yet, and nothing is set up", async () => {
    const env = { ...deployment(), DATABASE_URL: await copied() }
    const fresh = await diagnosis(env)
    expect(fresh.errors).toEqual(["WORKER_NEVER_RAN"])
    expect(fresh.warnings).toEqual(expect.arrayContaining(["REGION_MISSING", "API_KEY_NONE"]))
    expect((await diagnosis({ ...env, MEDUSA_WORKER_MODE: "server" })).errors).toEqual(["WORKER_OFF"])
  })

  it("a migration that has not run, and a region without the provider", async () => {
    const databaseUrl = await copied(true)
    await withDatabase(databaseUrl, async (client) => {
      await client.query("DELETE FROM mikro_orm_migrations WHERE name = 'Migration20261122080000'")
      await client.query("UPDATE region_payment_provider SET deleted_at = now()")
    })
    const { errors, warnings } = await diagnosis({ ...deployment(), DATABASE_URL: databaseUrl })
    expect(errors).toEqual(["MIGRATIONS_PENDING", "WORKER_NEVER_RAN"])
    expect(warnings).toContain("PROVIDER_NOT_ENABLED")
  })

  it("a worker that has stopped", async () => {
    const databaseUrl = await copied()
    await runMigrations({ connectionString: databaseUrl })
    await withDatabase(databaseUrl, (client) =>
      client.query(
        `INSERT INTO graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
         VALUES ('check-ledger', now() - interval '2 days', now() - interval '1 hour')`
      )
    )
    const { errors } = await diagnosis({ ...deployment(), DATABASE_URL: databaseUrl })
    expect(errors).toEqual(["WORKER_STOPPED"])
  })

  it("asks the acquirers: credentials that cannot be right, with the store's own words", async () => {
    const env = { ...deployment(), STRIPE_SECRET_KEY: `sk_live_${"a".repeat(30)}` }
    const { code, errors, out } = await diagnosis(env)
    expect([code, errors]).toEqual([1, ["ACQUIRER_REFUSED"]])
    expect(out).toContain("Stripe")
    expect(out).not.toContain(env.STRIPE_SECRET_KEY)
  })

  it.each([
    ["no configuration", null, ["CONFIG_MISSING"]],
    ["an error of syntax", "module.exports = {", ["CONFIG_BROKEN"]],
    ["an error when it runs", 'throw new Error("no such thing")', ["CONFIG_BROKEN"]],
    ["an end of the process", "process.exit(3)", ["CONFIG_BROKEN"]],
    ["a store without the gateway", configuration("{}"), ["PLUGIN_MISSING"]],
    ["a plugin without its provider", configuration('{ plugins: ["medusa-payment-gateway"] }'), ["PROVIDER_MISSING"]],
    [
      "a provider that cannot reach the gateway",
      configuration(
        '{ plugins: ["medusa-payment-gateway"], modules: [{ resolve: "@medusajs/medusa/payment", options: { providers: [{ resolve: "medusa-payment-gateway/providers/gateway-payment", id: "default" }] } }] }'
      ),
      ["PAYMENT_DEPENDENCY_MISSING"],
    ],
  ])("names the fault of the configuration: %s", async (_name, text, codes) => {
    const folder = newFolder()
    if (text !== null) {
      writeFileSync(join(folder, "medusa-config.js"), text)
    }
    const { code, errors } = await diagnosis(deployment(), ["--directory", folder])
    expect([code, errors]).toEqual([1, codes])
  })

  it("names the files of the store and of its plugins that handle the gateway's hook", async () => {
    const folder = newFolder()
    const plugins = '{ plugins: ["medusa-payment-gateway", "other", "not-installed"] }'
    writeFileSync(join(folder, "medusa-config.js"), configuration(plugins))
    const plugin = "node_modules/other/.medusa/server/src/workflows"
    for (const path of ["src/workflows", plugin]) {
      mkdirSync(join(folder, path), { recursive: true })
      writeFileSync(join(folder, path, "cart.js"), "completeCartWorkflow.hooks.validate(() => {})")
    }
    writeFileSync(join(folder, "node_modules/other/package.json"), '{ "name": "other" }')
    const { errors, out } = await diagnosis(deployment(), ["--directory", folder])
    expect(errors).toEqual(["PROVIDER_MISSING", "CART_HOOK_TAKEN", "CART_HOOK_TAKEN"])
    expect([out.includes('"src/workflows/cart.js"'), out.includes(`"${plugin}/cart.js"`)]).toEqual([true, true])
  })

  it("reads the variables in the .env of the store's folder", async () => {
    const folder = newFolder()
    writeFileSync(join(folder, "medusa-config.js"), configuration("{}"))
    writeFileSync(
      join(folder, ".env"),
      `DATABASE_URL=${ofDatabase((url) => (url.pathname = "/in_the_file")).DATABASE_URL}\n`
    )
    const { errors } = await diagnosis({ ...deployment(), DATABASE_URL: undefined }, ["--directory", folder])
    expect(errors).toContain("DATABASE_MISSING")
  })
})

/** A configuration that medusa's own defineConfig completes. */
function configuration(given: string): string {
  return `const { defineConfig } = require("@medusajs/framework/utils")\nmodule.exports = defineConfig(${given})\n`
}

const folders: string[] = []
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })))

/** Inside the repository, so that Medusa is found as in a store. */
function newFolder(): string {
  mkdirSync(join(ROOT, ".test"), { recursive: true })
  const folder = mkdtempSync(join(ROOT, ".test", "store-"))
  folders.push(folder)
  return folder
}
