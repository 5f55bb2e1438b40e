import { randomUUID } from "node:crypto"
import type { RefundRequest, Unknown } from "../../src/modules/gateway/acquirers/port"
import { SandboxAcquirer } from "../../src/modules/gateway/acquirers/sandbox"
import { Database } from "../../src/modules/gateway/kernel/database/database"
import { servicesWith } from "../support/acquirer"
import {
  attemptsOf,
  brief,
  gatewayOf,
  newMerchant,
  order,
  orderId,
  type Answer,
  type ApiMerchant,
} from "../support/api"
import { paid, refund } from "../support/refunds"
import { useStore } from "../support/store"

const store = useStore({
  prepare: async (booted) => {
    merchant = await newMerchant(booted)
  },
})
let merchant: ApiMerchant

const times = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

function counter(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const answer of answers) {
    counts[brief(answer)] = (counts[brief(answer)] ?? 0) + 1
  }
  return counts
}

describe("contract 4.2 rule 6, decisions: Checkout — 64 checkouts with one order_id", () => {
  it("one wins, 63 are 409 DUPLICATE_TRANSACTION, and there is one session and one transaction", async () => {
    const order_id = orderId()
    const answers = await times(64, () => merchant.checkout({ order_id }))
    expect(counter(answers)).toEqual({ "200": 1, "409 DUPLICATE_TRANSACTION order_id": 63 })
    const sessions = await store.db("gateway_checkout_session").where({ order_id })
    const transactions = await store.db("gateway_transaction").where({ order_id })
    const winner = answers.find(({ status }) => status === 200)?.body.data
    expect(sessions.map(({ id }) => id)).toEqual([winner?.session_id])
    expect(transactions.map(({ id }) => id)).toEqual([winner?.transaction_id])
  })

  it("two merchants with the same order_id do not stand in each other's way", async () => {
    const order_id = orderId()
    const other = await newMerchant(store)
    const answers = await times(32, (index) => (index % 2 === 0 ? merchant : other).checkout({ order_id }))
    expect(counter(answers)).toEqual({ "200": 2, "409 DUPLICATE_TRANSACTION order_id": 30 })
  })
})

describe("decisions: Compatible with shop modules — an order_id repeated in races", () => {
  let shop: ApiMerchant
  const current = (order_id: string) => store.db("gateway_checkout_session").where({ order_id, replaced_at: null })

  beforeEach(async () => {
    shop = await newMerchant(store)
    const tenant = { merchant_id: shop.id, environment: "sandbox" } as const
    await gatewayOf(store).merchants.configure(tenant, { shop_modules: true })
  })

  it("32 times the same order: one session, whose answer all of them get", async () => {
    const order_id = orderId()
    const answers = await times(32, () => shop.checkout({ order_id }))
    expect(counter(answers)).toEqual({ "200": 32 })
    expect(new Set(answers.map(({ body }) => body.data.session_id)).size).toBe(1)
    expect(await store.db("gateway_transaction").where({ order_id })).toHaveLength(1)
  })

  it("the order ended before: 16 repetitions share one new session", async () => {
    const order_id = orderId()
    await shop.cancel((await shop.open({ order_id })).session_id)
    const answers = await times(16, () => shop.checkout({ order_id }))
    expect(counter(answers)).toEqual({ "200": 16 })
    expect(new Set(answers.map(({ body }) => body.data.session_id)).size).toBe(1)
    expect(await store.db("gateway_transaction").where({ order_id })).toHaveLength(2)
  })

  it("16 different amounts: one session is open in the end, all others expired, and one is the order's", async () => {
    const order_id = orderId()
    const answers = await times(16, (index) => shop.checkout({ order_id, order_amount: 20 + index }))
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
    const rows = await store.db("gateway_transaction").where({ order_id })
    expect(rows.filter(({ state }) => state === "OPEN")).toHaveLength(1)
    expect(rows.filter(({ state }) => !["OPEN", "EXPIRED"].includes(state))).toEqual([])
    expect(await current(order_id)).toHaveLength(1)
  })

  it("paid while the order changes: either it is paid and the change is 409, or it expired and is not", async () => {
    for (let round = 0; round < 10; round++) {
      const order_id = orderId()
      const first = await shop.open({ order_id })
      const [payment, change] = await Promise.all([
        shop.pay(first.session_id),
        shop.checkout({ order_id, order_amount: "20.00" }),
      ])
      const { status } = await shop.verified(first.transaction_id)
      expect([payment.status === 200, change.status === 409, change.status === 200]).toEqual([
        status === "SUCCESS",
        status === "SUCCESS",
        status === "EXPIRED",
      ])
      expect(await current(order_id)).toHaveLength(1)
    }
  })
})

