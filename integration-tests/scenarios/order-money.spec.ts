import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import {
  cancelOrderWorkflow,
  capturePaymentWorkflow,
  markPaymentCollectionAsPaid,
  refundPaymentWorkflow,
} from "@medusajs/medusa/core-flows"
import { OrderDesk } from "../support/order-desk"
import { exchange, replaceClaimed } from "../support/order-edits"
import { linesOfTheTable, orderMoney } from "../support/order-money"
import { claimRefund, fulfill, receiveReturn, requestReturn } from "../support/returns"
import { useStore } from "../support/store"

const desk = new OrderDesk()
const { balanceOf, collected, confirm, lineOf, paidOrder, proposalsOf, raise, setQuantity } = desk
const store = useStore({ container: true, shop: true, prepare: desk.open })

/** A cushion at 1250.00 and its delivery at 70.00. */
const PAID = 1320

const money = (order_id: string) => orderMoney(store, order_id)

async function nothingMoved(order_id: string): Promise<void> {
  expect(await money(order_id)).toMatchObject({ captured: PAID, refunds: [] })
}

async function paymentsOf(order_id: string): Promise<{ id: string; captures: unknown[] }[]> {
  const query = store.container.resolve(ContainerRegistrationKeys.QUERY)
  const fields = ["payment_collections.payments.id", "payment_collections.payments.captures.id"]
  const { data } = await query.graph({ entity: "order", fields, filters: { id: order_id } })
  const order = data[0] as unknown as { payment_collections: { payments: { id: string; captures: unknown[] }[] }[] }
  return order.payment_collections.flatMap(({ payments }) => payments)
}

/** A paid order whose cushion has been sent. */
async function sent() {
  const { id } = await paidOrder()
  const line = { id: await lineOf(id, "CUSHION-40"), quantity: 1 }
  await fulfill(store.container, id, [line])
  return { id, line }
}

const tea = async (unit_price: number) => [
  { variant_id: await desk.shop.variantId("TEA-250"), quantity: 1, unit_price },
]

/** What is proposed, and that confirming it gives back exactly that. */
async function expectProposal(order_id: string, kind: string, amount: number): Promise<void> {
  const [proposal, ...others] = await proposalsOf(order_id)
  expect([others, proposal.kind, Number(proposal.amount)]).toEqual([[], kind, amount])
  expect((await confirm(proposal.id)).status).toBe(200)
  expect(await money(order_id)).toMatchObject({ refunds: [amount] })
}

