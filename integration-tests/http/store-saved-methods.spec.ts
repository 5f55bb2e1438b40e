import type { IPaymentModuleService } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { deleteCustomersWorkflow } from "@medusajs/medusa/core-flows"
import type { Acquirer } from "../../src/modules/gateway/acquirers/port"
import { CORE_TASKS } from "../../src/modules/gateway/worker/tasks"
import { adapterOf, startStandIn, type StandIn } from "../acquirers/stripe/support"
import { storeAsks } from "../support/acquirer"
import { CartShop, DECLINED_CARD, PROVIDER } from "../support/carts"
import { expectLoggedErrors } from "../support/logged-errors"
import { CARD, visit, post } from "../support/pages"
import {
  proofFor,
  removeSaved,
  savedBy,
  ShopperAtCheckout,
  showProof,
  STOREFRONT,
  type SavedMethod,
} from "../support/saved-methods"
import { rowsWith, tokenOf } from "../support/secrets"
import { Shopper } from "../support/shoppers"
import { sellMonthly, sellWithoutPlans } from "../support/sold-plans"
import { setStock } from "../support/stock"
import { useStore } from "../support/store"
import { until } from "../support/until"

expectLoggedErrors(/forgetting of payment method .* failed and is given up: The acquirer is down/)

const ITEMS = { "SCARF-L": 1 }
const SOLD_MONTHLY = { "BAG-HILSA": 1 }

let shop: CartShop
let payments: IPaymentModuleService
let tenant: { merchant_id: string; environment: "sandbox" }
let sandbox: Acquirer
// Before the store is closed.
afterAll(() => sellWithoutPlans(store, shop, "BAG-HILSA"))
const store = useStore({
  container: true,
  shop: true,
  env: { STORE_CORS: STOREFRONT },
  prepare: async (booted) => {
    shop = new CartShop(booted)
    await shop.open()
    payments = booted.container.resolve(Modules.PAYMENT)
    const { id: merchant_id } = await shop.gateway.merchants.storeMerchant("")
    tenant = { merchant_id, environment: "sandbox" }
    sandbox = (await shop.gateway.acquirers.of(tenant)).byId("sandbox")
    await setStock(booted, "SCARF-L", 500)
    await setStock(booted, "BAG-HILSA", 500)
    await sellMonthly(booted, shop, tenant, "BAG-HILSA", 65_000n)
  },
})

afterEach(() => jest.restoreAllMocks())

const arrive = (shopper: Shopper, items: Record<string, number> = ITEMS) => ShopperAtCheckout.arrive(shopper, items)
const newShopper = () => Shopper.register(store, shop)

/** A shopper who has paid a cart by card and saved it. */
async function shopperWithCard(): Promise<{ shopper: Shopper; card: SavedMethod }> {
  const shopper = await newShopper()
  const first = await arrive(shopper)
  expect((await first.payByCard()).status).toBe(303)
  const [card] = await savedBy(shopper)
  return { shopper, card }
}

const attemptsOf = ({ session_id }: { session_id: string }) =>
  store
    .db("gateway_payment_attempt as a")
    .join("gateway_transaction as t", "t.id", "a.transaction_id")
    .where({ session_id })
    .orderBy("a.number")
    .select("a.*")
const stateOf = async ({ session_id }: { session_id: string }) =>
  (await shop.gateway.transactions.bySession(session_id)).state
const rowOf = ({ id }: { id: string }) => store.db("gateway_instrument").where({ uuid: id }).first()
const chargesUnder = async (keys: string[]) =>
  store.db("gateway_sandbox_operation").whereIn("key", keys).where({ kind: "charge" })

/** What a sandbox acquirer lacks or is to answer otherwise, until the test ends. */
const charges = (answer: NonNullable<Acquirer["charge"]>) =>
  jest.spyOn(sandbox as Required<Acquirer>, "charge").mockImplementation(answer)
const forgets = (answer: NonNullable<Acquirer["forget"]>) =>
  jest.spyOn(sandbox as Required<Acquirer>, "forget").mockImplementation(answer)

