import type { Response } from "playwright-core"
import { prepareAdmin } from "../support/admin"
import { heading, page, picture, useAdminPages } from "../support/admin-screens"
import { CartShop } from "../support/carts"
import { useStore } from "../support/store"

const store = useStore({ shop: true, prepare: prepareAdmin, withAdmin: true })
useAdminPages(store)

describe("an order of the store", () => {
  it("its page shows the payment's timeline and leads to the payment and back", async () => {
    const shop = new CartShop(store)
    await shop.open()
    const { cart, session } = await shop.checkout()
    await shop.pay(session.data.session_id)
    const [order] = await shop.ordersOf(cart.id)
    await page.goto(`${store.url}/app/orders/${order}`)
    await heading("Gateway payment").waitFor()
    await page.getByText("Checkout session opened").waitFor()
    await picture("order-widget")
    await page.getByRole("link", { name: "Open payment" }).click()
    await heading("What happened").waitFor()
    await page.getByRole("link", { name: "Open order" }).click()
    await page.waitForURL(new RegExp(order))
    // To somebody without a right to payments an order's page shows nothing of them.
    await page.route("**/admin/gateway/orders/*/payments*", (route) =>
      route.fulfill({ status: 403, json: { message: "Forbidden" } })
    )
    const isRefused = (answer: Response) =>
      /gateway\/orders\/.*\/payments/.test(answer.url()) && answer.status() === 403
    await Promise.all([page.waitForResponse(isRefused), page.reload()])
    await heading("Gateway payment").waitFor({ state: "detached" })
    await page.unrouteAll({ behavior: "wait" })
  })
})
