import { SandboxAcquirer } from "../../src/modules/gateway/payments/acquirers/sandbox"
import { admin as adminTexts } from "../../src/i18n/en/admin"
import { Database } from "../../src/modules/gateway/kernel/database"
import { newAttemptId } from "../../src/modules/gateway/kernel/ids"
import { done, moved, paymentRequest, ScriptedAcquirer, servicesWith, unknown } from "../support/acquirer"
import { brief, gatewayOf, newMerchant, type ApiMerchant, type Data } from "../support/api"
import { expectLoggedErrors } from "../support/logged-errors"
import { freePort } from "../support/ports"
import { useReceiver } from "../support/receiver"
import { blocked } from "../support/locks"
import { refund } from "../support/refunds"
import { useStore } from "../support/store"
import { METRICS_TOKEN } from "../support/store-options"
import { until } from "../support/until"

expectLoggedErrors(/the acquirer reports .* instead of .* for the refund .*; it stays open/)

const store = useStore()
const receiver = useReceiver()

const row = (id: string) => store.db("gateway_transaction").where({ id }).first()
const attempt = (transaction_id: string) => store.db("gateway_payment_attempt").where({ transaction_id }).first()
const types = async (owner: ApiMerchant, id: string) => (await owner.events(id)).map(({ event_type }) => event_type)
const clock = (owner: ApiMerchant, body: unknown) => owner.call("POST", "/sandbox/clock", body)
const PAGE = "https://pay.example.com/pay/x"
const CARD = { method: "card", card: { number: "4242424242424242" } } as const

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

/** Puts a transaction into the state that a process leaves when it dies between reservation and settlement. */
async function crashed(owner: ApiMerchant, asked: boolean, changes: Record<string, unknown> = {}): Promise<Data> {
  const opened = await owner.open(changes)
  const started = new Date(Date.now() - 600_000)
  const key = newAttemptId()
  const { amount_minor: amount } = await row(opened.transaction_id)
  if (asked) {
    const request = paymentRequest({ key, amount: BigInt(amount), instrument: CARD, now: started })
    await new SandboxAcquirer(new Database(store.db)).start(request)
  }
  await store.db("gateway_transaction").where({ id: opened.transaction_id }).update({
    state: "PROCESSING",
    attempts: 1,
    attempt_id: key,
    acquirer: "sandbox",
    payment_method: "card",
    payment_service: "CARD",
    charge_minor: 100,
  })
  await store.db("gateway_payment_attempt").insert({
    id: key,
    transaction_id: opened.transaction_id,
    merchant_id: owner.id,
    environment: "sandbox",
    number: 1,
    acquirer: "sandbox",
    payment_method: "card",
    payment_service: "CARD",
    currency: "BDT",
    amount_minor: amount,
    charge_minor: 100,
    started_at: started,
    inquiry_at: new Date(Date.now() - 1_000),
  })
  return opened
}

