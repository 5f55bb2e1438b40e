import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { refundPaymentWorkflow } from "@medusajs/medusa/core-flows"
import { attemptsOf } from "../support/api"
import { said } from "../../src/i18n/message"
import { translate } from "../../src/i18n/translate"
import type { HistoryEntry } from "../../src/modules/gateway/kernel/database/audit"
import { GatewayError } from "../../src/modules/gateway/kernel/errors"
import { completeDuePaidCarts } from "../../src/store/cart/complete-paid-cart"
import { notifyDuePaymentSessions } from "../../src/store/cart/notify-payment-session"
import { syncDueRefunds } from "../../src/store/refunds/sync-order-refund"
import { CartShop, type Cart, type PaymentSession } from "../support/carts"
import { expectLoggedErrors } from "../support/logged-errors"
import { PAYMENT_STEPS, paymentIs } from "../support/payment-steps"
import { withoutOrderTransactions } from "../support/rolled-back"
import { whileWorkflowsWriteSlowly } from "../support/slow-workflows"
import { setStock } from "../support/stock"
import { useStore } from "../support/store"
import { until } from "../support/until"

expectLoggedErrors(
  /cart .* has no order, and its money could not be given back: The acquirer refused the refund/,
  // Medusa's own, when it rolls an order back, and of requests that race each other.
  /Error was thrown trying to (cancel|refund) payment/,
  /Encountered an error when trying to recreate a payment session/,
  /Failed to acquire lock for key/,
  /Encountered an error when trying to delete payment session - .*expire is not possible/,
  /Could not delete all payment sessions/
)

let shop: CartShop
const store = useStore({
  container: true,
  shop: true,
  prepare: async (booted) => {
    shop = new CartShop(booted)
    await shop.open()
  },
})

const REFUND_FAILS_CARD = "4000000000005126"
const DELAYED_REFUND_CARD = "4000000000007734"

/** The payment succeeds and the process dies: paid, but without an order. */
async function paidWithoutOrder(
  card = "4242424242424242"
): Promise<{ cart: Cart; session: PaymentSession; transaction_id: string }> {
  const { cart, session } = await shop.checkout()
  const { transaction_id } = await shop.gateway.payments.pay({
    session_id: session.data.session_id,
    instrument: { method: "card", card: { number: card } },
    page_url: "",
  })
  return { cart, session, transaction_id }
}

/**
 * As if the time of every lock on the cart were over. Of steps that run in parallel one may fail while others end: on a
 * busy machine Medusa then sometimes leaves the workflow `waiting_to_compensate`, and both locks stay, its own for two
 * minutes.
 */
async function letLocksRunOut(cart: Cart): Promise<void> {
  await store.container.resolve(Modules.LOCKING).release(cart.id)
  await store.db("gateway_cart_completion").where({ cart_id: cart.id }).update({ locked_until: null, lock_token: null })
}

/** Makes the next try of this cart due; the locks of a killed run have run out. */
async function letItBeDue(cart: Cart): Promise<void> {
  await letLocksRunOut(cart)
  await store
    .db("gateway_cart_completion")
    .where({ cart_id: cart.id })
    .whereNotNull("next_attempt_at")
    .update({ next_attempt_at: new Date(0) })
}

async function completionOf(cart: Cart) {
  const [row] = await store.db("gateway_cart_completion").where({ cart_id: cart.id })
  return { ...row, trace: row.history.map((entry: HistoryEntry) => translate(entry)) }
}

async function transactionOf(id: string) {
  const [row] = await store.db("gateway_transaction").where({ id })
  return row
}

const refundsOf = (transaction_id: string) => store.db("gateway_refund").where({ transaction_id })

/** What a process leaves that was killed while Medusa made the order. */
async function partialOrder(cart: Cart, transaction_id: string, isLinked: boolean): Promise<string> {
  const items = [{ title: "Cushion", quantity: 1, unit_price: 1250 }]
  const [{ id }] = await store.container
    .resolve(Modules.ORDER)
    .createOrders([{ currency_code: "bdt", items, metadata: { gateway_transaction_id: transaction_id } }])
  if (isLinked) {
    await store.container
      .resolve(ContainerRegistrationKeys.LINK)
      .create({ [Modules.ORDER]: { order_id: id }, [Modules.CART]: { cart_id: cart.id } })
    await store.db("cart").where({ id: cart.id }).update({ completed_at: new Date() })
  }
  return id
}

