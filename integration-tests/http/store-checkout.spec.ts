import Medusa from "@medusajs/js-sdk"
import { awaitOutcome, isSpent, readOutcome, startPayment, textsOf, type Outcome } from "../../src/storefront"
import { placedBy, readOrderPayment, readReceipt } from "../../src/storefront"
import { done, redirect, ScriptedAcquirer, storeAsks, unpaid } from "../support/acquirer"
import { attemptsOf } from "../support/api"
import { CartShop, DECLINED_CARD, PROVIDER, type Cart } from "../support/carts"
import { merchantOf } from "../support/checkouts"
import { CARD, post, visit } from "../support/pages"
import { Shopper } from "../support/shoppers"
import { setStock } from "../support/stock"
import { useStore } from "../support/store"
import { until } from "../support/until"

let shop: CartShop
const store = useStore({
  production: true,
  shop: true,
  env: {
    STORE_CORS: "http://shop.example:8000,/^https:\\/\\/[a-z]+\\.shops\\.example$/",
    GATEWAY_RETURN_ORIGINS: "https://app.example, https://kiosk.example/",
  },
  prepare: async (booted) => {
    shop = new CartShop(booted)
    await shop.open()
  },
})

const RETURN_URL = "http://shop.example:8000/done?lang=bn"

describe("opening a payment (design: The store's side)", () => {
  let reused: Cart
  beforeAll(async () => {
    reused = await shop.cart()
  })

  it("puts four members into the payment session's data, whatever the client sent", async () => {
    const cart = await shop.cart()
    const requests = {
      payment_method: "card",
      return_url: RETURN_URL,
      status: "SUCCESS",
      amount: 1,
      "anything else": true,
    }
    const session = await shop.startPayment(cart.id, requests)
    expect(Object.keys(session.data).sort()).toEqual(["checkout_url", "expires_at", "session_id", "status"])
    expect(session.data).toMatchObject({
      status: "PENDING",
      checkout_url: `${store.url}/pay/${session.data.session_id}`,
    })
    expect(session.status).toBe("pending")
    const left = new Date(session.data.expires_at).getTime() - Date.now()
    expect(left).toBeGreaterThan(29 * 60_000)
    expect(left).toBeLessThanOrEqual(30 * 60_000)
  })

  it.each([
    ["bn-BD", "bn"],
    ["en-US", "en"],
    ["fr-FR", "en"],
    [undefined, "en"],
  ])("docs/decisions/16: a cart in %s opens the payment page in %s", async (locale, language) => {
    const { id } = await shop.cart(undefined, { locale })
    const { data } = await shop.startPayment(id)
    const page = await fetch(data.checkout_url, { headers: { "Accept-Language": "en" } })
    expect([page.status, page.headers.get("content-language")]).toEqual([200, language])
  })

  it("docs/decisions/16: a cart in no language of ours leaves it to the browser", async () => {
    for (const locale of ["fr-FR", undefined]) {
      const { id } = await shop.cart(undefined, { locale })
      const { data } = await shop.startPayment(id)
      const page = await fetch(data.checkout_url, { headers: { "Accept-Language": "bn" } })
      expect(page.headers.get("content-language")).toBe("bn")
    }
  })

  it("makes the full checkout order of the cart: customer, shipping, items that add up to the amount", async () => {
    const { cart, session } = await shop.checkout({ "SCARF-L": 2, "TEA-250": 1 }, { payment_service: "NAGAD" })
    const [row] = await store.db("gateway_checkout_session").where({ id: session.data.session_id })
    expect(row).toMatchObject({
      order_id: session.id.replace("payses_", ""),
      currency: "BDT",
      amount_minor: (2 * 1850 + 450 + 70) * 100,
      success_url: `${store.url}/gateway/return`,
      fail_url: `${store.url}/gateway/return`,
      cancel_url: `${store.url}/gateway/return`,
      customer: {
        name: "Ayesha Rahman",
        email: "ayesha@example.com",
        address: "House 5, Road 2, Dhanmondi",
        city: "Dhaka",
        postcode: "1205",
        country: "Bangladesh",
        phone: "01712345678",
      },
      customer_phone: "+8801712345678",
      shipping: {
        name: "Ayesha Rahman",
        city: "Dhaka",
        country: "Bangladesh",
        metadata: { methods: ["Inside Dhaka"] },
      },
      payment_info: { payment_service_id: 3 },
      metadata: { source: "medusa", cart_id: cart.id, payment_session_id: session.id },
      source: "cart",
      cart_id: cart.id,
      payment_session_id: session.id,
    })
    expect(row.order_id).toHaveLength(26)
    expect(row.items).toHaveLength(3)
    expect(row.items).toContainEqual(
      expect.objectContaining({
        sku: "SCARF-L",
        product_name: "Jamdani scarf, Long",
        quantity: 2,
        unit_price: "1850.00",
        net_amount: "3700.00",
      })
    )
    const sum = row.items.reduce(
      (total: number, item: { net_amount: string }) => total + Number(item.net_amount) * 100,
      0
    )
    expect(sum).toBe(row.amount_minor)
  })

  it("decisions: Absent means absent — what the cart does not know is empty", async () => {
    const cart = await shop.cart(
      { "TEA-250": 1 },
      { shipping_address: { country_code: "bd", city: "Dhaka" }, billing_address: undefined }
    )
    // The district that the delivery was offered for.
    await store.db("cart_address").where({ country_code: "bd", city: "Dhaka", address_1: null }).update({ city: null })
    const session = await shop.startPayment(cart.id)
    const [{ customer }] = await store.db("gateway_checkout_session").where({ id: session.data.session_id })
    expect(customer).toEqual({
      name: "ayesha@example.com",
      email: "ayesha@example.com",
      address: "",
      city: "",
      postcode: "",
      country: "Bangladesh",
      phone: "",
    })
  })

  it("decisions: Absent means absent, Digits — a shopper without an e-mail address pays, with a phone in Bangla digits", async () => {
    const where = { address_1: "House 7", city: "Dhaka", postal_code: "১২০৯", country_code: "bd" }
    const address = { first_name: "", last_name: "", ...where }
    const cart = await shop.cart(
      { "TEA-250": 1 },
      { email: undefined, shipping_address: { ...address, phone: "০১৭১২-৩৪৫৬৭৮" }, billing_address: undefined }
    )
    const session = await shop.startPayment(cart.id)
    const [row] = await store.db("gateway_checkout_session").where({ id: session.data.session_id })
    expect(row).toMatchObject({
      customer: { name: "01712-345678", email: "", phone: "01712-345678", postcode: "1209" },
      customer_phone: "+8801712345678",
    })
    expect((await shop.pay(session.data.session_id)).status).toBe(200)
  })

  it.each([
    ["an origin that is not configured", "http://evil.example/"],
    ["a named host on another port", "http://shop.example:8001/"],
    ["a host that begins like a named one", "http://shop.example:8000.evil.example/"],
    ["credentials before another host", "http://shop.example:8000@evil.example/"],
    ["a fragment", "http://shop.example:8000/#/done"],
    ["a script", "javascript:alert(1)"],
    ["no address", "/done"],
    ["no text", { href: "http://shop.example:8000/" }],
  ])("refuses a return_url with %s", async (_what, return_url) => {
    const answer = await shop.initiate(reused.id, { return_url })
    expect(answer).toMatchObject({
      status: 400,
      body: { type: "invalid_data", message: expect.stringMatching(/^return_url /) },
    })
  })

  it.each([
    "http://shop.example:8000/",
    "https://dhaka.shops.example/done",
    "https://app.example/done",
    "https://kiosk.example/",
  ])("accepts the return_url %s", async (return_url) => {
    expect(await shop.initiate(reused.id, { return_url })).toMatchObject({ status: 200 })
  })

  it.each([
    [{ payment_method: "cash" }, /^payment_method must be one of/],
    [{ payment_service: "CASH" }, /^payment_service is not available/],
    [{ payment_method: "card", payment_service: "BKASH" }, /^payment_service is not available/],
    [{ emi_configuration_id: "emi_1" }, /^order_amount must be at least 3000.00 BDT for EMI/],
  ])("refuses %j", async (data, message) => {
    expect((await shop.initiate(reused.id, data)).body.message).toMatch(message)
  })

  it("keeps the way back of a session that Medusa recreates when a new one was refused", async () => {
    const { cart, session } = await shop.checkout(undefined, { return_url: RETURN_URL, payment_method: "card" })
    expect((await shop.initiate(cart.id, { return_url: "http://evil.example/" })).status).toBe(400)
    const [recreated] = (await shop.retrieve(cart.id)).payment_collection?.payment_sessions ?? []
    expect(recreated.data.session_id).not.toBe(session.data.session_id)
    const [row] = await store.db("gateway_checkout_session").where({ id: recreated.data.session_id })
    expect(row).toMatchObject({ return_url: RETURN_URL, payment_info: { payment_service_id: 1 }, cart_id: cart.id })
  })

  it("refuses a cart above the contract's ceiling in words (contract 8)", async () => {
    const cart = await shop.cart({ "SCARF-L": 300 })
    const answer = await shop.initiate(cart.id)
    expect(answer).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("from 10.00 to 500000.00 BDT") },
    })
  })
})