describe("design: unknown is not failed — a payment of unknown outcome", () => {
  it("stays PENDING, past its 30 minutes too, and can neither be paid nor cancelled", async () => {
    const owner = await newMerchant(store)
    const { transaction_id, session_id } = await crashed(owner, true)
    await store
      .db("gateway_merchant_environment")
      .where({ merchant_id: owner.id })
      .andWhere({ environment: "sandbox" })
      .update({ clock_offset_seconds: 4_000 })
    await gatewayOf(store).sessionExpiry.run(500)
    expect(await owner.verified(transaction_id)).toMatchObject({
      status: "PENDING",
      verified: false,
      charge_amount: "0.0000",
    })
    expect(brief(await owner.pay(session_id))).toBe("409 INVALID_STATE_TRANSITION")
    expect(brief(await owner.cancel(session_id))).toBe("409 INVALID_STATE_TRANSITION")
    expect(await owner.events(transaction_id)).toEqual([])
  })

  it.each([
    ["with the charge in the acquirer's book it is SUCCESS", true, {}, "SUCCESS", "payment.succeeded"],
    ["with a refusal in the book it is FAILED", true, { order_amount: "300.00" }, "FAILED", "payment.failed"],
    ["without anything in the book it is FAILED: the acquirer was never asked", false, {}, "FAILED", "payment.failed"],
  ])("the reconciler settles it: %s, with one event", async (_name, asked, changes, status, event) => {
    const owner = await newMerchant(store)
    const { transaction_id } = await crashed(owner, asked, changes)
    const { reconciliation } = gatewayOf(store)
    await Promise.all([reconciliation.run(50), reconciliation.run(50), reconciliation.run(50)])
    expect(await owner.verified(transaction_id)).toMatchObject({ status, verified: status === "SUCCESS" })
    expect(await types(owner, transaction_id)).toEqual([event])
    await reconciliation.run(50)
    expect(await types(owner, transaction_id)).toEqual([event])
  })

  it("the clock's move settles it as well, and counts it", async () => {
    const owner = await newMerchant(store)
    const { transaction_id } = await crashed(owner, true)
    expect((await owner.advance(600)).body.data.processed).toMatchObject({
      reconciled_payments: 1,
      expired_sessions: 0,
    })
    expect((await owner.verified(transaction_id)).status).toBe("SUCCESS")
  })

  it("an answer about an attempt that does not exist settles nothing", async () => {
    const owner = await newMerchant(store)
    const { transaction_id } = await crashed(owner, true)
    // The references below are the test's own and not in the sandbox's book.
    await store.db("gateway_payment_attempt").where({ transaction_id }).update({ acquirer: "scripted" })
    const { settlement } = servicesWith(store, "sandbox", new ScriptedAcquirer("inline", [unknown]))
    await expect(settlement.settle(newAttemptId(), moved(125_050n))).rejects.toThrow("there is no payment attempt")
    expect([(await row(transaction_id)).state, await owner.events(transaction_id)]).toEqual(["PROCESSING", []])
    await settlement.settle((await row(transaction_id)).attempt_id, moved(125_050n))
    expect((await row(transaction_id)).state).toBe("SUCCESS")
  })

  it("an inquiry that is not due is not made", async () => {
    const owner = await newMerchant(store)
    const { transaction_id } = await crashed(owner, true)
    await store
      .db("gateway_payment_attempt")
      .where({ transaction_id })
      .update({ inquiry_at: new Date(Date.now() + 60_000) })
    await gatewayOf(store).reconciliation.run(50)
    expect((await row(transaction_id)).state).toBe("PROCESSING")
  })

  it("the acquirer is asked after 5 minutes, 1 hour, then daily, until it knows", async () => {
    const owner = await newMerchant(store)
    const acquirer = new ScriptedAcquirer("inline", [unknown], [unknown, unknown, unknown, unknown, done])
    const { payments, reconciliation } = servicesWith(store, "sandbox", acquirer)
    const { session_id, transaction_id } = await owner.open()
    const outcome = await payments.pay({ session_id, instrument: CARD, page_url: PAGE })
    expect(outcome).toMatchObject({ status: "PENDING", redirect_url: PAGE, error_code: null })
    const started = (await attempt(transaction_id)).inquiry_at.getTime() - 300_000
    const due: number[] = []
    for (let round = 0; round < 5; round++) {
      const { inquiry_at } = await attempt(transaction_id)
      due.push(Math.round((inquiry_at.getTime() - started) / 1000))
      await reconciliation.run(50, { merchant_id: owner.id, until: inquiry_at })
    }
    expect(due).toEqual([300, 3_900, 90_300, 176_700, 263_100])
    expect(acquirer.started).toHaveLength(1)
    expect(acquirer.queried).toEqual(Array(5).fill((await row(transaction_id)).attempt_id))
    expect(await owner.verified(transaction_id)).toMatchObject({ status: "SUCCESS", verified: true })
    expect(await types(owner, transaction_id)).toEqual(["payment.succeeded"])
  })

  it("one that cannot be reconciled does not hold up the others", async () => {
    const owner = await newMerchant(store)
    const [lost, good] = [await crashed(owner, true), await crashed(owner, true)]
    await store
      .db("gateway_payment_attempt")
      .where({ transaction_id: lost.transaction_id })
      .update({ acquirer: "gone", inquiry_at: new Date(0) })
    await gatewayOf(store).reconciliation.run(50)
    expect([(await row(lost.transaction_id)).state, (await row(good.transaction_id)).state]).toEqual([
      "PROCESSING",
      "SUCCESS",
    ])
  })
})

