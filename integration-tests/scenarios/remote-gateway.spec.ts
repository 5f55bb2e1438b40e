import type { IPaymentModuleService } from "@medusajs/framework/types"
import { PaymentActions } from "@medusajs/framework/utils"
import { processPaymentWorkflow } from "@medusajs/medusa/core-flows"
import { settleRemotePayments } from "../../src/store/remote/settle-due-payments"
import { ADDRESS, type Cart, type CartShop } from "../support/carts"
import { expectLoggedErrors } from "../support/logged-errors"
import { REMOTE_PROVIDER as PROVIDER, RemoteShop, signed, succeeded, type Opened } from "../support/remote-shop"
import { until } from "../support/until"

expectLoggedErrors(/has not known the payment/)

const remote = new RemoteShop()
const { other, store, open, comeBack, understood, newAddress, letItBeLongAgo, paymentOf, refund, onTheOtherSide } =
  remote
let shop: CartShop
let payments: IPaymentModuleService
let webhookSecret: string
let ipnSecret: string
beforeAll(() => ({ shop, payments, webhookSecret, ipnSecret } = remote))

const ipn = ({ data }: Opened) => ({
  event_id: "e",
  transaction_id: data.transaction_id,
  order_id: data.order_id,
  status: "SUCCESS",
})

async function statusOf({ id }: Opened): Promise<string> {
  return (await payments.retrievePaymentSession(id)).status
}

/** Resets the time of the last inquiries. */
const letThemAskAgain = () => store.db("gateway_remote_payment").update({ asked_at: null })

describe("paying", () => {
  it("a cart that is paid over there becomes an order here, by the delivery alone", async () => {
    const opened = await open({ payment_method: "card" })
    const { cart, data, id } = opened
    expect(data.order_id).toBe(id.replace("payses_", ""))
    expect(data.checkout_url).toMatch(/\/pay\/ses_/)
    expect(JSON.stringify(data)).not.toMatch(/whsec_|sk_test_/)
    const [session] = await other.sessionsOf(data.order_id)
    expect(session).toMatchObject({
      amount_minor: 132_000,
      source: "api",
      payment_info: { payment_service_id: 1 },
      customer: { name: "Ayesha Rahman", city: "Dhaka", country: "Bangladesh" },
      ipn_url: `${store.url}/hooks/payment/gateway_remote`,
      success_url: `${store.url}/gateway/remote/return`,
    })
    other.announces = true
    await other.pay(data.session_id)
    await until("the cart has an order", async () => (await shop.ordersOf(cart.id)).length > 0)
    await until("its money is recorded", async () => (await shop.moneyOf(cart.id)).recorded !== "0.00")
    expect(await statusOf(opened)).toBe("authorized")
    // Endpoint and IPN announce the same payment, and Medusa receives both.
    const pending = () => other.db("gateway_webhook_delivery").where({ state: "pending" })
    await until("everything is delivered", async () => (await pending()).length === 0)
    expect(await shop.ordersOf(cart.id)).toHaveLength(1)
    expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: "1320.00", recorded: "1320.00" })
  })

  it("the shopper who comes back first finds the order; later notifications change nothing", async () => {
    const opened = await open({ return_url: `${store.url}/thanks?shop=1` })
    await other.pay(opened.data.session_id)
    const answer = await comeBack(opened)
    const [order] = await shop.ordersOf(opened.cart.id)
    expect(answer.status).toBe(303)
    expect(answer.headers.get("location")).toBe(
      `${store.url}/thanks?shop=1&transaction_id=${opened.data.transaction_id}&status=SUCCESS&order_id=${order}`
    )
    for (const event of [signed(succeeded(opened), webhookSecret), signed(ipn(opened), ipnSecret)]) {
      expect(await understood(...event)).toEqual({ action: "not_supported" })
      // As when the delivery was read before the order was made.
      const read = { action: PaymentActions.SUCCESSFUL, data: { session_id: opened.id, amount: "1320.00" } }
      await processPaymentWorkflow(store.container).run({ input: read })
    }
    expect((await comeBack(opened)).status).toBe(303)
    expect(await shop.ordersOf(opened.cart.id)).toEqual([order])
    expect(await shop.moneyOf(opened.cart.id)).toEqual({ payments: 1, captured: "1320.00", recorded: "1320.00" })
  })

  it("a storefront may complete the paid cart itself", async () => {
    const { cart, data } = await open()
    await other.pay(data.session_id)
    expect((await shop.complete(cart.id)).body.type).toBe("order")
    expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: "1320.00", recorded: "1320.00" })
  })

  it.each([
    ["declined", "error", (session: string) => other.pay(session, "4000000000000002")],
    ["cancelled", "canceled", (session: string) => other.cancel(session)],
  ])("a payment that is %s: the payment session says %s, and the cart can be paid anew", async (_how, status, end) => {
    const opened = await open()
    await end(opened.data.session_id)
    const answer = await comeBack(opened)
    expect(await answer.json()).toMatchObject({ status: status === "error" ? "FAILED" : "CANCELLED", order_id: null })
    expect(await statusOf(opened)).toBe(status)
    const again = await shop.startPayment(opened.cart.id)
    expect(again.data.session_id).not.toBe(opened.data.session_id)
  })
})

