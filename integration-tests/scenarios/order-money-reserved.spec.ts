import type { IPaymentModuleService } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import {
  cancelOrderWorkflow,
  capturePaymentWorkflow,
  markPaymentCollectionAsPaid,
  refundPaymentWorkflow,
} from "@medusajs/medusa/core-flows"
import { syncDueCaptures } from "../../src/store/captures/sync-order-captures"
import { OrderDesk } from "../support/order-desk"
import { exchange, replaceClaimed } from "../support/order-edits"
import { linesOfTheTable, orderMoney } from "../support/order-money"
import { claimRefund, fulfill, receiveReturn, requestReturn } from "../support/returns"
import { useStore } from "../support/store"
import { until } from "../support/until"

const desk = new OrderDesk()
const { balanceOf, collected, confirm, proposalsOf, raise, setQuantity } = desk
const store = useStore({ container: true, shop: true, prepare: desk.open })
const payments = (): IPaymentModuleService => store.container.resolve(Modules.PAYMENT)

/** A cushion at 1250.00 and its delivery at 70.00. */
const RESERVED = 1320
/** What is captured of it, where a part is. */
const PART = 500

const storeTenant = async () => ({
  merchant_id: (await store.gateway.merchants.storeMerchant(store.gateway.options.storeMerchantName)).id,
  environment: "sandbox" as const,
})

type Reserved = Awaited<ReturnType<typeof reservedOrder>>

/** An order whose money is reserved, and captured by hand: `captured` of it already. */
async function reservedOrder(captured: number, items?: Record<string, number>) {
  await store.gateway.merchants.configure(await storeTenant(), { capture: "manual" })
  const { cart, session } = await desk.shop.checkout(items)
  const { transaction_id } = (await desk.shop.pay(session.data.session_id)).body.data
  await store.gateway.merchants.configure(await storeTenant(), { capture: "automatic" })
  const [id] = await desk.shop.ordersOf(cart.id)
  const [{ id: payment_id, payment_collection_id }] = await payments().listPayments({ payment_session_id: session.id })
  const { captures } = store.gateway
  const capture = (amount: number | null) =>
    captures.capture({
      tenant: null,
      transaction_id,
      amount: amount === null ? null : BigInt(amount * 100),
      by: {},
      request_key: null,
    })
  const order = {
    id,
    payment_id,
    payment_collection_id,
    transaction_id,
    capture,
    authorization: async () => {
      const view = await captures.view(transaction_id)
      if (view === null) {
        throw new Error(`nothing is reserved by ${transaction_id}`)
      }
      return view.authorization
    },
  }
  if (captured > 0) {
    await capture(captured)
    await shown(order, captured)
  }
  return order
}

/** Both books say that so much was captured, and Medusa's payment is not cancelled: its buttons work. */
async function shown(order: Pick<Reserved, "id" | "payment_id" | "authorization">, captured: number): Promise<void> {
  await until(`order ${order.id} shows that ${captured} were captured`, async () => {
    await followed()
    const money = await orderMoney(store, order.id)
    return money.captured === captured && money.transaction_total === captured
  })
  expect((await order.authorization()).captured_minor).toBe(captured * 100)
}

/** What has changed of the orders is followed, beside the store's own subscriber. */
async function followed(): Promise<void> {
  await store
    .db("gateway_authorization")
    .whereNotNull("payment_session_id")
    .where((row) => void row.where({ state: "open" }).orWhereNotNull("store_due_at"))
    .update({ store_due_at: new Date(0) })
  await syncDueCaptures(store.container)
}

/** The money is still reserved, and Medusa shows it so, whatever its workflow has done to the payment's collection. */
async function nothingMoved(order: Reserved, captured: number): Promise<void> {
  await until(`Medusa shows the money of order ${order.id} as authorised`, async () => {
    await followed()
    const [collection] = await payments().listPaymentCollections({ id: [order.payment_collection_id] })
    return collection.status === "authorized"
  })
  const [payment] = await payments().listPayments({ id: [order.payment_id] })
  expect(payment.canceled_at).toBeFalsy()
  expect(await order.authorization()).toMatchObject({ state: "open", captured_minor: captured * 100 })
  expect(await orderMoney(store, order.id)).toMatchObject({ captured, refunds: [] })
}

