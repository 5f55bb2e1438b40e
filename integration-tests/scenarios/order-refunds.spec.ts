import { attemptsOf } from "../support/api"
import type { IPaymentModuleService } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { beginReturnOrderWorkflow, cancelOrderWorkflow, refundPaymentWorkflow } from "@medusajs/medusa/core-flows"
import { sweepRefundRows } from "../../src/store/refunds/sweep-rows"
import { paymentOf } from "../../src/store/refunds/medusa-payment"
import { syncDueRefunds, unlinkSurplus } from "../../src/store/refunds/sync-order-refund"
import { CartShop } from "../support/carts"
import { orderMoney } from "../support/order-money"
import { useStore } from "../support/store"
import { until } from "../support/until"

const REFUND_FAILS_CARD = "4000000000005126"
const DELAYED_REFUND_CARD = "4000000000007734"

let shop: CartShop
let payments: IPaymentModuleService
const store = useStore({
  container: true,
  shop: true,
  prepare: async (booted) => {
    shop = new CartShop(booted)
    await shop.open()
    payments = booted.container.resolve(Modules.PAYMENT)
  },
})

interface Paid {
  order_id: string
  payment_id: string
  transaction_id: string
  /** The money of the order and its payment. */
  money(): ReturnType<typeof orderMoney>
  /** A refund on the gateway's side; the amount in taka. */
  refund(taka: number, reason?: string): Promise<string>
}

/** An order of 1,320.00: a cushion of 1,250.00, and its delivery. */
async function paidOrder(card?: string): Promise<Paid> {
  const { cart, session } = await shop.checkout()
  const { body } = await shop.pay(session.data.session_id, card)
  const { transaction_id } = body.data
  const [payment] = await payments.listPayments({ payment_session_id: session.id })
  const [order_id] = await shop.ordersOf(cart.id)
  let refunds = 0
  return {
    order_id,
    payment_id: payment.id,
    transaction_id,
    money: () => orderMoney(store, order_id),
    refund: async (taka, reason = "The colour is another one") => {
      const request_key = `test:${transaction_id}:${refunds++}`
      const amount = BigInt(Math.round(taka * 100))
      return (await shop.gateway.refunds.create({ transaction_id, amount, reason, requested_by: "tests", request_key }))
        .id
    },
  }
}

/**
 * Makes all queued work due: the minutes in which Medusa is left alone have passed, and a killed worker's lease has
 * expired.
 */
async function show(): Promise<void> {
  await store
    .db("gateway_order_refund")
    .whereNotNull("next_attempt_at")
    .update({ next_attempt_at: new Date(0), created_at: new Date(0), locked_until: null, lock_token: null })
  await syncDueRefunds(store.container)
}

const refundAsAdmin = (payment_id: string, amount: number, dialog: Record<string, string> = {}) =>
  refundPaymentWorkflow(store.container).run({ input: { payment_id, amount, ...dialog }, throwOnError: false })

/** The acquirer, which took its time, reports the outcome of a refund. */
async function acquirerFinishes(transaction_id: string, outcome: "SUCCESS" | "REFUND_FAILED"): Promise<void> {
  for (const { id, state } of await shop.gateway.refunds.list(transaction_id)) {
    if (state === "processing") {
      await store
        .db("gateway_sandbox_operation")
        .where({ kind: "refund", key: id })
        .update({ outcome, available_at: new Date(0) })
      await shop.gateway.refunds.inquire(id)
    }
  }
}

/** The database refuses to write, as if the process had died before. */
async function refusing(event: string, work: () => Promise<unknown>): Promise<void> {
  await store.db.raw(`
    CREATE FUNCTION refuse_all() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no room''; END';
    CREATE TRIGGER refuse_all BEFORE ${event} FOR EACH ROW EXECUTE FUNCTION refuse_all()`)
  try {
    await work()
  } finally {
    await store.db.raw("DROP FUNCTION refuse_all() CASCADE")
  }
}

const row = async (refund_id: string) => (await store.db("gateway_order_refund").where({ refund_id }))[0]
const rowsOf = (transaction_id: string) =>
  store.db("gateway_order_refund").where({ transaction_id }).orderBy("created_at")
const asked = (transaction_id: string) =>
  store
    .db("gateway_sandbox_operation")
    .where({ kind: "refund" })
    .whereIn("charge_key", attemptsOf(store, transaction_id))

