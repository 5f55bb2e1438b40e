import type { IPaymentModuleService } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { settleRemotePayments } from "../../src/store/remote/settle-due-payments"
import type { CartShop } from "../support/carts"
import { expectLoggedErrors } from "../support/logged-errors"
import { RemoteShop, signed, succeeded, type Opened } from "../support/remote-shop"
import { whileWorkflowsWriteSlowly } from "../support/slow-workflows"
import { setStock } from "../support/stock"

expectLoggedErrors(
  /The money of this payment is going back/,
  /Error was thrown trying to refund payment/,
  /no order could be made of the paid cart/,
  /shows another payment than txn\w+, which is paid too/
)

/** Orders that a process or Medusa itself has left unfinished, of carts that are paid in another deployment. */

const remote = new RemoteShop()
const { other, store, open, understood, comeBack, letItBeLongAgo, letOrderBeLeft, onTheOtherSide } = remote
let shop: CartShop
let payments: IPaymentModuleService
beforeAll(() => ({ shop, payments } = remote))

describe("an order that Medusa has not finished", () => {
  async function unfinished(tries = 5): Promise<Opened> {
    const opened = await open()
    await other.pay(opened.data.session_id)
    await setStock(store, "CUSHION-40", 0)
    const answer = await whileWorkflowsWriteSlowly(store, async () => (await comeBack(opened)).json())
    if ((await shop.ordersOf(opened.cart.id)).length === 0 && tries > 1) {
      await setStock(store, "CUSHION-40", 500)
      return unfinished(tries - 1)
    }
    expect(await shop.ordersOf(opened.cart.id)).toHaveLength(1)
    expect(answer).toMatchObject({ status: "PENDING", order_id: null })
    return opened
  }
  const delivered = (opened: Opened) => understood(...signed(succeeded(opened), remote.webhookSecret))
  const settled = async (opened: Opened) => {
    await letItBeLongAgo(opened.id)
    await settleRemotePayments(store.container)
  }

  it("does not count as the cart's order, and is left alone while it may still be made", async () => {
    const opened = await unfinished()
    const left = await shop.ordersOf(opened.cart.id)
    await store.container.resolve(Modules.LOCKING).release(opened.cart.id)
    expect((await shop.complete(opened.cart.id)).body.type).not.toBe("order")
    await settled(opened)
    expect(await (await comeBack(opened)).json()).toMatchObject({ status: "PENDING", order_id: null })
    expect([await shop.ordersOf(opened.cart.id), await onTheOtherSide(opened)]).toEqual([left, "SUCCESS"])
    await setStock(store, "CUSHION-40", 500)
  })

  const letADayGoBy = ({ id }: Opened) =>
    store
      .db("gateway_remote_payment")
      .where({ payment_session_id: id })
      .update({ updated_at: new Date(Date.now() - 25 * 3_600_000) })

  /** As a process leaves it that is killed before it authorises the payment. */
  async function linkedOrder({ cart, id }: Opened): Promise<string> {
    const items = [{ title: "Cushion", quantity: 1, unit_price: 1_250 }]
    const [{ id: order_id }] = await store.container
      .resolve(Modules.ORDER)
      .createOrders([{ currency_code: "bdt", items }])
    const { payment_collection_id } = await payments.retrievePaymentSession(id)
    const order = { [Modules.ORDER]: { order_id } }
    await store.container.resolve(ContainerRegistrationKeys.LINK).create([
      { ...order, [Modules.CART]: { cart_id: cart.id } },
      { ...order, [Modules.PAYMENT]: { payment_collection_id } },
    ])
    return order_id
  }
  const insertAnother = (table: "payment" | "payment_session", of: Opened, values: Record<string, string>) => {
    const own = { id: `${of.id}_other`, provider_id: "pp_system_default", data: "{}", ...values }
    const copied = ["currency_code", "amount", "raw_amount", "payment_collection_id"]
    const columns = [...Object.keys(own), ...copied].join()
    const places = Object.keys(own).map(() => "?")
    return store.db.raw(
      `INSERT INTO ${table} (${columns}) SELECT ${[...places, ...copied].join()} FROM payment_session WHERE id = ?`,
      [...Object.values(own), of.id]
    )
  }

  it("is left alone as long as it may wait for another provider's money, and is no order for complete-cart", async () => {
    const opened = await open()
    await other.pay(opened.data.session_id)
    const left = await linkedOrder(opened)
    expect((await shop.complete(opened.cart.id)).body.type).not.toBe("order")
    await insertAnother("payment_session", opened, { status: "pending" })
    await letOrderBeLeft(opened)
    await settled(opened)
    expect(await shop.ordersOf(opened.cart.id)).toEqual([left])
    await store
      .db("payment_session")
      .where({ id: `${opened.id}_other` })
      .delete()
    await settled(opened)
    const made = await shop.ordersOf(opened.cart.id)
    expect(made).toEqual([expect.not.stringMatching(left)])
    expect(await shop.moneyOf(opened.cart.id)).toEqual({ payments: 1, captured: "1320.00", recorded: "1320.00" })
  })

  it("is not completed by a delivery, which Medusa would record on it: the worker decides what becomes of it", async () => {
    const opened = await open()
    await other.pay(opened.data.session_id)
    expect(await delivered(opened)).toMatchObject({ action: "captured", data: { session_id: opened.id } })
    const left = await linkedOrder(opened)
    expect(await delivered(opened)).toEqual({ action: "not_supported" })
    await letOrderBeLeft(opened)
    await settled(opened)
    expect(await shop.ordersOf(opened.cart.id)).toEqual([expect.not.stringMatching(left)])
    expect(await shop.moneyOf(opened.cart.id)).toEqual({ payments: 1, captured: "1320.00", recorded: "1320.00" })
    expect(await delivered(opened)).toEqual({ action: "not_supported" })
  })

  it("is made again when only the links to it are left", async () => {
    const opened = await open()
    await other.pay(opened.data.session_id)
    await payments.authorizePaymentSession(opened.id, {})
    const left = await linkedOrder(opened)
    await store.container.resolve(Modules.ORDER).deleteOrders([left])
    expect(await (await comeBack(opened)).json()).toMatchObject({ status: "SUCCESS" })
    expect(await shop.ordersOf(opened.cart.id)).toEqual([expect.not.stringMatching(left)])
    expect(await shop.moneyOf(opened.cart.id)).toEqual({ payments: 1, captured: "1320.00", recorded: "1320.00" })
  })

  it("is none when another payment session pays it, on delivery too: the order stays, and the money goes back", async () => {
    const opened = await open()
    await other.pay(opened.data.session_id)
    await payments.authorizePaymentSession(opened.id, {})
    const order_id = await linkedOrder(opened)
    await insertAnother("payment", opened, { payment_session_id: `${opened.id}_other` })
    await letOrderBeLeft(opened)
    await settled(opened)
    expect([await shop.ordersOf(opened.cart.id), await onTheOtherSide(opened)]).toEqual([[order_id], "REFUNDED"])
  })

  it("is none when the merchant works with it: the money is recorded on it", async () => {
    const opened = await unfinished()
    const left = await shop.ordersOf(opened.cart.id)
    await setStock(store, "CUSHION-40", 500)
    await store.db("order").where({ id: left[0] }).update({ version: 2 })
    await letOrderBeLeft(opened)
    await settled(opened)
    expect(await shop.ordersOf(opened.cart.id)).toEqual(left)
    expect(await shop.moneyOf(opened.cart.id)).toEqual({ payments: 1, captured: "1320.00", recorded: "1320.00" })
  })

  it("is removed after the last try too, and the money goes back without another one", async () => {
    const opened = await unfinished()
    await setStock(store, "CUSHION-40", 500)
    await letOrderBeLeft(opened)
    await letADayGoBy(opened)
    await settled(opened)
    expect([await shop.ordersOf(opened.cart.id), await onTheOtherSide(opened)]).toEqual([[], "REFUNDED"])
  })

  it("is removed after two minutes, and the money goes back when the goods are still sold out", async () => {
    const opened = await unfinished()
    await letOrderBeLeft(opened)
    await settled(opened)
    await remote.whileSoldOut(opened, () => settled(opened))
    expect([await shop.ordersOf(opened.cart.id), await onTheOtherSide(opened)]).toEqual([[], "REFUNDED"])
    expect(await other.refundsOf(opened.data.transaction_id)).toEqual([{ state: "completed", amount_minor: 132_000 }])
  })

  it("is made again when there are goods again, and shows the money once", async () => {
    const opened = await unfinished()
    const [left] = await shop.ordersOf(opened.cart.id)
    await setStock(store, "CUSHION-40", 500)
    await letOrderBeLeft(opened)
    await settled(opened)
    const made = await shop.ordersOf(opened.cart.id)
    expect(made).toEqual([expect.not.stringMatching(left)])
    expect(await shop.moneyOf(opened.cart.id)).toEqual({ payments: 1, captured: "1320.00", recorded: "1320.00" })
    expect(await (await comeBack(opened)).json()).toMatchObject({ status: "SUCCESS", order_id: made[0] })
    await settled(opened)
    const row = await store.db("gateway_remote_payment").where({ payment_session_id: opened.id }).first()
    expect([row.next_ask_at, await onTheOtherSide(opened)]).toEqual([null, "SUCCESS"])
  })

  it("is none when the merchant works with it before Medusa has the payment: the payment is recorded on it", async () => {
    const opened = await open()
    await other.pay(opened.data.session_id)
    const order_id = await linkedOrder(opened)
    await store.db("order").where({ id: order_id }).update({ version: 2 })
    await letOrderBeLeft(opened)
    await settled(opened)
    expect(await shop.ordersOf(opened.cart.id)).toEqual([order_id])
    expect(await shop.moneyOf(opened.cart.id)).toEqual({ payments: 1, captured: "1320.00", recorded: "1320.00" })
  })

  it("that the merchant has cancelled before Medusa has the payment takes no money: it goes back after a day", async () => {
    const opened = await open()
    await other.pay(opened.data.session_id)
    const order_id = await linkedOrder(opened)
    await store.db("order").where({ id: order_id }).update({ status: "canceled" })
    await letOrderBeLeft(opened)
    expect((await shop.complete(opened.cart.id)).body.type).not.toBe("order")
    await settled(opened)
    expect(await onTheOtherSide(opened)).toBe("SUCCESS")
    await letADayGoBy(opened)
    await settled(opened)
    expect([await shop.ordersOf(opened.cart.id), await onTheOtherSide(opened)]).toEqual([[order_id], "REFUNDED"])
  })

  it("and shows money of another payment collection is no reason to ask for ever: the log says so", async () => {
    const opened = await unfinished()
    const [order_id] = await shop.ordersOf(opened.cart.id)
    await setStock(store, "CUSHION-40", 500)
    const shown = { order_id, amount: 1_320, currency_code: "bdt", reference: "capture", reference_id: "capt_another" }
    await store.container.resolve(Modules.ORDER).addOrderTransactions([shown])
    await letOrderBeLeft(opened)
    await settled(opened)
    const row = await store.db("gateway_remote_payment").where({ payment_session_id: opened.id }).first()
    expect([await shop.ordersOf(opened.cart.id), row.next_ask_at]).toEqual([[order_id], null])
  })
})