describe("design: unknown is not failed — a refund that is not finished", () => {
  const wanted = (transaction_id: string) => ({
    transaction_id,
    reason: "test",
    requested_by: "test",
    request_key: "one",
  })

  it("decisions: Sandbox — the delayed card's refund completes after 24 hours on the clock, is counted once and has one event", async () => {
    const owner = await newMerchant(store)
    const { session_id, transaction_id } = await owner.open()
    await owner.pay(session_id, { payment_method: "card", card_number: "4000000000007734" })
    const refund = await gatewayOf(store).refunds.create(wanted(transaction_id))
    expect(refund.state).toBe("processing")
    await owner.advance(86_000)
    expect(await owner.verified(transaction_id)).toMatchObject({ status: "SUCCESS", verified: true })
    expect((await owner.advance(400)).body.data.processed).toMatchObject({ reconciled_refunds: 1 })
    expect(await owner.verified(transaction_id)).toMatchObject({ status: "REFUNDED", verified: true })
    expect((await types(owner, refund.id)).sort()).toEqual([
      "refund.completed",
      "refund.initiated",
      "refund.processing",
    ])
  })

  it.each([
    ["it is done", done, "completed", "REFUNDED"],
    ["it was refused", () => ({ result: "refused", code: "NO", message: "No" }) as const, "failed", "SUCCESS"],
  ])("the acquirer is asked again until it knows: %s", async (_name, final, state, status) => {
    const owner = await newMerchant(store)
    const absent = () => ({ result: "absent" }) as const
    const acquirer = new ScriptedAcquirer("inline", [done], [absent], [unknown, unknown, absent, final])
    const { payments, refunds, refundReconciliation } = servicesWith(store, "sandbox", acquirer)
    const { session_id, transaction_id } = await owner.open()
    await payments.pay({ session_id, instrument: CARD, page_url: PAGE })
    const { id } = await refunds.create(wanted(transaction_id))
    const due = async () => ({ merchant_id: owner.id, until: (await refundReconciliation.nextDue(owner.id)) as Date })
    expect(await refundReconciliation.run(50, await due())).toBe(1)
    expect((await refunds.list(transaction_id))[0].state).toBe("processing")
    expect(await refundReconciliation.run(50, await due())).toBe(1)
    expect(acquirer.refunds).toEqual([`asked for ${id}`, `asked about ${id}`, `asked about ${id}`, `asked for ${id}`])
    expect((await refunds.list(transaction_id))[0].state).toBe(state)
    expect((await owner.verified(transaction_id)).status).toBe(status)
    expect((await row(transaction_id)).refunded_minor).toBe(state === "completed" ? 125_050 : 0)
    expect(await refundReconciliation.nextDue(owner.id)).toBeNull()
  })

  it("acquirers: of another amount than was asked for it stays processing and reserved, is not asked for again, alarms once, and ends when the acquirer has corrected it", async () => {
    const owner = await newMerchant(store)
    const wrong = moved(10_000n)
    const absent = () => ({ result: "absent" }) as const
    const lost = () => ({ result: "refused", code: "NETWORK_ERROR", message: "No line", retry: true }) as const
    const acquirer = new ScriptedAcquirer("inline", [done], [absent], [() => wrong, () => wrong, absent, lost, done])
    const { payments, refunds } = servicesWith(store, "sandbox", acquirer)
    const { session_id, transaction_id } = await owner.open()
    await payments.pay({ session_id, instrument: CARD, page_url: PAGE })
    const { id, state } = await refunds.create(wanted(transaction_id))
    expect(state).toBe("processing")
    const asked = [await refunds.inquire(id), await refunds.inquire(id), await refunds.inquire(id)]
    expect(asked).toMatchObject(Array(3).fill({ state: "processing", acquirer_reference: null }))
    expect(acquirer.refunds).toEqual([`asked for ${id}`, ...Array(3).fill(`asked about ${id}`)])
    expect([(await row(transaction_id)).refunded_minor, await types(owner, id)]).toEqual([
      125_050,
      expect.not.arrayContaining(["refund.completed", "refund.failed"]),
    ])
    expect(await store.db("gateway_audit_entry").where({ resource_id: id }).orderBy("number")).toMatchObject([
      { action: "refund.requested" },
      {
        action: "refund.amount_mismatched",
        actor_type: "system",
        changes: { amount: { from: "1250.50", to: "100.00" }, reference: { from: null, to: wrong.reference } },
      },
    ])
    expect(await refunds.inquire(id)).toMatchObject({ state: "completed" })
    expect((await owner.verified(transaction_id)).status).toBe("REFUNDED")
  })
})

