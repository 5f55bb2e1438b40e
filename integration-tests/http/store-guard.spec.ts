import type {
  CampaignBudgetTypeValues,
  IPaymentModuleService,
  IPromotionModuleService,
} from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MedusaError, Modules } from "@medusajs/framework/utils"
import { validateCart } from "../../src/workflows"
import { redirect, ScriptedAcquirer, storeAsks, unpaid } from "../support/acquirer"
import { CartShop, PROVIDER, type Answer, type Cart, type PaymentSession } from "../support/carts"
import { Shopper } from "../support/shoppers"
import { sellMonthly, sellWithTrial, sellWithoutPlans } from "../support/sold-plans"
import { setStock } from "../support/stock"
import { useStore } from "../support/store"

let shop: CartShop
// Before the store is closed.
afterAll(() => sellWithoutPlans(store, shop, "CUSHION-40", "POSTER-50"))
const store = useStore({
  container: true,
  shop: true,
  prepare: async (booted) => {
    shop = new CartShop(booted)
    await shop.open()
  },
})

const transactionOf = (session: PaymentSession) =>
  store.db("gateway_transaction").where({ session_id: session.data.session_id }).first()

/** Nothing was charged, the checkout is over, and Medusa's payment session says so. */
async function expectRefusal(answer: Answer, session: PaymentSession, why: string): Promise<void> {
  const message = expect.stringContaining(why)
  expect(answer).toMatchObject({ status: 409, body: { error: { code: "CART_CHANGED", message } } })
  expect(await transactionOf(session)).toMatchObject({ state: "EXPIRED", attempts: 0 })
  expect(await store.db("payment_session").where({ id: session.id }).first()).toMatchObject({ status: "canceled" })
}

describe("a cart that costs nothing", () => {
  const free = async (items?: Record<string, number>): Promise<Cart> => {
    const cart = await shop.cart(items)
    const codes = { promo_codes: ["FREE", "FREE-DELIVERY"] }
    return (await shop.call("POST", `/store/carts/${cart.id}/promotions`, codes)).body.cart
  }

  beforeAll(async () => {
    const promotions = store.container.resolve<IPromotionModuleService>(Modules.PROMOTION)
    const whole = { type: "percentage" as const, allocation: "across" as const, value: 100 }
    await promotions.createPromotions([
      {
        ...{ code: "FREE", type: "standard", status: "active" },
        application_method: { ...whole, target_type: "items" },
      },
      {
        ...{ code: "FREE-DELIVERY", type: "standard", status: "active" },
        application_method: { ...whole, target_type: "shipping_methods" },
      },
    ])
  })

  it("becomes an order without a payment", async () => {
    const cart = await free()
    expect(cart.total).toBe(0)
    expect((await shop.complete(cart.id)).body).toMatchObject({ type: "order", order: { total: 0 } })
  })

  it("and begins a subscription is for its own customer alone, who has signed in", async () => {
    const { id: merchant_id } = await shop.gateway.merchants.storeMerchant("My store")
    await sellMonthly(store, shop, { merchant_id, environment: "sandbox" }, "POSTER-50", 85_000n)
    const cart = await free({ "POSTER-50": 1 })
    const answer = await shop.complete(cart.id)
    expect(answer.status).toBe(400)
    expect(answer.body.message).toBe("Sign in to buy a subscription: it is managed in the customer's account")
    expect(await shop.ordersOf(cart.id)).toEqual([])
  })
})

describe("docs/hosts.md: a check of carts of your own", () => {
  let areTermsAccepted = false
  let given: unknown[] = []
  let removals: (() => void)[] = []
  beforeAll(() => {
    removals = [
      validateCart(({ cart, input }, { container }) => {
        given.push([input.id, cart.id, container.resolve("gateway") !== undefined])
      }),
      validateCart(async () => {
        if (!areTermsAccepted) {
          throw new MedusaError(MedusaError.Types.INVALID_DATA, "The terms are not accepted")
        }
      }),
    ]
  })
  beforeEach(() => (given = []))
  afterAll(() => removals.forEach((remove) => remove()))

  it("what it refuses becomes no order, though it is paid, until a try that it lets through", async () => {
    const { cart, session } = await shop.checkout()
    areTermsAccepted = false
    await shop.pay(session.data.session_id)
    expect(given).toContainEqual([cart.id, cart.id, true])
    expect(await shop.ordersOf(cart.id)).toEqual([])
    const refused = await shop.complete(cart.id)
    expect(refused.body.message ?? refused.body.error.message).toBe("The terms are not accepted")
    areTermsAccepted = true
    expect((await shop.complete(cart.id)).body).toMatchObject({ type: "order" })
    expect(await shop.ordersOf(cart.id)).toHaveLength(1)
  })

  it("lets nothing through that the gateway refuses", async () => {
    const { cart } = await shop.checkout()
    areTermsAccepted = true
    expect((await shop.complete(cart.id)).body).not.toMatchObject({ type: "order" })
    expect([given, await shop.ordersOf(cart.id)]).toEqual([[[cart.id, cart.id, true]], []])
  })
})