describe("refunds made on the gateway's side appear on the Medusa order (design: the store's side)", () => {
  it("on the payment, as the order's transaction and in its totals, without asking the acquirer again", async () => {
    const { order_id, transaction_id, money, refund } = await paidOrder()
    const id = await refund(320.5)
    await syncDueRefunds(store.container)
    expect(await money()).toMatchObject({
      pending: 0,
      cost: 999.5,
      transactions: [-320.5],
      refunds: [320.5],
      refunded: 320.5,
      credits: [320.5],
    })
    expect(await row(id)).toMatchObject({ state: "shown", origin: "gateway", order_id, credit_minor: 32_050 })
    const [shown] = await payments.listRefunds({ id: [(await row(id)).medusa_refund_id] })
    expect(shown).toMatchObject({
      note: "The colour is another one",
      created_by: "gateway",
      metadata: { gateway_refund_id: id },
    })
    expect(await asked(transaction_id)).toMatchObject([{ key: id, tries: 1 }])
    expect(await shop.gateway.refunds.list(transaction_id)).toHaveLength(1)

    await show()
    expect(await row(id)).toMatchObject({ state: "shown", next_attempt_at: null })
    expect(await money()).toMatchObject({ transactions: [-320.5], refunds: [320.5] })
  })

  it("once, in however many processes it is done, and one after the other for one payment", async () => {
    const { transaction_id, money, refund } = await paidOrder()
    await Promise.all([refund(100), refund(200), refund(300)])
    await Promise.all(Array.from({ length: 6 }, () => syncDueRefunds(store.container)))
    await show()
    expect(await money()).toMatchObject({ pending: 0, cost: 720, transaction_total: 720, refunded: 600 })
    expect((await money()).refunds.sort()).toEqual([100, 200, 300])
    expect((await rowsOf(transaction_id)).map(({ state }) => state)).toEqual(["shown", "shown", "shown"])
  })

  it("not a second time when Medusa made them, whichever came first", async () => {
    const { payment_id, transaction_id, money, refund } = await paidOrder()
    await refundAsAdmin(payment_id, 100)
    await refund(50)
    await syncDueRefunds(store.container)
    await refundAsAdmin(payment_id, 20)
    await show()
    expect(await money()).toMatchObject({
      pending: 0,
      cost: 1150,
      transactions: [-100, -50, -20],
      refunds: [100, 50, 20],
      refunded: 170,
    })
    // Making them due has given them all one time of creation: they come in no order.
    expect((await rowsOf(transaction_id)).map(({ origin, state }) => `${origin} ${state}`).sort()).toEqual([
      "gateway shown",
      "medusa shown",
      "medusa shown",
    ])
  })

  it("docs/decisions/06: with the reason, the note and the person of Medusa's dialog; without them, as made in the store", async () => {
    const { payment_id, transaction_id } = await paidOrder()
    const [reason] = await payments.createRefundReasons([{ code: "damaged", label: "Damaged" }])
    const dialog = { created_by: "user_rahima", note: "The box was wet", refund_reason_id: reason.id }
    await refundAsAdmin(payment_id, 100, dialog)
    await refundAsAdmin(payment_id, 50)
    expect(await shop.gateway.refunds.list(transaction_id)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          amount_minor: 10_000,
          reason: "Damaged",
          metadata: { note: "The box was wet" },
          requested_by: "user_rahima",
        }),
        expect.objectContaining({
          amount_minor: 5_000,
          reason: "refunded_in_store",
          metadata: null,
          requested_by: "store",
        }),
      ])
    )
  })

  it("to the last poisha: then Medusa has nothing left to refund either", async () => {
    const { payment_id, money, refund } = await paidOrder()
    await refund(1320)
    await syncDueRefunds(store.container)
    expect(await money()).toMatchObject({ pending: 0, cost: 0, refunded: 1320 })
    const { errors } = await refundAsAdmin(payment_id, 1)
    expect(errors).toHaveLength(1)
    expect(await money()).toMatchObject({ pending: 0, refunds: [1320], refunded: 1320 })
  })

  it("not before they are asked of the acquirer, and nowhere when the cart has no order", async () => {
    const { cart, session } = await shop.checkout()
    const { transaction_id } = await shop.gateway.payments.pay({
      session_id: session.data.session_id,
      instrument: { method: "card", card: { number: "4242424242424242" } },
      page_url: "",
    })
    const { id } = await shop.gateway.refunds.create({
      transaction_id,
      reason: "No order",
      requested_by: "reconciler",
      request_key: `cart:${cart.id}`,
    })
    await show()
    expect(await row(id)).toMatchObject({ state: "waiting" })
    await store.db("gateway_cart_completion").where({ transaction_id }).update({ state: "given_back" })
    await show()
    expect(await row(id)).toMatchObject({ state: "dropped", next_attempt_at: null })
  })
})

