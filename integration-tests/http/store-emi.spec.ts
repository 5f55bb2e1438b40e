import type { IPricingModuleService, IProductModuleService, IPromotionModuleService } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { completePaidCart } from "../../src/store/cart/complete-paid-cart"
import { ApiMerchant } from "../support/api"
import { CartShop } from "../support/carts"
import { addEmi, archiveEmi, offersOnPage, storedPlan, type EmiOption } from "../support/emi"
import { visit } from "../support/pages"
import { useStore } from "../support/store"
import { until } from "../support/until"

type ShopOption = EmiOption & { last_installment: string; total_with_fee: string; lowest_cost: boolean }
type Window = {
  emi: {
    amount: string
    currency_code: string
    from: EmiOption | null
    banks: { bank_name: string; options: ShopOption[] }[]
  }
  type: string
  message: string
}

let shop: CartShop
let merchant: ApiMerchant
let twelve: string
let six: string
const store = useStore({
  container: true,
  shop: true,
  prepare: async (booted) => {
    shop = new CartShop(booted)
    await shop.open()
    const { id } = await shop.gateway.merchants.storeMerchant(shop.gateway.options.storeMerchantName)
    const { key } = await shop.gateway.apiKeys.create({ merchant_id: id, environment: "sandbox", name: "tests" })
    merchant = new ApiMerchant(booted, id, key, {})
    twelve = await addEmi(booted, id, { processing_fee: "575" })
    six = await addEmi(booted, id, {
      bank_name: "Padma Test Bank",
      tenure: 6,
      interest_method: "reducing",
      maximum_amount: "100000",
    })
  },
})

const ask = (query: string) => shop.call<Window>("GET", `/store/gateway/emi?${query}`)
const windowOf = async (query: string) => (await ask(query)).body.emi
const optionsOf = ({ banks }: Window["emi"]): ShopOption[] => banks.flatMap(({ options }) => options)
const variant = async (sku: string, region = shop.regionId) =>
  `variant_id=${await shop.variantId(sku)}&region_id=${region}`

async function apiOptions(order_amount: string): Promise<EmiOption[]> {
  const { body } = await merchant.call("POST", "/payments/emi-amounts", { order_amount })
  return (body.data as unknown as { emi_payment_options: EmiOption[] }).emi_payment_options
}

