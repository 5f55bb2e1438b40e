import { resolve } from "node:path"
import { fakeTelemetry } from "../../src/modules/gateway/kernel/__tests__/fake-telemetry"
import { runTask } from "../../src/modules/gateway/worker/tasks"
import { brief, call, gatewayOf, newMerchant, type Answer } from "../support/api"
import { CartShop } from "../support/carts"
import { importModule } from "../support/import-module.cjs"
import { keepsTrying } from "../support/locks"
import { CARD } from "../support/pages"
import { locationOf, PageReader } from "../support/recorded"
import type { ServerProcess } from "../support/server-process"
import { ROOT, useStore } from "../support/store"
import { whileTaking as taking } from "../support/store-calls"
import { until } from "../support/until"

/*
 * docs/decisions/0069: what an API process cannot do itself is done by a store process, and awaited. The store in this
 * process takes calls only while a test lets it.
 */

let shop: CartShop
let api: ServerProcess
const store = useStore({
  production: false,
  shop: true,
  prepare: async (booted) => {
    shop = new CartShop(booted)
    await shop.open()
    api = await booted.startApiProcess()
  },
})

const whileTaking = <Result>(work: () => Promise<Result>) => taking(store, work)
const waiting = () => store.db("gateway_store_call")
const move = (key: string, json: unknown): Promise<Answer> => call(api.url, "POST", "/sandbox/clock", json, { key })

describe("docs/decisions/0069: a cart that is paid through an API process", () => {
  it("has its order when the answer comes", async () => {
    const { cart, session } = await shop.checkout()
    const paid = await whileTaking(() => shop.pay(session.data.session_id, undefined, api.url))
    expect([paid.status, paid.body.data.status]).toEqual([200, "SUCCESS"])
    expect(await shop.ordersOf(cart.id)).toHaveLength(1)
    expect(await waiting()).toEqual([])
  })

  it("is refused as in the store when it has changed", async () => {
    const { cart, session } = await shop.checkout()
    // In the database: through Medusa's API the payment session would be deleted.
    await store.db.raw(
      `UPDATE cart_line_item SET unit_price = 99, raw_unit_price = '{"value": "99", "precision": 20}' WHERE cart_id = ?`,
      [cart.id]
    )
    const paid = await whileTaking(() => shop.pay(session.data.session_id, undefined, api.url))
    expect([paid.status, paid.body.error.code]).toEqual([409, "CART_CHANGED"])
    expect(await shop.ordersOf(cart.id)).toEqual([])
  })

  it("is neither paid nor half paid without a store process: 503, and it can be paid later", async () => {
    const { cart, session } = await shop.checkout()
    const asked = shop.pay(session.data.session_id, "4242424242424242", api.url)
    await until("the call is there", async () => (await waiting()).length > 0)
    const [row] = await waiting()
    expect(row).toMatchObject({ kind: "pay", state: "waiting", answer: null })
    expect(JSON.stringify(row)).not.toContain("4242424242424242")
    expect(row.input).toMatch(/^enc:v1:/)
    const paid = await asked
    expect([paid.status, paid.body.error.code]).toEqual([503, "SERVICE_UNAVAILABLE"])
    expect(await waiting()).toEqual([])
    expect(await shop.ordersOf(cart.id)).toEqual([])

    const later = await whileTaking(() => shop.pay(session.data.session_id, undefined, api.url))
    expect(later.body.data.status).toBe("SUCCESS")
    expect(await shop.ordersOf(cart.id)).toHaveLength(1)
  })
})