/** A refund of Medusa's alone, as Medusa writes it before or after its provider's answer. */
const insertRefund = (id: string, payment_id: string, amount: number, more: object) =>
  store.db("refund").insert({ id, payment_id, amount, raw_amount: { value: String(amount), precision: 20 }, ...more })

describe("a worker that dies", () => {
  it("between Medusa's refund and the gateway's note of it leaves one refund", async () => {
    const { payment_id, money, refund } = await paidOrder()
    const id = await refund(75)
    await insertRefund(`ref_left_${id}`, payment_id, 75, { metadata: { gateway_refund_id: id } })
    await show()
    expect(await row(id)).toMatchObject({ state: "shown", medusa_refund_id: `ref_left_${id}` })
    expect(await money()).toMatchObject({ pending: 0, refunds: [75], refunded: 75, transactions: [-75], credits: [75] })
  })

  it("with two refunds made by two workers leaves one", async () => {
    const { payment_id, money, refund } = await paidOrder()
    const id = await refund(75)
    await syncDueRefunds(store.container)
    await insertRefund(`ref_second_${id}`, payment_id, 75, { metadata: { gateway_refund_id: id } })
    await show()
    expect(await money()).toMatchObject({ pending: 0, refunds: [75], refunded: 75, transactions: [-75], credits: [75] })
  })

  it.each([
    ["before the order's transaction", "INSERT", "order_transaction"],
    ["before the credit line", "INSERT", "order_change"],
    ["before it is said to be shown", "UPDATE OF state", "gateway_order_refund"],
  ])("%s is followed by one that ends the work", async (_when, event, table) => {
    const { money, refund } = await paidOrder()
    await refund(60)
    await refusing(`${event} ON ${table}`, show)
    await show()
    await show()
    expect(await money()).toMatchObject({
      pending: 0,
      cost: 1260,
      refunds: [60],
      refunded: 60,
      transactions: [-60],
      credits: [60],
    })
  })

  it("before the credit line is confirmed is followed by one that confirms it", async () => {
    const { order_id, money, refund } = await paidOrder()
    const id = await refund(60)
    await refusing("INSERT ON order_change", show)
    await store.container.resolve(Modules.ORDER).createOrderChange({
      order_id,
      change_type: "credit_line",
      actions: [{ action: "CREDIT_LINE_ADD", reference: "gateway_refund", reference_id: id, amount: 60 }],
    })
    await show()
    expect(await money()).toMatchObject({ pending: 0, cost: 1260, refunded: 60, transactions: [-60], credits: [60] })
  })

  it("inside Medusa's own refund is made up for: its money went back, and the order says so", async () => {
    const { payment_id, transaction_id, money } = await paidOrder()
    // An admin is making a return: Medusa refunds the money and then fails to write the credit line.
    await beginReturnOrderWorkflow(store.container).run({ input: { order_id: await orderOf(payment_id) } })
    expect((await refundAsAdmin(payment_id, 40)).errors).toHaveLength(1)
    expect(await money()).toMatchObject({ refunds: [40], transactions: [] })
    await show()
    expect((await rowsOf(transaction_id))[0].last_error).toEqual({
      kind: "said",
      params: { text: expect.stringMatching(/active order change/) },
    })
    await store
      .db("order_change")
      .where({ order_id: await orderOf(payment_id) })
      .update({ status: "canceled" })
    await show()
    expect(await money()).toMatchObject({
      pending: 0,
      cost: 1280,
      refunds: [40],
      refunded: 40,
      transactions: [-40],
      credits: [40],
    })
  })

  it("after Medusa took its refund back, but the money had gone, is made up for", async () => {
    const { payment_id, transaction_id, money } = await paidOrder()
    await refusing("UPDATE ON gateway_refund", async () =>
      expect((await refundAsAdmin(payment_id, 90)).errors).toHaveLength(1)
    )
    expect(await money()).toMatchObject({ refunds: [] })
    await show()
    expect(await money()).toMatchObject({ pending: 0, refunds: [90], refunded: 90, transactions: [-90] })
    // The same amount again is another request: the first refund is on the order by now.
    expect((await refundAsAdmin(payment_id, 90)).errors).toHaveLength(0)
    expect(await shop.gateway.refunds.list(transaction_id)).toHaveLength(2)
  })
})

