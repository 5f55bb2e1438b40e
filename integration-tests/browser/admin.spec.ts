import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import { accessibilityProblems, launchBrowser } from "../support/browser"
import { CartShop } from "../support/carts"
import { ADMIN, prepareAdmin } from "../support/desk"
import { useReceiver } from "../support/receiver"
import { ROOT, useStore } from "../support/store"

const store = useStore({ prepare: prepareAdmin, withAdmin: true })
const receiver = useReceiver()
const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }
/** Where a person who changes the pages finds how they look: SCREENSHOTS=1 npm test -- browser browser/admin */
const SCREENSHOTS = process.env.SCREENSHOTS ? join(ROOT, ".test/screenshots") : null

let browser: Browser
let context: BrowserContext
let page: Page
let merchant: ApiMerchant
let faults: string[]

beforeAll(async () => {
  browser = await launchBrowser()
  context = await browser.newContext({ viewport: WIDE, locale: "en-GB", timezoneId: "Asia/Dhaka" })
  context.setDefaultTimeout(20_000)
  page = await context.newPage()
  page.on("pageerror", (error) => faults.push(String(error)))
  faults = []
  await page.goto(`${store.url}/app/login`)
  await page.fill("input[name=email]", ADMIN.email)
  await page.fill("input[name=password]", ADMIN.password)
  await page.click("button[type=submit]")
  await page.waitForURL(/\/app\/(orders|$)/)
}, 240_000)
afterAll(() => browser?.close())

beforeEach(async () => {
  faults = []
  merchant = await newMerchant(store)
})
afterEach(() => expect(faults).toEqual([]))

const heading = (text: string | RegExp) => page.getByRole("heading", { name: text }).first()
const button = (name: string | RegExp) => page.getByRole("button", { name })
const region = (name: string) => page.getByRole("region", { name })
/** Medusa's own frame around the pages is not ours to mend. */
const DESK = "[data-gateway-desk]"
const settled = () => page.waitForFunction(() => document.querySelector("main h1") !== null && document.querySelector("main .animate-pulse") === null)

async function open(path: string): Promise<void> {
  const separator = path.includes("?") ? "&" : "?"
  await page.goto(`${store.url}/app/gateway${path}${separator}merchant_id=${merchant.id}&environment=sandbox`)
  await settled()
}

async function confirm(name: string): Promise<void> {
  await page.getByRole("alertdialog").getByRole("button", { name }).click()
}

const toast = (text: string) => page.getByText(text).first().waitFor()

async function theme(name: "light" | "dark"): Promise<void> {
  await page.evaluate((value) => localStorage.setItem("medusa_admin_theme", value), name)
}

async function picture(name: string): Promise<void> {
  if (SCREENSHOTS !== null) {
    mkdirSync(SCREENSHOTS, { recursive: true })
    await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) })
  }
}

/** A paid, a declined and an open checkout, with an endpoint that fails and an ipn_url that works. */
async function someHistory(): Promise<{ paid: string; declined: string }> {
  receiver.answer = (response, { url }) => response.writeHead(url.startsWith("/hook") ? 500 : 200).end("no thanks")
  await gatewayOf(store).webhookEndpoints.create({ merchant_id: merchant.id, environment: "sandbox" }, { endpoint_url: `${receiver.url}/hook`, event_types: ["*"] })
  const paid = await merchant.open({ ipn_url: `${receiver.url}/ipn`, order_id: `PAID-${merchant.id.slice(-6)}` })
  await merchant.pay(paid.session_id)
  const declined = await merchant.open({ order_amount: "300.00", order_id: `DECLINED-${merchant.id.slice(-6)}` })
  await merchant.pay(declined.session_id)
  await merchant.open({ order_amount: "77.70" })
  await gatewayOf(store).refunds.create({ transaction_id: paid.transaction_id, amount: 25_000n, reason: "one cup was broken", requested_by: "the test", request_key: "one" })
  await gatewayOf(store).webhookDispatch.drain(merchant.id)
  return { paid: paid.transaction_id, declined: declined.transaction_id }
}