describe("docs/decisions/04 — no money for a cart of which Medusa makes no order at any try", () => {
  it.each([
    ["that has no delivery", { deleted_at: new Date() }],
    ["whose delivery is of another shipping profile", { shipping_option_id: "so_of_another_profile" }],
  ])("goods in a cart %s", async (_what, change) => {
    const cart = await shop.cart()
    await store.db("cart_shipping_method").where({ cart_id: cart.id }).update(change)
    const session = await shop.startPayment(cart.id)
    await expectRefusal(await shop.pay(session.data.session_id), session, "without a delivery method")
  })

  it.each<[string, number | undefined, { type: CampaignBudgetTypeValues; limit: number; attribute?: string } | null]>([
    ["that may be used once", 1, null],
    ["of a campaign that counts its uses", undefined, { type: "usage", limit: 1 }],
    [
      "of a campaign for once per customer",
      undefined,
      { type: "use_by_attribute", limit: 1, attribute: "customer_email" },
    ],
    ["of a campaign that has 150 taka to give", undefined, { type: "spend", limit: 150 }],
  ])(
    "a discount %s, in two carts: the second one is refused once the first one is paid",
    async (_what, limit, budget) => {
      const promotions = store.container.resolve<IPromotionModuleService>(Modules.PROMOTION)
      const code = `LESS100-${limit ?? budget?.type.toUpperCase()}`
      const campaigns =
        budget === null
          ? []
          : await promotions.createCampaigns([
              { name: code, campaign_identifier: code, budget: { ...budget, currency_code: "bdt" } },
            ])
      await promotions.createPromotions({
        ...{ code, limit, type: "standard", status: "active", campaign_id: campaigns[0]?.id },
        application_method: {
          ...{ type: "fixed", target_type: "items", allocation: "across", value: 100, currency_code: "bdt" },
        },
      })
      const discounted = async (): Promise<{ cart: Cart; session: PaymentSession }> => {
        const cart = await shop.cart()
        await shop.call("POST", `/store/carts/${cart.id}/promotions`, { promo_codes: [code] })
        return { cart, session: await shop.startPayment(cart.id) }
      }
      const [first, second] = [await discounted(), await discounted()]
      expect([first.session.amount, second.session.amount]).toEqual([1_220, 1_220])
      expect((await shop.pay(first.session.data.session_id)).body.data.status).toBe("SUCCESS")
      expect(await shop.ordersOf(first.cart.id)).toHaveLength(1)
      await expectRefusal(
        await shop.pay(second.session.data.session_id),
        second.session,
        `The discount ${code} is used up`
      )
    }
  )

  it("two discounts of a campaign for once per customer: Medusa counts each", async () => {
    const promotions = store.container.resolve<IPromotionModuleService>(Modules.PROMOTION)
    const budget = { type: "use_by_attribute", limit: 1, attribute: "customer_email" } as const
    const [{ id: campaign_id }] = await promotions.createCampaigns([
      { name: "Once", campaign_identifier: "ONCE", budget: { ...budget, currency_code: "bdt" } },
    ])
    const codes = ["ONCE-50", "ONCE-70"]
    await promotions.createPromotions(
      codes.map((code) => ({
        ...{ code, campaign_id, type: "standard" as const, status: "active" as const },
        application_method: {
          ...{ type: "fixed" as const, target_type: "items" as const, allocation: "across" as const },
          ...{ value: Number(code.slice(-2)), currency_code: "bdt" },
        },
      }))
    )
    const cart = await shop.cart()
    await shop.call("POST", `/store/carts/${cart.id}/promotions`, { promo_codes: codes })
    const session = await shop.startPayment(cart.id)
    expect(session.amount).toBe(1_200)
    await expectRefusal(await shop.pay(session.data.session_id), session, "is used up")
  })

  it("a payment provider that an admin has removed from the cart's region", async () => {
    const { session } = await shop.checkout()
    const link = store.container.resolve(ContainerRegistrationKeys.LINK)
    const offered = {
      [Modules.REGION]: { region_id: shop.regionId },
      [Modules.PAYMENT]: { payment_provider_id: PROVIDER },
    }
    await link.dismiss(offered)
    const answer = await shop.pay(session.data.session_id)
    await link.create(offered)
    await expectRefusal(answer, session, "does not offer this payment")
  })

  it("a region that an admin has deleted", async () => {
    const { session } = await shop.checkout()
    const deleted = (deleted_at: Date | null) => store.db("region").where({ id: shop.regionId }).update({ deleted_at })
    await deleted(new Date())
    const answer = await shop.pay(session.data.session_id)
    await deleted(null)
    await expectRefusal(answer, session, "does not offer this payment")
  })

  it("two pieces of which each lies at another place", async () => {
    const { session } = await shop.checkout({ "BAG-HILSA": 2 })
    const [level] = await store
      .db("inventory_level")
      .join("inventory_item", "inventory_item.id", "inventory_level.inventory_item_id")
      .where({ sku: "BAG-HILSA" })
      .select("inventory_item_id", "location_id")
    const links = await store.db("sales_channel_stock_location").where({ stock_location_id: level.location_id })
    const locations = store.container.resolve(Modules.STOCK_LOCATION)
    const inventory = store.container.resolve(Modules.INVENTORY)
    const link = store.container.resolve(ContainerRegistrationKeys.LINK)
    const { id: stock_location_id } = await locations.createStockLocations({ name: "Another place" })
    const sold = links.map(({ sales_channel_id }) => ({
      [Modules.SALES_CHANNEL]: { sales_channel_id },
      [Modules.STOCK_LOCATION]: { stock_location_id },
    }))
    await link.create(sold)
    await inventory.createInventoryLevels([
      { inventory_item_id: level.inventory_item_id, location_id: stock_location_id, stocked_quantity: 1 },
    ])
    await setStock(store, "BAG-HILSA", 1)
    const answer = await shop.pay(session.data.session_id)
    await inventory.deleteInventoryLevel(level.inventory_item_id, stock_location_id)
    await link.dismiss(sold)
    await setStock(store, "BAG-HILSA", 500)
    await expectRefusal(answer, session, "out of stock")
  })
})

