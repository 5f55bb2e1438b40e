import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import Medusa from "@medusajs/js-sdk"
import { updateRegionsWorkflow } from "@medusajs/medusa/core-flows"
import { confirmCheckout } from "../../src/store/checkout"
import { chooseCash, confirmCode, placeCashOrder, placedBy, readOrderPayment, sendCode } from "../../src/storefront"
import { done, redirect, ScriptedAcquirer, storeAsks } from "../support/acquirer"
import { prepareAdmin, useAdminOf } from "../support/admin"
import type { ApiMerchant } from "../support/api"
import { ADDRESS, CartShop, PROVIDER, type Cart, type PaymentSession } from "../support/carts"
import { mailProviderOf, notificationsOf } from "../support/mails"
import { useStore } from "../support/store"
import { until } from "../support/until"
import type { CashSettings } from "../../src/modules/gateway/cash/rules"

const COD = "pp_gateway_cod"
const returnUrl = () => `${store.url}/return`
const ROUNDS = 4

let shop: CartShop
let tenant: { merchant_id: string; environment: "sandbox" }
/** Another process on the same database: Medusa's lock in memory does not reach it. */
let other: string
const store = useStore({
  container: true,
  shop: true,
  prepare: async (booted) => {
    shop = new CartShop(booted)
    await shop.open()
    await prepareAdmin(booted)
    const merchant = await shop.gateway.merchants.storeMerchant(shop.gateway.options.storeMerchantName)
    tenant = { merchant_id: merchant.id, environment: "sandbox" }
    other = (await booted.startServerProcess()).url
  },
})

const adminOf = useAdminOf(store)

type Session = PaymentSession & {
  provider_id: string
  data: PaymentSession["data"] & { cash_order_id: string; due_now: string; due_in_cash: string }
}

const settle = (settings: Partial<CashSettings>) => shop.gateway.cashSettings.update(tenant, settings)
const cashOrder = (session: Session) => shop.gateway.cashOrders.find(session.data.cash_order_id)

async function choose(cart: Cart, provider_id: string): Promise<Session> {
  const { body } = await shop.call("POST", "/store/payment-collections", { cart_id: cart.id })
  const path = `/store/payment-collections/${body.payment_collection.id}/payment-sessions`
  const answer = await shop.call("POST", path, { provider_id, data: {} })
  expect(answer).toMatchObject({ status: 200 })
  return answer.body.payment_collection.payment_sessions[0] as Session
}

const choosing = async (sdk: Medusa, { id }: Cart) =>
  chooseCash(sdk, (await sdk.store.cart.retrieve(id)).cart, { returnUrl: returnUrl() })

type Chosen = { cart: Cart; cash: Session; online: Session }

/** Two requests at once each leave their session: Medusa takes no lock. A try in which one deletes the other's is no one. */
async function bothChosen(): Promise<Chosen> {
  let chosen: Chosen | undefined
  await until("both payment sessions are there", async () => {
    const cart = await shop.cart()
    const { body } = await shop.call("POST", "/store/payment-collections", { cart_id: cart.id })
    const path = `/store/payment-collections/${body.payment_collection.id}/payment-sessions`
    await Promise.all([COD, PROVIDER].map((provider_id) => shop.call("POST", path, { provider_id, data: {} })))
    const { payment_collection } = await shop.retrieve(cart.id)
    const sessions = (payment_collection?.payment_sessions ?? []) as Session[]
    const [cash, online] = [COD, PROVIDER].map((id) => sessions.find(({ provider_id }) => provider_id === id))
    chosen = cash && online ? { cart, cash, online } : undefined
    return chosen !== undefined
  })
  return chosen as Chosen
}

