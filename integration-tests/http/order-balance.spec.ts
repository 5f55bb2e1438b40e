import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import {
  cancelOrderExchangeWorkflow,
  cancelOrderWorkflow,
  convertDraftOrderWorkflow,
  markPaymentCollectionAsPaid,
} from "@medusajs/medusa/core-flows"
import { completeDuePaidCarts, completePaidCart } from "../../src/store/cart/complete-paid-cart"
import { syncDueRefunds } from "../../src/store/refunds/sync-order-refund"
import { newMerchant } from "../support/api"
import { expectLoggedErrors } from "../support/logged-errors"
import { mailProviderOf } from "../support/mails"
import { OrderDesk } from "../support/order-desk"
import { draftOrder, exchange, replaceClaimed } from "../support/order-edits"
import { orderMoney } from "../support/order-money"
import { visit } from "../support/pages"
import { fulfill } from "../support/returns"
import { useStore } from "../support/store"
import { until } from "../support/until"

expectLoggedErrors(/the balance of order .* is not asked for any more, and its money could not be given back/)

const REFUND_FAILS_CARD = "4000000000005126"

const desk = new OrderDesk()
const { asked, balanceOf, collect, collectionsOf, confirm, lineOf } = desk
const { linkOf, paidOrder, payAt, press, proposalsOf, raise, seen, setQuantity } = desk
const store = useStore({ container: true, shop: true, prepare: desk.open })

/** The money moves and the process dies: no order shows it yet. */
async function paidAndDied(session_id: string, number = "4242424242424242"): Promise<string> {
  const paid = await desk.shop.gateway.payments.pay({
    session_id,
    instrument: { method: "card", card: { number } },
    page_url: "",
  })
  expect(paid.status).toBe("SUCCESS")
  return paid.transaction_id
}

/** What falls due of paid balances, as after the time of the request that paid. */
async function laterRun(transaction_id: string): Promise<void> {
  await store
    .db("gateway_cart_completion")
    .where({ transaction_id })
    .update({ next_attempt_at: new Date(), locked_until: null })
  await completeDuePaidCarts(store.container)
}

const completionOf = (transaction_id: string) => store.db("gateway_cart_completion").where({ transaction_id }).first()

/** The refunds of a payment: their states and amounts. */
async function refundsOf(transaction_id: string): Promise<[string, number][]> {
  return (await desk.shop.gateway.refunds.list(transaction_id)).map(({ state, amount_minor }) => [state, amount_minor])
}

afterEach(async () => {
  expect(await store.brokenInvariants()).toEqual([])
})

