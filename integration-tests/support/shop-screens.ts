import { randomBytes } from "node:crypto"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core"
import { gatewayIn } from "../../src/modules/gateway"
import type { CheckoutPage } from "../../src/modules/gateway/checkout/page"
import { launchBrowser } from "./browser"
import { openShop, type ShopUnderTest } from "./shop"
import type { Store } from "./store"

export const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, locale: "en-GB" }
export const GOOD_CARD = "4242424242424242"
export const TEA_AND_DELIVERY = "৳520.00"

let store: Store
/** The sample shop and a browser, from the first test on: opened once for the files that share a store. */
export let shop: ShopUnderTest
export let browser: Browser
/** The shopper of the test, or the one who came last. */
export let context: BrowserContext
export let page: Page
/** Uncaught errors of the shop's own script, and what its CSP has blocked: every test expects none. */
let faults: string[]

/** Opens the sample shop of a store (SHOP_ENVIRONMENT) for the file's tests: a new shopper visits it in each. */
export function useShop(visited: Store): void {
  beforeAll(() => openOnce(visited), 120_000)
  beforeEach(async () => {
    faults = []
    await newShopper()
  })
  afterEach(async () => {
    shop.onReturn = null
    await context.close()
    expect(faults).toEqual([])
  })
}

async function openOnce(visited: Store): Promise<void> {
  if (store !== undefined) {
    return
  }
  store = visited
  store.alsoClose(async () => {
    await browser?.close()
    await shop?.close()
  })
  ;[shop, browser] = await Promise.all([openShop(store), launchBrowser()])
}

export async function newShopper(options: BrowserContextOptions = PHONE): Promise<Page> {
  context = await browser.newContext(options)
  context.setDefaultTimeout(20_000)
  page = await context.newPage()
  page.on("pageerror", (error) => faults.push(String(error)))
  page.on("console", (message) => /Content.Security.Policy/i.test(message.text()) && faults.push(message.text()))
  return page
}

/** Opens a screen and waits until it is shown. */
export async function open(path: string): Promise<void> {
  await page.goto(`${shop.url}#${path}`)
  await settled()
}

export const settled = () => page.waitForSelector("main:not([aria-busy]) h1")

export async function addTea(): Promise<void> {
  await open("/products/sylhet-tea")
  await page.click("#add")
  await page.waitForSelector("text=Sylhet garden tea is in your cart.")
}

export async function fillAddress(district = "Dhaka"): Promise<void> {
  await page.fill("#name", "Rahima Khatun")
  await page.fill("#phone", "+880 1712-345678")
  await page.fill("#email", "rahima@example.com")
  await page.fill("#street", "House 12, Road 5")
  await page.selectOption("#district", district)
  await page.fill("#postcode", "1205")
  await page.click("#save-address")
}

export const PASSWORD = "garden of tea 9"

/** From the cart with the subscription to a new account, and on to the address. */
export async function registerAtCart(email: string): Promise<void> {
  await open("/products/tea-club")
  await page.click("#add")
  await page.waitForSelector("text=Tea club is in your cart.")
  await page.click("a[href='#/cart']:not(.cart-link)")
  await page.click("a[href^='#/sign-in']")
  await page.click("a[href^='#/register']")
  await page.waitForSelector("#name")
  await page.fill("#name", "Nusrat Jahan")
  await page.fill("#email", email)
  await page.fill("#password", PASSWORD)
  await page.click("#account-go")
  await page.waitForSelector("#save-address")
}

/** From the address to the last step, as a customer whose name and e-mail address the account knows. */
export async function reachPaymentFromAccount(): Promise<void> {
  await page.fill("#phone", "01812345678")
  await page.fill("#street", "House 12, Road 5")
  await page.selectOption("#district", "Dhaka")
  await page.fill("#postcode", "1205")
  await page.click("#save-address")
  await page.waitForSelector("#save-delivery")
  await page.click("#save-delivery")
  await page.waitForSelector("#pay")
  await settled()
}