describe("a cart with a cash order and an online checkout (decisions: Cash on delivery)", () => {
  beforeAll(() => settle({ rules: [] }))

  it("paid online: the cash order ends first, and the order shows the money", async () => {
    const { cart, cash, online } = await bothChosen()
    expect((await shop.pay(online.data.session_id)).body.data.status).toBe("SUCCESS")
    expect(await cashOrder(cash)).toMatchObject({ state: "cancelled", placed_at: null })
    const total = cart.total.toFixed(2)
    expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: total, recorded: total })
    expect(await shop.gateway.invariants.check()).toEqual([])
  })

  it("paid online and completed in cash at once, in two processes: exactly one of both happens", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { cart, cash, online } = await bothChosen()
      const [paid] = await Promise.all([shop.pay(online.data.session_id, undefined, other), shop.complete(cart.id)])
      const isPaid = paid.status === 200
      if (!isPaid) {
        // The cash order may have been refused as well, while the online one was still open: then it is free now.
        await shop.complete(cart.id)
      }
      await until("the cart has its order", async () => (await shop.ordersOf(cart.id)).length === 1)
      const money = isPaid ? cart.total.toFixed(2) : "0.00"
      await until("the order shows the money", async () => (await shop.moneyOf(cart.id)).recorded === money)
      expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: money, recorded: money })
      const { state } = await shop.gateway.transactions.bySession(online.data.session_id)
      expect(state).toBe(isPaid ? "SUCCESS" : "EXPIRED")
      await until("the cash order has ended", async () => {
        return (await cashOrder(cash))?.state === (isPaid ? "cancelled" : "due")
      })
    }
    expect(await shop.gateway.invariants.check()).toEqual([])
  })

  it("an advance beside it ends for good when the cart is paid online", async () => {
    await settle({ rules: [{ advance: "delivery" }] })
    const { cash, online } = await bothChosen()
    expect((await shop.pay(online.data.session_id)).body.data.status).toBe("SUCCESS")
    expect(await cashOrder(cash)).toMatchObject({ state: "cancelled" })
    expect(await shop.pay(cash.data.session_id)).toMatchObject({ status: 408 })
    await settle({ rules: [] })
  })

  it("docs/decisions/12 — sends a receipt of an advance, which says what is due in cash", async () => {
    await settle({ rules: [{ advance: "delivery" }] })
    await shop.gateway.merchants.configure(tenant, { receipts: true })
    const cash = await choose(await shop.cart(), COD)
    const { transaction_id } = (await shop.pay(cash.data.session_id)).body.data
    // The store's own worker may hold the receipt already.
    const mails = () => notificationsOf(store).listNotifications({ resource_id: transaction_id })
    await until("the receipt is sent", async () => {
      await shop.gateway.receipts.run(100)
      return (await mails()).length > 0
    })
    const [mail] = await mails()
    const { due_now, due_in_cash } = cash.data
    expect(mail.data).toMatchObject({ amount: due_now, due_in_cash, vat: null })
    const sum = Number(due_in_cash).toLocaleString("en-IN", { minimumFractionDigits: 2 })
    expect(mail.data?.text).toContain(`Due in cash at the door: ৳${sum}`)
    await shop.gateway.merchants.configure(tenant, { receipts: false })
    await settle({ rules: [] })
  })

  it("an advance that is being paid keeps its cash order, and the cart cannot be paid online", async () => {
    await settle({ rules: [{ advance: "delivery" }] })
    const { cart, cash, online } = await bothChosen()
    storeAsks({ WALLET: new ScriptedAcquirer("redirect", [redirect], [done]) })
    const { session_id, checkout_url: page_url } = cash.data
    await shop.gateway.payments.pay({ session_id, instrument: { method: "wallet" }, page_url })
    expect(await shop.pay(online.data.session_id)).toMatchObject({ status: 409 })
    expect(await cashOrder(cash)).toMatchObject({ state: "placing" })
    await confirmCheckout(store.container, { session_id })
    await until("the order is made with its advance", async () => (await shop.ordersOf(cart.id)).length === 1)
    expect(await shop.moneyOf(cart.id)).toMatchObject({ payments: 1, captured: cash.data.due_now })
    jest.restoreAllMocks()
    await settle({ rules: [] })
  })

  it("an advance whose cash order has ended is not taken", async () => {
    await settle({ rules: [{ advance: "delivery" }] })
    const cash = await choose(await shop.cart(), COD)
    await shop.gateway.cashOrders.giveWay(cash.id)
    expect(await shop.pay(cash.data.session_id)).toMatchObject({
      status: 409,
      body: { error: { code: "CART_CHANGED" } },
    })
    await settle({ rules: [] })
  })

  it("an advance that is not paid leaves the cart, opens nothing again, and lets the shopper pay in another way", async () => {
    await settle({ rules: [{ advance: "delivery" }] })
    const cart = await shop.cart()
    const cash = await choose(cart, COD)
    await shop.cancel(cash.data.session_id)
    const { payment_collection } = await shop.retrieve(cart.id)
    const { session_id } = cash.data
    const sessions = [{ status: "canceled", data: { session_id, status: "CANCELLED" } }]
    expect(payment_collection?.payment_sessions).toMatchObject(sessions)
    const again = await choose(cart, COD)
    expect(again.data.session_id).not.toBe(cash.data.session_id)
    const online = await choose(cart, PROVIDER)
    expect((await shop.pay(online.data.session_id)).body.data.status).toBe("SUCCESS")
    const total = cart.total.toFixed(2)
    expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: total, recorded: total })
    await settle({ rules: [] })
  })
})