describe("docs/decisions/10 — the balance of an order: what an edit adds", () => {
  it("is collected by one link, and then the order shows no balance", async () => {
    const order = await paidOrder()
    expect(await balanceOf(order.id)).toMatchObject({ outstanding: "0.00", payment_link: null, obstacle: null })
    expect((await collect(order.id)).status).toBe(409)
    await raise(order.id, 350)
    expect(await balanceOf(order.id)).toMatchObject({ outstanding: "350.00", currency: "BDT", payment_link: null })
    const link = await linkOf(order.id)
    expect(link).toMatchObject({ amount: "350.00", status: "open" })
    expect((await linkOf(order.id)).id).toBe(link.id)

    const page = await visit(link.url)
    expect(page.text).toContain("৳350.00")
    const { session_id } = await press(link.url)
    const paid = await payAt(session_id)
    expect(paid.location).toContain(link.url)
    expect((await visit(paid.location)).text).toContain("This is paid")
    expect((await visit(link.url)).text).toContain("Nothing is left to pay for this order")
    expect(await balanceOf(order.id)).toMatchObject({ outstanding: "0.00", settling: false })
    expect(await collectionsOf(order.id)).toEqual([
      ["completed", 1320, 1320],
      ["completed", 350, 350],
    ])
    expect(await orderMoney(store, order.id)).toMatchObject({
      pending: 0,
      cost: 1670,
      transaction_total: 1670,
      captured: 1670,
    })
    const { payments } = (await desk.admin.get(`/orders/${order.id}/payments`)).body
    expect(payments).toHaveLength(2)
    expect(await store.container.resolve(Modules.PAYMENT).listPaymentSessions({}, { take: 1 })).toHaveLength(1)
  })

  it("asks for the new sum when the order changes while the payment page is open", async () => {
    const { id, link, session_id } = await asked()
    await raise(id, 100)
    expect((await visit(link.url)).text).toContain("৳450.00")
    const refused = await payAt(session_id)
    expect([refused.status, refused.text]).toEqual([410, expect.stringContaining("The order has changed")])
    expect(await balanceOf(id)).toMatchObject({ outstanding: "450.00", payment_link: { id: link.id } })

    const again = await press(link.url)
    expect(again.session_id).not.toBe(session_id)
    expect((await payAt(again.session_id)).location).toContain(link.url)
    expect(await orderMoney(store, id)).toMatchObject({ pending: 0, cost: 1770, captured: 1770 })
    expect(await collectionsOf(id)).toEqual([
      ["completed", 1320, 1320],
      ["completed", 450, 450],
    ])
  })

  it("is asked for by the same link after each later edit, and each payment is one of its own", async () => {
    const { id, link, session_id } = await asked()
    await payAt(session_id)
    await raise(id, 80)
    expect((await linkOf(id)).id).toBe(link.id)
    const next = await press(link.url)
    await payAt(next.session_id)
    expect(await orderMoney(store, id)).toMatchObject({ pending: 0, captured: 1750 })
    const payments = await store.db("gateway_transaction").where({ link_id: link.id }).orderBy("link_place")
    expect(payments.map(({ state, link_place, amount_minor }) => [state, link_place, amount_minor])).toEqual([
      ["SUCCESS", 1, 35_000],
      ["SUCCESS", 2, 8_000],
    ])
    // Whatever the code does, no other payment of the link has a place that is taken, or none.
    const { transaction_id } = await (await newMerchant(store)).open()
    const take = (link_place: number | null) =>
      store.db("gateway_transaction").where({ id: transaction_id }).update({ link_id: link.id, link_place })
    await expect(take(2)).rejects.toThrow("link_id_link_place")
    await expect(take(null)).rejects.toThrow("places")
  })

  it("by many browsers at once is paid once", async () => {
    const { id, link } = await asked()
    const before = await visit(link.url)
    const visits = await Promise.all(Array.from({ length: 5 }, () => press(link.url)))
    expect(new Set(visits.map(({ session_id }) => session_id)).size).toBe(1)
    const { session_id } = visits[0]
    await Promise.all(Array.from({ length: 5 }, () => payAt(session_id)))
    // Everybody who still has the page open presses its button.
    const later = await Promise.all(Array.from({ length: 5 }, () => press(link.url, before)))
    expect(later.map(({ status }) => status)).toEqual([409, 409, 409, 409, 409])
    expect(await orderMoney(store, id)).toMatchObject({ pending: 0, captured: 1670 })
    expect(await store.db("gateway_transaction").where({ link_id: link.id, state: "SUCCESS" })).toHaveLength(1)
  })

  it("paid while an admin edits the order is never taken twice, and the books agree afterwards", async () => {
    const { id, link, session_id } = await asked()
    const [edited] = await Promise.allSettled([raise(id, 60), payAt(session_id), press(link.url), payAt(session_id)])
    const extra = edited.status === "fulfilled" ? 60 : 0
    await until("the rest is known", async () => !(await balanceOf(id)).settling)
    const money = await orderMoney(store, id)
    expect(money.transaction_total).toBe(money.captured)
    const paid = money.captured - 1320
    expect([0, 350]).toContain(paid)
    const rest = 350 + extra - paid
    expect(await balanceOf(id)).toMatchObject({ outstanding: rest.toFixed(2) })
    if (rest > 0) {
      await payAt((await press(link.url)).session_id)
    }
    expect(await orderMoney(store, id)).toMatchObject({ pending: 0, captured: 1670 + extra })
    expect((await collectionsOf(id)).every(([status]) => status === "completed")).toBe(true)
  })
})