describe("decisions: Checkout — one session paid 32 times at once", () => {
  it.each([
    ["1250.50", "SUCCESS", "payment.succeeded"],
    ["300.00", "FAILED", "payment.failed"],
    ["400.00", "FAILED", "payment.failed"],
  ])("%s: one attempt, %s once, 31 are 409; one charge in the book, one event", async (order_amount, status, event) => {
    const { session_id, transaction_id } = await merchant.open({ order_amount })
    const answers = await times(32, (index) =>
      merchant.pay(session_id, { payment_method: index % 2 === 0 ? "card" : "wallet" })
    )
    expect(counter(answers)).toEqual({ "200": 1, "409 INVALID_STATE_TRANSITION": 31 })
    expect((await merchant.verified(transaction_id)).status).toBe(status)
    expect(await merchant.book(transaction_id)).toMatchObject([{ tries: order_amount === "400.00" ? 3 : 1 }])
    expect((await merchant.events(transaction_id)).map(({ event_type }) => event_type)).toEqual([event])
  })

  it("two different cards race: the fee, the method and the instrument are the winner's", async () => {
    const { session_id, transaction_id } = await merchant.open({ order_amount: "1000.00" })
    const methods = ["card", "mobile_banking", "internet_banking", "wallet"]
    const answers = await times(16, (index) => merchant.pay(session_id, { payment_method: methods[index % 4] }))
    const winner = methods[answers.findIndex(({ status }) => status === 200) % 4]
    const row = await store.db("gateway_transaction").where({ id: transaction_id }).first()
    expect([row.payment_method, row.charge_minor]).toEqual([winner, winner === "card" ? 2_500 : 1_500])
  })
})

const FINAL: Record<string, string> = {
  SUCCESS: "payment.succeeded",
  FAILED: "payment.failed",
  CANCELLED: "payment.cancelled",
  EXPIRED: "payment.expired",
}

describe("decisions: Checkout — pay against cancel against expiry", () => {
  it("forty rounds: exactly one final state each, one event, and money only where it is SUCCESS", async () => {
    const owner = await newMerchant(store)
    const endings: string[] = []
    for (let round = 0; round < 40; round++) {
      const { session_id, transaction_id } = await owner.open()
      const steps = [
        () => owner.pay(session_id),
        () => owner.cancel(session_id),
        () => owner.advance(1_801),
        () => owner.pay(session_id),
        () => gatewayOf(store).sessionExpiry.run(50),
      ]
      const rotated = steps.map((_, index) => steps[(index + round) % steps.length])
      const answers = (await Promise.all(rotated.map((step) => step()))).filter(
        (answer): answer is Answer => typeof answer === "object"
      )
      const { status } = await owner.verified(transaction_id)
      endings.push(status)
      expect((await owner.events(transaction_id)).map(({ event_type }) => event_type)).toEqual([FINAL[status]])
      expect(await owner.book(transaction_id)).toHaveLength(status === "SUCCESS" ? 1 : 0)
      const ended = answers.filter(({ status: code, body }) => code === 200 && body.data.status !== undefined)
      expect(ended.map(({ body }) => body.data.status)).toEqual(status === "EXPIRED" ? [] : [status])
      expect(answers.every(({ status: code }) => [200, 408, 409].includes(code))).toBe(true)
    }
    expect(endings.every((status) => status in FINAL)).toBe(true)
  })

  it("a session whose time is up while 32 pay, 8 cancel and 4 jobs run: EXPIRED once, nothing charged", async () => {
    const owner = await newMerchant(store)
    const { session_id, transaction_id } = await owner.open()
    await store
      .db("gateway_merchant_environment")
      .where({ merchant_id: owner.id, environment: "sandbox" })
      .update({ clock_offset_seconds: 1_800 })
    const [paid, cancelled] = await Promise.all([
      times(32, () => owner.pay(session_id)),
      times(8, () => owner.cancel(session_id)),
      times(4, () => gatewayOf(store).sessionExpiry.run(50)),
    ])
    expect(counter([...paid, ...cancelled])).toEqual({ "408 PAYMENT_TIMEOUT": 40 })
    expect((await owner.events(transaction_id)).map(({ event_type }) => event_type)).toEqual(["payment.expired"])
    expect(await owner.book(transaction_id)).toEqual([])
  })
})