describe("a refund that fails after Medusa believed it is put right on both sides", () => {
  it.each(["medusa", "gateway"] as const)("made by %s", async (side) => {
    const { order_id, payment_id, transaction_id, money, refund } = await paidOrder(DELAYED_REFUND_CARD)
    if (side === "medusa") {
      await refundAsAdmin(payment_id, 200)
    } else {
      await refund(200)
    }
    await show()
    expect(await money()).toMatchObject({ pending: 0, refunds: [200], refunded: 200, transactions: [-200] })
    await acquirerFinishes(transaction_id, "REFUND_FAILED")
    await show()
    // The shopper has not received it yet: the order shows 200.00 to be refunded.
    expect(await money()).toMatchObject({
      pending: -200,
      transaction_total: 1320,
      paid: 1320,
      refunds: [],
      refunded: 0,
      transactions: [],
    })
    const [{ refund_id, state, history }] = await rowsOf(transaction_id)
    expect({ state, history }).toMatchObject({
      state: "undone",
      history: [{ kind: "order_refund.shown" }, { kind: "order_refund.removed", params: { order_id } }],
    })
    expect((await money()).metadata).toMatchObject({
      gateway_failed_refunds: { [refund_id]: "200.00 BDT: The acquirer refused the refund" },
    })
    expect(await shop.gateway.transactions.byId(transaction_id)).toMatchObject({ refunded_minor: 0 })

    await show()
    await refund(200)
    await acquirerFinishes(transaction_id, "SUCCESS")
    await show()
    expect(await money()).toMatchObject({ pending: 0, cost: 1120, refunds: [200], refunded: 200, credits: [200] })
  })

  it("before it was ever shown: nothing appears", async () => {
    const { transaction_id, money, refund } = await paidOrder(REFUND_FAILS_CARD)
    await refund(10)
    await show()
    expect(await money()).toMatchObject({ pending: 0, refunds: [], transactions: [] })
    expect(await rowsOf(transaction_id)).toMatchObject([{ state: "dropped", next_attempt_at: null }])
  })

  it("when Medusa cancels the order all the same, and writes a refund that never happened", async () => {
    const { order_id, transaction_id, money } = await paidOrder(REFUND_FAILS_CARD)
    await cancelOrderWorkflow(store.container).run({ input: { order_id } })
    expect(await money()).toMatchObject({ pending: 1320, transaction_total: 0, refunds: [] })
    await show()
    expect(await money()).toMatchObject({ pending: 0, transaction_total: 1320, paid: 1320, refunds: [], refunded: 0 })
    expect(await rowsOf(transaction_id)).toMatchObject([{ state: "undone" }])
    expect(Object.keys((await money()).metadata?.gateway_failed_refunds as object)).toHaveLength(1)
  })

  it("removes such a record once, whoever comes to remove it at the same moment", async () => {
    const { order_id, payment_id, money } = await paidOrder(REFUND_FAILS_CARD)
    await cancelOrderWorkflow(store.container).run({ input: { order_id } })
    const { payment_session_id } = await store
      .db("payment")
      .where({ id: payment_id })
      .first<{ payment_session_id: string }>("payment_session_id")
    const { payment } = (await paymentOf(store.container, payment_session_id))!
    const removals = await Promise.all([1, 2, 3].map(() => unlinkSurplus(store.container, { payment, order_id })))
    expect(removals.filter(Boolean)).toHaveLength(1)
    const once = { pending: 0, transaction_total: 1320, paid: 1320, refunds: [], refunded: 0, transactions: [] }
    expect(await money()).toMatchObject(once)
    await show()
    expect(await money()).toMatchObject(once)
  })

  it("of an order that was cancelled with a refund that holds: nothing is done", async () => {
    const { order_id, money, refund } = await paidOrder()
    await refund(20)
    await syncDueRefunds(store.container)
    await cancelOrderWorkflow(store.container).run({ input: { order_id } })
    const before = await money()
    expect(before).toMatchObject({ pending: 0, refunded: 1320, transaction_total: 0 })
    await show()
    expect(await money()).toEqual(before)
  })
})