describe("a cart without what the other deployment requires", () => {
  it.each([
    ["phone", { phone: "" }, "Enter a phone number"],
    ["phone", { phone: "12" }, "Enter a phone number"],
    ["email", null, "Enter an e-mail address"],
  ])("a %s (%j): the message names it, and nothing is asked", async (_field, address, message) => {
    const changes =
      address === null
        ? { email: null }
        : { shipping_address: { ...ADDRESS, ...address }, billing_address: { ...ADDRESS, ...address } }
    shop.address = newAddress()
    const cart = await shop.cart(undefined, changes)
    const before = other.way.asked.length
    expect(await shop.initiate(cart.id)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(message) },
    })
    expect(other.way.asked.slice(before).filter((path) => path.endsWith("/payments/checkout"))).toEqual([])
  })
})

describe("what is not believed", () => {
  it("a redirect that says SUCCESS, a completed cart that is not paid, and a payment of another store", async () => {
    const opened = await open()
    expect(await (await comeBack(opened)).json()).toMatchObject({ status: "PENDING", order_id: null })
    expect((await shop.complete(opened.cart.id)).body.type).toBe("cart")
    expect(await shop.ordersOf(opened.cart.id)).toEqual([])
    for (const order_id of ["01ARZ3NDEKTSV4RRFFQ69G5FAV", "order-1", ""]) {
      expect((await fetch(`${store.url}/gateway/remote/return?order_id=${order_id}`)).status).toBe(404)
    }
  })

  it("a delivery that is forged, altered, stale or about something else moves nothing, even when the cart is paid", async () => {
    const opened = await open()
    await other.pay(opened.data.session_id)
    const [body, headers] = signed(succeeded(opened), webhookSecret)
    const foreign = {
      ...succeeded(opened),
      data: { transaction_id: opened.data.transaction_id, order_id: "01ARZ3NDEKTSV4RRFFQ69G5FAV" },
    }
    const deliveries: [string, Record<string, string>][] = [
      [body, {}],
      signed(succeeded(opened), `whsec_${Buffer.alloc(32).toString("base64")}`),
      [`${body} `, headers],
      signed(succeeded(opened), webhookSecret, Date.now() - 400_000),
      signed({ ...succeeded(opened), event_type: "refund.completed" }, webhookSecret),
      signed(foreign, webhookSecret),
      signed(
        { ...succeeded(opened), data: { transaction_id: `txn${"0".repeat(32)}`, order_id: opened.data.order_id } },
        webhookSecret
      ),
    ]
    for (const delivery of deliveries) {
      expect(await understood(...delivery)).toEqual({ action: "not_supported" })
    }
    const { status } = await fetch(`${store.url}/hooks/payment/gateway_remote`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    })
    expect(status).toBe(200)
  })

  it("a genuine delivery alone: what the other deployment answers counts", async () => {
    const opened = await open()
    const action = await understood(...signed(succeeded(opened), webhookSecret))
    expect(action).toMatchObject({ action: "pending" })
    await other.pay(opened.data.session_id, "4000000000000002")
    expect(await understood(...signed(succeeded(opened), webhookSecret))).toMatchObject({ action: "failed" })
  })

  it("an amount that is not the cart's", async () => {
    const [dear, cheap] = [await open(), await open()]
    await Promise.all([other.pay(dear.data.session_id), other.pay(cheap.data.session_id)])
    await store.db("gateway_remote_payment").where({ payment_session_id: dear.id }).update({ amount_minor: 100 })
    expect(await shop.complete(dear.cart.id)).toMatchObject({
      status: 400,
      body: { message: "What the gateway has verified is not the payment of this cart" },
    })
    // The amount that Medusa would record as paid is the amount paid in the other deployment.
    await store
      .db("payment_session")
      .where({ id: cheap.id })
      .update({ amount: 1, raw_amount: { value: "1", precision: 20 } })
    await expect(payments.authorizePaymentSession(cheap.id, {})).rejects.toThrow("is not its checkout's")
    expect([await shop.ordersOf(dear.cart.id), await shop.ordersOf(cheap.cart.id)]).toEqual([[], []])
  })
})