describe("decisions: EMI — the shop window, GET /store/gateway/emi", () => {
  it("says what an amount costs a month, in the API's own figures, with the cheapest marked", async () => {
    const emi = await windowOf("amount=10000")
    expect(emi).toEqual({
      amount: "10000.00",
      currency_code: "bdt",
      from: expect.objectContaining({ uuid: twelve, monthly_installment: "933.33", total_with_fee: "11775.00" }),
      banks: [
        {
          bank_name: "Padma Test Bank",
          options: [expect.objectContaining({ uuid: six, lowest_cost: true, last_installment: "1725.50" })],
        },
        {
          bank_name: "Shapla Bank",
          options: [expect.objectContaining({ uuid: twelve, lowest_cost: false, last_installment: "933.37" })],
        },
      ],
    })
    expect(optionsOf(emi)).toMatchObject(await apiOptions("10000"))
  })

  it("shows nothing where there is nothing to show: too cheap, beyond every range", async () => {
    for (const amount of ["2999.99", "0", "900000"]) {
      expect(await windowOf(`amount=${amount}`)).toMatchObject({ from: null, banks: [] })
    }
    expect(optionsOf(await windowOf("amount=100000.01")).map(({ uuid }) => uuid)).toEqual([twelve])
  })

  it.each([
    "",
    "amount=",
    "amount=x",
    "amount=-1",
    "amount=5000&cart_id=x",
    "variant_id=x",
    "region_id=x",
    "amount=1&amount=2",
    "cart_id=a&variant_id=b&region_id=c",
  ])("refuses the question %j in words", async (query) => {
    expect(await ask(query)).toMatchObject({
      status: 400,
      body: { type: "invalid_data", message: expect.stringMatching(/amount/) },
    })
  })

  it("wants the publishable key that every storefront has", async () => {
    expect((await fetch(`${store.url}/store/gateway/emi?amount=5000`)).status).toBe(400)
  })

  it("of a variant: its price in the region; of a cart: its total with delivery", async () => {
    expect(await windowOf(await variant("SARI-COTTON"))).toMatchObject({
      amount: "12500.00",
      from: { monthly_installment: "1166.67" },
    })
    const cart = await shop.cart({ "SARI-COTTON": 1 })
    expect(await windowOf(`cart_id=${cart.id}`)).toMatchObject({
      amount: "12570.00",
      from: { total_amount: "14078.40" },
    })
    for (const query of [
      "cart_id=nope",
      "cart_id=%00",
      await variant("SARI-COTTON", "nope"),
      `variant_id=nope&region_id=${shop.regionId}`,
    ]) {
      expect(await ask(query)).toMatchObject({ status: 404, body: { type: "not_found" } })
    }
  })

  it.each([
    "/store/gateway/status?session_id=a%00",
    "/store/gateway/variant-plans?variant_id=%00",
    "/store/products?q=%00",
  ])(
    "a NUL in the query, which PostgreSQL refuses, is no error of the server, also on Medusa's own paths: %s",
    async (path) => {
      expect((await shop.download(path)).status).toBeLessThan(500)
    }
  )

  it("sale prices and automatic promotions count, a code that was not entered does not", async () => {
    const pricing = store.container.resolve<IPricingModuleService>(Modules.PRICING)
    const promotions = store.container.resolve<IPromotionModuleService>(Modules.PROMOTION)
    const query = store.container.resolve(ContainerRegistrationKeys.QUERY)
    const { data } = await query.graph({
      entity: "variant",
      fields: ["product_id", "price_set.id"],
      filters: { sku: "SARI-SILK" },
    })
    const silk = data[0] as unknown as { product_id: string; price_set: { id: string } }
    const amount = async (sku: string) => (await windowOf(await variant(sku))).amount
    const rule = (value: string) => [{ attribute: "items.product.id", operator: "eq" as const, values: [value] }]
    const promotion = (code: string, value: number, is_automatic: boolean, product: string) =>
      promotions.createPromotions({
        code,
        type: "standard",
        status: "active",
        is_automatic,
        application_method: {
          type: "percentage",
          target_type: "items",
          allocation: "each",
          max_quantity: 1,
          value,
          currency_code: "bdt",
          target_rules: rule(product),
        },
      })

    const code = await promotion("CODE50", 50, false, silk.product_id)
    const foreign = await promotion("OTHER20", 20, true, "prod_other")
    expect(await amount("SARI-SILK")).toBe("27500.00")
    const automatic = await promotion("EID10", 10, true, silk.product_id)
    expect(await amount("SARI-SILK")).toBe("24750.00")
    const cart = await shop.cart({ "SARI-SILK": 1 })
    expect((await windowOf(`cart_id=${cart.id}`)).amount).toBe("24820.00")

    const [list] = await pricing.createPriceLists([
      {
        title: "Sale",
        description: "of the test",
        type: "sale",
        status: "active",
        prices: [{ price_set_id: silk.price_set.id, amount: 20_000.5, currency_code: "bdt" }],
      },
    ])
    expect(await amount("SARI-SILK")).toBe("18000.45")
    await pricing.deletePriceLists([list.id])
    await promotions.deletePromotions([code.id, foreign.id, automatic.id])
    expect(await amount("SARI-SILK")).toBe("27500.00")
  })

  it("what a shop does not sell has no price: a draft, a product of another sales channel", async () => {
    const products = store.container.resolve<IProductModuleService>(Modules.PRODUCT)
    const [{ id }] = await products.listProducts({ handle: "jamdani-sari" })
    await products.updateProducts(id, { status: "draft" })
    expect((await ask(await variant("SARI-COTTON"))).status).toBe(404)
    await products.updateProducts(id, { status: "published" })
    const link = await store.db("product_sales_channel").where({ product_id: id }).first()
    await store.db("product_sales_channel").where({ product_id: id }).delete()
    expect((await ask(await variant("SARI-COTTON"))).status).toBe(404)
    await store.db("product_sales_channel").insert(link)
    expect((await ask(await variant("SARI-COTTON"))).status).toBe(200)
  })

  it("a store without EMI shows none", async () => {
    const tenant = { merchant_id: merchant.id, environment: "sandbox" as const }
    const { services } = await shop.gateway.merchants.environment(tenant)
    await shop.gateway.merchants.configure(tenant, { services: ["checkout"] })
    expect(await windowOf("amount=10000")).toMatchObject({ from: null, banks: [] })
    await shop.gateway.merchants.configure(tenant, { services })
  })

  it("agrees with the API for dozens of random amounts", async () => {
    for (let round = 0; round < 24; round++) {
      const amount = (3_000 + Math.random() * 490_000).toFixed(2)
      const emi = await windowOf(`amount=${amount}`)
      const options = optionsOf(emi)
      expect(
        options.map(({ last_installment: _last, total_with_fee: _total, lowest_cost: _lowest, ...option }) => option)
      ).toEqual(await apiOptions(amount))
      const poisha = (text: string) => BigInt(text.replace(".", ""))
      for (const { total_with_fee, total_amount, processing_fee } of options) {
        expect(poisha(total_with_fee)).toBe(poisha(total_amount) + poisha(processing_fee))
      }
    }
  })
})