/** What is left can be captured, and the order shows no balance then. */
async function capturesTheRest(order: Reserved, rest: number, all: number, pending = 0): Promise<void> {
  const { capture } = await order.capture(null)
  expect(capture.amount_minor).toBe(rest * 100)
  await until(`order ${order.id} shows ${all}`, async () => {
    await followed()
    const { captured, transaction_total } = await orderMoney(store, order.id)
    return captured === all && transaction_total === all
  })
  expect((await orderMoney(store, order.id)).pending).toBe(pending)
}

/** What is proposed, and that confirming it gives back exactly that. */
async function expectProposal(order: Reserved, kind: string, amount: number): Promise<void> {
  const [proposal, ...others] = await proposalsOf(order.id)
  expect([others, proposal?.kind, Number(proposal?.amount)]).toEqual([[], kind, amount])
  expect((await confirm(proposal.id)).status).toBe(200)
  await until(`order ${order.id} shows the refund`, async () => {
    return (await orderMoney(store, order.id)).refunds[0] === amount
  })
}

async function sent(captured: number) {
  const order = await reservedOrder(captured)
  const line = { id: await desk.lineOf(order.id, "CUSHION-40"), quantity: 1 }
  await fulfill(store.container, order.id, [line])
  return { order, line }
}

const tea = async (unit_price: number) => [
  { variant_id: await desk.shop.variantId("TEA-250"), quantity: 1, unit_price },
]

const noneProposed = async ({ id }: Reserved) => expect(await proposalsOf(id)).toEqual([])

/** Nothing more than this is captured, by whoever asks. */
async function refusesMore(order: Reserved, amount: number): Promise<void> {
  const { errors } = await capturePaymentWorkflow(store.container).run({
    input: { payment_id: order.payment_id, amount },
    throwOnError: false,
  })
  expect(errors).not.toEqual([])
  await expect(order.capture(amount)).rejects.toMatchObject({ code: "VALIDATION_ERROR" })
}

async function receive({ id }: Reserved, line: { id: string; quantity: number }): Promise<void> {
  const { rows } = await store.db.raw("SELECT id FROM return WHERE order_id = ?", [id])
  await receiveReturn(store.container, rows[0].id, { items: [line] })
}