describe("cash that a region no longer offers (docs/guides/cash-on-delivery)", () => {
  it("no cart can choose any more, nor be placed with; the cash of placed orders can be recorded", async () => {
    await settle({ rules: [] })
    const [placed, chosen, other] = [await shop.cart(), await shop.cart(), await shop.cart()]
    const cash = await choose(placed, COD)
    expect((await shop.complete(placed.id)).status).toBe(200)
    await choose(chosen, COD)
    const { region_id } = await store.container.resolve(Modules.CART).retrieveCart(other.id)
    const offer = async (payment_providers: string[]) => {
      const input = { selector: { id: region_id ?? "" }, update: { payment_providers } }
      await updateRegionsWorkflow(store.container).run({ input })
    }
    await offer([PROVIDER])
    const { body } = await shop.call("POST", "/store/payment-collections", { cart_id: other.id })
    const path = `/store/payment-collections/${body.payment_collection.id}/payment-sessions`
    expect((await shop.call("POST", path, { provider_id: COD, data: {} })).status).toBe(400)
    expect(await shop.complete(chosen.id)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/region/) },
    })
    expect(await shop.ordersOf(chosen.id)).toEqual([])
    const { body: recorded } = await adminOf({ id: tenant.merchant_id } as ApiMerchant).post(
      `/cash-orders/${cash.data.cash_order_id}/collect`,
      { amount: placed.total.toFixed(2) }
    )
    expect(recorded).toMatchObject({ cash_order: { status: "collected" } })
    await offer([PROVIDER, COD])
    expect(await choose(other, COD)).toMatchObject({ provider_id: COD })
  })
})

type Sms = { to: string; content: { text: string }; template: string }
type Providers = {
  getProviderForChannels(channels: string[]): Promise<unknown[]>
  send(of: unknown, sms: Sms): unknown
}