describe("what a shopper sends as a payment session's data buys nothing", () => {
  /** How many of a transaction's payments Medusa has captured. */
  async function capturedOf({ data }: Opened): Promise<number> {
    const rows = await store
      .db("payment")
      .whereNotNull("captured_at")
      .whereRaw("data->>'transaction_id' = ?", [data.transaction_id])
    return rows.length
  }

  /** Waits until the payment session is in the database: Medusa commits it before it calls the provider. */
  async function sessionOf(cart_id: string): Promise<string> {
    const find = async () =>
      (
        await store
          .db("payment_session as s")
          .join("cart_payment_collection as c", "c.payment_collection_id", "s.payment_collection_id")
          .where({ cart_id })
          .select("s.id")
      )[0]?.id
    await until("the cart has a payment session", async () => (await find()) !== undefined)
    return find()
  }

  /** As a storefront does it, and as a host's code does that passes on whatever a browser has sent. */
  const doors: [string, (cart: Cart, data: Record<string, unknown>) => Promise<unknown>][] = [
    ["over the Store API", (cart, data) => shop.initiate(cart.id, data)],
    [
      "through the payment module",
      async (cart, data) => {
        const { body } = await shop.call("POST", "/store/payment-collections", { cart_id: cart.id })
        return payments.createPaymentSession(body.payment_collection.id, {
          provider_id: PROVIDER,
          amount: cart.total,
          currency_code: "bdt",
          data,
        })
      },
    ],
  ]

  it.each(doors)(
    "carts completed while their checkout is being opened, a paid session's data sent %s",
    async (_how, initiate) => {
      const paid = await open()
      const others = await Promise.all([shop.cart(), shop.cart(), shop.cart({ "CUSHION-40": 2 })])
      await other.pay(paid.data.session_id)
      const release = other.way.holdCheckouts()
      const forged = [paid.data, paid.data, { ...paid.data, amount: others[2].total.toFixed(2) }]
      const running = others.map((cart, index) => initiate(cart, { ...forged[index] }))
      const ids = await Promise.all(others.map(({ id }) => sessionOf(id)))
      const during = await Promise.all([...others, ...others, paid.cart].map(({ id }) => shop.complete(id)))
      await Promise.allSettled(ids.map((id) => payments.authorizePaymentSession(id, {})))
      release()
      await Promise.all(running)
      const after = await Promise.all(others.map(({ id }) => shop.complete(id)))
      expect([...during, ...after].filter(({ body }) => body.type === "order")).toHaveLength(1)
      expect(await Promise.all(others.map(({ id }) => shop.ordersOf(id)))).toEqual([[], [], []])
      expect(await shop.moneyOf(paid.cart.id)).toEqual({ payments: 1, captured: "1320.00", recorded: "1320.00" })
      expect(await capturedOf(paid)).toBe(1)
    }
  )

  it.each(doors)("data of a checkout that is paid only then, sent %s", async (_how, initiate) => {
    const early = await open()
    const cart = await shop.cart()
    const release = other.way.holdCheckouts()
    const running = initiate(cart, { ...early.data })
    const id = await sessionOf(cart.id)
    await shop.complete(cart.id)
    await other.pay(early.data.session_id)
    await Promise.allSettled([
      shop.complete(cart.id),
      payments.authorizePaymentSession(id, {}),
      comeBack({ ...early, data: { ...early.data, order_id: id.replace("payses_", "") } }),
    ])
    release()
    await running
    await shop.complete(cart.id)
    expect([await shop.ordersOf(cart.id), await capturedOf(early)]).toEqual([[], 0])
    await comeBack(early)
    expect([await shop.ordersOf(early.cart.id), await capturedOf(early)]).toEqual([[expect.any(String)], 1])
  })

  it("a session that a killed process has left with it is worth nothing in any call", async () => {
    const [paid, left] = [await open(), await open()]
    await other.pay(paid.data.session_id)
    await store.db("payment_session").where({ id: left.id }).update({ data: paid.data })
    expect((await shop.complete(left.cart.id)).body.type).toBe("cart")
    await expect(payments.authorizePaymentSession(left.id, {})).rejects.toThrow("not authorized")
    const delivery = signed(succeeded({ ...left, data: { ...paid.data, order_id: left.data.order_id } }), webhookSecret)
    expect(await understood(...delivery)).toEqual({ action: "not_supported" })
    expect(await (await comeBack(left)).json()).toMatchObject({
      status: "PENDING",
      order_id: null,
      transaction_id: left.data.transaction_id,
    })
    await letItBeLongAgo(left.id)
    await settleRemotePayments(store.container)
    expect([await shop.ordersOf(left.cart.id), await capturedOf(paid)]).toEqual([[], 0])
    // Its own payment counts, whatever the data contains.
    await other.pay(left.data.session_id)
    await letThemAskAgain()
    await comeBack(left)
    expect(await shop.ordersOf(left.cart.id)).toHaveLength(1)
    expect((await payments.listPayments({ payment_session_id: left.id }))[0].data).toMatchObject({
      transaction_id: left.data.transaction_id,
    })
  })

  it("a payment gives back what was paid for it, whatever its data says", async () => {
    const [mine, theirs] = [await open(), await open()]
    for (const opened of [mine, theirs]) {
      await other.pay(opened.data.session_id)
      await comeBack(opened)
    }
    const payment = await paymentOf(mine)
    await store.db("payment").where({ id: payment }).update({ data: theirs.data })
    await refund(payment, 100)
    await expect(payments.cancelPayment(payment)).rejects.toThrow("captured")
    expect([
      await other.refundsOf(theirs.data.transaction_id),
      await other.refundsOf(mine.data.transaction_id),
    ]).toMatchObject([[], [{ amount_minor: 10_000 }]])
  })
})

