import type { Response } from "playwright-core"
import { Admin, prepareAdmin, signIn } from "../support/admin"
import { admin, button, heading, page, payByCard, picture, toast, useAdminPages } from "../support/admin-screens"
import { ApiMerchant } from "../support/api"
import { CartShop } from "../support/carts"
import { accessibilityProblems } from "../support/browser"
import { draftOrder, editOrder } from "../support/order-edits"
import { addEmi } from "../support/emi"
import { StoreSubscriber } from "../support/renewals"
import { sellMonthly, sellWithoutPlans } from "../support/sold-plans"
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

  it("its page shows a refund of Medusa's own dialog as soon as the order does", async () => {
    const shop = new CartShop(store)
    await shop.open()
    const { cart, session } = await shop.checkout()
    await shop.pay(session.data.session_id)
    const [order] = await shop.ordersOf(cart.id)
    await page.goto(`${store.url}/app/orders/${order}`)
    await page.getByText("Checkout session opened").waitFor()
    const row = page.getByText("pp_gateway_default", { exact: true }).locator("xpath=ancestor::div[.//button][1]")
    await row.getByRole("button").last().click()
    await page.getByRole("menuitem", { name: "Refund" }).click()
    const form = page.getByRole("dialog")
    await form.locator("input[name=amount]").fill("100")
    await form.getByRole("button", { name: "Save" }).click()
    await form.waitFor({ state: "detached" })
    const shown = page.getByRole("region", { name: "Refunds", exact: true })
    await shown.getByText("৳100.00").waitFor({ timeout: 10_000 })
    await shown.getByText(/· on the order$/).waitFor({ timeout: 10_000 })
    await page.getByText("Refund of ৳100.00").first().waitFor({ timeout: 10_000 })
  })

  it("its page has the instalments, the receipt and the dispute of the payment, and leads to its refund", async () => {
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
    const { transaction_id } = await store
      .db("gateway_transaction")
      .where({ session_id: session.data.session_id })
      .first<{ transaction_id: string }>("id as transaction_id")
    const desk = new Admin(store, await signIn(store), id)
    const { body } = await desk.post("/disputes", { transaction_id, reference: "CB-1" })
    await page.goto(`${store.url}/app/orders/${order}`)
    await page.getByText(/^Dispute: /).waitFor()
    await picture("order-widget-dispute")
    // The bank has taken back what is disputed: it is not refunded as well.
    await page.getByText(/^The rest of this payment is disputed/).waitFor()
    expect(await page.locator(`a[href*="opened=refund"]`).count()).toBe(0)
    await page.getByRole("link", { name: "Dispute", exact: true }).click()
    await page.waitForURL(new RegExp(`disputes/${body.dispute.id}.*merchant_id=${id}`))
  })

  it("its page collects what an edit adds, in both languages, and shows nothing outstanding once it is paid", async () => {
    const shop = new CartShop(store)
    await shop.open()
    const { cart, session } = await shop.checkout()
    await shop.pay(session.data.session_id)
    const [order] = await shop.ordersOf(cart.id)
    const add = [{ variant_id: await shop.variantId("TEA-250"), quantity: 1, unit_price: 350 }]
    await editOrder(store.container, order, { add })
    const address = `${store.url}/app/orders/${order}`
    await page.goto(address)
    await heading("৳350.00 outstanding").waitFor()
    await picture("order-balance")
    await button("Collect ৳350.00").click()
    const drawer = page.getByRole("dialog")
    await drawer.getByRole("img", { name: "QR code of the payment link" }).waitFor()
    const url = (await drawer.locator("code").innerText()).trim()
    await drawer.getByRole("button", { name: "Send to ayesha@example.com" }).click()
    await toast("E-mail sent")
    await picture("order-balance-link")
    expect(await accessibilityProblems(page, "[role=dialog]")).toEqual([])

    // The shopper, on a phone.
    await admin.look("light", "phone")
    await page.goto(`${url}?lang=bn`)
    await admin.shows("৳৩৫০.০০ পরিশোধ করুন")
    await heading(/^অর্ডার .*-এর বাকি টাকা$/).waitFor()
    await admin.picture("order-balance-page-bn-phone")
    expect(await admin.fitsTheScreen()).toBe(true)
    await page.goto(`${url}?lang=en`)
    expect(await accessibilityProblems(page)).toEqual([])
    await button("Pay ৳350.00").click()
    await page.waitForURL(/\/pay\/ses_/)
    await payByCard()
    await admin.shows("Paid with Visa ending in 4242")
    await admin.picture("order-balance-paid-phone")
    await page.goto(`${url}?lang=en`)
    await admin.shows("Nothing is left to pay for this order.")

    await admin.look("light", "wide")
    await page.goto(address)
    await page.getByRole("link", { name: "Open payment" }).nth(1).waitFor()
    expect(await heading("৳350.00 outstanding").count()).toBe(0)
    const { display_id } = await store.db("order").where({ id: order }).first()
    await page.getByText(`The balance is on order #${display_id}`).waitFor()
    await picture("order-balance-settled")
  })

  it("that is still a draft has the balance on its page, too, and collects it", async () => {
    const shop = new CartShop(store)
    await shop.open()
    const items = [{ variant_id: await shop.variantId("TEA-250"), quantity: 2, unit_price: 350 }]
    const draft = await draftOrder(store.container, { region_id: shop.regionId, items, isDraft: true })
    await page.goto(`${store.url}/app/draft-orders/${draft}`)
    await heading("৳700.00 outstanding").waitFor()
    await picture("draft-order-balance")
    await button("Collect ৳700.00").click()
    await page.getByRole("dialog").getByRole("img", { name: "QR code of the payment link" }).waitFor()
    await picture("draft-order-balance-link")
  })
})