describe("a code to the phone of a cash order (decisions: Cash on delivery)", () => {
  const sent: Sms[] = []
  const codeOf = (sms: Sms | undefined) => /[0-9]{6}/.exec(sms?.content.text ?? "")?.[0] ?? "none"
  const admin = () => adminOf({ id: tenant.merchant_id } as ApiMerchant)
  const limits = () => shop.gateway.options.pageLimits as { cashCodesFrom: number; cashCodesTo: number }
  let phones = 10_000_000

  /** Each test has phones of its own: what one was sent counts for a day. */
  const newPhone = () => `017${++phones}`
  const cartOf = (phone: string) => shop.cart(undefined, { shipping_address: { ...ADDRESS, phone } })
  const path = (cart: Cart) => `/store/gateway/carts/${cart.id}/cash-code`
  type Answered = { code: string; message: string; cash_code: { sent_to: string; expires_in: number; left: number } }
  const ask = (cart: Cart) => shop.call<Answered>("POST", path(cart), {})
  const enter = (cart: Cart, code: string) => shop.call<Answered>("POST", `${path(cart)}/confirm`, { code })
  const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0")

  async function toConfirm(phone = newPhone()): Promise<{ cart: Cart; session: Session; code: string }> {
    const cart = await cartOf(phone)
    const session = await choose(cart, COD)
    expect(await ask(cart)).toMatchObject({ status: 200 })
    return { cart, session, code: codeOf(sent.at(-1)) }
  }

  beforeAll(async () => {
    await settle({ rules: [] })
    const refused = await admin().post("/cash-settings", { phone_code: true })
    expect(refused).toMatchObject({ status: 422, body: { details: [{ field: "phone_code" }] } })
    expect(refused.body.details?.[0].message).toContain("medusa-config")
    const providers = mailProviderOf(store) as unknown as Providers
    const others = providers.getProviderForChannels.bind(providers)
    jest.spyOn(providers, "getProviderForChannels").mockImplementation(async (channels) => {
      return channels.includes("sms") ? [{ id: "local", channels: ["sms"], is_enabled: true }] : others(channels)
    })
    const send = providers.send.bind(providers)
    jest.spyOn(providers, "send").mockImplementation((of, sms) => {
      return sms.template === "gateway-cash-code" ? (sent.push(sms), Promise.resolve({ id: "sms" })) : send(of, sms)
    })
    Object.assign(limits(), { cashCodesFrom: 0, cashCodesTo: 3 })
    const on = await admin().post("/cash-settings", { phone_code: true })
    expect(on).toMatchObject({ status: 200, body: { cash_settings: { phone_code: true } } })
  })

  it("places no order before it is entered, and then one; the code is nowhere in the database", async () => {
    const phone = newPhone()
    const cart = await cartOf(phone)
    const session = await choose(cart, COD)
    expect(session.data).toMatchObject({ needs_code: true, due_now: "0.00" })
    const early = await shop.complete(cart.id)
    expect([early.status, early.body]).toEqual([400, expect.objectContaining({ code: "CASH_CODE_NEEDED" })])
    expect(await shop.ordersOf(cart.id)).toEqual([])
    const { body } = await ask(cart)
    expect(body.cash_code).toEqual({
      sent_to: `+88${phone.slice(0, 3)}•••••${phone.slice(-3)}`,
      expires_in: 600,
      left: 2,
    })
    const sms = sent.at(-1)
    expect(sms).toMatchObject({ to: `+88${phone}`, template: "gateway-cash-code" })
    const code = codeOf(sms)
    const { rows } = await store.db.raw<{ rows: { row: string }[] }>(
      `SELECT n::text AS row FROM notification n WHERE resource_id = :id
       UNION ALL SELECT c::text FROM gateway_cash_code c WHERE cart_id = :id`,
      { id: cart.id }
    )
    expect(rows).toHaveLength(2)
    expect(rows.filter(({ row }) => row.includes(code))).toEqual([])
    expect(await enter(cart, wrong(code))).toMatchObject({ status: 422, body: { code: "CASH_CODE_WRONG" } })
    const inBangla = code.replace(/[0-9]/g, (digit) => String.fromCodePoint(0x9e6 + Number(digit)))
    expect(await enter(cart, inBangla)).toMatchObject({ status: 200, body: { cash_code: { confirmed: true } } })
    expect(await enter(cart, code)).toMatchObject({ status: 409, body: { code: "CASH_CODE_EXPIRED" } })
    expect((await shop.complete(cart.id)).body).toMatchObject({ type: "order" })
    expect(await ask(cart)).toMatchObject({ status: 400, body: { code: "INVALID_REQUEST" } })
    expect(session.data.cash_order_id).toMatch(/^gco_/)
  })

  it("is bound to cart and phone", async () => {
    const phone = newPhone()
    const { cart, code } = await toConfirm(phone)
    const second = await cartOf(phone)
    await choose(second, COD)
    expect(await enter(second, code)).toMatchObject({ status: 409, body: { code: "CASH_CODE_EXPIRED" } })
    await enter(cart, code)
    const shipping_address = { ...ADDRESS, phone: newPhone() }
    await shop.call("POST", `/store/carts/${cart.id}`, { shipping_address })
    await choose(cart, COD)
    expect((await shop.complete(cart.id)).body).toMatchObject({ code: "CASH_CODE_NEEDED" })
    expect(await enter(cart, code)).toMatchObject({ status: 409 })
    await shop.call("POST", `/store/carts/${cart.id}`, { shipping_address: { ...ADDRESS, phone } })
    expect((await choose(cart, COD)).data).toMatchObject({ needs_code: false })
    expect((await shop.complete(cart.id)).body).toMatchObject({ type: "order" })
  })

  it("counts five tries and no more, also of many at once, and ends after ten minutes", async () => {
    const { cart, code } = await toConfirm()
    const guesses = await Promise.all(Array.from({ length: 12 }, () => enter(cart, wrong(code))))
    const codes = guesses.map(({ body }) => body.code).sort()
    expect(codes).toEqual([...Array(8).fill("CASH_CODE_EXPIRED"), ...Array(4).fill("CASH_CODE_WRONG")])
    expect(await enter(cart, code)).toMatchObject({ status: 409, body: { code: "CASH_CODE_EXPIRED" } })
    await ask(cart)
    const fresh = codeOf(sent.at(-1))
    await store.db("gateway_cash_code").where({ cart_id: cart.id }).update({ expires_at: new Date() })
    expect(await enter(cart, fresh)).toMatchObject({ status: 409, body: { code: "CASH_CODE_EXPIRED" } })
    await ask(cart)
    const right = codeOf(sent.at(-1))
    const both = await Promise.all([enter(cart, right), enter(cart, right), enter(cart, right)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })

  it("is sent three times a day to a phone, whatever the cart, and ten times to a network", async () => {
    const phone = newPhone()
    const carts = await Promise.all([cartOf(phone), cartOf(phone)])
    await Promise.all(carts.map((cart) => choose(cart, COD)))
    const asked = await Promise.all([0, 1, 0, 1, 0, 1].map((at) => ask(carts[at])))
    expect(asked.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429])
    const before = sent.length
    const refused = await fetch(`${store.url}${path(carts[0])}`, {
      method: "POST",
      headers: { "x-publishable-api-key": shop.publishableKey, "content-type": "application/json" },
      body: "{}",
    })
    expect([refused.status, await refused.json()]).toMatchObject([429, { code: "RATE_LIMIT_EXCEEDED" }])
    const wait = Number(refused.headers.get("retry-after"))
    expect([wait > 80_000, wait <= 86_400]).toEqual([true, true])
    expect(sent.length).toBe(before)
    await store.db("gateway_cash_code").update({ created_at: new Date(Date.now() - 86_401_000) })
    expect(await ask(carts[0])).toMatchObject({ status: 200, body: { cash_code: { left: 2 } } })

    limits().cashCodesFrom = 10
    const other = await cartOf(newPhone())
    await choose(other, COD)
    // Refused ones count too: nobody learns by asking which phone has room.
    for (let asks = 0; asks < 10; asks++) {
      expect((await ask(asks === 0 ? other : carts[0])).status).toBe(asks < 3 ? 200 : 429)
    }
    expect((await ask(other)).body.message).toContain("network")
    limits().cashCodesFrom = 0
  })

  it("is asked for and entered with the storefront's pieces and Medusa's own SDK, whose refusals they know", async () => {
    const sdk = new Medusa({ baseUrl: store.url, publishableKey: shop.publishableKey })
    const cart = await cartOf(newPhone())
    const chosen = await choosing(sdk, cart)
    expect(chosen).toMatchObject({ ok: true, dueNow: "0.00", needsCode: true, url: null })
    const refused = async (answer: Promise<{ ok: true } | { ok: false; error: { code: string } }>) => {
      const given = await answer
      return given.ok ? "none" : given.error.code
    }
    expect(await refused(placeCashOrder(sdk, cart.id))).toBe("code_needed")
    expect(await refused(confirmCode(sdk, cart.id, "123456"))).toBe("code_expired")
    expect(await sendCode(sdk, cart.id)).toMatchObject({ ok: true, expiresIn: 600, left: 2 })
    const code = codeOf(sent.at(-1))
    const inBangla = { language: "bn" as const, headers: { "accept-language": "bn" } }
    expect(await refused(confirmCode(sdk, cart.id, wrong(code), inBangla))).toBe("code_wrong")
    expect(await confirmCode(sdk, cart.id, code)).toEqual({ ok: true })
    expect(await placeCashOrder(sdk, cart.id)).toMatchObject({ ok: true, orderId: expect.stringMatching(/^order_/) })
    const last = await cartOf(newPhone())
    await choosing(sdk, last)
    const asked = [1, 2, 3, 4].map(() => refused(sendCode(sdk, last.id)))
    expect((await Promise.all(asked)).sort()).toEqual(["code_limit", "none", "none", "none"])
    jest.mocked(mailProviderOf(store).send).mockImplementationOnce(() => Promise.reject(new Error("down")))
    const unsent = await cartOf(newPhone())
    await choosing(sdk, unsent)
    expect(await refused(sendCode(sdk, unsent.id))).toBe("code_unsent")
  })

  it("that could not be sent uses nothing up, ends no earlier one, and is in no log; nine tries a day are enough", async () => {
    const providers = mailProviderOf(store) as unknown as Providers
    const warned = jest.spyOn(store.container.resolve(ContainerRegistrationKeys.LOGGER), "warn")
    const { cart, code } = await toConfirm()
    const unsent: string[] = []
    const fails = () =>
      jest.mocked(providers.send).mockImplementationOnce((_, sms) => {
        unsent.push(codeOf(sms))
        return Promise.reject(new Error(`the operator does not answer: ${sms.content.text}`))
      })
    const failing = async () => {
      fails()
      return ask(cart)
    }
    expect(await failing()).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } })
    // What it could not send says nothing of what it has sent.
    expect(await enter(cart, wrong(code))).toMatchObject({ body: { code: "CASH_CODE_WRONG" } })
    expect(await enter(cart, code)).toMatchObject({ status: 200 })

    const other = await toConfirm()
    fails()
    expect(await ask(other.cart)).toMatchObject({ status: 503 })
    // The provider had sent it all the same.
    expect(await enter(other.cart, unsent.at(-1) ?? "")).toMatchObject({ status: 200 })
    expect(await store.db("gateway_cash_code").where({ cart_id: other.cart.id }).whereNotNull("unsent_at")).toEqual([])

    const last = await cartOf(newPhone())
    await choose(last, COD)
    for (let tries = 0; tries < 7; tries++) {
      fails()
      expect((await ask(last)).status).toBe(503)
    }
    expect(await ask(last)).toMatchObject({ status: 200, body: { cash_code: { left: 2 } } })
    expect(await ask(last)).toMatchObject({ status: 200, body: { cash_code: { left: 1 } } })
    const over = await ask(last)
    expect(over).toMatchObject({ status: 429, body: { code: "RATE_LIMIT_EXCEEDED" } })
    const said = warned.mock.calls.flat().join(" ")
    warned.mockRestore()
    expect(said).toContain(`a code for cart ${last.id} could not be sent: Error`)
    expect(unsent.filter((one) => said.includes(one))).toEqual([])
  })

  it("is not asked for with an advance, and an SMS that fails is said", async () => {
    const providers = mailProviderOf(store) as unknown as Providers
    const cart = await cartOf(newPhone())
    await choose(cart, COD)
    jest.mocked(providers.send).mockImplementationOnce(() => Promise.reject(new Error("the operator is down")))
    expect(await ask(cart)).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } })
    await settle({ rules: [{ advance: "delivery" }] })
    const session = await choose(cart, COD)
    expect(session.data).toMatchObject({ needs_code: false })
    expect(await ask(cart)).toMatchObject({ status: 409, body: { code: "INVALID_STATE_TRANSITION" } })
    expect((await shop.pay(session.data.session_id)).body.data.status).toBe("SUCCESS")
    expect(await shop.ordersOf(cart.id)).toHaveLength(1)
    await settle({ rules: [], phone_code: false })
  })
})