export async function buySubscription(): Promise<void> {
  await reachPaymentFromAccount()
  await leaveToPay()
  await payByCard(GOOD_CARD)
  await page.waitForSelector("#order")
}

export async function signIn(email: string, password = PASSWORD): Promise<void> {
  await page.waitForSelector("#account-go")
  await page.fill("#email", email)
  await page.fill("#password", password)
  await page.click("#account-go")
}

export const newEmail = () => `nusrat-${randomBytes(6).toString("hex")}@example.com`
export const focused = () => page.evaluate(() => document.activeElement?.id)

/** From an empty cart to the last step before paying. */
export async function reachPayment(): Promise<void> {
  await addTea()
  await page.click("a:has-text('Go to the cart')")
  await page.click("a:has-text('Go to checkout')")
  await page.waitForSelector("#save-address")
  await fillAddress()
  await page.waitForSelector("#save-delivery")
  await page.check("label:has-text('Inside Dhaka') input")
  await page.click("#save-delivery")
  await page.waitForSelector("#pay")
  await settled()
}

export const onPaymentPage = () => page.waitForURL(/\/pay\/ses_/)

export async function leaveToPay(): Promise<void> {
  await page.click("#pay")
  await onPaymentPage()
}

export async function fillCard(number: string): Promise<void> {
  await page.check("#method_card")
  await page.fill("#card_number", number)
  await page.fill("#card_expiry", "12/30")
  await page.fill("#card_cvc", "123")
  await page.fill("#card_name", "Rahima Khatun")
}

export async function payByCard(number: string): Promise<void> {
  await fillCard(number)
  await page.click("#payment button[type=submit]")
}

/** A decline leaves the payment page open: the shopper gives up there. */
export async function returnAfterDecline(): Promise<void> {
  await page.waitForSelector("form#payment [role=alert]")
  await page.click("form[action$='/cancel'] button")
}

export async function cartId(): Promise<string> {
  const id = await page.evaluate(() => localStorage.getItem("shop.cart_id"))
  expect(id).toMatch(/^cart_/)
  return String(id)
}

export const textOf = (selector: string) => page.innerText(selector)

/** The orders made from a cart, from the store. */
export async function ordersOf(cart: string) {
  const query = store.container.resolve(ContainerRegistrationKeys.QUERY)
  const { data: links } = await query.graph({ entity: "order_cart", fields: ["order_id"], filters: { cart_id: cart } })
  const ids = links.map(({ order_id }) => order_id)
  const fields = [
    "id",
    "display_id",
    "email",
    "total",
    "items.title",
    "shipping_address.phone",
    "payment_collections.status",
  ]
  const { data: orders } = ids.length
    ? await query.graph({ entity: "order", fields, filters: { id: ids } })
    : { data: [] }
  return orders.map((order) => ({ ...order, total: Number(order.total) }))
}

/** The gateway's checkouts of the cart's current payment sessions. */
export async function checkoutsOf(cart: string): Promise<CheckoutPage[]> {
  const query = store.container.resolve(ContainerRegistrationKeys.QUERY)
  const fields = ["payment_collection.payment_sessions.data"]
  const { data: links } = await query.graph({ entity: "cart_payment_collection", fields, filters: { cart_id: cart } })
  const sessions = links.flatMap((link) => link.payment_collection?.payment_sessions ?? [])
  const gateway = gatewayIn(store.container)
  return Promise.all(sessions.map((session) => gateway.checkoutPages.page(String(session?.data.session_id))))
}

export async function expectConfirmed(cart: string): Promise<void> {
  await page.waitForSelector("#order")
  const orders = await ordersOf(cart)
  expect(orders).toHaveLength(1)
  expect(await page.getAttribute("#order", "data-order-id")).toBe(orders[0].id)
  expect(await textOf("#order")).toContain(`Order no. ${orders[0].display_id}`)
  expect(await textOf(".totals .total")).toContain(TEA_AND_DELIVERY)
  expect(await textOf(".facts")).toContain("Paid")
  expect(await page.evaluate(() => localStorage.getItem("shop.cart_id"))).toBeNull()
}