describe("docs/decisions/13 — goods of the store on another plan", () => {
  it("change with the next period alone, after their cost was seen, and are taken back, in both languages", async () => {
    const shop = new CartShop(store)
    await shop.open()
    const { id: merchant_id } = await shop.gateway.merchants.storeMerchant("")
    const tenant = { merchant_id, environment: "sandbox" as const }
    await sellMonthly(store, shop, tenant, "CUSHION-40", 50_000n, "home")
    await sellMonthly(store, shop, tenant, "POSTER-50", 90_000n, "home")
    const subscriber = await StoreSubscriber.buys({ store, shop, tenant }, "CUSHION-40", 1)
    const delivery = Number((await subscriber.now()).amount) - 500
    const price = `৳${(900 + delivery).toFixed(2)}`
    await page.goto(`${store.url}/app/gateway/subscriptions/${subscriber.uuid}`)
    const form = page.getByRole("dialog")
    await button("Switch plan").click()
    await form.getByRole("combobox").fill("POSTER")
    await page.getByRole("option", { name: /POSTER-50 a month/ }).click()
    await form.getByText(`Next payment: ${price}`).waitFor()
    await form.getByText("What is sent and what it costs change with the next period.").waitFor()
    expect([await form.getByRole("radio").count(), await form.getByLabel("Quantity").count()]).toEqual([1, 0])
    await picture("subscription-goods-switch")
    await form.getByRole("button", { name: "Switch plan" }).click()
    await toast("The new terms begin with the next period")
    await page.getByText(`POSTER-50 a month · ${price} every month`).waitFor()
    await admin.speak("bn")
    await page.reload()
    await page.getByText("POSTER-50 a month · ৳").waitFor()
    await button("আগের শর্ত রাখুন").click()
    await page.getByRole("alertdialog").getByRole("button", { name: "আগের শর্ত রাখুন" }).click()
    await page.getByText("POSTER-50 a month · ").waitFor({ state: "detached" })
    expect(await subscriber.now()).not.toHaveProperty("scheduled_change")
    await admin.speak("en")
    await sellWithoutPlans(store, shop, "CUSHION-40", "POSTER-50")
  })
})