describe("what an order's page shows of cash (docs/decisions/14)", () => {
  it("both sums for the owner, right after the order was placed, and nothing for others", async () => {
    const sdk = new Medusa({ baseUrl: store.url, publishableKey: shop.publishableKey })
    const key = "a-secret-of-this-browser"
    const own = async () => shop.cart(undefined, { metadata: await placedBy(key) })
    const cart = await own()
    await choosing(sdk, cart)
    const placed = await placeCashOrder(sdk, cart.id)
    const orderId = placed.ok ? placed.orderId : placed.error.detail
    const total = cart.total.toFixed(2)
    const cash = { status: "due", total, advance: "0.00", collected: "0.00", returned: "0.00", due: total }
    expect(await readOrderPayment(sdk, orderId, { key })).toEqual({ isOwner: true, payment: null, isCash: true, cash })
    expect(await readOrderPayment(sdk, orderId)).toEqual({ isOwner: false, payment: null, isCash: true, cash: null })
    await until("it is placed", async () => (await shop.gateway.cashOrders.ofOrder(orderId))?.state === "due")
    expect((await readOrderPayment(sdk, orderId, { key })).cash).toEqual(cash)

    await settle({ rules: [{ advance: "delivery" }] })
    const other = await own()
    const chosen = await choosing(sdk, other)
    if (!chosen.ok || chosen.sessionId === null) {
      throw new Error("no advance")
    }
    await shop.pay(chosen.sessionId)
    const [order] = await shop.ordersOf(other.id)
    const { payment, cash: advanced } = await readOrderPayment(sdk, order, { key })
    expect(payment?.method).toBe("Visa ending in 4242")
    expect(advanced).toMatchObject({ advance: chosen.dueNow, due: chosen.dueInCash })
    const row = await shop.gateway.cashOrders.ofOrder(order)
    // The courier's clerk finds it by the order's number and by the phone, however they are written (decisions: Digits).
    const desk = adminOf({ id: tenant.merchant_id } as ApiMerchant)
    for (const q of [`#${row?.order_number}`, "০১৭১২-৩৪৫৬৭৮", "+880 1712 345678"]) {
      const { body } = await desk.get(`/cash-orders?${new URLSearchParams({ q })}`)
      expect([q, body.cash_orders.map(({ id }) => id)]).toEqual([q, expect.arrayContaining([row?.id])])
    }
    await desk.post(`/cash-orders/${row?.id}/give-up`, {})
    expect((await readOrderPayment(sdk, order, { key })).cash).toMatchObject({ status: "refused", due: "0.00" })
  })

  it("a rule that changes after the sums were shown is said, and nothing is placed", async () => {
    const sdk = new Medusa({ baseUrl: store.url, publishableKey: shop.publishableKey })
    await settle({ rules: [] })
    const cart = await shop.cart()
    await choosing(sdk, cart)
    await settle({ rules: [{ advance: "delivery" }] })
    expect(await placeCashOrder(sdk, cart.id)).toMatchObject({ ok: false, error: { code: "advance_changed" } })
    expect(await shop.ordersOf(cart.id)).toEqual([])
    await settle({ rules: [] })
  })
})