describe("docs/decisions/10 — the balance of an order: a process that dies", () => {
  it("after the money moved: nothing else can be paid meanwhile, and the task records it once", async () => {
    const { id, link, session_id } = await asked()
    const before = await visit(link.url)
    const transaction_id = await paidAndDied(session_id)
    expect(await balanceOf(id)).toMatchObject({ outstanding: "350.00", settling: true })
    expect((await collect(id)).status).toBe(409)
    expect((await visit(link.url)).text).toContain("A payment for this order is being confirmed")
    expect((await press(link.url, before)).status).toBe(409)
    // A checkout from before is no way around it: it asks before any money moves.
    await store.db("gateway_cart_completion").where({ transaction_id }).update({ next_attempt_at: new Date() })
    const runs = [
      completeDuePaidCarts(store.container),
      ...Array.from({ length: 4 }, () => completePaidCart(store.container, transaction_id)),
    ]
    await Promise.all(runs)
    await laterRun(transaction_id)
    expect(await orderMoney(store, id)).toMatchObject({ pending: 0, captured: 1670, transaction_total: 1670 })
    expect(await completionOf(transaction_id)).toMatchObject({ state: "ordered", order_id: id, cart_id: null })
    expect(await collectionsOf(id)).toEqual([
      ["completed", 1320, 1320],
      ["completed", 350, 350],
    ])
  })

  const STEPS = [
    ["before Medusa has the payment session", Modules.PAYMENT, "createPaymentSession"],
    ["before Medusa has the payment", Modules.PAYMENT, "authorizePaymentSession"],
    ["before the order shows the capture", Modules.ORDER, "addOrderTransactions"],
  ] as const
  it.each(STEPS)("%s: the next run finishes what is missing", async (_when, module, method) => {
    const { id, session_id } = await asked()
    const service = store.container.resolve<Record<string, () => Promise<unknown>>>(module)
    const dies = jest.spyOn(service, method).mockRejectedValueOnce(new Error("the process died"))
    const transaction_id = await paidAndDied(session_id)
    expect(await completePaidCart(store.container, transaction_id)).toBeNull()
    expect(dies).toHaveBeenCalledTimes(1)
    dies.mockRestore()
    expect(await completionOf(transaction_id)).toMatchObject({ state: "waiting" })
    await laterRun(transaction_id)
    expect(await orderMoney(store, id)).toMatchObject({ pending: 0, captured: 1670, transaction_total: 1670 })
    expect(await collectionsOf(id)).toEqual([
      ["completed", 1320, 1320],
      ["completed", 350, 350],
    ])
    expect(await refundsOf(transaction_id)).toEqual([])
  })
})