describe("docs/decisions/07 — saving a payment method", () => {
  it("with consent, on the page of a signed-in shopper; the next cart offers it, and Medusa has one account holder", async () => {
    const shopper = await newShopper()
    const first = await arrive(shopper)
    const { text } = await first.page()
    expect(text).toContain('name="save_card"')
    expect(text).not.toContain('value="saved_')
    expect((await first.payByCard()).status).toBe(303)
    expect(await shop.ordersOf(first.cart_id)).toHaveLength(1)
    const methods = await savedBy(shopper)
    expect(methods).toEqual([
      expect.objectContaining({ service: "CARD", brand: "VISA", last_four: "4242", expiry_year: 2040 }),
    ])
    const row = await rowOf(methods[0])
    expect(row).toMatchObject({ ...tenant, store_customer_id: shopper.id, customer_id: null, removed_at: null })
    const [attempt] = await attemptsOf(first)
    expect(row.saved_attempt_id).toBe(attempt.id)
    expect(
      await store.db("gateway_transaction").where({ id: attempt.transaction_id }).first("kept_instrument")
    ).toEqual({
      kept_instrument: null,
    })

    const second = await arrive(shopper)
    expect((await second.page()).text).toContain(`value="saved_${methods[0].id}" checked`)
    const links = await store.db("customer_account_holder").where({ customer_id: shopper.id })
    expect(links).toHaveLength(1)
    const holder = await store.db("account_holder").where({ id: links[0].account_holder_id }).first()
    expect(holder).toMatchObject({ provider_id: PROVIDER, data: { customer_id: shopper.id } })
  })

  it("never without consent, and never from a browser that has only the page's address", async () => {
    const shopper = await newShopper()
    await (await arrive(shopper)).payByCard({})
    const cart = await shopper.cart(ITEMS)
    const { data } = await shopper.startPayment(cart)
    const stranger = await visit(data.checkout_url)
    expect(stranger.text).not.toMatch(/name="save_|value="saved_/)
    const paid = await post(data.checkout_url, stranger, { ...CARD, save_card: "yes" })
    expect(paid.status).toBe(303)
    expect(await stateOf(data)).toBe("SUCCESS")
    expect(await savedBy(shopper)).toEqual([])
  })

  it("offers a guest nothing, whatever the payment session's data says", async () => {
    const { shopper } = await shopperWithCard()
    const forged = {
      store_customer_id: shopper.id,
      customer: { id: shopper.id },
      account_holder: { data: { customer_id: shopper.id } },
      context: { customer: { id: shopper.id } },
    }
    const cart = await shop.cart(ITEMS, { email: shopper.email })
    const session = await shop.startPayment(cart.id, forged)
    const row = () => store.db("gateway_checkout_session").where({ id: session.data.session_id }).first()
    expect(await row()).toMatchObject({ store_customer_id: null })
    expect((await proofFor(shopper, session)).body.code).toBe("SESSION_NOT_FOUND")
    const other = await newShopper()
    const theirs = await shop.startPayment(cart.id, forged, other.token)
    expect(await store.db("gateway_checkout_session").where({ id: theirs.data.session_id }).first()).toMatchObject({
      store_customer_id: other.id,
    })
  })

  it("the same card saved twice is one method, the newest; removed, it is gone", async () => {
    const { shopper, card } = await shopperWithCard()
    await (await arrive(shopper)).payByCard()
    const copies = await store.db("gateway_instrument").where({ store_customer_id: shopper.id })
    expect(copies).toHaveLength(2)
    const [shown, ...more] = await savedBy(shopper)
    expect([shown.id === card.id, more]).toEqual([false, []])
    const { text } = await (await arrive(shopper)).page()
    expect(text.match(/value="saved_/g)).toHaveLength(1)
    expect(text).toContain(`value="saved_${shown.id}"`)
    // A subscription is charged with the older copy: what is shown is in use.
    await (await arrive(shopper, SOLD_MONTHLY)).payWith(shown)
    const { id } = await rowOf(card)
    await store
      .db("gateway_subscription")
      .where({ instrument_id: (await rowOf(shown)).id })
      .update({ instrument_id: id })
    expect(await savedBy(shopper)).toMatchObject([{ id: shown.id, used_by_subscription: true }])
    expect((await removeSaved(shopper, shown)).body.code).toBe("PAYMENT_METHOD_IN_USE")
    const [subscription] = await shopper.subscriptions()
    await store.db("gateway_subscription").where({ uuid: subscription.id }).update({ status: "EXPIRED" })
    expect((await removeSaved(shopper, shown)).status).toBe(200)
    expect(await savedBy(shopper)).toEqual([])
    expect((await rowOf(card)).token).toBeNull()
  })

  it("keeps the card of a subscription out of other checkouts, unless the shopper saves it too", async () => {
    const shopper = await newShopper()
    await (await arrive(shopper, SOLD_MONTHLY)).payByCard({})
    expect((await shopper.subscriptions())[0]).toMatchObject({ instrument: { last_four: "4242" } })
    expect(await savedBy(shopper)).toEqual([])
    await (await arrive(shopper, SOLD_MONTHLY)).payByCard()
    expect(await savedBy(shopper)).toEqual([expect.objectContaining({ used_by_subscription: true })])
  })
})

describe("docs/decisions/07 — who may use it", () => {
  it("is shown by a proof that works once, from a storefront's page, and for its own checkout", async () => {
    const { shopper, card } = await shopperWithCard()
    const session = await shopper.startPayment(await shopper.cart(ITEMS))
    const path = `/pay/${session.data.session_id}`
    const offered = async (Cookie: string) =>
      (await visit(session.data.checkout_url, { Cookie })).text.includes(`saved_${card.id}`)

    const { status, body } = await proofFor(shopper, session)
    expect([status, body.action, body.expires_in]).toEqual([200, `${session.data.checkout_url}/account`, 300])
    for (const origin of ["https://evil.example", "null", null]) {
      expect(await showProof(body, origin)).toEqual({ status: 303, location: path, cookie: "" })
    }
    expect(await showProof({ ...body, proof: "x".repeat(43) })).toEqual({ status: 303, location: path, cookie: "" })
    const admitted = await showProof(body)
    expect(admitted.cookie).toMatch(/^gateway_account=[\w-]{43}$/)
    expect(await offered(admitted.cookie)).toBe(true)
    expect(await showProof(body)).toEqual({ status: 303, location: path, cookie: "" })

    const elsewhere = await shopper.startPayment(await shopper.cart(ITEMS))
    const there = await visit(elsewhere.data.checkout_url, { Cookie: admitted.cookie })
    expect(there.text).not.toContain("saved_7")
    expect(there.text).not.toContain('value="saved_')
    const next = await showProof((await proofFor(shopper, session)).body)
    expect([await offered(admitted.cookie), await offered(next.cookie)]).toEqual([false, true])
  })

  it("exactly one of many requests with one proof is admitted", async () => {
    const { shopper } = await shopperWithCard()
    const { body } = await proofFor(shopper, await shopper.startPayment(await shopper.cart(ITEMS)))
    const answers = await Promise.all(Array.from({ length: 6 }, () => showProof(body)))
    expect(answers.filter(({ cookie }) => cookie !== "")).toHaveLength(1)
  })

  it("a proof ends with its time, and no paid checkout gets one", async () => {
    const { shopper } = await shopperWithCard()
    const session = await shopper.startPayment(await shopper.cart(ITEMS))
    const { body } = await proofFor(shopper, session)
    await store
      .db("gateway_checkout_session")
      .where({ id: session.data.session_id })
      .update({ account_proof_expires_at: new Date(Date.now() - 1) })
    expect((await showProof(body)).cookie).toBe("")
    await shop.pay(session.data.session_id)
    expect((await proofFor(shopper, session)).status).toBe(404)
  })

  it("another customer sees, pays and removes nothing; nor does a guest", async () => {
    const { shopper, card } = await shopperWithCard()
    const other = await newShopper()
    const at = await arrive(other)
    expect((await at.page()).text).not.toContain('value="saved_')
    expect((await at.payWith(card)).status).toBe(422)
    const { account_browser } = await store.db("gateway_checkout_session").where({ id: at.session_id }).first()
    expect(account_browser).toMatch(/^[0-9a-f]{64}$/)
    const key = at.cookie.replace("gateway_account=", "")
    const asked = shop.gateway.payments.pay({
      session_id: at.session_id,
      saved_method: card.id,
      account_key: key,
      page_url: at.session.data.checkout_url,
    })
    await expect(asked).rejects.toMatchObject({ code: "PAYMENT_METHOD_NOT_FOUND" })
    expect(await attemptsOf(at)).toEqual([])
    expect(await savedBy(other)).toEqual([])
    expect((await removeSaved(other, card)).body.code).toBe("PAYMENT_METHOD_NOT_FOUND")
    expect((await removeSaved(other, { id: "no-uuid" })).status).toBe(404)
    const theirs = await shopper.startPayment(await shopper.cart(ITEMS))
    expect((await proofFor(other, theirs)).body.code).toBe("SESSION_NOT_FOUND")
    for (const [method, path] of [
      ["GET", "/store/gateway/payment-methods"],
      ["DELETE", `/store/gateway/payment-methods/${card.id}`],
      ["POST", `/store/gateway/checkouts/${theirs.data.session_id}/account`],
    ]) {
      expect((await shop.call(method, path)).status).toBe(401)
    }
    expect(await savedBy(shopper)).toHaveLength(1)
  })

  it("the owner's own key pays at no other browser's checkout: the address alone pays nothing", async () => {
    const { shopper, card } = await shopperWithCard()
    const { data } = await shopper.startPayment(await shopper.cart(ITEMS))
    const stranger = await visit(data.checkout_url)
    const refused = await post(data.checkout_url, stranger, { method: `saved_${card.id}` })
    expect([refused.status, await attemptsOf(data)]).toEqual([422, []])
    expect(refused.text).toContain("This saved method is not available any more")
  })
})

describe("docs/decisions/07 — paying with a saved method", () => {
  it("is one charge and one order, however often it is clicked", async () => {
    const { shopper, card } = await shopperWithCard()
    const at = await arrive(shopper)
    const answers = await Promise.all(Array.from({ length: 5 }, () => at.payWith(card)))
    expect(answers.every(({ status }) => status === 303)).toBe(true)
    expect(await stateOf(at)).toBe("SUCCESS")
    const attempts = await attemptsOf(at)
    expect(attempts).toEqual([
      expect.objectContaining({
        state: "SUCCEEDED",
        payment_service: "CARD",
        instrument_id: (await rowOf(card)).id,
        instrument: { brand: "VISA", last_four: "4242" },
        saves: false,
      }),
    ])
    expect(await chargesUnder(attempts.map(({ id }) => id))).toHaveLength(1)
    expect(await shop.ordersOf(at.cart_id)).toHaveLength(1)
    expect(await savedBy(shopper)).toHaveLength(1)
  })

  it("that its bank wants to be confirmed: the page stays open, says so, and takes the card itself", async () => {
    const { shopper, card } = await shopperWithCard()
    const at = await arrive(shopper)
    const charge = charges(async () => ({
      result: "refused",
      code: "CARD_DECLINED",
      reason: "authentication_failed",
      message: "Authentication is required",
    }))
    expect((await at.payWith(card)).location).toContain(`/pay/${at.session_id}`)
    expect(charge).toHaveBeenCalledTimes(1)
    expect(await stateOf(at)).toBe("OPEN")
    const { text } = await at.page()
    expect(text).toContain("The bank could not confirm that it was you.")
    expect(text).toContain("A saved method could not pay this order.")
    expect(text).toContain('name="method" value="card" checked')
    await at.payByCard({})
    expect((await attemptsOf(at)).map(({ state }) => state)).toEqual(["DECLINED", "SUCCEEDED"])
    expect(await shop.ordersOf(at.cart_id)).toHaveLength(1)
  })

  it("whose answer is lost stays open, is asked about, and is not charged again", async () => {
    const { shopper, card } = await shopperWithCard()
    const at = await arrive(shopper)
    const real = sandbox.charge?.bind(sandbox)
    const charge = charges(async (request) => {
      await real?.(request)
      return { result: "unknown", message: "The line went dead" }
    })
    await at.payWith(card)
    expect(await stateOf(at)).toBe("PROCESSING")
    expect((await removeSaved(shopper, card)).body.code).toBe("PAYMENT_METHOD_IN_USE")
    const [attempt] = await attemptsOf(at)
    await store
      .db("gateway_payment_attempt")
      .where({ id: attempt.id })
      .update({ inquiry_at: new Date(0) })
    await shop.gateway.reconciliation.run(10, { merchant_id: tenant.merchant_id, until: new Date() })
    expect(await stateOf(at)).toBe("SUCCESS")
    expect(charge).toHaveBeenCalledTimes(1)
    expect(await chargesUnder([attempt.id])).toHaveLength(1)
    expect((await removeSaved(shopper, card)).status).toBe(200)
  })

  it("begins a subscription, which is charged with it from then on", async () => {
    const { shopper, card } = await shopperWithCard()
    const at = await arrive(shopper, SOLD_MONTHLY)
    expect((await at.payWith(card)).status).toBe(303)
    const [subscription] = await shopper.subscriptions()
    expect(subscription).toMatchObject({ status: "ACTIVE", instrument: { last_four: "4242" } })
    const { instrument_id } = await store.db("gateway_subscription").where({ uuid: subscription.id }).first()
    expect(instrument_id).toBe((await rowOf(card)).id)
  })

  it("is not offered where its acquirer cannot charge it now", async () => {
    const { shopper, card } = await shopperWithCard()
    await store.db("gateway_instrument").where({ uuid: card.id }).update({ acquirer: "gone" })
    const at = await arrive(shopper)
    expect((await at.page()).text).not.toContain('value="saved_')
    expect((await at.payWith(card)).status).toBe(422)
    await store.db("gateway_instrument").where({ uuid: card.id }).update({ acquirer: "sandbox" })
    expect((await at.page()).text).toContain('value="saved_')
  })

  it("counts as one of the checkout's attempts, and a declined card is not saved", async () => {
    const shopper = await newShopper()
    const at = await arrive(shopper)
    await at.payByCard({ card_number: DECLINED_CARD, save_card: "yes" })
    expect((await attemptsOf(at)).map(({ state, saves }) => [state, saves])).toEqual([["DECLINED", true]])
    expect(await savedBy(shopper)).toEqual([])
  })
})

describe("docs/decisions/07 — through Stripe, whose page takes the card", () => {
  let stripe: StandIn
  beforeAll(async () => {
    stripe = await startStandIn()
  })
  afterAll(() => stripe.close())
  beforeEach(() => storeAsks({ CARD: adapterOf(stripe) }))

  /** Pays on Stripe's page, and comes back. */
  async function payThere(at: ShopperAtCheckout, number: string, consent: Record<string, string>): Promise<void> {
    const { status, location } = await at.submit({ method: "card", ...consent })
    expect([status, location.startsWith(stripe.url)]).toEqual([303, true])
    const session = [...stripe.book.sessions.values()].find(({ url }) => url === location)
    await stripe.account.payOnPage(session?.id ?? "", number, { authenticated: true })
    const attempt = (await attemptsOf(at)).at(-1)
    const back = await fetch(`${store.url}/gateway/acquirers/stripe/return/${attempt.id}`, { redirect: "manual" })
    expect(back.status).toBe(303)
  }
  const payments = () => stripe.book.movements().filter(({ kind }) => kind === "payment")

  it("a card is kept with consent, charged once for the next order, and detached when it is removed", async () => {
    const shopper = await newShopper()
    await payThere(await arrive(shopper), "4242424242424242", { save_card: "yes" })
    const [card] = await savedBy(shopper)
    expect(card).toMatchObject({ brand: "VISA", last_four: "4242" })

    const at = await arrive(shopper)
    expect((await at.page()).text).toContain("You continue on the secure page of the payment provider")
    const before = payments().length
    await Promise.all([at.payWith(card), at.payWith(card)])
    const [attempt, ...others] = await attemptsOf(at)
    expect([attempt, others]).toMatchObject([{ state: "SUCCEEDED", acquirer: "stripe" }, []])
    expect(payments().slice(before)).toMatchObject([{ key: attempt.id }])
    expect(await shop.ordersOf(at.cart_id)).toHaveLength(1)

    const token = tokenOf(store, await rowOf(card))
    const method = token.slice(token.indexOf(":") + 1)
    expect(stripe.book.payment_methods.get(method)?.customer).toMatch(/^cus_/)
    expect((await removeSaved(shopper, card)).status).toBe(200)
    expect(stripe.book.payment_methods.get(method)?.customer).toBeNull()
  })

  it("decisions: Captures — where cards are captured later, a kept one only reserves the money until it is captured", async () => {
    const cards = store.db("gateway_payment_service").where({ merchant_id: tenant.merchant_id, code: "CARD" })
    await cards.clone().update({ capture: "manual" })
    try {
      const shopper = await newShopper()
      await payThere(await arrive(shopper), "4242424242424242", { save_card: "yes" })
      const [card] = await savedBy(shopper)
      const at = await arrive(shopper)
      const before = payments().length
      await Promise.all([at.payWith(card), at.payWith(card)])
      const [attempt, ...others] = await attemptsOf(at)
      expect([attempt, others]).toMatchObject([{ state: "AUTHORIZED", acquirer: "stripe" }, []])
      const intent = stripe.book.payment_intents.get(attempt.acquirer_reference)
      expect([intent?.status, payments().slice(before)]).toEqual(["requires_capture", []])
      const { transaction_id } = attempt
      const whole = { tenant, transaction_id, amount: null, by: {}, request_key: null }
      expect((await shop.gateway.captures.capture(whole)).record.state).toBe("SUCCESS")
      expect(payments().slice(before)).toMatchObject([{ key: attempt.id, amount: attempt.amount_minor }])
      expect(await store.brokenInvariants()).toEqual([])
    } finally {
      await cards.clone().update({ capture: null })
    }
  })

  it("one that needs its holder each time: nothing moves, the page says so, and the holder pays on Stripe's page", async () => {
    const shopper = await newShopper()
    await payThere(await arrive(shopper), "4000002760003184", { save_card: "yes" })
    const [card] = await savedBy(shopper)
    const at = await arrive(shopper)
    const before = payments().length
    await at.payWith(card)
    expect([payments().length, await stateOf(at)]).toEqual([before, "OPEN"])
    expect((await at.page()).text).toContain("The bank could not confirm that it was you.")
    await payThere(at, "4000002760003184", {})
    expect((await attemptsOf(at)).map(({ state }) => state)).toEqual(["DECLINED", "SUCCEEDED"])
    expect(await savedBy(shopper)).toHaveLength(1)
  })
})

describe("docs/decisions/07 — removing it", () => {
  it("makes the acquirer forget it, and erases the token", async () => {
    const { shopper, card } = await shopperWithCard()
    const before = await rowOf(card)
    const token = tokenOf(store, before)
    const inDatabase: unknown[] = []
    const forget = forgets(async () => void inDatabase.push(await rowOf(card)))
    const { status, body } = await removeSaved(shopper, card)
    expect([status, body]).toEqual([200, { id: card.id, object: "payment_method", deleted: true }])
    expect(forget.mock.calls).toEqual([[token]])
    // Committed before the acquirer was asked, so no transaction waited for it.
    expect(inDatabase).toEqual([expect.objectContaining({ removed_at: expect.any(Date), token: before.token })])
    expect(await rowOf(card)).toMatchObject({ token: null, forget_at: null, last_four: "4242" })
    expect(await savedBy(shopper)).toEqual([])
    expect((await removeSaved(shopper, card)).body.code).toBe("PAYMENT_METHOD_NOT_FOUND")
    expect((await (await arrive(shopper)).page()).text).not.toContain('value="saved_')
  })

  it("is at once for the shopper, and repeated by the worker when the acquirer cannot be reached", async () => {
    const { shopper, card } = await shopperWithCard()
    const forget = forgets(async () => {
      throw new Error("The acquirer is down")
    })
    expect((await removeSaved(shopper, card)).status).toBe(200)
    expect(await savedBy(shopper)).toEqual([])
    const row = await rowOf(card)
    expect(row).toMatchObject({ forget_count: 1, token: expect.any(String) })
    expect(row.forget_at.getTime()).toBeGreaterThan(Date.now())
    await store
      .db("gateway_instrument")
      .where({ uuid: card.id })
      .update({ forget_at: new Date(0) })
    forget.mockResolvedValue(undefined)
    await CORE_TASKS["forget-removed-methods"](shop.gateway)
    expect(forget).toHaveBeenCalledTimes(2)
    expect(await rowOf(card)).toMatchObject({ token: null, forget_at: null })
  })

  it("gives the token up when the acquirer never answers", async () => {
    const { shopper, card } = await shopperWithCard()
    forgets(async () => {
      throw new Error("The acquirer is down")
    })
    await removeSaved(shopper, card)
    await store
      .db("gateway_instrument")
      .where({ uuid: card.id })
      .update({ forget_at: new Date(0), forget_count: 20 })
    await CORE_TASKS["forget-removed-methods"](shop.gateway)
    expect(await rowOf(card)).toMatchObject({ token: null, forget_at: null })
  })

  it("leaves a token that another instrument is charged with", async () => {
    const { shopper, card } = await shopperWithCard()
    const row = await rowOf(card)
    const other = { ...row, id: "gin_twin", uuid: "7f6a1a52-0000-4000-8000-0000000000ff", saved_attempt_id: "pay_twin" }
    const secretBox = shop.gateway.savedMethods["secretBox"]
    const token = secretBox.seal(tokenOf(store, row), { table: "gateway_instrument", column: "token" }, other.id)
    await store.db("gateway_instrument").insert({ ...other, token, store_customer_id: "cus_twin" })
    const forget = forgets(async () => undefined)
    expect((await removeSaved(shopper, card)).status).toBe(200)
    expect(forget).not.toHaveBeenCalled()
    expect(await rowOf(card)).toMatchObject({ token: null })
  })

  it("is refused while a subscription is charged with it, and possible after that has ended", async () => {
    const { shopper, card } = await shopperWithCard()
    await (await arrive(shopper, SOLD_MONTHLY)).payWith(card)
    const refused = await removeSaved(shopper, card)
    expect([refused.status, refused.body.code]).toEqual([409, "PAYMENT_METHOD_IN_USE"])
    expect(await savedBy(shopper)).toEqual([expect.objectContaining({ id: card.id, used_by_subscription: true })])
    const [{ id }] = await shopper.subscriptions()
    await shopper.about(id, "/cancel", { cancel_at_period_end: false })
    expect((await removeSaved(shopper, card)).status).toBe(200)
  })

  it("and paying with it at the same moment: one of the two happens, never both", async () => {
    const { shopper, card } = await shopperWithCard()
    const ats = await Promise.all(Array.from({ length: 3 }, () => arrive(shopper)))
    const [removed, ...paid] = await Promise.all([removeSaved(shopper, card), ...ats.map((at) => at.payWith(card))])
    const charged = (await Promise.all(ats.map(attemptsOf))).flat()
    expect(charged.filter(({ state }) => state === "SUCCEEDED")).toHaveLength(
      paid.filter(({ status }) => status === 303).length
    )
    expect([200, 409]).toContain(removed.status)
    const { token, removed_at } = await rowOf(card)
    expect([token === null, removed_at !== null]).toEqual(removed.status === 200 ? [true, true] : [false, false])
  })
})

describe("docs/decisions/07 — Medusa's payment module", () => {
  async function holderOf(shopper: Shopper): Promise<{ id: string; data: Record<string, unknown> }> {
    const { account_holder_id: id } = await store
      .db("customer_account_holder")
      .where({ customer_id: shopper.id })
      .first()
    return store.db("account_holder").where({ id }).first()
  }

  it("lists and removes what a customer has saved; saving is left to the payment page", async () => {
    const { shopper, card } = await shopperWithCard()
    const context = { account_holder: await holderOf(shopper) }
    const listed = await payments.listPaymentMethods({ provider_id: PROVIDER, context } as never, {})
    expect(listed).toEqual([
      { id: card.id, provider_id: PROVIDER, data: expect.objectContaining({ brand: "VISA", last_four: "4242" }) },
    ])
    expect(JSON.stringify(listed)).not.toContain("token")
    const save = payments.createPaymentMethods({ provider_id: PROVIDER, context, data: {} } as never)
    await expect(save).rejects.toThrow("A payment method is saved with a payment on the payment page")
    const remove = (id: string) =>
      (payments as unknown as { deletePaymentMethods(input: object): Promise<void> }).deletePaymentMethods({
        id,
        provider_id: PROVIDER,
        data: {},
        context,
      })
    await expect(remove("7f6a1a52-0000-4000-8000-00000000000a")).rejects.toThrow("No saved payment method")
    await remove(card.id)
    expect(await savedBy(shopper)).toEqual([])
  })

  it("forgets everything with the account holder; a subscription keeps what it is charged with until it ends", async () => {
    const { shopper, card } = await shopperWithCard()
    await (await arrive(shopper, SOLD_MONTHLY)).payWith(card)
    await (await arrive(shopper)).payByCard({ ...CARD, card_number: "5555 5555 5555 4444", save_card: "yes" })
    const [second] = await savedBy(shopper)
    expect(second.id).not.toBe(card.id)
    const forget = jest.spyOn(sandbox as Required<Acquirer>, "forget")
    await payments.deleteAccountHolder((await holderOf(shopper)).id)
    expect(await savedBy(shopper)).toEqual([])
    expect(forget).toHaveBeenCalledTimes(1)
    expect(await rowOf(second)).toMatchObject({ token: null })
    const held = await rowOf(card)
    expect(held).toMatchObject({ token: expect.any(String), removed_at: expect.any(Date), forget_at: null })
    // The subscription ends, and with it the last use of the instrument.
    const [{ id }] = await shopper.subscriptions()
    await shopper.about(id, "/cancel", { cancel_at_period_end: false })
    const past = new Date(0)
    await store
      .db("gateway_subscription")
      .where({ uuid: id })
      .update({ current_period_start: past, current_period_end: past, due_at: past })
    await CORE_TASKS["bill-subscriptions"](shop.gateway)
    await CORE_TASKS["forget-removed-methods"](shop.gateway)
    expect(await rowOf(card)).toMatchObject({ token: null, forget_at: null })
  })

  it("a customer who is deleted leaves nothing to pay with", async () => {
    const { shopper, card } = await shopperWithCard()
    await deleteCustomersWorkflow(store.container).run({ input: { ids: [shopper.id] } })
    await until("the card has no token", async () => (await rowOf(card)).token === null)
  })
})

describe("docs/decisions/07 — secrets and guards", () => {
  it("no proof, key or token is in any row", async () => {
    const { shopper, card } = await shopperWithCard()
    const at = await arrive(shopper)
    const { body } = await proofFor(shopper, at.session)
    const token = tokenOf(store, await rowOf(card))
    await at.payWith(card)
    expect(await rowsWith(store, [body.proof, at.cookie.replace("gateway_account=", ""), token])).toEqual([])
    expect((await rowsWith(store, [card.id])).length).toBeGreaterThan(0)
  })

  it("the database refuses two methods of one attempt, two owners, and an account without its customer", async () => {
    const { card } = await shopperWithCard()
    const row = await rowOf(card)
    const twin = { ...row, id: "gin_guard", uuid: "7f6a1a52-0000-4000-8000-0000000000fe" }
    const insert = (changes: object) => store.db("gateway_instrument").insert({ ...twin, ...changes })
    await expect(insert({})).rejects.toThrow("saved_attempt_id_unique")
    await expect(insert({ saved_attempt_id: "pay_x", store_customer_id: null })).rejects.toThrow("_owner")
    await expect(insert({ saved_attempt_id: null })).rejects.toThrow("_saved")
    const { data } = (await shop.checkout(ITEMS)).session
    const session = store.db("gateway_checkout_session").where({ id: data.session_id })
    await expect(session.update({ account_browser: "x" })).rejects.toThrow("gateway_checkout_session_account")
  })
})