describe("the store's quota is for its checkouts, whatever strangers request", () => {
  const many = <Result>(count: number, call: (index: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, (_, index) => call(index)))
  const statusIn = async (answer: Response) => ((await answer.json()) as { status: string }).status

  /**
   * The inquiries about these checkouts while the work ran; about all of this store's when none are named. Deliveries
   * of earlier tests may still arrive, and a payment that is known to be made is asked about at once.
   */
  async function requestsDuring(about: readonly Opened[], work: () => Promise<unknown>): Promise<number> {
    const before = other.way.asked.length
    await work()
    const asked = other.way.asked.slice(before)
    if (about.length > 0) {
      return asked.filter((path) => about.some(({ data }) => path.includes(data.transaction_id))).length
    }
    const known = (
      await store.db("gateway_remote_payment").whereNotNull("transaction_id").select("transaction_id")
    ).map((row) => row.transaction_id as string)
    return asked.filter((path) => !known.some((id) => path.includes(id))).length
  }

  it("500 returns of shoppers who have not paid ask a few times, from any number of addresses; a checkout still opens", async () => {
    const opened = [await open(), await open(), await open(), await open()]
    const statuses = new Set<string>()
    const begun = Date.now()
    const asked = await requestsDuring(opened, async () => {
      const answers = await many(500, (index) => comeBack(opened[index % 4], `198.51.100.${index % 200}`))
      await Promise.all(answers.map(async (answer) => statuses.add(await statusIn(answer))))
    })
    expect([...statuses]).toEqual(["PENDING"])
    expect(asked).toBeGreaterThan(0)
    // Ten per minute for each payment, however many minutes the calls span.
    expect(asked).toBeLessThanOrEqual(4 * 10 * (Math.ceil((Date.now() - begun) / 60_000) + 1))
    other.announces = true
    await other.pay(opened[0].data.session_id)
    await until("the cart has an order", async () => (await shop.ordersOf(opened[0].cart.id)).length > 0)
    expect((await open()).data.checkout_url).toContain("/pay/ses_")
  })

  it("shoppers of a paid cart who come back at once share one answer; an outcome that is final is not asked for again", async () => {
    const [paid, cancelled] = [await open(), await open()]
    await other.pay(paid.data.session_id)
    await other.cancel(cancelled.data.session_id)
    const statuses = await many(20, async () => statusIn(await comeBack(paid)))
    expect(statuses.every((status) => status === "SUCCESS")).toBe(true)
    expect(await shop.ordersOf(paid.cart.id)).toHaveLength(1)
    await comeBack(cancelled)
    await letThemAskAgain()
    other.way.shut = true
    expect(await Promise.all([paid, cancelled].map(async (opened) => statusIn(await comeBack(opened))))).toEqual([
      "SUCCESS",
      "CANCELLED",
    ])
  })

  it("an order_id that this store has not made triggers no inquiry", async () => {
    const ids = [...Array(50).keys()].map((index) => `01ARZ3NDEKTSV4RRFFQ69G5F${String(index).padStart(2, "0")}`)
    const asked = await requestsDuring([], () =>
      many(50, (index) => comeBack({ data: { order_id: ids[index], transaction_id: "" } } as Opened))
    )
    expect(asked).toBe(0)
  })

  it("one address asks sixty times in a minute, and opens sixty checkouts", async () => {
    const { rateLimits, options } = shop.gateway
    options.pageLimits.remoteCheckouts = 60
    const [opened, address] = [await open(), newAddress()]
    await many(60, () =>
      Promise.all([rateLimits.take(`remote_address:${address}`, 60), rateLimits.take(`remote_checkout:${address}`, 60)])
    )
    expect(
      await requestsDuring([opened], async () =>
        expect(await statusIn(await comeBack(opened, address))).toBe("PENDING")
      )
    ).toBe(0)
    const cart = await shop.cart()
    shop.address = address
    expect((await shop.initiate(cart.id)).status).toBe(429)
    shop.address = newAddress()
    expect((await shop.initiate(cart.id)).status).toBe(200)
    options.pageLimits.remoteCheckouts = 0
    shop.address = address
    expect(await requestsDuring([opened], () => shop.complete(opened.cart.id))).toBe(0)
    shop.address = newAddress()
    await letThemAskAgain()
    expect(await requestsDuring([opened], () => comeBack(opened))).toBe(1)
  })

  it("with less than half of the quota left only checkouts, and payments that are known to be made, ask", async () => {
    other.way.remaining = 10
    const opened = await open()
    await letItBeLongAgo(opened.id)
    const asked = await requestsDuring([opened], async () => {
      expect(await statusIn(await comeBack(opened))).toBe("PENDING")
      expect((await shop.complete(opened.cart.id)).body.type).toBe("cart")
      await settleRemotePayments(store.container)
    })
    expect(asked).toBe(0)
    other.announces = true
    await other.pay(opened.data.session_id)
    await until("the cart has an order", async () => (await shop.ordersOf(opened.cart.id)).length > 0)
    other.way.remaining = 90
    const next = await open()
    expect(await requestsDuring([next], () => comeBack(next))).toBeGreaterThan(0)
  })
})

