import { Modules } from "@medusajs/framework/utils"
import type { IPromotionModuleService } from "@medusajs/framework/types"
import type { InvoiceLine } from "../../src/modules/gateway/invoices/lines"
import type { Tenant } from "../../src/modules/gateway/kernel/types"
import { CartShop } from "../support/carts"
import { StoreSubscriber } from "../support/renewals"
import { Shopper } from "../support/shoppers"
import { sellMonthly } from "../support/sold-plans"
import { useStore } from "../support/store"

/** In percent. A delivery of 70.00 then costs 80.50. */
const TAX = 15

let shop: CartShop
let tenant: Tenant
const store = useStore({
  production: false,
  shop: true,
  prepare: async (booted) => {
    shop = new CartShop(booted)
    await shop.open()
    const { id: merchant_id } = await shop.gateway.merchants.storeMerchant("")
    tenant = { merchant_id, environment: "sandbox" }
    const taxes = booted.container.resolve(Modules.TAX)
    const [region] = await taxes.listTaxRegions({ country_code: "bd" })
    await taxes.createTaxRates({ tax_region_id: region.id, name: "VAT", code: "VAT", rate: TAX, is_default: true })
  },
})

/** A discount of so many percent on every line of the carts with this code. */
async function promotion(code: string, percent: number): Promise<void> {
  await store.container.resolve<IPromotionModuleService>(Modules.PROMOTION).createPromotions({
    code,
    type: "standard",
    status: "active",
    is_automatic: false,
    application_method: { type: "percentage", target_type: "items", allocation: "across", value: percent },
  })
}

/** The paid invoices of a payment, by the numbers. */
async function invoicesOf(shopper: Shopper) {
  const uuids = (await shopper.subscriptions()).map(({ id }) => id)
  const found = await Promise.all(
    uuids.map((subscription_id) =>
      shop.gateway.invoices.list(tenant, { subscription_id }, { per_page: 20, offset: 0 })
    )
  )
  return found.flatMap(({ rows }) => rows).sort((one, other) => one.number - other.number)
}

const linesOf = ({ lines }: { lines: readonly InvoiceLine[] | null }) =>
  (lines ?? []).map(({ kind, amount_minor }) => [kind, amount_minor])

const paidBy = async (transaction_id: string): Promise<number> =>
  (await store.db("gateway_transaction").where({ id: transaction_id }).first()).amount_minor

describe("decisions/13: the invoice of a first period is of the payment", () => {
  beforeAll(async () => {
    await sellMonthly(store, shop, tenant, "TEA-250", 60_000n)
    await sellMonthly(store, shop, tenant, "CUSHION-40", 125_000n)
  })

  it("one plan with delivery: lines, tax and total are the payment's, in the API, in the store and on the document", async () => {
    const shopper = await Shopper.register(store, shop)
    const { transaction_id } = await shopper.buy({ "TEA-250": 2 })
    const [invoice, ...others] = await invoicesOf(shopper)
    expect(others).toEqual([])
    // 2 × 450.00 and 70.00, with 15 % VAT.
    expect(linesOf(invoice)).toEqual([
      ["plan", 103_500],
      ["delivery", 8_050],
    ])
    expect([invoice.amount_minor, invoice.tax_minor]).toEqual([111_550, 14_550])
    expect(await paidBy(transaction_id)).toBe(111_550)
    const records = await store.db("gateway_billing_record").where({ transaction_id })
    expect(records.map(({ amount_minor }) => amount_minor)).toEqual([111_550])
    const [{ id }] = await shopper.subscriptions()
    expect((await shopper.about(id, "/invoices")).body.invoices).toMatchObject([{ amount: "1115.50" }])
  })

  it("other goods in the cart are on it too, and a discount is shown; the period's record is of the plan alone", async () => {
    await promotion("TENTH", 10)
    const shopper = await Shopper.register(store, shop)
    const cart = await shopper.cart({ "TEA-250": 1, "MUG-GREEN": 1 })
    await shopper.call("POST", `/store/carts/${cart.id}/promotions`, { promo_codes: ["TENTH"] })
    const session = await shopper.startPayment(cart)
    const { transaction_id } = (await shop.pay(session.data.session_id)).body.data
    const [invoice, ...others] = await invoicesOf(shopper)
    expect(others).toEqual([])
    expect((invoice.lines ?? []).map(({ kind }) => kind)).toEqual(["plan", "goods", "delivery"])
    expect(invoice.lines?.[0]).toMatchObject({ amount_minor: 46_575, discount_minor: 5_175, tax_minor: 6_075 })
    expect(invoice.amount_minor).toBe(await paidBy(transaction_id))
    const [record] = await store.db("gateway_billing_record").where({ transaction_id })
    expect(record.amount_minor).toBe(46_575 + 8_050)
  })

  it("of two plans in one cart each has its invoice, and both together are the payment", async () => {
    const shopper = await Shopper.register(store, shop)
    const { transaction_id } = await shopper.buy({ "TEA-250": 1, "CUSHION-40": 1, "MUG-GREEN": 1 })
    const invoices = await invoicesOf(shopper)
    const paid = await paidBy(transaction_id)
    expect(invoices.map(linesOf).map((lines) => lines.map(([kind]) => kind))).toEqual([
      ["plan", "goods", "delivery"],
      ["plan"],
    ])
    expect(invoices[0].amount_minor + invoices[1].amount_minor).toBe(paid)
    expect(invoices.map(({ payment_minor }) => payment_minor)).toEqual([paid, paid])
    expect(invoices.map(({ paid_together }) => paid_together)).toEqual([[invoices[1].number], [invoices[0].number]])
  })

  it("a renewal's invoice shows the delivery, and its order has the same total", async () => {
    const subscriber = await StoreSubscriber.buys({ store, shop, tenant }, "TEA-250", 1)
    await subscriber.letMonthsPass()
    const invoices = await invoicesOf(subscriber.shopper)
    expect(invoices.map(linesOf)).toEqual([
      [
        ["plan", 51_750],
        ["delivery", 8_050],
      ],
      [
        ["plan", 60_000],
        ["delivery", 8_050],
      ],
    ])
    const [order] = await subscriber.orders()
    expect(order.total).toBe(invoices[1].amount_minor / 100)
    expect(invoices[1].tax_minor).toBe(Math.round(order.tax_total * 100))
    await subscriber.stop()
  })
})