/** By the line of the table in docs/admin.md. `captured`: nothing, or a part. */
const LINES: Record<string, (captured: number) => Promise<void>> = {
  "Order edit that adds": async (captured) => {
    const order = await reservedOrder(captured)
    await raise(order.id, 350)
    // At once, also while Medusa still calls the payment cancelled.
    expect(await balanceOf(order.id)).toMatchObject({ outstanding: "350.00" })
    await nothingMoved(order, captured)
    await collected(order.id)
    expect(await balanceOf(order.id)).toMatchObject({ outstanding: "0.00" })
    await capturesTheRest(order, RESERVED - captured, RESERVED + 350)
  },
  "Order edit that removes": async (captured) => {
    const order = await reservedOrder(captured, { "CUSHION-40": 2 })
    await setQuantity(order.id, "CUSHION-40", 1)
    await nothingMoved(order, captured)
    expect(await balanceOf(order.id)).toMatchObject({ outstanding: "0.00" })
    await refusesMore(order, RESERVED - captured + 1)
    await capturesTheRest(order, RESERVED - captured, RESERVED)
    await noneProposed(order)
    if (captured > 0) {
      const dear = await reservedOrder(2000, { "CUSHION-40": 2 })
      await setQuantity(dear.id, "CUSHION-40", 1)
      await expectProposal(dear, "edit", 2000 - RESERVED)
    }
  },
  Cancel: async (captured) => {
    const order = await reservedOrder(captured)
    await cancelOrderWorkflow(store.container).run({ input: { order_id: order.id } })
    await until("the rest is released", async () => {
      await followed()
      return (await order.authorization()).state === "released"
    })
    expect(await orderMoney(store, order.id)).toMatchObject({ captured, refunded: captured })
    expect((await desk.collect(order.id)).status).toBe(409)
  },
  "Return, requested": async (captured) => {
    const { order, line } = await sent(captured)
    await requestReturn(store.container, order.id, [line])
    await nothingMoved(order, captured)
    await noneProposed(order)
  },
  "Return, received": async (captured) => {
    const { order, line } = await sent(captured)
    const return_id = await requestReturn(store.container, order.id, [line])
    await receiveReturn(store.container, return_id, { items: [line] })
    if (captured > 0) {
      await expectProposal(order, "return", captured - 70)
      await expect(order.capture(null)).rejects.toMatchObject({ code: "INVALID_STATE_TRANSITION" })
    } else {
      await nothingMoved(order, 0)
      await noneProposed(order)
      await refusesMore(order, 71)
      await capturesTheRest(order, 70, 70)
    }
  },
  "Exchange for dearer goods": async (captured) => {
    const { order, line } = await sent(captured)
    await exchange(store.container, order.id, { back: [line], out: await tea(1400) })
    await nothingMoved(order, captured)
    expect(await balanceOf(order.id)).toMatchObject({ outstanding: "150.00" })
    await collected(order.id)
    await receive(order, line)
    await capturesTheRest(order, RESERVED - captured, RESERVED + 150)
  },
  "Exchange for cheaper goods": async (captured) => {
    const { order, line } = await sent(captured)
    await exchange(store.container, order.id, { back: [line], out: await tea(1000) })
    await nothingMoved(order, captured)
    await noneProposed(order)
    await receive(order, line)
    await refusesMore(order, RESERVED - 250 - captured + 1)
    await capturesTheRest(order, RESERVED - 250 - captured, RESERVED - 250)
  },
  "Claim, refund": async (captured) => {
    const { order, line } = await sent(captured)
    await claimRefund(store.container, order.id, [line])
    if (captured > 0) {
      await expectProposal(order, "claim", captured - 70)
    } else {
      await nothingMoved(order, 0)
      await noneProposed(order)
      // Medusa's own count still has the claimed goods.
      await capturesTheRest(order, 70, 70, 1250)
      expect(await balanceOf(order.id)).toMatchObject({ outstanding: "0.00" })
    }
  },
  "Claim, replacement": async (captured) => {
    const { order, line } = await sent(captured)
    await replaceClaimed(store.container, order.id, { claimed: [line], out: await tea(120) })
    await nothingMoved(order, captured)
    expect(await balanceOf(order.id)).toMatchObject({ outstanding: "120.00" })
    await collected(order.id)
    await capturesTheRest(order, RESERVED - captured, RESERVED + 120)
  },
  Fulfilment: async (captured) => {
    const { order } = await sent(captured)
    await nothingMoved(order, captured)
    expect(await balanceOf(order.id)).toMatchObject({ outstanding: "0.00" })
  },
  Capture: async (captured) => {
    const order = await reservedOrder(captured)
    await capturePaymentWorkflow(store.container).run({
      input: { payment_id: order.payment_id, amount: RESERVED - captured },
    })
    await shown(order, RESERVED)
    expect(await orderMoney(store, order.id)).toMatchObject({ pending: 0 })
  },
  Refund: async (captured) => {
    const order = await reservedOrder(captured)
    const refund = (amount: number) =>
      refundPaymentWorkflow(store.container).run({
        input: { payment_id: order.payment_id, amount },
        throwOnError: false,
      })
    expect((await refund(captured + 1)).errors).not.toEqual([])
    if (captured > 0) {
      expect((await refund(100)).errors).toEqual([])
      expect(await orderMoney(store, order.id)).toMatchObject({ captured, refunds: [100] })
    }
    expect((await order.authorization()).state).toBe("open")
  },
  "Mark as paid": async (captured) => {
    const order = await reservedOrder(captured)
    await raise(order.id, 350)
    await nothingMoved(order, captured)
    const unpaid = () =>
      store.db
        .raw<{ rows: { id: string; amount: string }[] }>(
          `SELECT c.id, c.amount FROM payment_collection c JOIN order_payment_collection o ON o.payment_collection_id = c.id
           WHERE o.order_id = ? AND c.status = 'not_paid'`,
          [order.id]
        )
        .then(({ rows }) => rows[0])
    await until("what is not reserved is left to mark", async () => Number((await unpaid()).amount) === 350)
    await markPaymentCollectionAsPaid(store.container).run({
      input: { order_id: order.id, payment_collection_id: (await unpaid()).id },
    })
    expect(await balanceOf(order.id)).toMatchObject({ outstanding: "0.00" })
    await capturesTheRest(order, RESERVED - captured, RESERVED + 350)
  },
}

describe("docs/admin.md — what happens to the money of an order that is authorised, or captured in part", () => {
  it("each line of the table has a test", () => {
    expect(Object.keys(LINES)).toEqual(linesOfTheTable())
  })

  describe.each([
    ["authorised", 0],
    ["captured in part", PART],
  ])("%s", (_state, captured) => {
    it.each(Object.entries(LINES))("%s", async (_line, check) => {
      await check(captured)
      expect(await store.brokenInvariants()).toEqual([])
    })
  })
})