describe("decisions: Environments — sandbox data older than seven days is purged", () => {
  const tables = [
    "gateway_transaction",
    "gateway_payment_attempt",
    "gateway_checkout_session",
    "gateway_event",
    "gateway_idempotency_key",
  ] as const

  async function age(owner: ApiMerchant, days: number): Promise<void> {
    const created_at = new Date(Date.now() - days * 86_400_000)
    await Promise.all(tables.map((table) => store.db(table).where({ merchant_id: owner.id }).update({ created_at })))
    await store
      .db("gateway_sandbox_operation")
      .whereIn("key", store.db("gateway_payment_attempt").where({ merchant_id: owner.id }).select("id"))
      .update({ created_at })
  }

  const left = async (owner: ApiMerchant) =>
    Object.fromEntries(
      await Promise.all(
        tables.map(async (table) => [table, (await store.db(table).where({ merchant_id: owner.id })).length])
      )
    )

  async function used(): Promise<[ApiMerchant, Data]> {
    const owner = await newMerchant(store)
    const { body } = await owner.checkout({}, { headers: { "Idempotency-Key": "purge" } })
    await owner.pay(body.data.session_id)
    return [owner, body.data]
  }

  it("the old goes, with its book; the younger stays, and keys and merchants stay", async () => {
    const [[old, gone], [young, kept]] = [await used(), await used()]
    await gatewayOf(store).refunds.create({
      transaction_id: gone.transaction_id,
      reason: "x",
      requested_by: "x",
      request_key: "x",
    })
    await age(old, 7.01)
    await age(young, 6.99)
    const { attempt_id } = await row(gone.transaction_id)
    const book = () => store.db("gateway_sandbox_operation").where({ key: attempt_id })
    expect(await book()).toHaveLength(1)
    await gatewayOf(store).sandboxPurge.run()
    expect(await left(old)).toEqual(Object.fromEntries(tables.map((table) => [table, 0])))
    expect(await book()).toEqual([])
    expect(await left(young)).toEqual(Object.fromEntries(tables.map((table) => [table, 1])))
    expect(await young.book(kept.transaction_id)).toHaveLength(1)
    expect(brief(await old.verify(gone.transaction_id))).toBe("404 TRANSACTION_NOT_FOUND")
    expect((await old.checkout()).status).toBe(200)
    expect((await gatewayOf(store).merchants.retrieve(old.id)).id).toBe(old.id)
  })

  it("the deliveries of old events go with them, and their attempts: without its event a delivery is never sent", async () => {
    const owner = await newMerchant(store)
    const endpoint = { endpoint_url: "https://shop.example.com/hook", event_types: ["payment.succeeded"] }
    expect((await owner.call("POST", "/merchants/webhooks", endpoint)).status).toBe(201)
    const { body } = await owner.checkout()
    await owner.pay(body.data.session_id)
    const deliveries = () => store.db("gateway_webhook_delivery").where({ merchant_id: owner.id })
    await gatewayOf(store).sandboxPurge.run()
    const [{ id: delivery_id }] = await deliveries()
    await age(owner, 7.01)
    await deliveries().update({ created_at: new Date(Date.now() - 7.01 * 86_400_000) })
    await store.db.raw(
      `INSERT INTO gateway_webhook_attempt (id, delivery_id, delivery_created_at, attempt, attempted_at, url, duration_ms)
       SELECT 'gwa_' || right(id, 26), id, created_at, 1, now(), ?, 1 FROM gateway_webhook_delivery WHERE id = ?`,
      [endpoint.endpoint_url, delivery_id]
    )
    const attempts = () => store.db("gateway_webhook_attempt").where({ delivery_id })
    expect(await attempts()).toHaveLength(1)
    await gatewayOf(store).sandboxPurge.run()
    expect([await deliveries(), await attempts()]).toEqual([[], []])
  })

  it("in real time, whatever the sandbox clock says", async () => {
    const [owner, { transaction_id }] = await used()
    await owner.advance(30 * 86_400)
    await gatewayOf(store).sandboxPurge.run()
    expect((await owner.verified(transaction_id)).status).toBe("SUCCESS")
  })

  it("production data stays", async () => {
    const [owner, { transaction_id }] = await used()
    await store.db("gateway_transaction").where({ id: transaction_id }).update({ environment: "production" })
    await store.db("gateway_checkout_session").where({ merchant_id: owner.id }).update({ environment: "production" })
    await store.db("gateway_event").where({ merchant_id: owner.id }).update({ environment: "production" })
    await age(owner, 400)
    await gatewayOf(store).sandboxPurge.run()
    expect(await left(owner)).toMatchObject({ gateway_transaction: 1, gateway_checkout_session: 1, gateway_event: 1 })
  })
})

