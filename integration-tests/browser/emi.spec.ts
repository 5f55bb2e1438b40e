import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { refundPaymentWorkflow } from "@medusajs/medusa/core-flows"
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core"
import { accessibilityProblems, launchBrowser } from "../support/browser"
import { merchantOf, openLanding, type Checkout, type Landing, type Merchant } from "../support/checkouts"
import { addEmi, changeEmi, storedPlan } from "../support/emi"
import { openShop, SHOP_ENVIRONMENT, type ShopUnderTest } from "../support/shop"
import { useStore } from "../support/store"

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, locale: "en-GB" }
const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 900 }, locale: "en-GB" }
const WITHOUT_JAVASCRIPT: BrowserContextOptions = { ...PHONE, javaScriptEnabled: false }

const store = useStore({ env: SHOP_ENVIRONMENT })
let browser: Browser
let landing: Landing
let shop: ShopUnderTest
const contexts: BrowserContext[] = []

beforeAll(async () => {
  // Before any other merchant: the store's own is the first one.
  shop = await openShop(store)
  browser = await launchBrowser()
  landing = await openLanding()
})
afterEach(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()))
})
afterAll(async () => {
  await browser?.close()
  await landing?.close()
  await shop?.close()
})

async function newPage(options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options)
  contexts.push(context)
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  return page
}

/** Stores a picture in SCREENSHOTS, for a person to look at. */
async function look(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (folder) {
    await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
  }
}