describe("the other deployment is away (design: unknown is not failed)", () => {
  it("a checkout whose answer is lost is opened once; one that cannot be opened is said so", async () => {
    other.way.answerless = 1
    const { data } = await open()
    expect(await other.sessionsOf(data.order_id)).toHaveLength(1)
    other.way.shut = true
    const { status, body } = await shop.initiate((await shop.cart()).id)
    expect([status, body.message]).toEqual([500, expect.stringContaining("try again")])
  })

  it("a paid cart waits: nothing fails, nothing is made; without any notification the task finds it", async () => {
    const opened = await open()
    other.way.shut = true
    await other.pay(opened.data.session_id)
    expect((await comeBack(opened)).status).toBe(500)
    await expect(understood(...signed(succeeded(opened), webhookSecret))).rejects.toThrow("could not be settled")
    expect(await shop.complete(opened.cart.id)).toMatchObject({
      status: 500,
      body: { message: expect.stringContaining("try again") },
    })
    expect([await statusOf(opened), await shop.ordersOf(opened.cart.id)]).toEqual(["pending", []])
    await letItBeLongAgo(opened.id)
    await settleRemotePayments(store.container)
    expect(await shop.ordersOf(opened.cart.id)).toEqual([])
    other.way.shut = false
    await settleRemotePayments(store.container)
    expect(await shop.ordersOf(opened.cart.id)).toHaveLength(1)
  })

  it("a payment that it does not know any more is given up after a week of such answers, and not before", async () => {
    const opened = await open()
    const row = () => store.db("gateway_remote_payment").where({ payment_session_id: opened.id })
    const afterRun = async () => {
      await letItBeLongAgo(opened.id)
      await settleRemotePayments(store.container)
      return row().first()
    }
    const days = (count: number) => new Date(Date.now() - count * 86_400_000)
    const purged = `txn${"0".repeat(32)}`
    await row().update({ transaction_id: purged })
    expect(await afterRun()).toMatchObject({ missing_since: expect.any(Date), next_ask_at: expect.any(Date) })
    await row().update({ missing_since: days(6) })
    expect(await afterRun()).toMatchObject({ next_ask_at: expect.any(Date) })
    await row().update({ transaction_id: opened.data.transaction_id, missing_since: days(8) })
    expect(await afterRun()).toMatchObject({ missing_since: null, next_ask_at: expect.any(Date) })
    await row().update({ transaction_id: purged, missing_since: days(8) })
    expect(await afterRun()).toMatchObject({ next_ask_at: null })
  })

  it("the process that took the payment down died before it made the order: the task makes it", async () => {
    const opened = await open()
    await other.pay(opened.data.session_id)
    await payments.authorizePaymentSession(opened.id, {})
    await letItBeLongAgo(opened.id)
    const long_ago = new Date(Date.now() - 10 * 3_600_000)
    await store.db("payment_session").where({ id: opened.id }).update({ created_at: long_ago, authorized_at: long_ago })
    await Promise.all([settleRemotePayments(store.container), settleRemotePayments(store.container)])
    expect(await shop.ordersOf(opened.cart.id)).toHaveLength(1)
    expect(await shop.moneyOf(opened.cart.id)).toEqual({ payments: 1, captured: "1320.00", recorded: "1320.00" })
  })
})

