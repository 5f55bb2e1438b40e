import { SHOP_ENVIRONMENT } from "../support/shop"
import {
  cartId,
  checkoutsOf,
  context,
  expectConfirmed,
  fillCard,
  GOOD_CARD,
  leaveToPay,
  onPaymentPage,
  ordersOf,
  page,
  payByCard,
  reachPayment,
  settled,
  shop,
  textOf,
  useShop,
} from "../support/shop-screens"
import { useStore } from "../support/store"

const store = useStore({ env: SHOP_ENVIRONMENT })
useShop(store)

describe("paying once", () => {
  it("a double click in the shop starts one payment, a double click on the payment page makes one order", async () => {
    await reachPayment()
    const cart = await cartId()
    const started: string[] = []
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/payment-sessions")) {
        started.push(request.url())
      }
    })
    await page.dblclick("#pay")
    await onPaymentPage()
    expect(started).toHaveLength(1)

    await fillCard(GOOD_CARD)
    await page.dblclick("#payment button[type=submit]")
    await expectConfirmed(cart)
  })

  it("a cart changed in another tab is not charged at the old price: the shopper sees the new total first", async () => {
    await reachPayment()
    const cart = await cartId()
    const other = await context.newPage()
    await other.goto(`${shop.url}#/products/clay-mug`)
    await other.click("#add")
    await other.waitForSelector("text=is in your cart")

    await page.click("#pay")
    await page.waitForSelector("text=Your cart has changed meanwhile")
    expect(await textOf("#pay")).toContain("৳1,070.00")
    expect(await checkoutsOf(cart)).toEqual([])
    await leaveToPay()
    expect(await textOf("body")).toContain("1,070.00")
  })

  it("a cart changed while the payment page is open is not charged, and is paid at its new total afterwards", async () => {
    await reachPayment()
    const cart = await cartId()
    await leaveToPay()
    await fillCard(GOOD_CARD)
    const other = await context.newPage()
    await other.goto(`${shop.url}#/products/clay-mug`)
    await other.click("#add")
    await other.waitForSelector("text=is in your cart")

    await page.click("#payment button[type=submit]")
    await page.waitForSelector("#payment", { state: "detached" })
    expect(await ordersOf(cart)).toEqual([])

    expect(await textOf("h1")).toMatch(/Your cart has changed|This payment page is out of date/)
    await page.click("main a")
    await page.waitForSelector("text=That payment page is no longer valid")
    await settled()
    expect(await textOf("#pay")).toContain("৳1,070.00")
    await leaveToPay()
    await payByCard(GOOD_CARD)
    await page.waitForSelector("#order")
    expect((await ordersOf(cart)).map(({ total }) => total)).toEqual([1070])
  })
})
