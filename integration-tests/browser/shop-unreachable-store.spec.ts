import { SHOP_ENVIRONMENT } from "../support/shop"
import { leaveToPay, page, reachPayment, shop, useShop } from "../support/shop-screens"
import { useStore } from "../support/store"

const store = useStore({ env: SHOP_ENVIRONMENT })
useShop(store)

describe("a store that does not answer", () => {
  it("is shown to the shopper, and one press loads the screen once it is back", async () => {
    await page.route("**/store/products**", (route) => route.abort())
    await page.goto(shop.url)
    await page.waitForSelector("text=We cannot reach the shop.")
    await page.unrouteAll()
    await page.click("button:has-text('Try again')")
    await page.waitForSelector("a:has-text('Sylhet garden tea')")
  })

  it("at Pay leaves the shopper on the page, with a button that works again", async () => {
    await reachPayment()
    await page.route("**/payment-sessions", (route) => route.fulfill({ status: 500, body: "{}" }))
    await page.click("#pay")
    await page.waitForSelector("text=Payments are not possible at the moment.")
    await page.unrouteAll()
    await leaveToPay()
  })
})