describe("decisions: Requests — one Idempotency-Key raced 32 times", () => {
  it.each<[string, () => Promise<(headers: Record<string, string>) => Promise<Answer>>]>([
    [
      "a checkout",
      async () => {
        const body = order()
        return (headers) => merchant.call("POST", "/payments/checkout", body, { headers })
      },
    ],
    [
      "a payment",
      async () => {
        const { session_id } = await merchant.open()
        return (headers) => merchant.pay(session_id, undefined, { headers })
      },
    ],
  ])("%s runs once; every other answer is its replay or 409 IDEMPOTENCY_KEY_IN_USE", async (_name, prepare) => {
    const request = await prepare()
    const headers = { "Idempotency-Key": randomUUID() }
    const answers = await times(32, () => request(headers))
    const fresh = answers.filter(
      (answer) => answer.status === 200 && answer.headers.get("idempotent-replayed") === null
    )
    expect(fresh).toHaveLength(1)
    const others = answers.filter((answer) => answer !== fresh[0])
    expect(
      others.every(
        (answer) => answer.text === fresh[0].text || brief(answer) === "409 IDEMPOTENCY_KEY_IN_USE Idempotency-Key"
      )
    ).toBe(true)
    const { transaction_id } = fresh[0].body.data
    const { order_id } = await merchant.verified(transaction_id)
    expect(await store.db("gateway_transaction").where({ order_id })).toHaveLength(1)
    expect((await request(headers)).text).toBe(fresh[0].text)
  })

  it("with 32 different requests one is answered, the others are 409 or 422, and one order exists", async () => {
    const headers = { "Idempotency-Key": randomUUID() }
    const bodies = Array.from({ length: 32 }, () => order())
    const answers = await times(32, (index) => merchant.call("POST", "/payments/checkout", bodies[index], { headers }))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.every(({ status }) => [200, 409, 422].includes(status))).toBe(true)
    const made = await store.db("gateway_transaction").whereIn(
      "order_id",
      bodies.map(({ order_id }) => String(order_id))
    )
    expect(made).toHaveLength(1)
  })
})

describe("decisions: Refunds — the sum never exceeds the amount, under any concurrency", () => {
  it("twenty refunds of 100.00 at once on 1000.00: ten, and REFUNDED", async () => {
    const { session_id, transaction_id } = await merchant.open({ order_amount: "1000.00" })
    await merchant.pay(session_id)
    const { refunds } = gatewayOf(store)
    const results = await times(20, (index) =>
      refunds
        .create({ transaction_id, amount: 10_000n, reason: "race", requested_by: "test", request_key: `race-${index}` })
        .then(
          ({ state }) => state,
          ({ code }: { code: string }) => code
        )
    )
    expect(results.filter((result) => result === "completed")).toHaveLength(10)
    expect(results.filter((result) => result === "ALREADY_REFUNDED")).toHaveLength(10)
    expect((await merchant.verified(transaction_id)).status).toBe("REFUNDED")
  })
})