/** By the line of the table in docs/admin.md. */
const OF_PAID: Record<string, () => Promise<void>> = {
  "Order edit that adds": async () => {
    const { id } = await paidOrder()
    await raise(id, 350)
    await nothingMoved(id)
    expect(await balanceOf(id)).toMatchObject({ outstanding: "350.00" })
    await collected(id)
    expect(await money(id)).toMatchObject({ captured: PAID + 350, pending: 0 })
  },
  "Order edit that removes": async () => {
    const { id } = await paidOrder({ "CUSHION-40": 2 })
    await setQuantity(id, "CUSHION-40", 1)
    await expectProposal(id, "edit", 1250)
    expect(await money(id)).toMatchObject({ pending: 0, credits: [] })
  },
  Cancel: async () => {
    const { id } = await paidOrder()
    await raise(id, 350)
    await collected(id)
    await cancelOrderWorkflow(store.container).run({ input: { order_id: id } })
    expect(await money(id)).toMatchObject({ refunded: PAID + 350, pending: 0 })
  },
  "Return, requested": async () => {
    const { id, line } = await sent()
    await requestReturn(store.container, id, [line])
    await nothingMoved(id)
    expect(await proposalsOf(id)).toEqual([])
    const { body } = await desk.admin.get(`/orders/${id}/refunds`)
    expect(body).toMatchObject({ expected_refunds: [{ amount: "1250.00" }] })
  },
  "Return, received": async () => {
    const { id, line } = await sent()
    const return_id = await requestReturn(store.container, id, [line])
    await receiveReturn(store.container, return_id, { items: [line] })
    await expectProposal(id, "return", 1250)
  },
  "Exchange for dearer goods": async () => {
    const { id, line } = await sent()
    await exchange(store.container, id, { back: [line], out: await tea(1400) })
    await nothingMoved(id)
    expect(await balanceOf(id)).toMatchObject({ outstanding: "150.00" })
    await collected(id)
    expect(await money(id)).toMatchObject({ captured: PAID + 150, pending: 0 })
  },
  "Exchange for cheaper goods": async () => {
    const { id, line } = await sent()
    await exchange(store.container, id, { back: [line], out: await tea(1000) })
    await nothingMoved(id)
    expect(await proposalsOf(id)).toEqual([])
    const { rows } = await store.db.raw("SELECT id FROM return WHERE order_id = ?", [id])
    await receiveReturn(store.container, rows[0].id, { items: [line] })
    await expectProposal(id, "return", 250)
    expect(await money(id)).toMatchObject({ pending: 0 })
  },
  "Claim, refund": async () => {
    const { id, line } = await sent()
    await claimRefund(store.container, id, [line])
    await expectProposal(id, "claim", 1250)
  },
  "Claim, replacement": async () => {
    const { id, line } = await sent()
    await replaceClaimed(store.container, id, { claimed: [line], out: await tea(120) })
    await nothingMoved(id)
    expect(await proposalsOf(id)).toEqual([])
    expect(await balanceOf(id)).toMatchObject({ outstanding: "120.00" })
    await collected(id)
    expect(await money(id)).toMatchObject({ captured: PAID + 120, pending: 0 })
  },
  Fulfilment: async () => {
    const { id } = await sent()
    await nothingMoved(id)
    expect(await balanceOf(id)).toMatchObject({ outstanding: "0.00" })
  },
  Capture: async () => {
    const { id } = await paidOrder()
    const [{ id: payment_id }] = await paymentsOf(id)
    await capturePaymentWorkflow(store.container).run({ input: { payment_id } })
    await nothingMoved(id)
    expect((await paymentsOf(id))[0].captures).toHaveLength(1)
    expect(await money(id)).toMatchObject({ transaction_total: PAID, pending: 0 })
  },
  Refund: async () => {
    const { id } = await paidOrder()
    const [{ id: payment_id }] = await paymentsOf(id)
    await refundPaymentWorkflow(store.container).run({ input: { payment_id, amount: 100 } })
    expect(await money(id)).toMatchObject({ refunds: [100], cost: PAID - 100, pending: 0 })
    expect(await balanceOf(id)).toMatchObject({ outstanding: "0.00" })
  },
  "Mark as paid": async () => {
    const { id } = await paidOrder()
    await raise(id, 350)
    const query = store.container.resolve(ContainerRegistrationKeys.QUERY)
    const filters = { order_id: id }
    const { data } = await query.graph({
      entity: "order_payment_collection",
      fields: ["payment_collection_id", "payment_collection.status"],
      filters,
    })
    const unpaid = data.find(({ payment_collection }) => payment_collection?.status === "not_paid")
    await markPaymentCollectionAsPaid(store.container).run({
      input: { order_id: id, payment_collection_id: unpaid?.payment_collection_id ?? "" },
    })
    expect(await balanceOf(id)).toMatchObject({ outstanding: "0.00" })
    expect((await desk.collect(id)).status).toBe(409)
    const records = await store.db("gateway_cart_completion").where({ order_id: id })
    expect(records).toHaveLength(1)
  },
}

describe("docs/admin.md — what happens to the money of an order that is paid", () => {
  it("each line of the table has a test", () => {
    expect(Object.keys(OF_PAID)).toEqual(linesOfTheTable())
  })

  it.each(Object.entries(OF_PAID))("%s", async (_line, check) => {
    await check()
    expect(await store.brokenInvariants()).toEqual([])
  })
})