describe("design: Background work — the queue runs the jobs", () => {
  const jobs = ["expire-sessions", "reconcile-payments", "reconcile-refunds", "purge-idempotency-keys", "purge-sandbox"]

  it("a worker process knows every schedule, and a job does what its service does", async () => {
    const owner = await newMerchant(store)
    const { transaction_id } = await owner.open()
    const lost = await crashed(owner, true)
    await store
      .db("gateway_merchant_environment")
      .where({ merchant_id: owner.id, environment: "sandbox" })
      .update({ clock_offset_seconds: 1_800 })
    const port = await freePort()
    const watched = { GATEWAY_WORKER_PORT: String(port), GATEWAY_METRICS_TOKEN: METRICS_TOKEN }
    const server = await store.startServerProcess({ env: { MEDUSA_WORKER_MODE: "worker", ...watched } })
    const { rows } = await store.db.raw("SELECT identifier FROM graphile_worker._private_known_crontabs")
    expect(rows.map(({ identifier }: { identifier: string }) => identifier)).toEqual(expect.arrayContaining(jobs))
    for (const job of jobs) {
      await store.db.raw("SELECT graphile_worker.add_job(?)", [job])
    }
    const ended = async () => [(await row(transaction_id)).state, (await row(lost.transaction_id)).state]
    await until("the worker has ended both payments", async () =>
      (await ended()).every((state) => state !== "OPEN" && state !== "PROCESSING")
    )
    expect(await ended()).toEqual(["EXPIRED", "SUCCESS"])
    expect([await types(owner, transaction_id), await types(owner, lost.transaction_id)]).toEqual([
      ["payment.expired"],
      ["payment.succeeded"],
    ])
    // docs/decisions/0071: what a worker counts can be read, although Medusa loads no routes there.
    const metrics = await fetch(`http://localhost:${port}/gateway/metrics`, {
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    })
    expect(await metrics.text()).toContain('gateway_amount_mismatches_total{kind="payment"} 0\n')
    expect((await fetch(`http://localhost:${port}/health/ready`)).status).toBe(200)
    await server.kill("SIGTERM")
  })
})