describe("the cart goes another way", () => {
  it("an unpaid checkout is ended over there, so that it cannot be paid any more", async () => {
    const opened = await open()
    expect((await shop.addItem(opened.cart.id, "CUSHION-40")).status).toBe(200)
    expect(await onTheOtherSide(opened)).toBe("EXPIRED")
    expect((await other.pay(opened.data.session_id)).status).toBe(408)
  })

  it("a paid one cannot change any more, nor one whose status is unknown", async () => {
    const [paid, unknown] = [await open(), await open()]
    await other.pay(paid.data.session_id)
    expect((await shop.addItem(paid.cart.id, "CUSHION-40")).status).not.toBe(200)
    other.way.shut = true
    expect((await shop.addItem(unknown.cart.id, "CUSHION-40")).status).not.toBe(200)
    other.way.shut = false
    expect(await onTheOtherSide(unknown)).toBe("PENDING")
    await expect(payments.authorizePaymentSession(paid.id, {})).resolves.toMatchObject({
      captured_at: expect.anything(),
    })
    await expect(payments.cancelPayment(await paymentOf(paid))).rejects.toThrow("captured")
  })

  it("a changed amount ends the checkout and opens another, under an order_id of its own", async () => {
    const opened = await open()
    const { data } = await payments.updatePaymentSession({
      id: opened.id,
      amount: 777.125,
      currency_code: "bdt",
      data: { ...opened.data },
      context: { idempotency_key: opened.id },
    })
    expect(data).toMatchObject({ order_id: `${opened.data.order_id}-2`, amount: "777.13" })
    expect(await onTheOtherSide(opened)).toBe("EXPIRED")
    expect(await other.sessionsOf(`${opened.data.order_id}-2`)).toMatchObject([{ amount_minor: 77_713 }])
  })
})