describe("docs/decisions/04 — two checkouts of one cart, which two requests at once have left", () => {
  /** The second one as Medusa makes it when another request runs beside it: without deleting the first one. */
  async function twoCheckouts(): Promise<{ cart: Cart; sessions: [PaymentSession, PaymentSession] }> {
    const { cart, session } = await shop.checkout()
    const { payment_collection } = await shop.retrieve(cart.id)
    const payments = store.container.resolve<IPaymentModuleService>(Modules.PAYMENT)
    const input = { provider_id: PROVIDER, currency_code: "bdt", amount: cart.total, data: {}, context: {} }
    const second = await payments.createPaymentSession(String(payment_collection?.id), input)
    return { cart, sessions: [session, second as unknown as PaymentSession] }
  }

  it.each([
    ["the first", 0, 1],
    ["the second", 1, 0],
  ] as const)("paying %s ends the other, and makes the order at once", async (_which, paid, other) => {
    const { cart, sessions } = await twoCheckouts()
    expect((await shop.pay(sessions[paid].data.session_id)).body.data.status).toBe("SUCCESS")
    expect(await shop.ordersOf(cart.id)).toHaveLength(1)
    expect(await transactionOf(sessions[other])).toMatchObject({ state: "EXPIRED" })
    expect(await shop.pay(sessions[other].data.session_id)).toMatchObject({ status: 408 })
  })

  it("both are paid at once: one takes money, and the cart has one order", async () => {
    const { cart, sessions } = await twoCheckouts()
    const answers = await Promise.all(sessions.map(({ data }) => shop.pay(data.session_id)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await shop.ordersOf(cart.id)).toHaveLength(1)
  })

  it("one is being paid: the other is refused", async () => {
    const { sessions } = await twoCheckouts()
    const [{ data }, second] = sessions
    storeAsks({ WALLET: new ScriptedAcquirer("redirect", [redirect], [unpaid]) })
    const { session_id, checkout_url: page_url } = data
    await shop.gateway.payments.pay({ session_id, instrument: { method: "wallet" }, page_url })
    jest.restoreAllMocks()
    await expectRefusal(await shop.pay(second.data.session_id), second, "being paid in another way")
    expect(await transactionOf(sessions[0])).toMatchObject({ state: "PROCESSING" })
  })
})

describe("docs/decisions/04 — a cart that is changed while it is being paid", () => {
  it.each([
    ["another item", "POST", false, "TEA-250"],
    ["another quantity", "POST", true, null],
    ["an item less", "DELETE", true, null],
  ] as const)("%s: 409 CART_CHANGED, and the cart is as it was", async (_what, method, isOfItem, sku) => {
    const { cart, session } = await shop.checkout()
    storeAsks({ WALLET: new ScriptedAcquirer("redirect", [redirect], [unpaid]) })
    const { session_id, checkout_url: page_url } = session.data
    await shop.gateway.payments.pay({ session_id, instrument: { method: "wallet" }, page_url })
    jest.restoreAllMocks()
    const [{ id }] = await store.db("cart_line_item").where({ cart_id: cart.id, deleted_at: null }).select("id")
    const body = { quantity: 3, ...(sku !== null && { variant_id: await shop.variantId(sku) }) }
    const items = `/store/carts/${cart.id}/line-items`
    const answer = await shop.call(method, isOfItem ? `${items}/${id}` : items, method === "DELETE" ? undefined : body)
    expect(answer).toMatchObject({ status: 409, body: { code: "CART_CHANGED", type: "not_allowed" } })
    expect(JSON.stringify(answer.body)).toContain("is being paid")
    expect(await transactionOf(session)).toMatchObject({ state: "PROCESSING" })
    expect((await shop.retrieve(cart.id)).total).toBe(cart.total)
  })

  describe("a second payment session, while the cart is being paid", () => {
    const SKU = "CUSHION-40"
    const pay = async ({ data }: PaymentSession) => {
      storeAsks({ WALLET: new ScriptedAcquirer("redirect", [redirect], [unpaid]) })
      const { session_id, checkout_url: page_url } = data
      await shop.gateway.payments.pay({ session_id, instrument: { method: "wallet" }, page_url })
      jest.restoreAllMocks()
    }
    const expectBeingPaid = async (answer: Answer, session: PaymentSession) => {
      expect(answer).toMatchObject({ status: 409, body: { code: "CART_CHANGED", type: "not_allowed" } })
      expect(JSON.stringify(answer.body)).toContain("is being paid")
      expect(await transactionOf(session)).toMatchObject({ state: "PROCESSING" })
      const open = store.db("payment_session").where({ deleted_at: null, id: session.id })
      expect(await open).toMatchObject([{ data: { session_id: session.data.session_id } }])
    }

    it("is refused with 409 CART_CHANGED, and the first goes on", async () => {
      const { cart, session } = await shop.checkout()
      await pay(session)
      await expectBeingPaid(await shop.initiate(cart.id), session)
      expect((await shop.retrieve(cart.id)).payment_collection?.payment_sessions).toHaveLength(1)
    })

    it("decisions: One trial — so is one that would give a line another price, which the line keeps", async () => {
      const { id: merchant_id } = await shop.gateway.merchants.storeMerchant("My store")
      const tenant = { merchant_id, environment: "sandbox" } as const
      await sellWithTrial(store, shop, tenant, { sku: SKU, amount: 160_000n })
      const shopper = await Shopper.register(store, shop)
      const cart = await shopper.cart({ [SKU]: 1 })
      const session = await shopper.startPayment(cart)
      await pay(session)
      // Somebody with the same phone begins the trial meanwhile, and the payment no longer holds its own claim.
      await store.db("gateway_store_purchase").where({ cart_id: cart.id }).update({ trial_claimed_at: null })
      const other = await Shopper.register(store, shop)
      const { phone } = await store.db("customer").where({ id: shopper.id }).first()
      await store.db("customer").where({ id: other.id }).update({ phone })
      await other.buy({ [SKU]: 1 })
      await expectBeingPaid(await shop.initiate(cart.id, {}, shopper.token), session)
      const [line] = await store.db("cart_line_item").where({ cart_id: cart.id, deleted_at: null })
      expect(line).toMatchObject({ is_custom_price: false, metadata: {} })
      expect((await shop.retrieve(cart.id)).total).toBe(cart.total)
    })
  })
})