describe("payments", () => {
  it("are listed, searched, filtered and sorted, and the address keeps it", async () => {
    const { declined } = await someHistory()
    await open("/payments")
    await heading("Payments").waitFor()
    const rows = page.locator("tbody tr")
    expect(await rows.count()).toBe(3)
    expect(await page.innerText("tbody")).toContain("৳1,250.50")
    await picture("payments-light")
    expect(await accessibilityProblems(page, DESK)).toEqual([])

    await page.getByPlaceholder("Order id, e-mail or transaction id").fill("DECLINED-")
    await page.waitForURL(/q=DECLINED-/)
    await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 1)
    await page.reload()
    await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 1)
    await rows.first().getByRole("link").first().click()
    await page.waitForURL(new RegExp(`/gateway/payments/${declined}`))
    await page.getByText("CARD_DECLINED").first().waitFor()
  })

  it("filters by status through the menu, and says when nothing is found", async () => {
    await someHistory()
    await open("/payments?status=SUCCESS,REFUNDED")
    expect(await page.locator("tbody tr").count()).toBe(1)
    await open("/payments?status=CANCELLED")
    await page.getByText("Nothing found").waitFor()
  })

  it("tell everything that happened, down to the failing endpoint, and lead to its delivery", async () => {
    const { paid } = await someHistory()
    await open(`/payments/${paid}`)
    await heading("What happened").waitFor()
    for (const text of ["Checkout session opened", "Payment attempted with Card", "Paid", "payment.succeeded", "Refund of ৳250.00 requested: one cup was broken", "Refund of ৳250.00 completed"]) {
      await page.getByText(text).first().waitFor()
    }
    await picture("payment-light")
    expect(await accessibilityProblems(page, DESK)).toEqual([])
    await page.getByRole("link", { name: /Webhook .*\/hook/ }).first().click()
    await page.getByRole("dialog").getByText("Body that is sent").waitFor()
    await page.getByRole("dialog").getByText("no thanks").first().waitFor()
    await picture("delivery-light")
  })

  it("of another merchant cannot be opened here", async () => {
    const { paid } = await someHistory()
    merchant = await newMerchant(store)
    await open(`/payments/${paid}`)
    await page.getByText("There is no such payment in this environment.").waitFor()
  })
})

describe("developers", () => {
  it("an API key is made, shown once, works, and is revoked after a question", async () => {
    await open("/developers/api-keys")
    await button("Create API key").click()
    await page.getByRole("dialog").waitFor()
    await button("Create API key").last().click()
    await page.getByText("name is required").waitFor()
    await page.getByLabel("Name").fill("Web shop")
    await picture("key-form")
    await page.keyboard.press("Enter")
    await heading("Copy the key now").waitFor()
    const key = await page.getByRole("dialog").locator("code").innerText()
    expect(key).toMatch(/^sk_test_/)
    await picture("key-once")
    await button("I have stored it").click()
    expect((await merchant.call("GET", "/sandbox/clock", undefined, { key })).status).toBe(200)
    const row = page.locator("tr", { hasText: "Web shop" })
    await row.getByRole("button", { name: "Revoke" }).click()
    await confirm("Cancel")
    expect((await merchant.call("GET", "/sandbox/clock", undefined, { key })).status).toBe(200)
    await row.getByRole("button", { name: "Revoke" }).click()
    await confirm("Revoke")
    await toast("API key revoked")
    await row.getByText("Revoked").waitFor()
    expect((await merchant.call("GET", "/sandbox/clock", undefined, { key })).status).toBe(401)
    await picture("keys-light")
    expect(await accessibilityProblems(page, DESK)).toEqual([])
  })

  it("allowed addresses: what is no address is named, and what is one holds", async () => {
    await open("/developers/api-keys")
    await region("Allowed addresses").getByRole("button", { name: "Edit" }).click()
    await page.getByLabel("Addresses and networks").fill("everywhere")
    await button("Save").click()
    await page.getByText("everywhere is neither an IP address nor a network in CIDR form").first().waitFor()
    await page.getByLabel("Addresses and networks").fill("203.0.113.7")
    await button("Save").click()
    await toast("Allowed addresses saved")
    await page.getByText("203.0.113.7/32").waitFor()
    expect((await merchant.call("GET", "/sandbox/clock")).status).toBe(403)
  })

  it("a webhook endpoint is made, gets a sample, is switched off and on, rotated and deleted", async () => {
    await open("/developers/webhooks")
    await button("Add endpoint").click()
    await page.getByLabel("URL").fill("http://")
    await button("Add endpoint").last().click()
    await page.locator("[role=alert]", { hasText: "endpoint_url" }).waitFor()
    await page.getByLabel("URL").fill(`${receiver.url}/hook`)
    await picture("webhook-form")
    await button("Add endpoint").last().click()
    await heading("Copy the signing secret now").waitFor()
    expect(await page.getByRole("dialog").locator("code").innerText()).toMatch(/^whsec_/)
    await button("I have stored it").click()
    await page.getByRole("link", { name: `${receiver.url}/hook` }).click()
    await heading("Send a sample").waitFor()
    await button("Send").click()
    await page.getByText("The receiver acknowledged it").waitFor()
    expect(receiver.at("/hook")).toHaveLength(1)
    await button("Switch off").click()
    await confirm("Switch off")
    await toast("Endpoint switched off")
    await button("Switch on").click()
    await toast("Endpoint switched on")
    await button("Edit").click()
    await page.getByLabel("sha256= and hexadecimal").click()
    await button("Save").click()
    await toast("Endpoint saved")
    await picture("webhook-light")
    expect(await accessibilityProblems(page, DESK)).toEqual([])
    await button("Rotate secret").click()
    await confirm("Rotate secret")
    await heading("Copy the signing secret now").waitFor()
    await button("I have stored it").click()
    await button("Delete").click()
    await confirm("Delete")
    await page.waitForURL(/\/developers\/webhooks(\?|$)/)
    await page.getByText("No endpoints yet").waitFor()
  })

  it("a failed delivery is looked at and sent again, then all of them", async () => {
    await someHistory()
    await store.db("gateway_webhook_delivery").where({ merchant_id: merchant.id, state: "pending" }).update({ state: "failed" })
    await open("/developers/deliveries?status=failed")
    await picture("deliveries-light")
    receiver.answer = (response) => response.writeHead(200).end("thanks")
    await page.locator("tbody tr").first().getByRole("button").first().click()
    await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click()
    await toast("The delivery is on its way again")
    await page.keyboard.press("Escape")
    await button("Send all failed again").click()
    await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click()
    await toast("deliveries are on their way again")
    await gatewayOf(store).webhookDispatch.drain(merchant.id)
    await open("/developers/deliveries?status=failed")
    await page.getByText("Nothing found").waitFor()
  })

  it("events and requests can be read", async () => {
    await someHistory()
    await open("/developers/events")
    await page.getByText("payment.succeeded").first().waitFor()
    await page.locator("tbody tr").first().getByRole("button").first().click()
    await page.getByRole("dialog").getByText('"transaction_id"').first().waitFor()
    await gatewayOf(store).requestLog.flush()
    await open("/developers/requests")
    await page.getByText("POST /payments/checkout").first().waitFor()
    await picture("requests-light")
  })

  it("the sandbox clock moves forward after a question", async () => {
    await merchant.open()
    await open("/developers/clock")
    await page.getByLabel("Forward by").fill("2")
    await button("Move the clock").click()
    await confirm("Move the clock")
    await page.getByText("Expired sessions: 1").waitFor()
    await page.getByText("172800 s").waitFor()
  })
})