describe("docs/decisions/10 — the balance of an order: money that the order does not take any more", () => {
  it("leaves the order its own payment, of which a process that died has not told it yet", async () => {
    const order = await paidOrder()
    await raise(order.id, 350)
    const { cost } = await orderMoney(store, order.id)
    // It had made the order and Medusa's capture, and neither the order's transaction nor our record of the order.
    await store.db("order_transaction").where({ order_id: order.id }).del()
    const completion = () => store.db("gateway_cart_completion").where({ cart_id: order.cart_id })
    await completion().update({ state: "waiting", order_id: null, next_attempt_at: new Date(Date.now() + 3_600_000) })
    await desk.collected(order.id)
    await until("the balance is recorded", async () => {
      const rows = await store.db("order_transaction").where({ order_id: order.id })
      return rows.length === 1
    })
    await completion().update({ next_attempt_at: new Date(0) })
    await completeDuePaidCarts(store.container)
    const { transaction_id, state } = await completion().first()
    expect(state).toBe("ordered")
    expect(await refundsOf(transaction_id)).toEqual([])
    const rows = await store.db("order_transaction").where({ order_id: order.id })
    expect(rows.reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(cost)
  })

  it("goes back when the order was cancelled meanwhile, and its page says so", async () => {
    const { id, link, session_id } = await asked()
    await cancelOrderWorkflow(store.container).run({ input: { order_id: id } })
    expect((await payAt(session_id)).text).toContain("The order has changed")
    expect((await visit(link.url)).text).toContain("The shop does not ask for this payment any more")
    expect((await collect(id)).status).toBe(409)
  })

  it("goes back when it arrives after the order was cancelled", async () => {
    const { id, link, session_id } = await asked()
    const transaction_id = await paidAndDied(session_id)
    await cancelOrderWorkflow(store.container).run({ input: { order_id: id } })
    expect(await completePaidCart(store.container, transaction_id)).toBeNull()
    expect(await completionOf(transaction_id)).toMatchObject({ state: "given_back", order_id: id })
    expect(await refundsOf(transaction_id)).toEqual([["completed", 35_000]])
    await syncDueRefunds(store.container)
    expect(await orderMoney(store, id)).toMatchObject({ captured: 1320, refunds: [1320] })
    const back = await visit(`${link.url}?transaction_id=${transaction_id}&status=SUCCESS`)
    expect(back.text).toContain("so your money is given back")
  })

  it("goes back when an admin has marked the order as paid meanwhile", async () => {
    const { id, session_id } = await asked()
    const transaction_id = await paidAndDied(session_id)
    const query = store.container.resolve(ContainerRegistrationKeys.QUERY)
    const { data } = await query.graph({
      entity: "order",
      fields: ["payment_collections.id", "payment_collections.status"],
      filters: { id },
    })
    const unpaid = (
      data[0] as unknown as { payment_collections: { id: string; status: string }[] }
    ).payment_collections.find(({ status }) => status === "not_paid")
    await markPaymentCollectionAsPaid(store.container).run({
      input: { order_id: id, payment_collection_id: unpaid?.id ?? "" },
    })
    await laterRun(transaction_id)
    expect(await completionOf(transaction_id)).toMatchObject({ state: "given_back" })
    expect(await refundsOf(transaction_id)).toEqual([["completed", 35_000]])
    expect(await orderMoney(store, id)).toMatchObject({ pending: 0, transaction_total: 1670 })
  })

  it("shows under what needs attention when it cannot go back by itself", async () => {
    const { id, session_id } = await asked()
    const transaction_id = await paidAndDied(session_id, REFUND_FAILS_CARD)
    await cancelOrderWorkflow(store.container).run({ input: { order_id: id } })
    await laterRun(transaction_id)
    expect(await completionOf(transaction_id)).toMatchObject({ state: "needs_attention" })
    const { body } = await desk.admin.get(`/paid-carts?state=needs_attention&q=${transaction_id}`)
    expect(body.paid_carts).toMatchObject([{ transaction_id, order_id: id, cart_id: null }])
  })

  it("is taken as far as the order costs, and the rest is proposed as a refund", async () => {
    const { id, session_id } = await asked()
    const transaction_id = await paidAndDied(session_id)
    await setQuantity(id, "TEA-250", 0)
    await raise(id, 200)
    await laterRun(transaction_id)
    expect(await completionOf(transaction_id)).toMatchObject({ state: "ordered" })
    const [proposal, ...others] = await proposalsOf(id)
    expect(others).toEqual([])
    expect(proposal).toMatchObject({ kind: "edit", status: "open", amount: "150.00", transaction_id })
    expect((await confirm(proposal.id)).status).toBe(200)
    expect(await orderMoney(store, id)).toMatchObject({ pending: 0, captured: 1670, refunds: [150], cost: 1520 })
  })
})

describe("docs/decisions/10 — an order that costs less than was paid for it", () => {
  it("proposes the difference once, of the payment it came from", async () => {
    const { id, session_id } = await asked()
    const { location } = await payAt(session_id)
    const transaction_id = new URL(location).searchParams.get("transaction_id") ?? ""
    expect(await proposalsOf(id)).toEqual([])
    await setQuantity(id, "TEA-250", 0)
    await seen()
    const [proposal, ...others] = await proposalsOf(id)
    expect(others).toEqual([])
    expect(proposal).toMatchObject({ kind: "edit", amount: "350.00", refundable_amount: "350.00", transaction_id })
    // The order costs more again before anybody decides: only the rest can be given back.
    await raise(id, 100)
    expect(await proposalsOf(id)).toMatchObject([{ amount: "350.00", refundable_amount: "250.00" }])
    expect((await confirm(proposal.id, { amount: "250.00" })).status).toBe(200)
    expect(await proposalsOf(id)).toMatchObject([{ id: proposal.id, status: "refunded" }])
    expect(await orderMoney(store, id)).toMatchObject({ pending: 0, refunds: [250], cost: 1420 })
    expect(await balanceOf(id)).toMatchObject({ outstanding: "0.00" })
  })

  it("proposes what is more than one payment of each of them", async () => {
    const order = await paidOrder({ "CUSHION-40": 2 })
    await raise(order.id, 350)
    await payAt((await press((await linkOf(order.id)).url)).session_id)
    await setQuantity(order.id, "TEA-250", 0)
    await setQuantity(order.id, "CUSHION-40", 1)
    const proposals = await proposalsOf(order.id)
    const sum = proposals.reduce((total, { amount }) => total + Number(amount), 0)
    expect([sum, new Set(proposals.map(({ transaction_id }) => transaction_id)).size]).toEqual([1600, 2])
    for (const { id } of proposals) {
      const { status, text } = await confirm(id)
      expect([status, status === 200 ? "" : text]).toEqual([200, ""])
    }
    expect(await orderMoney(store, order.id)).toMatchObject({ pending: 0, refunded: 1600 })
  })

  it("cancelled, gives back both payments", async () => {
    const { id, session_id } = await asked()
    await payAt(session_id)
    await cancelOrderWorkflow(store.container).run({ input: { order_id: id } })
    expect(await orderMoney(store, id)).toMatchObject({ captured: 1670, refunded: 1670, pending: 0 })
    const { payments } = (await desk.admin.get(`/orders/${id}/payments`)).body
    expect(payments.map(({ status }) => status)).toEqual(["REFUNDED", "REFUNDED"])
  })
})

describe("docs/decisions/10 — other orders with a difference", () => {
  it("a draft order is collected by the link, before or after it is converted", async () => {
    const items = [{ variant_id: await desk.shop.variantId("TEA-250"), quantity: 2, unit_price: 300 }]
    for (const isDraft of [false, true]) {
      const id = await draftOrder(store.container, { region_id: desk.shop.regionId, items, isDraft })
      expect(await balanceOf(id)).toMatchObject({ outstanding: "600.00", obstacle: null })
      await payAt((await press((await linkOf(id)).url)).session_id)
      expect(await orderMoney(store, id)).toMatchObject({ pending: 0, captured: 600, transaction_total: 600 })
      expect(await collectionsOf(id)).toEqual([["completed", 600, 600]])
      if (isDraft) {
        await convertDraftOrderWorkflow(store.container).run({ input: { id } })
        expect(await balanceOf(id)).toMatchObject({ outstanding: "0.00" })
      }
    }
  })

  it("an exchange for dearer goods is collected by it, and one that is cancelled afterwards proposes the refund", async () => {
    const order = await paidOrder()
    const line = { id: await lineOf(order.id, "CUSHION-40"), quantity: 1 }
    await fulfill(store.container, order.id, [line])
    const out = [{ variant_id: await desk.shop.variantId("TEA-250"), quantity: 3, unit_price: 500 }]
    const id = await exchange(store.container, order.id, { back: [line], out })
    expect(await balanceOf(order.id)).toMatchObject({ outstanding: "250.00" })
    await payAt((await press((await linkOf(order.id)).url)).session_id)
    expect(await orderMoney(store, order.id)).toMatchObject({ pending: 0, captured: 1570 })
    expect((await collectionsOf(order.id)).every(([status]) => status === "completed")).toBe(true)
    await cancelOrderExchangeWorkflow(store.container).run({ input: { exchange_id: id } })
    expect(await proposalsOf(order.id)).toMatchObject([{ kind: "edit", amount: "250.00" }])
  })

  it("a claim whose replacement costs more is collected by it", async () => {
    const order = await paidOrder()
    const line = { id: await lineOf(order.id, "CUSHION-40"), quantity: 1 }
    await fulfill(store.container, order.id, [line])
    const out = [{ variant_id: await desk.shop.variantId("TEA-250"), quantity: 1, unit_price: 180 }]
    await replaceClaimed(store.container, order.id, { claimed: [line], out })
    const { outstanding } = await balanceOf(order.id)
    expect(Number(outstanding)).toBeGreaterThan(0)
    await payAt((await press((await linkOf(order.id)).url)).session_id)
    expect(await orderMoney(store, order.id)).toMatchObject({ pending: 0 })
  })
})

describe("docs/decisions/10 — asking for the balance", () => {
  it("by e-mail sends it once for each request, in the shop's language", async () => {
    const { id, link } = await asked()
    const sends = jest.spyOn(mailProviderOf(store), "send")
    const send = (request_key: unknown) => desk.admin.post(`/orders/${id}/balance/send`, { request_key })
    expect([(await send("first")).status, (await send("first")).status, (await send("second")).status]).toEqual([
      200, 200, 200,
    ])
    expect(sends).toHaveBeenCalledTimes(2)
    const [, mail] = sends.mock.calls[0]
    expect(mail).toMatchObject({ to: "ayesha@example.com", template: "gateway-order-balance" })
    const { content } = mail as { content: { subject: string; text: string; html: string } }
    expect(content.subject).toContain("৳350.00 to pay for order")
    expect([content.text, content.html]).toEqual([expect.stringContaining(link.url), expect.stringContaining(link.url)])
    expect((await send(undefined)).status).toBe(422)
    sends.mockRejectedValueOnce(new Error("no provider"))
    expect(await send("third")).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } })
    sends.mockRestore()
  })

  it("is the store's own affair: other merchants and strangers see nothing of it", async () => {
    const { id, link } = await asked()
    const other = await newMerchant(store)
    expect((await other.call("GET", `/payments/links/${link.id}`)).status).toBe(404)
    expect((await desk.admin.at(other.id).get(`/payment-links/${link.id}`)).status).toBe(404)
    expect((await desk.admin.at(other.id).post(`/payment-links/${link.id}/disable`)).status).toBe(404)
    for (const [method, path] of [
      ["GET", ""],
      ["POST", ""],
      ["POST", "/send"],
    ]) {
      expect((await fetch(`${store.url}/admin/gateway/orders/${id}/balance${path}`, { method })).status).toBe(401)
    }
    expect((await desk.admin.get("/orders/order_unknown/balance")).status).toBe(404)
    expect((await collect("order_unknown")).status).toBe(404)
  })

  it("needs a sum that a checkout takes, and a link that was closed is replaced by another", async () => {
    const order = await paidOrder()
    await raise(order.id, 5)
    const { obstacle } = await balanceOf(order.id)
    expect(obstacle?.message).toContain("10.00 to 500000.00 BDT")
    expect((await collect(order.id)).status).toBe(400)
    await raise(order.id, 20)
    const link = await linkOf(order.id)
    const before = await visit(link.url)
    expect((await desk.admin.post(`/payment-links/${link.id}/disable`)).status).toBe(200)
    expect((await visit(link.url)).text).toContain("The shop does not ask for this payment any more")
    expect((await press(link.url, before)).status).toBe(409)
    const links = await Promise.all(Array.from({ length: 4 }, () => linkOf(order.id)))
    expect(new Set(links.map(({ id }) => id)).size).toBe(1)
    expect(links[0].id).not.toBe(link.id)
  })
})