describe("decisions: EMI — the shopper's choice goes along to the payment", () => {
  it("is chosen beforehand on the page, can be paid with, and is stored", async () => {
    const { cart, session } = await shop.checkout({ "SARI-COTTON": 1 }, { emi_configuration_id: twelve })
    const { session_id, checkout_url } = session.data
    const row = await store.db("gateway_checkout_session").where({ id: session_id }).first()
    expect(row.payment_info).toEqual({ emi_configuration_id: twelve })
    const page = (await visit(checkout_url)).text
    expect([...offersOnPage(page).keys()]).toEqual(["full", six, twelve])
    expect(page).toMatch(new RegExp(`value="${twelve}\\.[0-9-]+"[^>]* checked`))
    expect(page).toMatch(/id="method_card"[^>]* checked/)
    const [chosen] = optionsOf(await windowOf(`cart_id=${cart.id}`)).filter(({ uuid }) => uuid === twelve)
    const { body } = await merchant.pay(session_id, { payment_method: "card", emi_configuration_id: twelve })
    expect(body.data.status).toBe("SUCCESS")
    const plan = await storedPlan(store, body.data.transaction_id)
    expect(plan).toMatchObject({ order_amount_minor: 1_257_000, configuration_uuid: twelve })
    expect(`${chosen.total_amount} ${chosen.monthly_installment}`.replace(/\./g, "")).toBe(
      `${plan?.total_minor} ${plan?.monthly_minor}`
    )
    expect(await shop.moneyOf(cart.id)).toEqual({ payments: 1, captured: "12570.00", recorded: "12570.00" })
  })

  const metadataOf = async (cart_id: string) => {
    const query = store.container.resolve(ContainerRegistrationKeys.QUERY)
    const { data } = await query.graph({ entity: "order_cart", fields: ["order_id"], filters: { cart_id } })
    return (await store.db("order").where({ id: data[0].order_id }).first()).metadata
  }
  const PLAN = {
    bank: "Shapla Bank",
    tenure: "12",
    first_payment: "1748.20",
    monthly_installment: "1173.20",
    last_installment: "1173.20",
    fee: "575.00",
    total_amount: "14078.40",
    total_with_fee: "14653.40",
  }

  it("stands on the order, for its page and its mails, and on the page of the payment", async () => {
    const { cart, session } = await shop.checkout({ "SARI-COTTON": 1 }, { emi_configuration_id: twelve })
    await merchant.pay(session.data.session_id, { payment_method: "card", emi_configuration_id: twelve })
    expect(await metadataOf(cart.id)).toMatchObject({ gateway_emi: PLAN })
    const [order] = await shop.ordersOf(cart.id)
    const ofOrder = async (id: string) => (await shop.call<unknown>("GET", `/store/gateway/orders/${id}/emi`)).body
    expect(await ofOrder(order)).toEqual({ emi: PLAN })
    for (const id of ["order_nothing", "nothing", "order_%00", "%27"]) {
      expect(await ofOrder(id)).toEqual({ emi: null })
    }
    const page = await shop.page(session.data.session_id)
    expect(page).toContain("Instalments12 months with Shapla Bank")
    expect(page).toContain("First payment, with the fee৳1,748.20 Then each month৳1,173.20 In all৳14,653.40")
  })

  it("stands on an order that the storefront completed before the gateway did", async () => {
    const { cart, session } = await shop.checkout({ "SARI-COTTON": 1 }, { emi_configuration_id: twelve })
    const { session_id } = session.data
    const paid = await shop.gateway.payments.pay({
      session_id,
      instrument: { method: "card", card: { number: "4242424242424242" }, emi_configuration_id: twelve },
      page_url: session.data.checkout_url,
    })
    expect(paid.status).toBe("SUCCESS")
    expect((await shop.call("POST", `/store/carts/${cart.id}/complete`)).body.type).toBe("order")
    await until("the order has its plan", async () => (await metadataOf(cart.id))?.gateway_emi !== undefined)
    expect(await metadataOf(cart.id)).toMatchObject({ gateway_emi: PLAN })
  })

  it("is not what a shopper writes into the cart", async () => {
    const cart = await shop.cart({ "SARI-COTTON": 1 }, { metadata: { gateway_emi: { bank: "Nobody's" }, gift: "yes" } })
    const session = await shop.startPayment(cart.id)
    await shop.pay(session.data.session_id)
    expect(await metadataOf(cart.id)).toMatchObject({ gateway_emi: null, gift: "yes" })
  })

  it.each([
    [
      "the gateway",
      async (_cart: string, transaction: string) => void (await completePaidCart(store.container, transaction)),
    ],
    ["the storefront", async (cart: string) => void (await shop.complete(cart))],
  ])(
    "is not what a shopper writes into the cart after the payment began, when %s makes the order",
    async (_who, complete) => {
      const { cart, session } = await shop.checkout({ "SARI-COTTON": 1 })
      const { transaction_id } = await shop.gateway.payments.pay({
        session_id: session.data.session_id,
        instrument: { method: "card", card: { number: "4242424242424242" } },
        page_url: session.data.checkout_url,
      })
      const invented = { gateway_emi: { bank: "Nobody's" }, gift: "yes" }
      expect((await shop.call("POST", `/store/carts/${cart.id}`, { metadata: invented })).status).toBe(200)
      await complete(cart.id, transaction_id)
      await until("the order has lost the invented plan", async () => (await metadataOf(cart.id)).gateway_emi === null)
      expect(await metadataOf(cart.id)).toMatchObject({ gift: "yes" })
    }
  )

  it("is only a request: the shopper may pay in full, and one that is gone is refused before the page", async () => {
    const { session } = await shop.checkout({ "SARI-COTTON": 1 }, { emi_configuration_id: twelve })
    const { body } = await shop.pay(session.data.session_id)
    expect(body.data.status).toBe("SUCCESS")
    expect(await storedPlan(store, body.data.transaction_id)).toBeUndefined()
    const old = await addEmi(store, merchant.id, { tenure: 48 })
    const { session: kept } = await shop.checkout({ "SARI-COTTON": 1 }, { emi_configuration_id: old })
    await archiveEmi(store, merchant.id, old)
    const page = (await visit(kept.data.checkout_url)).text
    expect(page).toContain("The instalments you had chosen are not offered any more")
    expect(page).toMatch(/value="full"[^>]* checked/)
    const cart = await shop.cart({ "SARI-COTTON": 1 })
    expect((await shop.initiate(cart.id, { emi_configuration_id: old })).body.message).toBe(
      "emi_configuration_id is not an active EMI configuration"
    )
  })
})