describe("paid, but no order", () => {
  it("gets its order from the task, once, in however many processes it runs", async () => {
    const { cart } = await paidWithoutOrder()
    await letItBeDue(cart)
    await Promise.all(Array.from({ length: 8 }, () => completeDuePaidCarts(store.container)))
    expect(await shop.ordersOf(cart.id)).toHaveLength(1)
    expect(await completionOf(cart)).toMatchObject({ state: "ordered", attempts: 1 })
    expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: "1320.00", recorded: "1320.00" })
    await completeDuePaidCarts(store.container)
    expect(await shop.ordersOf(cart.id)).toHaveLength(1)
  })

  it("is left alone for the half minute that the paying request may take", async () => {
    const { cart } = await paidWithoutOrder()
    await completeDuePaidCarts(store.container)
    expect(await shop.ordersOf(cart.id)).toHaveLength(0)
    await letItBeDue(cart)
    await completeDuePaidCarts(store.container)
    expect(await shop.ordersOf(cart.id)).toHaveLength(1)
  })

  it("gives the money back at once when the cart is gone, and the trace says so", async () => {
    const { cart, transaction_id } = await paidWithoutOrder()
    await store.db("cart").where({ id: cart.id }).update({ deleted_at: new Date() })
    await letItBeDue(cart)
    await completeDuePaidCarts(store.container)
    const completion = await completionOf(cart)
    expect(completion).toMatchObject({ state: "given_back", next_attempt_at: null })
    expect(completion.trace).toEqual([
      "Cart paid: its order is on the way",
      "The money goes back: the cart is gone",
      `The money went back by refund ${completion.refund_id}`,
    ])
    expect(await refundsOf(transaction_id)).toMatchObject([
      { state: "completed", amount_minor: 132_000, request_key: `cart:${cart.id}` },
    ])
    expect(await transactionOf(transaction_id)).toMatchObject({ state: "REFUNDED" })
  })

  it("gives the money back of a cart that has changed, but not before a second look", async () => {
    const { cart, session, transaction_id } = await paidWithoutOrder()
    await store.db.raw(
      `UPDATE cart_line_item SET unit_price = 1, raw_unit_price = '{"value": "1", "precision": 20}' WHERE cart_id = ?`,
      [cart.id]
    )
    await letItBeDue(cart)
    await completeDuePaidCarts(store.container)
    expect(await completionOf(cart)).toMatchObject({ state: "waiting", attempts: 1 })
    expect(await refundsOf(transaction_id)).toHaveLength(0)
    await letItBeDue(cart)
    await completeDuePaidCarts(store.container)
    expect(await completionOf(cart)).toMatchObject({ state: "given_back" })
    expect(await shop.ordersOf(cart.id)).toHaveLength(0)
    expect((await shop.status(`session_id=${session.data.session_id}`)).body).toMatchObject({
      status: "REFUNDED",
      order_id: null,
    })
    // The shopper can start again with the same cart.
    const [shown] = (await shop.retrieve(cart.id)).payment_collection?.payment_sessions ?? []
    expect(shown).toMatchObject({ status: "canceled", data: { status: "REFUNDED" } })
  })

  it("tries five times in all when the stock went, then gives the money back", async () => {
    const { cart, transaction_id } = await paidWithoutOrder()
    await setStock(store, "CUSHION-40", 0)
    for (let round = 0; round < 10 && (await completionOf(cart)).state === "waiting"; round++) {
      await letItBeDue(cart)
      await completeDuePaidCarts(store.container)
    }
    await setStock(store, "CUSHION-40", 500)
    const completion = await completionOf(cart)
    expect(completion).toMatchObject({ state: "given_back" })
    expect(completion.trace.filter((what: string) => what.startsWith("No order yet: "))).toHaveLength(5)
    expect(await refundsOf(transaction_id)).toHaveLength(1)
    expect(await shop.ordersOf(cart.id)).toHaveLength(0)

    await letLocksRunOut(cart)
    const again = await shop.startPayment(cart.id)
    expect((await shop.pay(again.data.session_id)).body).toMatchObject({ data: { status: "SUCCESS" } })
    expect(await shop.ordersOf(cart.id)).toHaveLength(1)
  })

  it("docs/decisions/04 — an order that the merchant works with stays, though nobody had authorised its payment", async () => {
    const { cart, transaction_id } = await paidWithoutOrder()
    const order_id = await partialOrder(cart, transaction_id, true)
    await store.db("order").where({ id: order_id }).update({ version: 2 })
    for (let round = 0; round < 2; round++) {
      await letItBeDue(cart)
      await completeDuePaidCarts(store.container)
    }
    expect(await completionOf(cart)).toMatchObject({ state: "ordered", order_id })
    expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: "1320.00", recorded: "1320.00" })
  })

  it("docs/decisions/04 — is made again when only the links to its order are left", async () => {
    const { cart, transaction_id } = await paidWithoutOrder()
    const left = await partialOrder(cart, transaction_id, true)
    await store.container.resolve(Modules.ORDER).deleteOrders([left])
    await letItBeDue(cart)
    await completeDuePaidCarts(store.container)
    expect(await shop.ordersOf(cart.id)).toEqual([expect.not.stringMatching(left)])
    expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: "1320.00", recorded: "1320.00" })
  })

  it("docs/decisions/04 — an order that another payment session pays, on delivery too, stays, and the money goes back", async () => {
    const { cart, session, transaction_id } = await paidWithoutOrder()
    const order_id = await partialOrder(cart, transaction_id, true)
    await store.db.raw(
      `INSERT INTO payment (id, provider_id, data, payment_session_id, currency_code, amount, raw_amount, payment_collection_id)
       SELECT id || '_other', 'pp_system_default', '{}', id || '_other', currency_code, amount, raw_amount, payment_collection_id
       FROM payment_session WHERE id = ?`,
      [session.id]
    )
    await letItBeDue(cart)
    await completeDuePaidCarts(store.container)
    expect([await shop.ordersOf(cart.id), (await completionOf(cart)).state]).toEqual([[order_id], "given_back"])
    expect(await refundsOf(transaction_id)).toHaveLength(1)
  })

  it("docs/decisions/04 — an order that was cancelled before Medusa had the payment takes no money: it goes back after the last try", async () => {
    const { cart, transaction_id } = await paidWithoutOrder()
    const order_id = await partialOrder(cart, transaction_id, true)
    await store.db("order").where({ id: order_id }).update({ status: "canceled" })
    expect((await shop.complete(cart.id)).body.type).not.toBe("order")
    await store.db("gateway_cart_completion").where({ cart_id: cart.id }).update({ attempts: 4 })
    await letItBeDue(cart)
    await completeDuePaidCarts(store.container)
    expect([await shop.ordersOf(cart.id), (await completionOf(cart)).state]).toEqual([[order_id], "given_back"])
    expect(await refundsOf(transaction_id)).toHaveLength(1)
  })

  it("docs/decisions/04 — an order of the last try that Medusa did not roll back goes with the money", async () => {
    const lastTry = async (tries: number): Promise<Awaited<ReturnType<typeof paidWithoutOrder>>> => {
      const paid = await paidWithoutOrder()
      await setStock(store, "CUSHION-40", 0)
      await store.db("gateway_cart_completion").where({ cart_id: paid.cart.id }).update({ attempts: 4 })
      await letItBeDue(paid.cart)
      await whileWorkflowsWriteSlowly(store, () => completeDuePaidCarts(store.container))
      if ((await shop.ordersOf(paid.cart.id)).length === 0 && tries > 1) {
        await setStock(store, "CUSHION-40", 500)
        return lastTry(tries - 1)
      }
      return paid
    }
    const { cart, transaction_id } = await lastTry(5)
    expect([(await shop.ordersOf(cart.id)).length, (await completionOf(cart)).state]).toEqual([1, "waiting"])
    for (let round = 0; round < 5 && (await completionOf(cart)).state === "waiting"; round++) {
      await letItBeDue(cart)
      await completeDuePaidCarts(store.container)
    }
    await setStock(store, "CUSHION-40", 500)
    expect([await shop.ordersOf(cart.id), (await completionOf(cart)).state]).toEqual([[], "given_back"])
    expect(await refundsOf(transaction_id)).toHaveLength(1)
  })

  it("calls for an admin when the refund fails, and asks no more", async () => {
    const { cart, transaction_id } = await paidWithoutOrder(REFUND_FAILS_CARD)
    await store.db("cart").where({ id: cart.id }).update({ deleted_at: new Date() })
    await letItBeDue(cart)
    await completeDuePaidCarts(store.container)
    const completion = await completionOf(cart)
    expect(completion).toMatchObject({ state: "needs_attention", next_attempt_at: null })
    expect(completion.trace.at(-1)).toMatch(/^Needs attention: /)
    expect(await transactionOf(transaction_id)).toMatchObject({ state: "SUCCESS", refunded_minor: 0 })
  })

  it("docs/decisions/04 — a cart that waits for an admin is completed in the storefront: by the event or the shopper's return, its order is recorded", async () => {
    const { cart, transaction_id } = await paidWithoutOrder(REFUND_FAILS_CARD)
    const gone = (deleted_at: Date | null) => store.db("cart").where({ id: cart.id }).update({ deleted_at })
    await gone(new Date())
    await letItBeDue(cart)
    await completeDuePaidCarts(store.container)
    expect(await completionOf(cart)).toMatchObject({ state: "needs_attention", order_id: null })
    await gone(null)
    const back = async () => (await (await shop.comeBack(transaction_id)).json()) as { order_id: string | null }
    // Only the storefront makes an order of it: an admin may have settled it with the shopper.
    expect([await back(), await shop.ordersOf(cart.id)]).toEqual([expect.objectContaining({ order_id: null }), []])

    const { order } = (await shop.complete(cart.id)).body
    await until("the order is recorded", async () => (await completionOf(cart)).state === "ordered")
    expect(await completionOf(cart)).toMatchObject({ order_id: order.id, next_attempt_at: null })
    await store
      .db("gateway_cart_completion")
      .where({ transaction_id })
      .update({ state: "needs_attention", order_id: null })
    expect(await back()).toMatchObject({ order_id: order.id })
    expect(await completionOf(cart)).toMatchObject({ state: "ordered", order_id: order.id })
    expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: "1320.00", recorded: "1320.00" })
  })

  it("docs/decisions/04 — a cart that waits for an admin is settled once an admin has given all of its money back", async () => {
    const { cart, transaction_id } = await paidWithoutOrder()
    const { refunds } = shop.gateway
    const refused = new GatewayError("REFUND_NOT_ALLOWED", said("The acquirer refused the refund"))
    jest.spyOn(refunds, "create").mockRejectedValueOnce(refused)
    await store.db("cart").where({ id: cart.id }).update({ deleted_at: new Date() })
    await letItBeDue(cart)
    await completeDuePaidCarts(store.container)
    expect(await completionOf(cart)).toMatchObject({ state: "needs_attention" })

    const giveBack = (amount: bigint) =>
      refunds.create({ transaction_id, amount, reason: "tests", requested_by: "tests", request_key: `${amount}` })
    await giveBack(2_000n)
    await syncDueRefunds(store.container)
    expect(await completionOf(cart)).toMatchObject({ state: "needs_attention", refund_id: null })
    const { id: refund_id } = await giveBack(130_000n)
    await syncDueRefunds(store.container)
    expect(await completionOf(cart)).toMatchObject({ state: "given_back", refund_id })
    const shown = store.db("gateway_order_refund").where({ transaction_id })
    await shown
      .clone()
      .whereNotNull("next_attempt_at")
      .update({ next_attempt_at: new Date(0) })
    await syncDueRefunds(store.container)
    expect((await shown).map(({ state, next_attempt_at }) => [state, next_attempt_at])).toEqual([
      ["dropped", null],
      ["dropped", null],
    ])
  })

  it("waits for a refund that takes its time, and makes no second one", async () => {
    const { cart, transaction_id } = await paidWithoutOrder(DELAYED_REFUND_CARD)
    await store.db("cart").where({ id: cart.id }).update({ deleted_at: new Date() })
    await letItBeDue(cart)
    await completeDuePaidCarts(store.container)
    expect(await completionOf(cart)).toMatchObject({ state: "giving_back" })
    await letItBeDue(cart)
    await completeDuePaidCarts(store.container)
    expect(await refundsOf(transaction_id)).toMatchObject([{ state: "processing" }])
    await store
      .db("gateway_sandbox_operation")
      .whereIn("charge_key", attemptsOf(store, transaction_id))
      .update({ available_at: new Date(0) })
    await letItBeDue(cart)
    await completeDuePaidCarts(store.container)
    expect(await completionOf(cart)).toMatchObject({ state: "given_back" })
    expect(await refundsOf(transaction_id)).toMatchObject([{ state: "completed" }])
  })

  it("docs/decisions/04 — makes the order again when Medusa rolls it back after authorising, and keeps the money", async () => {
    const { cart, session } = await shop.checkout()
    let transaction_id = ""
    await withoutOrderTransactions(store, async () => {
      ;({ transaction_id } = (await shop.pay(session.data.session_id)).body.data)
      expect(await completionOf(cart)).toMatchObject({ state: "waiting" })
      await letItBeDue(cart)
      await completeDuePaidCarts(store.container)
    })
    expect([await shop.ordersOf(cart.id), await refundsOf(transaction_id)]).toEqual([[], []])
    expect(await completionOf(cart)).toMatchObject({ state: "waiting", attempts: 2 })
    await letItBeDue(cart)
    await completeDuePaidCarts(store.container)
    expect(await shop.ordersOf(cart.id)).toHaveLength(1)
    expect(await completionOf(cart)).toMatchObject({ state: "ordered" })
    expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: "1320.00", recorded: "1320.00" })
    expect([await transactionOf(transaction_id), await refundsOf(transaction_id)]).toMatchObject([
      { state: "SUCCESS", refunded_minor: 0 },
      [],
    ])
  })

  it("docs/decisions/04 — a run that finds another one making the order gives no money back, even in the last try", async () => {
    const { cart, session } = await shop.checkout()
    let transaction_id = ""
    await withoutOrderTransactions(store, async () => {
      ;({ transaction_id } = (await shop.pay(session.data.session_id)).body.data)
    })
    const row = store.db("gateway_cart_completion").where({ transaction_id })
    await row.clone().update({ attempts: 4, next_attempt_at: null })
    expect(await shop.gateway.cartCompletions.lock(transaction_id, "another run")).toBe(true)
    const { status } = await shop.complete(cart.id)
    expect([status >= 400, await refundsOf(transaction_id)]).toEqual([true, []])
    await shop.gateway.cartCompletions.unlock(transaction_id, "another run")
    await row.clone().update({ next_attempt_at: new Date(0) })
    await completeDuePaidCarts(store.container)
    expect(await shop.ordersOf(cart.id)).toHaveLength(1)
    expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: "1320.00", recorded: "1320.00" })
    expect(await refundsOf(transaction_id)).toEqual([])
  })

  it("docs/decisions/04 — makes no order when its money went back just before the run had the right to make it", async () => {
    const { cart, transaction_id } = await paidWithoutOrder()
    const { cartCompletions, refunds } = shop.gateway
    const lock = cartCompletions.lock.bind(cartCompletions)
    jest.spyOn(cartCompletions, "lock").mockImplementationOnce(async (...given) => {
      await refunds.create({ transaction_id, reason: "an admin's", requested_by: "tests", request_key: "race" })
      return lock(...given)
    })
    expect((await shop.complete(cart.id)).body.type).toBe("cart")
    expect([await shop.ordersOf(cart.id), (await completionOf(cart)).locked_until]).toEqual([[], null])
    await letItBeDue(cart)
    await completeDuePaidCarts(store.container)
    expect(await shop.ordersOf(cart.id)).toHaveLength(0)
    expect(await completionOf(cart)).toMatchObject({ state: "given_back" })
  })

  it.each([
    ["linked to the cart", true, false],
    ["not linked yet", false, false],
    // Medusa's roll-back deletes it even when it could not undo the links before.
    ["of which only the links are left", true, true],
  ] as const)(
    "docs/decisions/04 — the partial order of a later try, %s, is removed, and the payment of the first one pays the next",
    async (_what, isLinked, isDeleted) => {
      const { cart, session } = await shop.checkout()
      let transaction_id = ""
      await withoutOrderTransactions(store, async () => {
        ;({ transaction_id } = (await shop.pay(session.data.session_id)).body.data)
      })
      const partial = await partialOrder(cart, transaction_id, isLinked)
      if (isDeleted) {
        await store.container.resolve(Modules.ORDER).deleteOrders([partial])
      }
      await letItBeDue(cart)
      await completeDuePaidCarts(store.container)
      const orders = await shop.ordersOf(cart.id)
      expect(orders).toHaveLength(1)
      const { rows } = await store.db.raw(
        `SELECT o.id, count(r.id)::int AS reservations FROM "order" o
         JOIN order_item i ON i.order_id = o.id LEFT JOIN reservation_item r ON r.line_item_id = i.item_id AND r.deleted_at IS NULL
         WHERE o.metadata ->> 'gateway_transaction_id' = ? AND o.deleted_at IS NULL GROUP BY o.id`,
        [transaction_id]
      )
      expect(rows).toEqual([{ id: expect.not.stringMatching(partial), reservations: 1 }])
      expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: "1320.00", recorded: "1320.00" })
      expect(await completionOf(cart)).toMatchObject({ state: "ordered", order_id: rows[0].id })
    }
  )

  it("docs/decisions/04 — an order that a run is still making is not refunded, and then it can be", async () => {
    const { cart, transaction_id } = await paidWithoutOrder()
    await letItBeDue(cart)
    // The event of the order records it, too, at any time: here it finds nothing to record.
    const heard = jest.spyOn(shop.gateway.cartCompletions, "findUnordered").mockResolvedValue([])
    await completeDuePaidCarts(store.container)
    await until("the event of the order was heard", () => heard.mock.calls.some(([cart_id]) => cart_id === cart.id))
    heard.mockRestore()
    const completion = store.db("gateway_cart_completion").where({ transaction_id })
    await completion.clone().update({ state: "waiting", order_id: null, attempts: 4 })
    // The run that made the order may not have given its lock back yet.
    await until("another run has the lock", () => shop.gateway.cartCompletions.lock(transaction_id, "another run"))
    const { rows } = await store.db.raw(
      "SELECT p.id FROM payment p JOIN cart_payment_collection c USING (payment_collection_id) WHERE c.cart_id = ?",
      [cart.id]
    )
    const giveBack = () =>
      refundPaymentWorkflow(store.container).run({ input: { payment_id: rows[0].id }, throwOnError: false })
    expect((await giveBack()).errors).toHaveLength(1)
    expect(await refundsOf(transaction_id)).toEqual([])
    await shop.gateway.cartCompletions.unlock(transaction_id, "another run")
    expect((await giveBack()).errors).toEqual([])
    expect(await refundsOf(transaction_id)).toHaveLength(1)
    await completion.clone().update({ state: "ordered", next_attempt_at: null })
  })

  it("an order of another cart with this cart's mark, which shoppers can write, is not taken for a partial one", async () => {
    const { cart: other, session } = await shop.checkout()
    await shop.pay(session.data.session_id)
    const [kept] = await shop.ordersOf(other.id)
    const { cart, transaction_id } = await paidWithoutOrder()
    await store
      .db("order")
      .where({ id: kept })
      .update({ metadata: { gateway_transaction_id: transaction_id } })
    await letItBeDue(cart)
    await completeDuePaidCarts(store.container)
    expect(await shop.ordersOf(cart.id)).toHaveLength(1)
    expect([await shop.ordersOf(other.id), await store.db("order").where({ id: kept, deleted_at: null })]).toEqual([
      [kept],
      [expect.objectContaining({ id: kept })],
    ])
  })

  it("a completed cart whose order is gone does not become another order with the same payment", async () => {
    const { cart, session } = await shop.checkout()
    await shop.pay(session.data.session_id)
    await store.db("order_cart").where({ cart_id: cart.id }).update({ deleted_at: new Date() })
    expect((await shop.complete(cart.id)).body.type).not.toBe("order")
    expect(await shop.ordersOf(cart.id)).toEqual([])
  })

  it("docs/decisions/04 — an order whose money went back before the order was recorded is recorded all the same", async () => {
    const { cart, session } = await shop.checkout()
    const { transaction_id } = (await shop.pay(session.data.session_id)).body.data
    const [order] = await shop.ordersOf(cart.id)
    await store
      .db("gateway_cart_completion")
      .where({ transaction_id })
      .update({ state: "waiting", order_id: null, attempts: 0, next_attempt_at: new Date(0) })
    await shop.gateway.refunds.create({ transaction_id, reason: "tests", requested_by: "tests", request_key: "early" })
    await completeDuePaidCarts(store.container)
    expect(await completionOf(cart)).toMatchObject({ state: "ordered", order_id: order, refund_id: null })
  })

  it("gives the money back once when Medusa rolls back every try after authorising", async () => {
    const { cart, session } = await shop.checkout()
    let transaction_id = ""
    const { cartCompletions, refunds: service } = shop.gateway
    const create = service.create.bind(service)
    let isOthers: boolean | null = null
    jest.spyOn(service, "create").mockImplementationOnce(async (request) => {
      isOthers = await cartCompletions.lock(request.transaction_id, "another run")
      return create(request)
    })
    await withoutOrderTransactions(store, async () => {
      ;({ transaction_id } = (await shop.pay(session.data.session_id)).body.data)
      for (let round = 0; round < 10 && (await completionOf(cart)).state === "waiting"; round++) {
        await letItBeDue(cart)
        await completeDuePaidCarts(store.container)
      }
    })
    // Nobody could make the order while its money went back.
    expect(isOthers).toBe(false)
    const refunds = await refundsOf(transaction_id)
    expect(refunds).toMatchObject([{ state: "completed", amount_minor: 132_000, requested_by: "store" }])
    const completion = await completionOf(cart)
    expect(completion).toMatchObject({ state: "given_back", refund_id: refunds[0].id })
    // The request that paid, and the task, may both give the money back: the slower one changes nothing.
    const repeated = await shop.gateway.cartCompletions.givenBack(transaction_id, refunds[0].id)
    expect(repeated.state).toBe("given_back")
    expect(repeated.history).toHaveLength(completion.trace.length)
    expect(completion.trace.filter((what: string) => what.startsWith("No order yet: "))).toHaveLength(5)
    expect(await shop.ordersOf(cart.id)).toHaveLength(0)
    expect(await transactionOf(transaction_id)).toMatchObject({ state: "REFUNDED" })
  })
})