describe("settings and audit log", () => {
  it("profile, verification, services, callbacks, limit and fees are changed, and the audit log shows who and what", async () => {
    await open("/settings")
    await region("Merchant").getByRole("button", { name: "Edit" }).click()
    await page.getByLabel("E-mail").fill("not an address")
    await button("Save").click()
    await page.getByText("email must be a valid e-mail address").waitFor()
    await page.getByLabel("E-mail").fill("office@shapla.example")
    await button("Save").click()
    await toast("Merchant saved")
    await button("Approve").click()
    await confirm("Approve")
    await toast("Business verification saved")
    await page.getByRole("switch", { name: /^Checkout/ }).click()
    await confirm("Switch off")
    await page.getByRole("switch", { name: /^Checkout/, checked: false }).waitFor()
    expect((await merchant.checkout()).status).toBe(403)
    await page.getByRole("switch", { name: /^Checkout/ }).click()
    await page.getByRole("switch", { name: /^Checkout/, checked: true }).waitFor()
    await page.getByLabel("Edit Card").click()
    await page.getByLabel("Percent of the amount").fill("2.75")
    await button("Save").click()
    await toast("Card saved")
    await page.getByText("2.75 % + ৳0.00").waitFor()
    await picture("settings-light")
    expect(await accessibilityProblems(page, DESK)).toEqual([])
    await open("/audit")
    await page.getByText("payment_service.updated").waitFor()
    await page.getByText("office@shapla.example").waitFor()
    expect(await page.innerText("tbody")).toContain(ADMIN.email)
    await picture("audit-light")
    expect(await accessibilityProblems(page, DESK)).toEqual([])
  })

  it("speaks Bangla, in the dark, on a phone", async () => {
    await someHistory()
    await open("/settings")
    await page.getByRole("combobox", { name: "Language of these pages" }).click()
    await page.getByRole("option", { name: "বাংলা" }).click()
    await heading("ব্যবসা যাচাই").waitFor()
    await theme("dark")
    await page.setViewportSize(PHONE)
    await open("/payments")
    await heading("পেমেন্ট").waitFor()
    expect(await page.innerText("tbody")).toMatch(/১,২৫০.৫০/)
    await picture("payments-dark-phone-bn")
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    await open("/developers/api-keys")
    await picture("keys-dark-phone-bn")
    await page.setViewportSize(WIDE)
    await open("/payments")
    await picture("payments-dark-bn")
    await theme("light")
    await open("/settings")
    await page.getByRole("combobox", { name: "এই পাতাগুলোর ভাষা" }).click()
    await page.getByRole("option", { name: "English" }).click()
    await heading("Business verification").waitFor()
  })
})

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
  })
})
