import { updateCartPromotionsWorkflow } from "@medusajs/medusa/core-flows"
import type { IPromotionModuleService } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { SHOP_ENVIRONMENT } from "../support/shop"
import {
  addTea,
  cartId,
  GOOD_CARD,
  leaveToPay,
  open,
  ordersOf,
  page,
  payByCard,
  reachPayment,
  shop,
  textOf,
  useShop,
} from "../support/shop-screens"
import { useStore } from "../support/store"

const store = useStore({ env: SHOP_ENVIRONMENT })
useShop(store)

describe("what a shopper types", () => {
  it("is checked field by field, in words that help, and the first problem gets the focus", async () => {
    await addTea()
    await open("/checkout/address")
    await page.fill("#phone", "0121234567")
    await page.click("#save-address")
    expect(await textOf("#name-error")).toBe("Enter the name of the person who receives the parcel.")
    expect(await textOf("#phone-error")).toBe("Mobile numbers in Bangladesh begin with 013 to 019.")
    expect(await textOf("#address-problem")).toContain("4 fields need your attention.")
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("name")

    await page.fill("#phone", "0171234567")
    expect(await textOf("#phone-error")).toBe("A mobile number has 11 digits; this one has 10.")
    await page.fill("#phone", "01712345678")
    expect(await textOf("#phone-error")).toBe("")
    expect(await page.getAttribute("#phone", "aria-invalid")).toBeNull()
  })

  it("the cart and the address survive a reload", async () => {
    await reachPayment()
    await page.reload()
    await page.waitForSelector("#pay")
    await open("/checkout/address")
    expect(await page.inputValue("#phone")).toBe("01712345678")
    expect(await page.inputValue("#district")).toBe("Dhaka")
  })

  it("a step cannot be reached before the ones that precede it", async () => {
    await page.goto(`${shop.url}#/checkout/pay`)
    await page.waitForSelector("text=Your cart is empty.")
    await addTea()
    await page.goto(`${shop.url}#/checkout/pay`)
    await page.waitForSelector("#save-address")
  })

  it("a cart that costs nothing is ordered without a payment", async () => {
    await reachPayment()
    const cart_id = await cartId()
    const promotions = store.container.resolve<IPromotionModuleService>(Modules.PROMOTION)
    const targets = ["items", "shipping_methods"] as const
    await promotions.createPromotions(
      targets.map((target_type) => ({
        ...{ code: `FREE-${target_type}`, type: "standard" as const, status: "active" as const },
        application_method: { type: "percentage" as const, target_type, allocation: "across" as const, value: 100 },
      }))
    )
    const promo_codes = targets.map((target) => `FREE-${target}`)
    await updateCartPromotionsWorkflow(store.container).run({ input: { cart_id, promo_codes } })
    await page.reload()
    await page.waitForSelector("text=There is nothing to pay.")
    expect([await textOf("#pay"), await page.locator("[name=choice]").count()]).toEqual(["Place the order", 0])
    await page.click("#pay")
    await page.waitForURL(/#\/orders\//)
    await page.waitForSelector(".facts >> text=Nothing to pay")
    expect(await ordersOf(cart_id)).toHaveLength(1)
  })

  it("a cart below the smallest payment says so, with the total and the minimum, and has no pay button", async () => {
    await reachPayment()
    const cart_id = await cartId()
    const query = store.container.resolve(ContainerRegistrationKeys.QUERY)
    const { data: carts } = await query.graph({ entity: "cart", fields: ["total"], filters: { id: cart_id } })
    const promotions = store.container.resolve<IPromotionModuleService>(Modules.PROMOTION)
    const targets = ["items", "shipping_methods"] as const
    const delivery = Number(carts[0].total) - 450
    await promotions.createPromotions(
      targets.map((target_type) => ({
        ...{ code: `ALMOST-${target_type}`, type: "standard" as const, status: "active" as const },
        application_method: {
          ...{ type: "fixed" as const, target_type, allocation: "across" as const, currency_code: "bdt" },
          value: target_type === "items" ? 441 : delivery,
        },
      }))
    )
    const promo_codes = targets.map((target) => `ALMOST-${target}`)
    await updateCartPromotionsWorkflow(store.container).run({ input: { cart_id, promo_codes } })
    await page.reload()
    await page.waitForSelector("text=The total is ৳9.00, and a payment takes at least ৳10.00.")
    expect([await page.isVisible("#pay"), await page.locator("[name=choice]").count()]).toEqual([false, 0])
  })

  it("an order needs neither an e-mail address nor a postcode, and the form says so", async () => {
    await addTea()
    await open("/checkout/address")
    expect(await textOf("label[for=email]")).toBe("E-mail (optional)")
    expect(await textOf("label[for=postcode]")).toBe("Postcode (optional)")
    for (const [field, value] of Object.entries({ name: "Rahima", phone: "01712345678", street: "House 12" })) {
      await page.fill(`#${field}`, value)
    }
    await page.selectOption("#district", "Dhaka")
    await page.click("#save-address")
    await page.waitForSelector("#save-delivery")
    await page.check("label:has-text('Inside Dhaka') input")
    await page.click("#save-delivery")
    await page.waitForSelector("#pay")
    const cart_id = await cartId()
    await leaveToPay()
    await payByCard(GOOD_CARD)
    await page.waitForSelector("#order")
    const [order] = await ordersOf(cart_id)
    expect(order).toMatchObject({ email: null })
  })

  it("more than there is in stock is refused in plain words, and the cart stays as it was", async () => {
    await addTea()
    await open("/cart")
    await page.route("**/line-items/**", (route) => route.continue({ postData: JSON.stringify({ quantity: 100000 }) }))
    await page.click("button[aria-label='One more Sylhet garden tea']")
    await page.waitForSelector("text=We do not have that many left.")
    expect(await textOf(".totals .total")).toContain("৳450.00")
  })
})