describe("decisions: EMI — the hosted page", () => {
  let merchant: Merchant
  let padma: string
  let meghna: string

  beforeEach(async () => {
    merchant = await merchantOf(store, landing.url)
    const add = (fields: Record<string, unknown>) => addEmi(store, merchant.id, fields)
    await add({
      bank_name: "Meghna Demo Bank",
      tenure: 6,
      interest_rate: "9.5",
      interest_method: "reducing",
      processing_fee_type: "percent",
      processing_fee: "1.5",
      card_prefixes: "55555555 4111",
    })
    meghna = await add({
      bank_name: "Meghna Demo Bank",
      tenure: 24,
      interest_rate: "11.25",
      interest_method: "reducing",
      processing_fee_type: "percent",
      processing_fee: "1.5",
      card_prefixes: "55555555 4111",
    })
    await add({
      bank_name: "Padma Demo Bank",
      tenure: 3,
      interest_rate: "3",
      merchant_bleeding: true,
      card_prefixes: "424242",
    })
    await add({
      bank_name: "Padma Demo Bank",
      tenure: 6,
      interest_rate: "4.5",
      processing_fee: "250",
      card_prefixes: "424242",
    })
    padma = await add({
      bank_name: "Padma Demo Bank",
      tenure: 12,
      interest_rate: "8.5",
      processing_fee: "250",
      card_prefixes: "424242",
    })
    await add({
      bank_name: "পদ্মা ডেমো ব্যাংক",
      tenure: 9,
      interest_rate: "6.75",
      processing_fee_type: "percent",
      processing_fee: "2",
    })
  })

  const checkout = (payment_info?: Record<string, unknown>) =>
    merchant.checkout({ order_amount: "123456.78", payment_info })

  async function open({ page: url }: Checkout, options: BrowserContextOptions = PHONE): Promise<Page> {
    const page = await newPage(options)
    await page.goto(url)
    return page
  }

  async function fillCard(page: Page, number = "4242424242424242"): Promise<void> {
    await page.getByLabel("Card number").fill(number)
    await page.getByLabel("Expiry date").fill("12/40")
    await page.getByLabel("Security code").fill("123")
    await page.getByLabel("Name on card").fill("Rahim Uddin")
  }

  const button = (page: Page) => page.locator("#payment button[type=submit]")
  const inAll = (page: Page) =>
    page.locator(".summary").getByText("12 months with Padma Demo Bank: ৳1,34,200.61 in all").filter({ visible: true })
  const landed = (page: Page) => page.waitForURL(/[?&]status=SUCCESS(&|$)/)

  it.each([
    ["with JavaScript", PHONE],
    ["without JavaScript", WITHOUT_JAVASCRIPT],
  ])("a shopper may choose instalments, %s: figures side by side, and those are stored", async (_, options) => {
    const created = await checkout()
    const page = await open(created, options)
    expect(await button(page).innerText()).toBe("Pay ৳1,23,456.78")
    await page.locator("summary", { hasText: "Padma Demo Bank" }).click()
    const plan = page.locator("label.plan", { hasText: "12 months" }).filter({ visible: true })
    expect((await plan.innerText()).replace(/\s+/g, " ")).toBe(
      "12 months 8.50% in all Per month ৳11,162.55 Interest ৳10,493.83 Fee, once ৳250.00 In all ৳1,34,200.61 The first payment, with the fee, is ৳11,412.55. The last instalment is ৳11,162.56."
    )
    await plan.click()
    expect(await button(page).innerText()).toMatch(
      options === PHONE ? /^Pay ৳11,162.55 a month, ৳1,34,200.61 in all$/ : /^Pay in instalments$/
    )
    expect(await inAll(page).count()).toBe(options === PHONE ? 1 : 0)
    await fillCard(page)
    await button(page).click()
    await landed(page)
    expect(await storedPlan(store, created.transaction_id)).toMatchObject({
      configuration_uuid: padma,
      total_minor: 13_395_061,
      monthly_minor: 1_116_255,
      interest_minor: 1_049_383,
      fee_minor: 25_000,
    })
  })

  it("the cheapest is marked, once, on its bank and on itself", async () => {
    const page = await open(await checkout({ requires_emi: true }))
    expect(await page.locator("summary .badge").count()).toBe(1)
    expect(await page.locator("label.plan .badge").count()).toBe(1)
    expect(await page.locator("label.plan", { has: page.locator(".badge") }).innerText()).toContain("3 months")
    expect(await page.locator("label.plan", { has: page.locator(".badge") }).innerText()).toContain(
      "The shop pays the interest"
    )
    expect(await page.getByRole("radio", { name: /In full/ }).count()).toBe(0)
    expect(await page.getByRole("radio", { name: "bKash" }).count()).toBe(0)
  })

  it("paying in full stays one press away, and another method takes no instalments", async () => {
    const created = await checkout()
    const page = await open(created)
    await page.locator("summary", { hasText: "Padma Demo Bank" }).click()
    await page.locator("label.plan", { hasText: "3 months" }).filter({ visible: true }).click()
    expect(await page.locator(".summary-emi").innerText()).toBe("3 months with Padma Demo Bank: ৳1,23,456.78 in all")
    await page.getByRole("radio", { name: "Wallet" }).check()
    expect(await button(page).innerText()).toBe("Pay ৳1,23,456.78")
    expect(await page.locator(".summary-emi").isVisible()).toBe(false)
    await page.getByRole("radio", { name: "Card", exact: true }).check()
    await page.getByRole("radio", { name: /In full, now/ }).check()
    expect(await button(page).innerText()).toBe("Pay ৳1,23,456.78")
    await fillCard(page)
    await button(page).click()
    await landed(page)
    expect(await storedPlan(store, created.transaction_id)).toBeUndefined()
  })

  it("a card of another bank, then none chosen, then terms that have changed: said in words, and paid in the end", async () => {
    const created = await checkout({ requires_emi: true })
    const page = await open(created)
    await fillCard(page)
    await button(page).click()
    // The link's target is inside a collapsed bank: the browser opens it.
    await page.getByRole("link", { name: "Choose how many instalments you want to pay in" }).click()
    await page.locator("label.plan", { hasText: "24 months" }).filter({ visible: true }).click()
    await fillCard(page)
    await button(page).click()
    await page.getByRole("link", { name: /This card is not from the bank you chose/ }).click()
    await look(page, "other-bank")
    expect(await page.locator("#card_number").evaluate((field) => field === document.activeElement)).toBe(true)
    await changeEmi(store, merchant.id, meghna, { interest_rate: "12" })
    await fillCard(page, "5555555555554444")
    await button(page).click()
    await page.getByRole("link", { name: /have changed, and nothing was charged/ }).waitFor()
    await look(page, "changed")
    expect(await accessibilityProblems(page)).toEqual([])
    await fillCard(page, "5555555555554444")
    await button(page).click()
    await landed(page)
    expect(await storedPlan(store, created.transaction_id)).toMatchObject({
      configuration_uuid: meghna,
      rate_ppm: 120_000,
      revision: 2,
    })
  })

  it("what the merchant has chosen stands there alone", async () => {
    const created = await checkout({ requires_emi: true, emi_configuration_id: padma })
    const page = await open(created)
    await look(page, "preselected-phone")
    expect(await page.locator("[name=emi]").count()).toBe(1)
    expect(await page.locator(".plan-alone").innerText()).toContain("Padma Demo Bank")
    expect(await button(page).innerText()).toBe("Pay ৳11,162.55 a month, ৳1,34,200.61 in all")
    expect(await inAll(page).count()).toBe(1)
    expect(await inAll(await open(created, WITHOUT_JAVASCRIPT)).count()).toBe(1)
    expect(await accessibilityProblems(page)).toEqual([])
    await fillCard(page)
    await button(page).click()
    await landed(page)
    expect(await storedPlan(store, created.transaction_id)).toMatchObject({ configuration_uuid: padma })
    await page.goto(created.page)
    expect((await page.locator(".facts").first().innerText()).replace(/\s+/g, " ")).toContain(
      "Amount ৳1,23,456.78 Instalments 12 months with Padma Demo Bank First payment, with the fee ৳11,412.55 Then each month ৳11,162.55 In all ৳1,34,200.61"
    )
    await look(page, "paid-in-instalments")
    expect(await accessibilityProblems(page)).toEqual([])
  })

  it.each([
    ["on a phone", "phone", PHONE],
    ["on a small phone", "small", { ...PHONE, viewport: { width: 320, height: 640 } }],
    ["on a wide screen", "desktop", DESKTOP],
    ["in Bangla, in the dark", "bangla", { ...PHONE, locale: "bn-BD", colorScheme: "dark" as const }],
  ])("is accessible and fits %s", async (_, name, options) => {
    const page = await open(await checkout({ requires_emi: true }), options)
    await page.locator("details.bank").evaluateAll((banks) => banks.forEach((bank) => bank.setAttribute("open", "")))
    await page.locator("label.plan input").nth(1).check()
    await look(page, name)
    expect(await accessibilityProblems(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    const optional = await open(await checkout(), options)
    // A choice squeezed into a column breaks its words into letters, and still fits.
    const [choice, all] = await Promise.all(
      [".emi", ".fields:has(.emi)"].map((part) => optional.locator(part).boundingBox())
    )
    expect(choice?.width).toBe(all?.width)
    await look(optional, `${name}-optional`)
    expect(await accessibilityProblems(optional)).toEqual([])
  })
})

describe("decisions: EMI — the shop window of the sample shop", () => {
  const settled = (page: Page) => page.waitForSelector("main:not([aria-busy]) h1")

  async function go(page: Page, path: string): Promise<void> {
    await page.goto(`${shop.url}#${path}`)
    await settled(page)
  }

  async function inspect(page: Page, name: string): Promise<void> {
    // A choice that was just made changes its colours over a moment: those in between are nobody's to read.
    await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)))
    await look(page, name)
    expect({ name, problems: await accessibilityProblems(page) }).toEqual({ name, problems: [] })
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  }

  it.each([
    ["on a phone", "shop-phone", PHONE],
    ["on a wide screen, in the dark", "shop-desktop", { ...DESKTOP, colorScheme: "dark" as const }],
  ])("from the product over the cart to a payment in instalments, %s", async (_, name, options) => {
    const page = await newPage(options)
    await go(page, "/products/jamdani-sari")
    expect(await page.innerText("#emi summary")).toBe("Instalments from ৳756.48 a month, ৳13,804.17 in all")
    await page.getByRole("radio", { name: "Half silk" }).check()
    await page.getByText("Instalments from ৳962.50 a month, ").click()
    expect(await page.innerText("#emi")).toContain("৳30,087.50 in all: interest ৳2,337.50, and a fee of ৳250.00 once")
    await inspect(page, `${name}-product`)
    await page.getByRole("radio", { name: "Fine cotton" }).check()
    await page.getByText("Instalments from ৳756.48 a month, ").waitFor()
    await page.click("#add")
    await page.click("a:has-text('Go to the cart')")
    // The product's page shows the same until the cart is loaded.
    await page.waitForSelector(".cart-items")
    expect(await page.innerText("#emi summary")).toBe(
      "Instalments from ৳756.48 a month, ৳13,804.17 in all, before delivery"
    )
    await page.getByText("Instalments from ৳756.48 a month, ").click()
    await page.getByRole("radio", { name: /^12 months.*৳13,812.50 in all/ }).check()
    expect(await page.innerText("#emi summary")).toBe(
      "12 months, ৳1,130.21 a month, Padma Demo Bank: ৳13,812.50 in all, before delivery"
    )
    await inspect(page, `${name}-cart`)
    await page.click("a:has-text('Go to checkout')")
    await page.waitForSelector("#save-address")
    for (const [field, value] of Object.entries({
      name: "Rahima Khatun",
      phone: "01712345678",
      email: "rahima@example.com",
      street: "House 12, Road 5",
      postcode: "1205",
    })) {
      await page.fill(`#${field}`, value)
    }
    await page.selectOption("#district", "Dhaka")
    await page.click("#save-address")
    await page.waitForSelector("#save-delivery")
    await page.check("label:has-text('Inside Dhaka') input")
    await page.click("#save-delivery")
    await page.waitForSelector("#pay")
    await go(page, "/cart")
    await page.waitForSelector("#emi summary")
    expect(await page.innerText("#emi summary")).toBe(
      "12 months, ৳1,136.54 a month, Padma Demo Bank: ৳13,888.45 in all, with delivery"
    )
    await go(page, "/checkout/pay")
    await page.waitForSelector("#pay")
    await settled(page)
    expect(await page.locator("label.pill", { has: page.locator("input:checked") }).innerText()).toBe(
      "12 months, ৳1,136.54 a month, Padma Demo Bank: ৳13,888.45 in all, with delivery"
    )
    expect(await page.innerText("#pay")).toBe("Pay ৳1,136.54 a month, ৳13,888.45 in all")
    await page.getByRole("radio", { name: "Nagad", exact: true }).check()
    expect(await page.innerText("#pay")).toBe("Pay ৳12,570.00")
    await page.locator("label.pill").first().click()
    await inspect(page, `${name}-pay`)
    await page.click("#pay")
    await page.waitForURL(/\/pay\/ses_/)
    expect(await page.locator("label.plan", { has: page.locator("input:checked") }).innerText()).toContain("৳1,136.54")
    expect(await page.locator("#payment button[type=submit]").innerText()).toBe(
      "Pay ৳1,136.54 a month, ৳13,888.45 in all"
    )
    expect(await page.locator(".summary-emi").innerText()).toBe("12 months with Padma Demo Bank: ৳13,888.45 in all")
    await look(page, `${name}-hosted`)
    await page.fill("#card_number", "4242424242424242")
    await page.fill("#card_expiry", "12/40")
    await page.fill("#card_cvc", "123")
    await page.fill("#card_name", "Rahima Khatun")
    await page.click("#payment button[type=submit]")
    await page.waitForSelector("#order")
    const instalments = (await page.locator(".order-emi").innerText()).replace(/\s+/g, " ")
    expect(instalments).toBe(
      "12 months with Padma Demo Bank First payment, with the fee ৳1,386.54 Then each month ৳1,136.54 In all ৳13,888.45"
    )
    await inspect(page, `${name}-order`)
    const [plan] = await store
      .db("gateway_emi_plan")
      .where({ order_amount_minor: 1_257_000 })
      .orderBy("created_at", "desc")
    expect(plan).toMatchObject({
      bank_name: "Padma Demo Bank",
      tenure_months: 12,
      monthly_minor: 113_654,
      total_minor: 1_363_845,
    })
    expect(await page.evaluate(() => localStorage.getItem("shop.emi"))).toBeNull()

    const id = String(await page.getAttribute("#order", "data-order-id"))
    const query = store.container.resolve(ContainerRegistrationKeys.QUERY)
    const fields = ["total", "payment_collections.payments.id"]
    const { data: orders } = await query.graph({ entity: "order", fields, filters: { id } })
    const payment_id = String(orders[0].payment_collections?.[0]?.payments?.[0]?.id)
    await refundPaymentWorkflow(store.container).run({ input: { payment_id, amount: 70 } })
    await page.reload()
    await page.waitForSelector(".order-emi >> text=Some of the money has gone back to your card.")
    await refundPaymentWorkflow(store.container).run({ input: { payment_id, amount: Number(orders[0].total) - 70 } })
    await page.reload()
    await page.waitForSelector(".order-emi >> text=All of the money has gone back to your card.")
  })

  it("what is too cheap, and a store that cannot be asked, leave the page as it was", async () => {
    const page = await newPage(PHONE)
    await go(page, "/products/sylhet-tea")
    await page.waitForResponse(/store\/gateway\/emi/).catch(() => null)
    expect(await page.locator("#emi details").count()).toBe(0)
    await page.route("**/store/gateway/emi**", (route) => route.abort())
    await go(page, "/products/jamdani-sari")
    await page.click("#add")
    await page.waitForSelector(".notice-success")
    expect(await page.locator("#emi details").count()).toBe(0)
  })
})