describe("a Medusa refund whose process died before it asked for the money", () => {
  const leftRow = (payment_id: string, id: string, created_at: Date) => insertRefund(id, payment_id, 40, { created_at })
  const longAgo = new Date(Date.now() - 3_600_000)

  it("is removed from its payment, and the order says so; what was asked for, is being asked for, or shows another stays", async () => {
    const { payment_id, transaction_id, money, refund } = await paidOrder()
    await refundAsAdmin(payment_id, 10)
    await refund(20)
    await show()
    await store.db("refund").where({ payment_id }).update({ created_at: longAgo })
    await leftRow(payment_id, `ref_left_${payment_id}`, longAgo)
    await leftRow(payment_id, `ref_now_${payment_id}`, new Date())
    const [{ payment_collection_id }] = await store.db("payment").where({ id: payment_id })
    await payments.updatePaymentCollections(payment_collection_id, { refunded_amount: 110 } as object)
    await Promise.all([sweepRefundRows(store.container), sweepRefundRows(store.container)])
    const after = await money()
    expect(after).toMatchObject({ pending: 0, cost: 1290, transactions: [-10, -20], refunded: 70 })
    expect(after.refunds.sort()).toEqual([10, 20, 40])
    expect(after.metadata?.gateway_failed_refunds).toEqual({
      [`ref_left_${payment_id}`]: expect.stringMatching(/^40\.00 BDT: .*no money has moved$/),
    })
    expect(await shop.gateway.refunds.list(transaction_id)).toHaveLength(2)

    await store
      .db("refund")
      .where({ id: `ref_now_${payment_id}` })
      .update({ created_at: longAgo })
    await sweepRefundRows(store.container)
    expect(await money()).toMatchObject({ pending: 0, refunded: 30 })
    // The whole rest can be refunded again.
    expect((await refundAsAdmin(payment_id, 1290)).errors).toHaveLength(0)
    expect(await money()).toMatchObject({ pending: 0, refunded: 1320, cost: 0 })
  })
})

async function orderOf(payment_id: string): Promise<string> {
  const { rows } = await store.db.raw(
    `SELECT o.order_id FROM order_payment_collection o JOIN payment p USING (payment_collection_id) WHERE p.id = ?`,
    [payment_id]
  )
  return rows[0].order_id
}

describe("docs/decisions/12 — what the shopper is shown of an order's refunds, and sent", () => {
  const shown = async (order_id: string) =>
    (await shop.call<{ refunds: object[] }>("GET", `/store/gateway/orders/${order_id}/refunds`)).body.refunds

  it("what went back and what is on its way, and nothing that came to nothing", async () => {
    const [done, slow, failed] = await Promise.all([
      paidOrder(),
      paidOrder(DELAYED_REFUND_CARD),
      paidOrder(REFUND_FAILS_CARD),
    ])
    const id = await done.refund(250)
    await Promise.all([slow.refund(100), failed.refund(100)])
    const times = { created_at: expect.any(String) }
    expect(await shown(done.order_id)).toEqual([
      { id, status: "completed", amount: "250.00", currency: "BDT", ...times, completed_at: expect.any(String) },
    ])
    expect(await shown(slow.order_id)).toMatchObject([{ status: "processing", amount: "100.00", completed_at: null }])
    expect(await shown(failed.order_id)).toEqual([])
    expect(await Promise.all(["order_nothing", "nothing", "order_%00", "%27"].map(shown))).toEqual(Array(4).fill([]))
  })

  it("receipts of both, from the start, under the number that the shop shows", async () => {
    const order = await paidOrder()
    const refund_id = await order.refund(250)
    const rows = () => store.db("gateway_receipt").whereIn("resource_id", [order.transaction_id, refund_id])
    // A worker of the store may be sending them at the same time.
    await until("both receipts are sent", async () => {
      await shop.gateway.receipts.run(100)
      return (await rows()).every(({ state }) => state === "sent")
    })
    const { display_id } = await store.db("order").where({ id: order.order_id }).first("display_id")
    for (const [resource_id, amount] of [
      [order.transaction_id, "1320.00"],
      [refund_id, "250.00"],
    ]) {
      const mails = await store.container.resolve(Modules.NOTIFICATION).listNotifications({ resource_id })
      expect(mails).toMatchObject([{ status: "success", data: { order_number: String(display_id), amount } }])
    }
  })
})