describe("decisions: Refunds — races over HTTP", () => {
  /** Waits for the refund to be there, then asks about it as the reconciler does. */
  async function inquireOnce(transaction_id: string) {
    const { refunds } = gatewayOf(store)
    for (;;) {
      const [refunded] = await refunds.list(transaction_id)
      if (refunded !== undefined) {
        return refunds.inquire(refunded.id)
      }
    }
  }

  it("64 full refunds of one transaction at once: one, and 63 are 409 ALREADY_REFUNDED; the book has one", async () => {
    const { transaction_id } = await paid(merchant)
    const answers = await times(64, () => refund(merchant, transaction_id))
    expect(counter(answers)).toEqual({ "200": 1, "409 ALREADY_REFUNDED": 63 })
    expect(
      await store
        .db("gateway_sandbox_operation")
        .where({ kind: "refund" })
        .whereIn("charge_key", attemptsOf(store, transaction_id))
    ).toMatchObject([{ amount_minor: 100_000, tries: 1 }])
    expect((await merchant.verified(transaction_id)).status).toBe("REFUNDED")
  })

  it("400 refunds of 1.00 on 150.00: exactly 150, one IPN's worth of REFUNDED, the ledger adds up", async () => {
    const { transaction_id } = await paid(merchant, "150.00")
    const answers = await times(400, () => refund(merchant, transaction_id, { refund_amount: "1.00" }))
    expect(counter(answers)).toEqual({ "200": 150, "409 ALREADY_REFUNDED": 250 })
    const rows = await store.db("gateway_refund").where({ transaction_id })
    expect(rows.every(({ state, amount_minor }) => state === "completed" && amount_minor === 100)).toBe(true)
    expect([rows.length, (await merchant.verified(transaction_id)).status]).toEqual([150, "REFUNDED"])
    const events = await store
      .db("gateway_event")
      .whereIn(
        "resource_id",
        rows.map(({ id }) => id)
      )
      .select("event_type")
    expect(events).toHaveLength(450)
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("one Idempotency-Key raced 32 times: one refund", async () => {
    const { transaction_id } = await paid(merchant)
    const headers = { "Idempotency-Key": randomUUID() }
    const answers = await times(32, () => refund(merchant, transaction_id, { refund_amount: "10.00" }, headers))
    expect(
      answers.every((answer) => answer.status === 200 || brief(answer) === "409 IDEMPOTENCY_KEY_IN_USE Idempotency-Key")
    ).toBe(true)
    expect(await store.db("gateway_refund").where({ transaction_id })).toHaveLength(1)
  })

  it("one request_key raced 64 times, while the reconciler asks about its refund: one refund, one settlement, one set of events", async () => {
    const { transaction_id } = await paid(merchant)
    const { refunds } = gatewayOf(store)
    const wanted = { transaction_id, amount: 10_000n, reason: "race", requested_by: "test", request_key: "one" }
    const [first, ...others] = await times(128, (index) =>
      index % 2 === 0 ? refunds.create(wanted) : inquireOnce(transaction_id)
    )
    expect(new Set([first, ...others].map((refunded) => refunded.id))).toEqual(new Set([first.id]))
    expect((await refunds.list(transaction_id)).map(({ state }) => state)).toEqual(["completed"])
    const types = await store.db("gateway_event").where({ resource_id: first.id }).orderBy("id").pluck("event_type")
    expect(types).toEqual(["refund.initiated", "refund.processing", "refund.completed"])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("asked about twice at once, and only the second answer knows: settled once", async () => {
    const { transaction_id } = await paid(merchant)
    const book = new SandboxAcquirer(new Database(store.db))
    const later: Unknown = { result: "unknown", message: "Tomorrow", ask_again_at: new Date(Date.now() + 86_400_000) }
    let answers = 0
    // The first answer is written down alone; the rest waits for it, and is written down together.
    const acquirer = Object.assign(new SandboxAcquirer(new Database(store.db)), {
      refund: (request: RefundRequest) => book.refund(request).then(() => later),
      refundStatus: (request: RefundRequest) =>
        book.refundStatus(request).then((known) => ((answers += 1) <= 12 ? later : known)),
    })
    const { refunds } = servicesWith(store, "sandbox", acquirer)
    const wanted = { transaction_id, amount: 10_000n, reason: "race", requested_by: "test", request_key: "twice" }
    const { id } = await refunds.create(wanted)
    await times(32, () => refunds.inquire(id))
    expect((await refunds.retrieve(id)).state).toBe("completed")
    const types = await store.db("gateway_event").where({ resource_id: id }).orderBy("id").pluck("event_type")
    expect(types).toEqual(["refund.initiated", "refund.processing", "refund.completed"])
  })

  it("two batches of the same transactions in opposite orders, and single refunds beside them: nothing waits for ever", async () => {
    const owner = await newMerchant(store)
    const ids = (await times(12, () => paid(owner))).map(({ transaction_id }) => transaction_id)
    const batch = (order_: string[]) =>
      owner.call("POST", "/payments/refunds/batch", {
        refunds: order_.map((transaction_id) => ({ transaction_id, refund_amount: "300.00", refund_reason: "x" })),
      })
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, (_, index) => batch(index % 2 === 0 ? ids : [...ids].reverse())),
      ...ids.map((id) => refund(owner, id, { refund_amount: "300.00" })),
    ])
    expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true)
    await owner.advance(5)
    const rows = await store.db("gateway_transaction").whereIn("id", ids)
    expect(rows.map(({ refunded_minor }) => refunded_minor)).toEqual(Array(12).fill(90_000))
  })
})

