import { admin as adminTexts } from "../../src/i18n/en/admin"
import { brief, newMerchant, type ApiMerchant } from "../support/api"
import { useReceiver } from "../support/receiver"
import { blocked } from "../support/locks"
import { refund } from "../support/refunds"
import { useStore } from "../support/store"
import { until } from "../support/until"

const store = useStore()
const receiver = useReceiver()

const row = (id: string) => store.db("gateway_transaction").where({ id }).first()
const types = async (owner: ApiMerchant, id: string) => (await owner.events(id)).map(({ event_type }) => event_type)
const clock = (owner: ApiMerchant, body: unknown) => owner.call("POST", "/sandbox/clock", body)

describe("decisions: Sandbox — the merchant's own clock", () => {
  it("GET /sandbox/clock answers { success, message, data: { now, offset_seconds, processed }, meta }", async () => {
    const owner = await newMerchant(store)
    const { status, body } = await owner.call("GET", "/sandbox/clock")
    expect([status, body.success]).toEqual([200, true])
    expect(body).toMatchObject({ message: expect.any(String), data: { offset_seconds: 0, processed: {} }, meta: {} })
    expect(Math.abs(Date.parse(body.data.now) - Date.now())).toBeLessThan(60_000)
  })

  it("advance_seconds moves it, again and again, and it keeps running", async () => {
    const owner = await newMerchant(store)
    const first = (await owner.advance(3_600)).body.data
    const second = (await owner.advance(86_400)).body.data
    expect(first.offset_seconds).toBeGreaterThanOrEqual(3_600)
    expect(Date.parse(second.now) - Date.parse(first.now)).toBeGreaterThanOrEqual(86_400_000)
    expect(second.now).toMatch(/Z$/)
    const read = (await owner.call("GET", "/sandbox/clock")).body.data
    expect(Date.parse(read.now)).toBeGreaterThanOrEqual(Date.parse(second.now))
  })

  it("now sets it, in any offset of ISO 8601", async () => {
    const owner = await newMerchant(store)
    const target = new Date(Date.now() + 7 * 86_400_000)
    const local = new Date(target.getTime() + 6 * 3_600_000).toISOString().replace("Z", "+06:00")
    const { status, body } = await clock(owner, { now: local })
    expect(status).toBe(200)
    expect(Date.parse(body.data.now)).toBeGreaterThanOrEqual(target.getTime())
    expect(Date.parse(body.data.now) - target.getTime()).toBeLessThan(60_000)
  })

  it("moves, even when a dispatcher locks deliveries in another order", async () => {
    const owner = await newMerchant(store)
    await owner.call("POST", "/merchants/webhooks", {
      endpoint_url: "https://shop.example.com/hook",
      event_types: ["*"],
    })
    for (const order of ["one", "two", "three"]) {
      await owner.pay((await owner.open({ order_id: order })).session_id)
    }
    const deliveries = () => store.db("gateway_webhook_delivery").where({ merchant_id: owner.id })
    const later = new Date(Date.now() + 10 * 86_400_000)
    await deliveries().update({ state: "pending", next_attempt_at: later, locked_until: null })
    const ids = await deliveries().orderBy("id").pluck<string[]>("id")
    expect(ids.length).toBeGreaterThanOrEqual(3)
    const lock = async (id: string) => {
      const held = await store.db.transaction()
      // The other statement finds the deadlock, and is ended for it.
      await held.raw("SET LOCAL deadlock_timeout = '1min'")
      await held("gateway_webhook_delivery").where({ id }).forUpdate()
      const advanced = owner.advance(60)
      await blocked(store, 1)
      const free = await store.db("gateway_webhook_delivery").whereIn("id", ids).forUpdate().skipLocked().pluck("id")
      const taken = ids.filter((one) => one !== id && !free.includes(one))
      await held("gateway_webhook_delivery").whereIn("id", taken).forUpdate()
      await held.commit()
      return { taken, status: (await advanced).status }
    }
    const [last, first] = [await lock(ids[ids.length - 1]), await lock(ids[0])]
    expect([last.status, first.status]).toEqual([200, 200])
    expect(last.taken.length + first.taken.length).toBeGreaterThan(0)
    await deliveries().delete()
  })

  it("all code reads time through it: a new session ends 30 minutes after the moved clock", async () => {
    const owner = await newMerchant(store)
    const { body } = await owner.advance(86_400)
    const { expires_at } = await owner.open()
    const life = Date.parse(expires_at) - Date.parse(body.data.now)
    expect(life).toBeGreaterThanOrEqual(1_800_000)
    expect(life).toBeLessThan(1_860_000)
  })

  it.each<[string, unknown, string]>([
    ["neither member", {}, "422 VALIDATION_ERROR"],
    ["both members", { advance_seconds: 1, now: "2090-01-01T00:00:00Z" }, "422 VALIDATION_ERROR"],
    ["null for one and nothing else", { advance_seconds: null }, "422 VALIDATION_ERROR"],
    ["backwards by seconds", { advance_seconds: -1 }, "422 VALIDATION_ERROR advance_seconds"],
    ["backwards by time", { now: "2020-01-01T00:00:00Z" }, "422 VALIDATION_ERROR now"],
    ["half a second", { advance_seconds: 0.5 }, "422 VALIDATION_ERROR advance_seconds"],
    ["text", { advance_seconds: "60" }, "422 VALIDATION_ERROR advance_seconds"],
    ["more than ten years", { advance_seconds: 11 * 366 * 86_400 }, "422 VALIDATION_ERROR advance_seconds"],
    ["beyond every date", { advance_seconds: Number.MAX_SAFE_INTEGER }, "422 VALIDATION_ERROR advance_seconds"],
    ["a date without time", { now: "2090-01-01" }, "422 VALIDATION_ERROR now"],
    ["a day that does not exist", { now: "2027-02-30T00:00:00Z" }, "422 VALIDATION_ERROR now"],
    ["no zone", { now: "2027-01-01T00:00:00" }, "422 VALIDATION_ERROR now"],
    ["a number for now", { now: 1_900_000_000 }, "422 VALIDATION_ERROR now"],
    ["the year 9999", { now: "9999-12-31T23:59:59Z" }, "422 VALIDATION_ERROR now"],
  ])("%s is refused and moves nothing", async (_name, body, expected) => {
    const owner = await newMerchant(store)
    expect(brief(await clock(owner, body))).toContain(expected)
    expect((await owner.call("GET", "/sandbox/clock")).body.data.offset_seconds).toBe(0)
  })

  it("however often it is moved, it never overflows", async () => {
    const owner = await newMerchant(store)
    const answers = []
    for (let round = 0; round < 9; round++) {
      answers.push(await owner.advance(9 * 366 * 86_400))
    }
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 422]))
    expect((await owner.checkout()).status).toBe(200)
  })

  it("decisions: Sandbox — what has fallen due is done before it answers, and counted", async () => {
    const owner = await newMerchant(store)
    const opened = [await owner.open(), await owner.open(), await owner.open()]
    await owner.pay(opened[2].session_id)
    expect((await owner.advance(1_700)).body.data.processed).toMatchObject({ expired_sessions: 0 })
    expect((await owner.advance(101)).body.data.processed).toMatchObject({ expired_sessions: 2 })
    expect((await owner.advance(10_000)).body.data.processed).toMatchObject({ expired_sessions: 0 })
    const states = await Promise.all(opened.map(async ({ transaction_id }) => (await row(transaction_id)).state))
    expect(states).toEqual(["EXPIRED", "EXPIRED", "SUCCESS"])
    expect(await types(owner, opened[0].transaction_id)).toEqual(["payment.expired"])
    expect((await owner.events(opened[0].transaction_id))[0].occurred_at.toISOString()).toBe(opened[0].expires_at)
  })

  it("more than one batch falls due at once", async () => {
    const owner = await newMerchant(store)
    const [first] = await Promise.all(Array.from({ length: 230 }, () => owner.open()))
    expect((await owner.advance(1_801)).body.data.processed.expired_sessions).toBe(230)
    expect((await owner.verified(first.transaction_id)).status).toBe("EXPIRED")
  })

  it("what follows from the last thing due is done too: the receipt of a refund that completes at the target", async () => {
    const owner = await newMerchant(store)
    const { session_id, transaction_id } = await owner.open()
    await owner.pay(session_id, { payment_method: "card", card_number: "4000000000007734" })
    expect((await refund(owner, transaction_id, { notify_customer: true })).status).toBe(200)
    const { processed } = (await owner.advance(86_400)).body.data
    expect(processed).toMatchObject({ reconciled_refunds: 1, receipts: 1 })
    // The admin's page has words for all of it.
    expect(Object.keys(adminTexts.developers.clock.work).sort()).toEqual(Object.keys(processed).sort())
  })

  it("a move ends while the merchant goes on paying, and has done what was due", async () => {
    const owner = await newMerchant(store)
    const endpoint = { endpoint_url: `${receiver.url}/hook`, event_types: ["*"] }
    expect((await owner.call("POST", "/merchants/webhooks", endpoint)).status).toBe(201)
    const before = await owner.open()
    let isOver = false
    let paid = 0
    const pays = async () => {
      for (; !isOver; paid++) {
        await owner.pay((await owner.open()).session_id)
      }
    }
    // As many as keep a move busy for ever that does all they cause. It works until its own bounds end it: some 200 steps.
    const load = Promise.all(Array.from({ length: 3 }, pays))
    await until("payments come all the time", () => paid > 6)
    const moves = [await owner.advance(3_600), await owner.advance(60)]
    isOver = true
    await load
    expect(moves.map(({ status }) => status)).toEqual([200, 200])
    expect(await types(owner, before.transaction_id)).toEqual(["payment.expired"])
  }, 600_000)

  it("moved by many at once it ends forward, and everything is done once", async () => {
    const owner = await newMerchant(store)
    const opened = await Promise.all(Array.from({ length: 5 }, () => owner.open()))
    const answers = await Promise.all(Array.from({ length: 8 }, () => owner.advance(2_000)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(answers.reduce((sum, { body }) => sum + body.data.processed.expired_sessions, 0)).toBe(5)
    expect(await Promise.all(opened.map(({ transaction_id }) => types(owner, transaction_id)))).toEqual(
      Array(5).fill(["payment.expired"])
    )
  })
})