describe("outcomes without money reach Medusa's payment session (design: facts about Medusa)", () => {
  it("announces an expiry, by the task, once", async () => {
    const { cart, session } = await shop.checkout()
    await store
      .db("gateway_transaction")
      .where({ session_id: session.data.session_id })
      .update({ expires_at: new Date() })
    await shop.gateway.sessionExpiry.run(100)
    await notifyDuePaymentSessions(store.container)
    const [shown] = (await shop.retrieve(cart.id)).payment_collection?.payment_sessions ?? []
    expect(shown).toMatchObject({ id: session.id, status: "canceled", data: { status: "EXPIRED" } })
    const [row] = await store.db("gateway_checkout_session").where({ id: session.data.session_id })
    expect(row.outcome_due_at).toBeNull()
  })

  it("does nothing about a payment session that is gone", async () => {
    const { cart, session } = await shop.checkout()
    await shop.addItem(cart.id, "TEA-250")
    await notifyDuePaymentSessions(store.container)
    const [row] = await store.db("gateway_checkout_session").where({ id: session.data.session_id })
    expect(row.outcome_due_at).toBeNull()
  })
})

describe("races", () => {
  it("pays a cart once of 32 payments at the same time, and makes one order", async () => {
    const { cart, session } = await shop.checkout()
    const answers = await Promise.all(Array.from({ length: 32 }, () => shop.pay(session.data.session_id)))
    const paid = answers.filter(({ status }) => status === 200)
    expect(paid).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(31)
    expect(await shop.ordersOf(cart.id)).toHaveLength(1)
    expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: "1320.00", recorded: "1320.00" })
    const charges = await store
      .db("gateway_sandbox_operation")
      .whereIn("key", attemptsOf(store, paid[0].body.data.transaction_id))
    expect(charges).toMatchObject([{ tries: 1 }])
  })

  it("never has an order of another amount than was paid, when the cart changes while it is paid", async () => {
    const prepared: { step: (typeof PAYMENT_STEPS)[number]; cart: Cart; session: PaymentSession }[] = []
    for (const step of PAYMENT_STEPS) {
      prepared.push({ step, ...(await shop.checkout()) })
    }
    await Promise.all(
      prepared.flatMap(({ step, cart, session }) => [
        shop.pay(session.data.session_id),
        paymentIs(store, step, session.data.session_id).then(() => shop.addItem(cart.id, "TEA-250")),
      ])
    )
    for (const { cart, session } of prepared) {
      const record = await shop.gateway.transactions.bySession(session.data.session_id)
      if (record.state !== "SUCCESS") {
        expect(record.state).toBe("EXPIRED")
        expect(await shop.ordersOf(cart.id)).toHaveLength(0)
        continue
      }
      await letItBeDue(cart)
      await completeDuePaidCarts(store.container)
      expect(await shop.ordersOf(cart.id)).toHaveLength(1)
      expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: "1320.00", recorded: "1320.00" })
      expect((await shop.complete(cart.id)).body.order.total).toBe(1320)
    }
  })
})