describe("paying a cart", () => {
  it("has the order before the payment's answer, exactly one, with the money on it", async () => {
    const { cart, session } = await shop.checkout()
    const paid = await shop.pay(session.data.session_id)
    expect(paid).toMatchObject({ status: 200, body: { data: { status: "SUCCESS" } } })
    const orders = await shop.ordersOf(cart.id)
    expect(orders).toHaveLength(1)
    expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: "1320.00", recorded: "1320.00" })
    const [completion] = await store.db("gateway_cart_completion").where({ cart_id: cart.id })
    expect(completion).toMatchObject({
      state: "ordered",
      order_id: orders[0],
      locked_until: null,
      next_attempt_at: null,
    })
    expect(completion.history).toEqual([
      { kind: "cart.paid", at: expect.any(String) },
      { kind: "cart.ordered", params: { order_id: orders[0] }, at: expect.any(String) },
    ])
    const [order] = await store.db("order").where({ id: orders[0] })
    expect(order.metadata).toEqual({ gateway_transaction_id: paid.body.data.transaction_id })
  })

  it("is refused a second time, and the order stays the only one", async () => {
    const { cart, session } = await shop.checkout()
    await shop.pay(session.data.session_id)
    expect(await shop.pay(session.data.session_id)).toMatchObject({
      status: 409,
      body: { error: { code: "INVALID_STATE_TRANSITION" } },
    })
    expect(await shop.ordersOf(cart.id)).toHaveLength(1)
  })

  it("writes a decline on Medusa's payment session, and the shopper pays the same cart with a new one", async () => {
    const { cart, session } = await shop.checkout()
    const declined = await shop.pay(session.data.session_id, DECLINED_CARD)
    expect(declined.body.data.status).toBe("FAILED")
    const [failed] = (await shop.retrieve(cart.id)).payment_collection?.payment_sessions ?? []
    expect(failed).toMatchObject({ id: session.id, status: "error", data: { status: "FAILED" } })
    expect((await shop.complete(cart.id)).status).toBe(400)

    const second = await shop.startPayment(cart.id)
    expect(second.data.session_id).not.toBe(session.data.session_id)
    expect((await shop.pay(second.data.session_id)).body.data.status).toBe("SUCCESS")
    expect(await shop.ordersOf(cart.id)).toHaveLength(1)
    expect((await shop.moneyOf(cart.id)).payments).toBe(1)
  })

  it("decisions: Checkout — declined on the page, then paid there: the order is made before the redirect, by the same payment session", async () => {
    const { cart, session } = await shop.checkout()
    const { session_id } = session.data
    const page = `${store.url}/pay/${session_id}`
    const declined = await post(page, await visit(page), { ...CARD, card_number: DECLINED_CARD })
    expect(new URL(declined.location).pathname).toBe(`/pay/${session_id}`)
    const [open] = (await shop.retrieve(cart.id)).payment_collection?.payment_sessions ?? []
    expect(open).toMatchObject({ id: session.id, status: "pending" })
    expect(await shop.ordersOf(cart.id)).toHaveLength(0)
    const { status, location } = await post(page, await visit(page), CARD)
    const [order] = await shop.ordersOf(cart.id)
    expect([status, order]).toEqual([303, expect.stringMatching(/^order_/)])
    expect(location).toContain("status=SUCCESS")
    const { transaction_id } = await shop.gateway.transactions.bySession(session_id)
    expect(await (await shop.comeBack(transaction_id)).json()).toMatchObject({ status: "SUCCESS", order_id: order })
    expect((await shop.moneyOf(cart.id)).payments).toBe(1)
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("decisions: Checkout — given up after a decline on the page: Medusa's payment session has failed, a new one pays", async () => {
    const { cart, session } = await shop.checkout()
    const page = `${store.url}/pay/${session.data.session_id}`
    await post(page, await visit(page), { ...CARD, card_number: DECLINED_CARD })
    await post(`${page}/cancel`, await visit(page), {})
    const [failed] = (await shop.retrieve(cart.id)).payment_collection?.payment_sessions ?? []
    expect(failed).toMatchObject({ id: session.id, status: "error", data: { status: "FAILED" } })
    const second = await shop.startPayment(cart.id)
    expect((await shop.pay(second.data.session_id)).body.data.status).toBe("SUCCESS")
    expect(await shop.ordersOf(cart.id)).toHaveLength(1)
  })

  it("decisions: Checkout — money that comes for an attempt that was left: the open cart gets its order", async () => {
    const acquirer = new ScriptedAcquirer("redirect", [redirect], [unpaid, done])
    storeAsks({ WALLET: acquirer })
    const { cart, session } = await shop.checkout()
    const { session_id } = session.data
    const page = `${store.url}/pay/${session_id}`
    await shop.gateway.payments.pay({ session_id, instrument: { method: "wallet" }, page_url: page })
    await shop.gateway.inquiries.leave({ session_id, page_url: page })
    const { attempt_id, transaction_id } = await shop.gateway.transactions.bySession(session_id)
    await shop.gateway.inquiries.hinted(String(attempt_id), null)
    jest.restoreAllMocks()
    const back = await (await shop.comeBack(transaction_id)).json()
    expect(back).toMatchObject({ status: "SUCCESS", order_id: expect.stringMatching(/^order_/) })
    expect(await shop.ordersOf(cart.id)).toEqual([back.order_id])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("docs/decisions/16: the shop's number is on the page and at the bank, then it is the order's; ours is under Details", async () => {
    const acquirer = new ScriptedAcquirer("redirect", [redirect], [done])
    storeAsks({ WALLET: acquirer })
    const { cart, session } = await shop.checkout()
    const { session_id } = session.data
    const reference = cart.id.slice(-8).toUpperCase()
    const ulid = session.id.replace("payses_", "")
    const open = await shop.page(session_id)
    expect(open).toContain(`Order ${reference}`)
    expect(open).not.toContain(ulid)
    const page_url = `${store.url}/pay/${session_id}`
    await shop.gateway.payments.pay({ session_id, instrument: { method: "wallet" }, page_url })
    expect(acquirer.started[0].description).toMatch(new RegExp(`^Order ${reference}: .*cushion`, "i"))
    const { attempt_id, transaction_id } = await shop.gateway.transactions.bySession(session_id)
    await shop.gateway.inquiries.hinted(String(attempt_id), null)
    jest.restoreAllMocks()
    await shop.comeBack(transaction_id)
    const [order_id] = await shop.ordersOf(cart.id)
    const { display_id } = await store.db("order").where({ id: order_id }).first()
    const [shown, details] = (await shop.page(session_id)).split("Details")
    expect(shown).toMatch(new RegExp(`Order${display_id} *$`))
    expect(shown).not.toContain(reference)
    expect(details).toContain(`Reference${ulid}`)
    expect(details).toContain(`Transaction${transaction_id}`)
    expect(await shop.gateway.transactions.byId(transaction_id)).toMatchObject({
      order_id: ulid,
      order_number: String(display_id),
    })
  })

  it("writes a cancellation on Medusa's payment session", async () => {
    const { cart, session } = await shop.checkout()
    expect((await shop.cancel(session.data.session_id)).body.data.status).toBe("CANCELLED")
    const [cancelled] = (await shop.retrieve(cart.id)).payment_collection?.payment_sessions ?? []
    expect(cancelled).toMatchObject({ status: "canceled", data: { status: "CANCELLED" } })
  })
})

describe("the guard at Pay (design: The store's side)", () => {
  it("refuses when the cart's total has changed, charges nothing, and ends the checkout", async () => {
    const { cart, session } = await shop.checkout()
    // In the database: through Medusa's API the payment session would be deleted.
    await store.db.raw(
      `UPDATE cart_line_item SET unit_price = 99, raw_unit_price = '{"value": "99", "precision": 20}' WHERE cart_id = ?`,
      [cart.id]
    )
    expect(await shop.pay(session.data.session_id)).toMatchObject({
      status: 409,
      body: { error: { code: "CART_CHANGED" } },
    })
    const [transaction] = await store.db("gateway_transaction").where({ session_id: session.data.session_id })
    expect(transaction).toMatchObject({ state: "EXPIRED", verified_at: null })
    expect(await store.db("gateway_sandbox_operation").whereIn("key", attemptsOf(store, transaction.id))).toHaveLength(
      0
    )
    expect(await shop.pay(session.data.session_id)).toMatchObject({ status: 408 })
    const [shown] = (await shop.retrieve(cart.id)).payment_collection?.payment_sessions ?? []
    expect(shown).toMatchObject({ status: "canceled" })
  })

  it("ends the checkout when the cart changes through Medusa", async () => {
    const { cart, session } = await shop.checkout()
    expect((await shop.addItem(cart.id, "TEA-250")).status).toBe(200)
    const [transaction] = await store.db("gateway_transaction").where({ session_id: session.data.session_id })
    expect(transaction.state).toBe("EXPIRED")
    expect(await shop.pay(session.data.session_id)).toMatchObject({
      status: 408,
      body: { error: { code: "PAYMENT_TIMEOUT" } },
    })
  })

  it("refuses when the stock is gone", async () => {
    const { cart, session } = await shop.checkout({ "BAG-HILSA": 2 })
    await setStock(store, "BAG-HILSA", 1)
    const refused = await shop.pay(session.data.session_id)
    await setStock(store, "BAG-HILSA", 500)
    expect(refused).toMatchObject({
      status: 409,
      body: { error: { code: "CART_CHANGED", message: expect.stringContaining("out of stock") } },
    })
    expect(await shop.moneyOf(cart.id)).toMatchObject({ payments: 0 })
  })

  it("refuses when the cart is gone", async () => {
    const { cart, session } = await shop.checkout()
    await store.db("cart").where({ id: cart.id }).update({ deleted_at: new Date() })
    expect(await shop.pay(session.data.session_id)).toMatchObject({
      status: 409,
      body: { error: { code: "CART_CHANGED" } },
    })
  })
})

describe("a storefront that completes the cart itself", () => {
  it("gets no order for a cart that is not paid", async () => {
    const { cart } = await shop.checkout()
    const answer = await shop.complete(cart.id)
    expect(answer).toMatchObject({
      status: 200,
      body: { type: "cart", error: { type: "payment_requires_more_error" } },
    })
    expect(await shop.ordersOf(cart.id)).toHaveLength(0)
  })

  it("gets the order that exists", async () => {
    const { cart, session } = await shop.checkout()
    await shop.pay(session.data.session_id)
    const answer = await shop.complete(cart.id)
    expect(answer).toMatchObject({
      status: 200,
      body: { type: "order", order: { id: (await shop.ordersOf(cart.id))[0] } },
    })
  })

  it("gets no order when another amount was paid (the validate hook)", async () => {
    const { cart, session } = await shop.checkout()
    await shop.gateway.payments.pay({
      session_id: session.data.session_id,
      instrument: { method: "wallet" },
      page_url: "",
    })
    await store.db.raw(
      `UPDATE cart_line_item SET unit_price = 1260, raw_unit_price = '{"value": "1260", "precision": 20}' WHERE cart_id = ?`,
      [cart.id]
    )
    const answer = await shop.complete(cart.id)
    expect(answer).toMatchObject({ status: 400, body: { message: "The amount that was paid is not the cart's total" } })
    expect(await shop.ordersOf(cart.id)).toHaveLength(0)
  })

  it("may complete a paid cart, and the gateway learns of the order", async () => {
    const { cart, session } = await shop.checkout()
    await shop.gateway.payments.pay({
      session_id: session.data.session_id,
      instrument: { method: "wallet" },
      page_url: "",
    })
    const answer = await shop.complete(cart.id)
    expect(answer).toMatchObject({ status: 200, body: { type: "order" } })
    const completion = () => store.db("gateway_cart_completion").where({ cart_id: cart.id }).first()
    await until("the order is recorded", async () => (await completion()).state === "ordered")
    expect(await completion()).toMatchObject({ state: "ordered", order_id: answer.body.order.id })
  })
})

describe("coming back from the hosted page", () => {
  it("leads to the return_url with the truth appended after its query", async () => {
    const { cart, session } = await shop.checkout(undefined, { return_url: RETURN_URL })
    const paid = await shop.pay(session.data.session_id)
    const { transaction_id, redirect_url } = paid.body.data
    expect(redirect_url).toContain(`${store.url}/gateway/return?transaction_id=${transaction_id}`)
    const back = await fetch(redirect_url, { redirect: "manual" })
    const [order] = await shop.ordersOf(cart.id)
    expect(back.status).toBe(303)
    expect(back.headers.get("location")).toBe(
      `${RETURN_URL}&transaction_id=${transaction_id}&status=SUCCESS&order_id=${order}`
    )
    expect(back.headers.get("cache-control")).toBe("no-store")
  })

  it("believes no status and no order_id in the address", async () => {
    const { session } = await shop.checkout(undefined, { return_url: RETURN_URL })
    const { transaction_id } = await shop.gateway.transactions.bySession(session.data.session_id)
    const back = await fetch(
      `${store.url}/gateway/return?transaction_id=${transaction_id}&status=SUCCESS&order_id=order_1`,
      { redirect: "manual" }
    )
    expect(back.headers.get("location")).toBe(`${RETURN_URL}&transaction_id=${transaction_id}&status=PENDING&order_id=`)
  })

  it("completes a paid cart that has no order yet", async () => {
    const { cart, session } = await shop.checkout(undefined, { return_url: RETURN_URL })
    const paid = await shop.gateway.payments.pay({
      session_id: session.data.session_id,
      instrument: { method: "wallet" },
      page_url: "",
    })
    expect(await shop.ordersOf(cart.id)).toHaveLength(0)
    const back = await shop.comeBack(paid.transaction_id)
    const [order] = await shop.ordersOf(cart.id)
    expect(back.headers.get("location")).toContain(`status=SUCCESS&order_id=${order}`)
  })

  it("answers JSON when the storefront gave no return_url", async () => {
    const { cart, session } = await shop.checkout()
    const declined = await shop.pay(session.data.session_id, DECLINED_CARD)
    const { transaction_id } = declined.body.data
    const back = await shop.comeBack(transaction_id)
    expect(back.status).toBe(200)
    expect(await back.json()).toEqual({
      status: "FAILED",
      order_id: null,
      cart_id: cart.id,
      session_id: session.data.session_id,
      transaction_id,
    })
  })

  it.each(["", "txn0", `txn${"0".repeat(32)}`, "%00", "txn'--"])(
    "answers 404 as JSON for the transaction %j",
    async (id) => {
      const back = await shop.comeBack(id)
      expect(back.status).toBe(404)
      expect(await back.json()).toMatchObject({ type: "not_found" })
    }
  )

  it("does not know payments that came over /api/v2", async () => {
    const merchant = await merchantOf(store, "https://shop.example")
    const { transaction_id } = await merchant.checkout()
    expect((await shop.comeBack(transaction_id)).status).toBe(404)
    expect((await shop.status(`transaction_id=${transaction_id}`)).status).toBe(404)
  })
})

describe("GET /store/gateway/status", () => {
  it("gives a polling storefront the payment's status, by session or transaction", async () => {
    const { cart, session } = await shop.checkout()
    const { session_id } = session.data
    const pending = await shop.status(`session_id=${session_id}`)
    expect(pending).toMatchObject({
      status: 200,
      body: { status: "PENDING", order_id: null, cart_id: cart.id, session_id },
    })
    await shop.pay(session_id)
    const [order_id] = await shop.ordersOf(cart.id)
    const { transaction_id } = pending.body
    const expected = { status: "SUCCESS", order_id, cart_id: cart.id, session_id, transaction_id }
    expect((await shop.status(`session_id=${session_id}`)).body).toEqual(expected)
    expect((await shop.status(`transaction_id=${transaction_id}`)).body).toEqual(expected)
  })

  it("answers 404 for unknown ids and without one", async () => {
    for (const by of ["session_id=ses_1", "transaction_id=txn1", "", "session_id[]=1"]) {
      expect((await shop.status(by)).status).toBe(404)
    }
  })
})

describe("medusa-payment-gateway/storefront, with Medusa's own SDK", () => {
  let sdk: Medusa
  beforeAll(() => {
    sdk = new Medusa({ baseUrl: store.url, publishableKey: shop.publishableKey })
  })

  async function started(items?: Record<string, number>) {
    const { id } = await shop.cart(items)
    const { cart } = await sdk.store.cart.retrieve(id)
    const payment = await startPayment(sdk, cart, { returnUrl: RETURN_URL, method: "nagad" })
    if (!payment.ok) {
      throw new Error(payment.error.detail)
    }
    return { cart, payment, follow: () => awaitOutcome(sdk, { sessionId: payment.sessionId }, { timeoutMs: 0 }) }
  }

  it("starts a payment with the chosen method, on a page of the store", async () => {
    const { payment } = await started()
    expect(payment.url).toBe(`${store.url}/pay/${payment.sessionId}`)
    expect(Date.parse(payment.expiresAt ?? "")).toBeGreaterThan(Date.now())
    const [row] = await store.db("gateway_checkout_session").where({ id: payment.sessionId })
    expect(row).toMatchObject({ payment_info: { payment_service_id: 3 }, return_url: RETURN_URL })
    expect((await fetch(payment.url)).status).toBe(200)
  })

  it("docs/decisions/14: how an order was paid, and its receipt, are for the browser that placed it, not for who has its id", async () => {
    const key = "a-secret-of-this-browser"
    const mark = await placedBy(key)
    const cart = await shop.cart(undefined, { metadata: mark })
    const session = await shop.startPayment(cart.id)
    await shop.pay(session.data.session_id)
    const [order] = await shop.ordersOf(cart.id)
    const paid = await readOrderPayment(sdk, order, { key })
    expect(paid).toEqual({
      isOwner: true,
      payment: {
        ...{ method: "Visa ending in 4242", service: "CARD", brand: "VISA", last_four: "4242", account: null },
        ...{ transaction_id: expect.stringMatching(/^txn/), paid_at: expect.stringMatching(/^20/) },
        mail: { to: "ayesha@example.com", is_sent: expect.any(Boolean) },
      },
      isCash: false,
      cash: null,
    })
    expect((await readOrderPayment(sdk, order, { key, language: "bn" })).payment?.method).toContain("৪২৪২")
    expect((await (await readReceipt(sdk, order, { key }))?.text())?.slice(0, 5)).toBe("%PDF-")
    const stranger = await Shopper.register(store, shop)
    const nothing = { isOwner: false, payment: null, isCash: false, cash: null }
    const others = [{}, { key: "another" }, { key: mark.gateway_placed_by }]
    for (const options of [...others, { headers: { authorization: `Bearer ${stranger.token}` } }]) {
      expect(await readOrderPayment(sdk, order, options)).toEqual(nothing)
      expect(await readReceipt(sdk, order, options)).toBeNull()
    }
    for (const id of ["order_nothing", "nothing", "order_%00"]) {
      expect(await readOrderPayment(sdk, id, { key })).toEqual(nothing)
    }
  })

  it("docs/decisions/14: a signed-in customer owns their order in every browser, and needs no key", async () => {
    const shopper = await Shopper.register(store, shop)
    const { cart } = await shopper.buy({ "SCARF-L": 1 })
    const [order] = await shop.ordersOf(cart.id)
    const headers = { authorization: `Bearer ${shopper.token}` }
    expect(await readOrderPayment(sdk, order, { headers })).toMatchObject({
      isOwner: true,
      payment: { method: "Visa ending in 4242" },
    })
    expect((await readOrderPayment(sdk, order, { key: "any" })).isOwner).toBe(false)
  })

  it("a second payment of the same cart ends the first", async () => {
    const { cart, follow } = await started()
    const { cart: latest } = await sdk.store.cart.retrieve(cart.id)
    expect(await startPayment(sdk, latest, { returnUrl: RETURN_URL })).toMatchObject({ ok: true })
    expect(await follow()).toMatchObject({ state: "expired" })
  })

  it("the page of the first says that the cart is paid once the second is, with its order's number and the way to it", async () => {
    const { cart, payment } = await started()
    const { cart: latest } = await sdk.store.cart.retrieve(cart.id)
    const second = await startPayment(sdk, latest, { returnUrl: RETURN_URL })
    if (!second.ok) {
      throw new Error(second.error.message)
    }
    expect(await shop.page(payment.sessionId)).toContain("This payment page is out of date")
    const paid = await shop.pay(second.sessionId)
    const page = await (await fetch(payment.url)).text()
    const [{ order_number }] = await store
      .db("gateway_checkout_session")
      .where({ id: second.sessionId })
      .select("order_number")
    expect(page).toContain("<h1>Your cart has been paid</h1>")
    expect(page).toContain(`<bdi>${order_number}</bdi>`)
    expect(page).toContain(`href="${paid.body.data.redirect_url.replaceAll("&", "&amp;")}"`)
  })

  const endings: [string, (session: string, cart: string) => Promise<unknown>, Outcome["state"]][] = [
    ["not paid yet", async () => undefined, "open"],
    ["paid", (session) => shop.pay(session), "paid"],
    ["declined", (session) => shop.pay(session, DECLINED_CARD), "declined"],
    ["cancelled", (session) => shop.cancel(session), "cancelled"],
    ["left by a changed cart", (_session, cart) => shop.addItem(cart, "TEA-250"), "expired"],
    [
      "paid without an order yet",
      (session_id) => shop.gateway.payments.pay({ session_id, instrument: { method: "wallet" }, page_url: "" }),
      "open",
    ],
  ]
  it.each(endings)("the outcome of a payment that is %s", async (_what, end, state) => {
    const { cart, payment, follow } = await started()
    await end(payment.sessionId, cart.id)
    const outcome = await follow()
    expect(outcome).toMatchObject({ state, cartId: cart.id, sessionId: payment.sessionId })
    if (outcome.state === "paid") {
      expect(await shop.ordersOf(cart.id)).toEqual([outcome.orderId])
      expect(await awaitOutcome(sdk, outcome.transactionId)).toEqual(outcome)
    }
  })

  it("the outcome of a payment that could not become an order is refunded", async () => {
    const { cart, payment, follow } = await started()
    await shop.gateway.payments.pay({ session_id: payment.sessionId, instrument: { method: "wallet" }, page_url: "" })
    await store.db("gateway_cart_completion").where({ cart_id: cart.id }).update({ state: "giving_back" })
    expect(await follow()).toMatchObject({ state: "refunded" })
  })

  it("the outcome of a payment that the store does not know is unknown, and a wrong key is an error", async () => {
    expect(await readOutcome(sdk, "txn_of_nobody")).toEqual({ state: "unknown" })
    const stranger = new Medusa({ baseUrl: store.url, publishableKey: "pk_of_nobody" })
    await expect(awaitOutcome(stranger, "txn_of_nobody")).rejects.toThrow(/publishable/i)
  })

  it("isSpent: a cart that was paid elsewhere, by what it says and by what the store refuses", async () => {
    const { cart, payment } = await started()
    expect(isSpent(cart)).toBe(false)
    await shop.pay(payment.sessionId)
    expect(isSpent((await sdk.store.cart.retrieve(cart.id)).cart)).toBe(true)
    expect(isSpent((await sdk.store.cart.retrieve(cart.id, { fields: "id,completed_at" })).cart)).toBe(true)
    const refused = await sdk.store.cart.update(cart.id, { email: "b@example.com" }).catch((error: unknown) => error)
    expect(isSpent(refused)).toBe(true)
    const again = await startPayment(sdk, cart, { returnUrl: RETURN_URL, language: "bn" })
    const message = textsOf("bn").errors.cart_completed
    expect(again).toMatchObject({ ok: false, error: { code: "cart_completed", message } })
  })

  it.each<[string, () => Promise<{ id: string }>, string, string]>([
    ["a return address on a foreign origin", () => shop.cart(), "http://evil.example/", "unavailable"],
    ["a total above the limit", () => shop.cart({ "SARI-SILK": 20 }), RETURN_URL, "amount"],
    ["a cart that does not exist", async () => ({ id: "cart_of_nobody" }), RETURN_URL, "refused"],
  ])("a payment of %s is refused in words for the shopper", async (_what, makeCart, returnUrl, code) => {
    const { id } = await makeCart()
    const message = textsOf("en").errors[code as keyof ReturnType<typeof textsOf>["errors"]]
    const answer = await startPayment(sdk, { id } as Parameters<typeof startPayment>[1], { returnUrl })
    expect(answer).toMatchObject({ ok: false, error: { code, message } })
  })

  it("without a store there is no answer", async () => {
    const nowhere = new Medusa({ baseUrl: "http://localhost:1", publishableKey: "pk" })
    const { id } = await shop.cart()
    const answer = await startPayment(nowhere, { id } as Parameters<typeof startPayment>[1], { returnUrl: RETURN_URL })
    expect(answer).toMatchObject({ ok: false, error: { code: "network" } })
  })
})

describe("a store without GATEWAY_PUBLIC_URL", () => {
  it("says so in its log at the start, and in the answer to the first checkout", async () => {
    const server = await store.startServerProcess({ env: { GATEWAY_PUBLIC_URL: "", MEDUSA_WORKER_MODE: "server" } })
    expect(server.output()).toMatch(/error.*GATEWAY_PUBLIC_URL is not set: no cart of this store can be paid/)
    expect(server.output()).toMatch(/warn.*this store runs the sandbox/)
    const { id } = await shop.cart()
    const { body } = await shop.call("POST", "/store/payment-collections", { cart_id: id })
    const path = `/store/payment-collections/${body.payment_collection.id}/payment-sessions`
    const answer = await shop.call("POST", path, { provider_id: PROVIDER }, server.url)
    expect(answer).toMatchObject({ status: 500, body: { message: expect.stringContaining("GATEWAY_PUBLIC_URL") } })
  })
})