describe("docs/decisions/0069: a cart's page at an API process", () => {
  const open = async () => {
    const { cart, session } = await shop.checkout(undefined, { return_url: "http://localhost:8000/done" })
    const { session_id } = session.data
    return { cart, session_id, page: `/pay/${session_id}`, reader: new PageReader(api.url) }
  }

  it("leads to the shop when there is an order", async () => {
    const { cart, page, reader } = await open()
    const paid = await whileTaking(() => reader.submit(page, CARD))
    expect([paid.status, locationOf(paid)]).toEqual([303, expect.stringContaining("status=SUCCESS")])
    expect(await shop.ordersOf(cart.id)).toHaveLength(1)
  })

  it("says without a store process that nothing was paid, and can be paid and cancelled later", async () => {
    const { cart, page, reader } = await open()
    const refused = await reader.submit(page, CARD)
    expect([refused.status, refused.body]).toEqual([422, expect.stringContaining("cannot be reached at the moment")])
    const kept = await reader.submit(page, {}, `${page}/cancel`)
    expect([kept.status, kept.body]).toEqual([503, expect.stringContaining("Before you pay again")])
    expect(await waiting()).toEqual([])
    expect(await shop.ordersOf(cart.id)).toEqual([])
    const cancelled = await whileTaking(() => reader.submit(page, {}, `${page}/cancel`))
    expect(locationOf(cancelled)).toContain("status=CANCELLED")
  })

  it("money first: a payment that a dying process has made leads to its outcome, and is not made again", async () => {
    const { cart, session_id, page, reader } = await open()
    const { storeCalls, storePort } = gatewayOf(store)
    const asked = reader.submit(page, CARD)
    await until("the call is there", async () => (await waiting().where({ kind: "pay", state: "waiting" })).length > 0)
    const [{ id, input }] = await storeCalls.claim(["pay"], 1)
    const { calls } = storePort.connected
    // It does everything, and dies before it answers.
    const paid = await calls.pay(input() as Parameters<typeof calls.pay>[0])
    await waiting()
      .where({ id })
      .update({ updated_at: store.db.raw("now() - interval '21 seconds'") })
    const answer = await asked
    expect([answer.status, locationOf(answer)]).toEqual([303, paid.redirect_url])
    await expect(calls.pay(input() as Parameters<typeof calls.pay>[0])).rejects.toThrow(/./)
    const attempts = await store.db("gateway_payment_attempt").where({ transaction_id: paid.transaction_id })
    expect([attempts.length, (await shop.ordersOf(cart.id)).length]).toEqual([1, 1])
    expect((await gatewayOf(store).transactions.bySession(session_id)).state).toBe("SUCCESS")
    await waiting().delete()
  })

  it("the return makes the order that a dying process has not made, and keeps nobody from the shop", async () => {
    const { cart, session_id, reader } = await open()
    const { payments } = gatewayOf(store)
    const { transaction_id } = await payments.pay({ session_id, instrument: { method: "wallet" }, page_url: "" })
    const back = `/gateway/return?transaction_id=${transaction_id}`
    const without = await reader.ask("GET", back)
    expect([without.status, locationOf(without)]).toEqual([303, expect.stringMatching(/status=SUCCESS&order_id=$/)])
    const [one, other] = await whileTaking(() => Promise.all([reader.ask("GET", back), reader.ask("GET", back)]))
    const orders = await shop.ordersOf(cart.id)
    expect(orders).toHaveLength(1)
    expect([one, other].map(locationOf)).toContainEqual(expect.stringContaining(`order_id=${orders[0]}`))
  })
})

