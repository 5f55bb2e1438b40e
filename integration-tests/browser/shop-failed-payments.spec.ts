import { DECLINED_CARD } from "../support/carts"
import { SHOP_ENVIRONMENT } from "../support/shop"
import {
  cartId,
  checkoutsOf,
  expectConfirmed,
  GOOD_CARD,
  leaveToPay,
  ordersOf,
  page,
  payByCard,
  reachPayment,
  returnAfterDecline,
  settled,
  shop,
  textOf,
  useShop,
} from "../support/shop-screens"
import { useStore } from "../support/store"

const store = useStore({ env: SHOP_ENVIRONMENT })
useShop(store)

describe("a payment that does not succeed", () => {
  it("declined: the shopper is back with a message and the same cart, tries again, and pays", async () => {
    await reachPayment()
    const cart = await cartId()
    await leaveToPay()
    await payByCard(DECLINED_CARD)
    await returnAfterDecline()
    await page.waitForSelector("text=You have not been charged")
    await settled()
    expect(page.url()).toBe(`${shop.url}#/checkout/pay?payment=declined`)
    expect(await textOf(".notice")).toContain("You have not been charged")
    expect(await cartId()).toBe(cart)
    expect(await ordersOf(cart)).toEqual([])
    const [declined] = await checkoutsOf(cart)
    expect(declined.status).toBe("FAILED")

    await leaveToPay()
    expect(page.url()).not.toContain(declined.session_id)
    await payByCard(GOOD_CARD)
    await expectConfirmed(cart)
  })

  it("declined, and paid with another card on the same page: the order is there before the shopper is back", async () => {
    await reachPayment()
    const cart = await cartId()
    await leaveToPay()
    await payByCard(DECLINED_CARD)
    await page.waitForSelector("form#payment [role=alert]")
    expect(await ordersOf(cart)).toEqual([])
    await payByCard(GOOD_CARD)
    await expectConfirmed(cart)
    expect(await checkoutsOf(cart)).toMatchObject([{ status: "SUCCESS" }])
  })

  it("cancelled: the shopper is back, and pays after all", async () => {
    await reachPayment()
    const cart = await cartId()
    await leaveToPay()
    await page.click("form[action$='/cancel'] button")
    await page.waitForSelector("text=You cancelled the payment")
    await settled()
    expect(await cartId()).toBe(cart)
    expect(await ordersOf(cart)).toEqual([])

    await leaveToPay()
    await payByCard(GOOD_CARD)
    await expectConfirmed(cart)
  })

  it("the browser's Back button leads from the payment page to a Pay button that works", async () => {
    await reachPayment()
    const cart = await cartId()
    await leaveToPay()
    await page.goBack()
    await page.waitForSelector("#pay:not([aria-disabled])")
    await settled()
    await leaveToPay()
    await payByCard(GOOD_CARD)
    await expectConfirmed(cart)
  })
})