describe("decisions: Refunds — 10,000 refunds of 1.00 at once on 5000.00", () => {
  it("exactly 5,000, by two sets of services that know nothing of each other, as two processes would be", async () => {
    const { transaction_id } = await paid(merchant, "5000.00")
    const acquirer = () => new SandboxAcquirer(new Database(store.db))
    const processes = [servicesWith(store, "sandbox", acquirer()), servicesWith(store, "sandbox", acquirer())]
    const outcomes = await times(10_000, (index) =>
      processes[index % 2].refunds
        .create({ transaction_id, amount: 100n, reason: "race", requested_by: "test", request_key: null })
        .then(
          ({ state }) => state,
          ({ code }: { code: string }) => code
        )
    )
    const counts = new Map<string, number>()
    outcomes.forEach((outcome) => counts.set(outcome, (counts.get(outcome) ?? 0) + 1))
    expect(Object.fromEntries(counts)).toEqual({ completed: 5_000, ALREADY_REFUNDED: 5_000 })
    const [{ count, sum }] = await store
      .db("gateway_sandbox_operation")
      .where({ kind: "refund" })
      .whereIn("charge_key", attemptsOf(store, transaction_id))
      .count()
      .sum("amount_minor")
    expect([Number(count), Number(sum)]).toEqual([5_000, 500_000])
    expect((await merchant.verified(transaction_id)).status).toBe("REFUNDED")
    expect(await store.brokenInvariants()).toEqual([])
  })
})

describe("design: the database is the last guard, whatever the code above it does", () => {
  const change = (id: string, changes: Record<string, unknown>) =>
    store
      .db("gateway_transaction")
      .where({ id })
      .update(changes)
      .then(
        () => "written",
        ({ code }: { code: string }) => code
      )
  const CHECK = "23514"
  const UNIQUE = "23505"
  const FOREIGN_KEY = "23503"

  it("sums, states and references that cannot be are refused", async () => {
    const [open, payment] = [await merchant.open(), await merchant.open()]
    await merchant.pay(payment.session_id)
    const { acquirer_reference } = await store.db("gateway_transaction").where({ id: payment.transaction_id }).first()
    const refusals = [
      await change(payment.transaction_id, { refunded_minor: 125_051 }),
      await change(payment.transaction_id, { refunded_minor: -1 }),
      await change(payment.transaction_id, { charge_minor: -1 }),
      await change(open.transaction_id, { amount_minor: 0 }),
      await change(open.transaction_id, { state: "SUCCESS" }),
      await change(open.transaction_id, { state: "PAID" }),
      await change(open.transaction_id, { session_id: "ses_of_nobody" }),
      await change(open.transaction_id, { session_id: payment.session_id }),
      await change(open.transaction_id, {
        state: "SUCCESS",
        verified_at: new Date(),
        acquirer: "sandbox",
        acquirer_reference,
      }),
    ]
    expect(refusals).toEqual([CHECK, CHECK, CHECK, CHECK, CHECK, CHECK, FOREIGN_KEY, UNIQUE, UNIQUE])
  })

  it("an order_id stays used even when its session is marked as deleted", async () => {
    const { session_id } = await merchant.open()
    const session = await store.db("gateway_checkout_session").where({ id: session_id }).first()
    await store.db("gateway_checkout_session").where({ id: session_id }).update({ deleted_at: new Date() })
    expect(brief(await merchant.checkout({ order_id: session.order_id }))).toBe("409 DUPLICATE_TRANSACTION order_id")
  })
})