describe("docs/decisions/0069: the sandbox's clock through an API process", () => {
  it("moves, with what falls due meanwhile", async () => {
    const merchant = await newMerchant(store)
    const open = await merchant.open()
    const moved = await whileTaking(() => move(merchant.key, { advance_seconds: 3_600 }))
    expect(moved.body.data).toMatchObject({ processed: { expired_sessions: 1 } })
    expect(moved.body.data.offset_seconds).toBeGreaterThanOrEqual(3_600)
    expect((await merchant.verified(open.transaction_id)).status).toBe("EXPIRED")
  })

  it("contract 7.2: without a store process it is 503 with Retry-After, and moves nothing", async () => {
    const merchant = await newMerchant(store)
    const answer = await move(merchant.key, { advance_seconds: 60 })
    expect([brief(answer), answer.headers.get("retry-after")]).toEqual(["503 SERVICE_UNAVAILABLE", "5"])
    const clock = await merchant.call("GET", "/sandbox/clock")
    expect(clock.body.data.offset_seconds).toBe(0)
  })

  it("a process that has taken the move and says nothing more is given up after 20 seconds: 503", async () => {
    const merchant = await newMerchant(store)
    const moved = move(merchant.key, { advance_seconds: 60 })
    const calls = () => waiting().where({ kind: "move_clock", state: "waiting" })
    await until("the call is there", async () => (await calls()).length > 0)
    const [{ id }] = await calls()
    const { storeCalls } = gatewayOf(store)
    // What is left of a process that was killed in the middle: it has taken the call, and its last sign is old.
    expect((await storeCalls.claim(["move_clock"], 1)).map((call) => call.id)).toEqual([id])
    await storeCalls.heartbeat([id])
    const lock = "LOCK TABLE gateway_store_call IN EXCLUSIVE MODE"
    expect(await keepsTrying(store, (held) => held.raw(lock), moved)).toBe(true)
    await waiting()
      .where({ id })
      .update({ updated_at: store.db.raw("now() - interval '21 seconds'") })
    const answer = await moved
    expect([brief(answer), answer.headers.get("retry-after")]).toEqual(["503 SERVICE_UNAVAILABLE", "5"])
    await waiting().delete()
  })

  it("a wrong move is refused as in the store, field by field", async () => {
    const merchant = await newMerchant(store)
    const wrong = { advance_seconds: 10 ** 12 }
    const [here, there] = await whileTaking(async () => [
      await call(store.url, "POST", "/sandbox/clock", wrong, { key: merchant.key }),
      await move(merchant.key, wrong),
    ])
    expect(brief(there)).toBe(brief(here))
    expect(there.body.error.details).toEqual(here.body.error.details)
    expect(there.body.message).toBe(here.body.message)
  })
})

describe("contract 7.2 — while PostgreSQL cannot be reached", () => {
  /** As in scripts/chaos/cluster/link.mjs: the network before the database. */
  type Link = { open(): Promise<number>; cut(): void; leadTo(port: number): void; close(): void }

  it("an API process and its pages answer 503 with Retry-After, pay nothing, and go on automatically afterwards", async () => {
    const database = new URL(store.databaseUrl)
    const { Link } = await importModule<{ Link: new (port: number) => Link }>(
      resolve(ROOT, "scripts/chaos/cluster/link.mjs")
    )
    const link = new Link(Number(database.port))
    const reached = new URL(database)
    reached.port = String(await link.open())
    const { url } = await store.startApiProcess({ databaseUrl: reached.href })
    const merchant = await newMerchant(store)
    const { session_id, transaction_id } = await merchant.open()
    const headers = { "Idempotency-Key": "while away" }
    const pay = () =>
      call(
        url,
        "POST",
        `/sandbox/sessions/${session_id}/pay`,
        { payment_method: "card" },
        { key: merchant.key, headers }
      )
    try {
      link.leadTo(1)
      const [page, ...refused] = await Promise.all([fetch(`${url}/pay/${session_id}`), pay(), pay(), pay()])
      expect([page.status, page.headers.get("retry-after")]).toEqual([503, "5"])
      expect(await page.text()).toContain("Something went wrong on our side")
      expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual(
        Array(3).fill([503, "SERVICE_UNAVAILABLE"])
      )
      expect(refused.map(({ headers: sent }) => Number(sent.get("retry-after")))).toEqual([5, 5, 5])
      expect((await merchant.verified(transaction_id)).status).toBe("PENDING")
      link.leadTo(Number(database.port))
      const paid = await whileTaking(pay)
      expect([paid.status, paid.body.data.status]).toEqual([200, "SUCCESS"])
    } finally {
      link.close()
    }
  })
})

describe("docs/decisions/0070: what an API process asks belongs to the trace of its request", () => {
  it("from one process to the other", async () => {
    const merchant = await newMerchant(store)
    const tenant = { merchant_id: merchant.id, environment: "sandbox" }
    const { storeCalls } = gatewayOf(store)
    const fake = fakeTelemetry()
    try {
      const ask = async () => void (await storeCalls.ask("move_clock", { tenant, advance_seconds: 60 }))
      await whileTaking(() => runTask("of-the-test", ask))
    } finally {
      fake.unregister()
    }
    const [request, work] = fake.spans
    expect(work).toMatchObject({ name: "store call move_clock", traceId: request.traceId, parent: request.spanId })
  })
})
