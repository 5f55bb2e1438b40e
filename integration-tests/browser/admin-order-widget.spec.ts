import type { Response } from "playwright-core"
import { prepareAdmin } from "../support/admin"
import { heading, page, picture, useAdminPages } from "../support/admin-screens"
import { ApiMerchant } from "../support/api"
import { CartShop } from "../support/carts"
import { addEmi } from "../support/emi"
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

  it("its page has the instalments and the receipt of the payment, and leads to its refund", async () => {
    const shop = new CartShop(store)
    await shop.open()
    const { id } = await shop.gateway.merchants.storeMerchant(shop.gateway.options.storeMerchantName)
    const { key } = await shop.gateway.apiKeys.create({ merchant_id: id, environment: "sandbox", name: "tests" })
    await shop.gateway.merchants.configure({ merchant_id: id, environment: "sandbox" }, { receipts: true })
    const emi_configuration_id = await addEmi(store, id, { processing_fee: "575" })
    const { cart, session } = await shop.checkout({ "SARI-COTTON": 1 }, { emi_configuration_id })
    const merchant = new ApiMerchant(store, id, key, {})
    await merchant.pay(session.data.session_id, { payment_method: "card", emi_configuration_id })
    const [order] = await shop.ordersOf(cart.id)
    await page.goto(`${store.url}/app/orders/${order}`)
    await page.getByText("12 months with Shapla Bank: ৳14,653.40 in all").waitFor()
    await page.getByText("Receipt", { exact: true }).waitFor()
    await picture("order-widget-emi")
    await page.locator(`a[href*="opened=refund"]`).click()
    const form = page.getByRole("dialog")
    await form.getByText(/^At most ৳/).waitFor()
    await form.getByRole("button", { name: "Cancel" }).click()
    await form.waitFor({ state: "detached" })
    expect(page.url()).not.toContain("opened")
  })
})
