import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { insertAccount } from "../support/acquirer-accounts"
import { launchBrowser } from "../support/browser"
import { CartShop } from "../support/carts"
import { merchantOf } from "../support/checkouts"
import { addEmi } from "../support/emi"
import { importModule } from "../support/import-module.cjs"
import { ROOT, useStore, type Store } from "../support/store"

interface Acquirers {
  environment: Record<string, string>
  stripe: { secret_key: string; webhook_secret: string }
  movements(): Record<"sslcommerz" | "bkash" | "nagad" | "shurjopay" | "stripe", bigint[]>
  stop(): Promise<void>
}
type Module = { STRIPE_ACCOUNT: string; startAcquirers(origin: string): Promise<Acquirers> }
/** What the shop knows at the moment at which a shopper comes back. */
type Arrival = { status: string | null; orders: string[] }

let acquirers: Acquirers
let landing: { url: string; server: Server }
let shop: CartShop
let browser: Browser
let cartId = ""
const arrivals: Arrival[] = []

/** Cards go to Stripe, bKash to bKash, Nagad to Nagad, Rocket to shurjoPay, and internet banking to SSLCommerz: what is left for the environment's account. */
const store = useStore({
  production: true,
  shop: true,
  env: async (booting) => {
    const { startAcquirers } = await demoAcquirers()
    acquirers = await startAcquirers(booting.url)
    landing = await openLanding()
    return { ...acquirers.environment, STORE_CORS: landing.url }
  },
  prepare: async (booted) => {
    shop = new CartShop(booted)
    await shop.open()
    await keepStripeAccount(booted)
    await booted
      .db("gateway_payment_service")
      .where({ code: "ROCKET" })
      .update({ routes: JSON.stringify([{ acquirer: "shurjopay", share: null, from_minor: null, to_minor: null }]) })
  },
})

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await acquirers?.stop()
  landing?.server.closeAllConnections()
  landing?.server.close()
})
beforeEach(() => void arrivals.splice(0))

const demoAcquirers = () => importModule<Module>(join(ROOT, "scripts/demo/acquirers.mjs"))

async function keepStripeAccount(booted: Store): Promise<void> {
  const { STRIPE_ACCOUNT: id } = await demoAcquirers()
  const { id: merchant_id } = await booted.gateway.merchants.storeMerchant(booted.gateway.options.storeMerchantName)
  await insertAccount(booted, { id, merchant_id, acquirer: "stripe", services: ["CARD"], secrets: acquirers.stripe })
}

/** The shop's page: it looks for the cart's order before it answers, when the browser has just been sent there. */
async function openLanding(): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", landing.url)
    const answer = async () => {
      if (pathname === "/done") {
        arrivals.push({ status: searchParams.get("status"), orders: await shop.ordersOf(cartId) })
      }
      response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" })
      response.end('<!doctype html><html lang="en"><title>Shop</title><h1>Back in the shop</h1></html>')
    }
    void answer()
  })
  await new Promise<void>((done) => server.listen(0, "localhost", done))
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, server }
}

const PHONE = { viewport: { width: 390, height: 844 }, locale: "en-GB" }

async function startCart(chosen: object = {}, options: BrowserContextOptions = PHONE) {
  const { cart, session } = await shop.checkout(undefined, { return_url: `${landing.url}/done`, ...chosen })
  cartId = cart.id
  const page = await (await browser.newContext(options)).newPage()
  page.setDefaultTimeout(20_000)
  await page.goto(session.data.checkout_url)
  const { transaction_id } = await shop.gateway.transactions.bySession(session.data.session_id)
  return { page, transaction_id, total: cart.total }
}

async function look(page: Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS) {
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png`, fullPage: true })
  }
}

const submit = (page: Page) => page.click('#payment button[type="submit"]')
const attemptsOf = (transaction_id: string) =>
  store.db("gateway_payment_attempt").where({ transaction_id }).orderBy("number")

describe("design: the Medusa order exists before the shopper is sent back — a cart paid in a browser", () => {
  it.each<[keyof ReturnType<Acquirers["movements"]>, (page: Page) => Promise<void>, string]>([
    ["sslcommerz", (page) => page.check("#method_internet_banking"), "#pay"],
    ["bkash", (page) => page.check("#method_BKASH"), 'button[value="pay"]'],
    ["nagad", (page) => page.check("#method_NAGAD"), 'button[value="pay"]'],
    ["shurjopay", (page) => page.check("#method_ROCKET"), 'button[value="pay"]'],
    ["stripe", (page) => page.check("#method_card"), "#pay"],
  ])("over %s", async (acquirer, choose, payButton) => {
    const { page, transaction_id, total } = await startCart()
    const before = acquirers.movements()[acquirer].length
    await choose(page)
    await look(page, `acquirers-${acquirer}`)
    await submit(page)
    await page.click(payButton)
    await page.waitForURL(`${landing.url}/done*`)
    expect(arrivals).toEqual([{ status: "SUCCESS", orders: [expect.stringMatching(/^order_/)] }])
    const paid = BigInt(Math.round(total * 100))
    expect(acquirers.movements()[acquirer].slice(before)).toEqual([paid])
    const amount = total.toFixed(2)
    expect(await shop.moneyOf(cartId)).toEqual({ payments: 1, captured: amount, recorded: amount })
    expect(await attemptsOf(transaction_id)).toMatchObject([{ acquirer, state: "SUCCEEDED" }])
    await page.context().close()
  })

  it.each([
    ["nagad", "নগদ", /নগদ/],
    ["shurjopay", "রকেট", /রকেট/],
  ])("over %s in Bangla, after a cancellation there", async (acquirer, service, left) => {
    const { page, transaction_id } = await startCart({}, { ...PHONE, locale: "bn-BD" })
    expect(await page.locator("html").getAttribute("lang")).toBe("bn")
    await page.getByRole("radio", { name: service }).check()
    await submit(page)
    await page.click('button[value="cancel"]')
    await page.getByRole("heading", { name: left }).waitFor()
    await look(page, `acquirers-${acquirer}-left`)
    expect(arrivals).toEqual([])
    await page.getByRole("radio", { name: service }).check()
    await submit(page)
    await page.click('button[value="pay"]')
    await page.waitForURL(`${landing.url}/done*`)
    expect(arrivals).toEqual([{ status: "SUCCESS", orders: [expect.stringMatching(/^order_/)] }])
    expect((await attemptsOf(transaction_id)).map((attempt) => [attempt.acquirer, attempt.state])).toEqual([
      [acquirer, "DECLINED"],
      [acquirer, "SUCCEEDED"],
    ])
    await page.context().close()
  })

  it("after a decline at one acquirer, over another one: one order", async () => {
    const { page, transaction_id } = await startCart()
    await page.check("#method_internet_banking")
    await submit(page)
    await page.click("#decline")
    await page.waitForSelector(".problems")
    await look(page, "acquirers-declined")
    expect(arrivals).toEqual([])
    await page.check("#method_card")
    await submit(page)
    await page.click("#pay")
    await page.waitForURL(`${landing.url}/done*`)
    expect(arrivals).toEqual([{ status: "SUCCESS", orders: [expect.stringMatching(/^order_/)] }])
    expect(await attemptsOf(transaction_id)).toMatchObject([
      { acquirer: "sslcommerz", state: "DECLINED" },
      { acquirer: "stripe", state: "SUCCEEDED" },
    ])
    await page.context().close()
  })
})

describe("docs/decisions/16: bKash, chosen in the shop", () => {
  const BKASH = { payment_method: "mobile_banking", payment_service: "BKASH" }
  const atBkash = (page: Page) => page.waitForSelector('button[value="pay"]')

  it("is asked at once; Back and reload send nothing, and show the way back to it and the other ways to pay", async () => {
    const { page, transaction_id } = await startCart(BKASH)
    await atBkash(page)
    expect(await attemptsOf(transaction_id)).toMatchObject([{ acquirer: "bkash", state: "REDIRECTED" }])
    await page.goBack()
    await page.getByRole("link", { name: "Continue to bKash" }).waitFor()
    await look(page, "acquirers-straight-back")
    await page.reload()
    await page.getByRole("button", { name: "Pay in another way" }).click()
    await page.getByRole("heading", { name: "You left bKash" }).waitFor()
    expect(await page.getByRole("radio", { name: "bKash" }).isVisible()).toBe(true)
    await page.reload()
    await page.waitForSelector("#method_internet_banking")
    expect(await attemptsOf(transaction_id)).toMatchObject([{ acquirer: "bkash" }])
    await page.check("#method_card")
    await submit(page)
    await page.click("#pay")
    await page.waitForURL(`${landing.url}/done*`)
    expect(arrivals).toEqual([{ status: "SUCCESS", orders: [expect.stringMatching(/^order_/)] }])
    await page.context().close()
  })

  it("is asked once while the browser waits, which is told where it goes; not before the page is looked at", async () => {
    const { session } = await shop.checkout(undefined, { return_url: `${landing.url}/done`, ...BKASH })
    const page = await (await browser.newContext(PHONE)).newPage()
    await page.addInitScript(() => {
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "hidden" })
    })
    let sent = 0
    // An answer without content: the browser stays where it is.
    await page.route("**/pay/ses_*", (route) => {
      const isForm = route.request().method() === "POST"
      sent += isForm ? 1 : 0
      return isForm ? route.fulfill({ status: 204 }) : route.continue()
    })
    await page.goto(session.data.checkout_url)
    expect(await page.getByRole("radio", { name: "bKash" }).isChecked()).toBe(true)
    expect(sent).toBe(0)
    await page.evaluate(() => {
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "visible" })
      document.dispatchEvent(new Event("visibilitychange"))
    })
    const button = page.getByRole("button", { name: "Taking you to bKash…" })
    await button.waitFor()
    await look(page, "acquirers-straight")
    expect(await page.getByRole("radio").count()).toBe(0)
    await button.click({ force: true })
    await page.evaluate(() => void document.dispatchEvent(new Event("visibilitychange")))
    expect(sent).toBe(1)
    await page.context().close()
  })

  it.each<[string, (page: Page) => Promise<void>]>([
    ["presses on the page", (page) => page.getByRole("heading", { level: 1 }).click()],
    ["presses a key", (page) => page.keyboard.press("Tab")],
    // As a browser does that fills a form in, or a tool that reads the page aloud.
    ["chooses without a pointer", (page) => page.locator("#method_internet_banking").dispatchEvent("change")],
  ])("is not asked when the shopper %s before the page has loaded", async (_name, act) => {
    const { session } = await shop.checkout(undefined, { return_url: `${landing.url}/done`, ...BKASH })
    const page = await (await browser.newContext(PHONE)).newPage()
    page.setDefaultTimeout(20_000)
    let [sent, finish] = [0, (): void => undefined]
    const finished = new Promise<void>((resolve) => (finish = resolve))
    // Its last image comes slowly, as over a mobile network.
    await page.addInitScript(() => {
      document.addEventListener("DOMContentLoaded", () => {
        const image = document.createElement("img")
        image.src = "/pay/slow.svg"
        document.body.append(image)
      })
    })
    await page.route("**/pay/slow.svg", (route) => finished.then(() => route.fulfill({ status: 204 })))
    await page.route("**/pay/ses_*", async (route) => {
      if (route.request().method() === "POST") {
        sent += 1
        return route.fulfill({ status: 204 })
      }
      return route.continue()
    })
    await page.goto(session.data.checkout_url, { waitUntil: "domcontentloaded" })
    expect(await page.evaluate(() => document.readyState)).toBe("interactive")
    await act(page)
    finish()
    await page.waitForLoadState("load")
    // What the page has put behind its load event runs before this.
    await page.evaluate(() => new Promise((resolve) => setTimeout(() => setTimeout(resolve))))
    expect(sent).toBe(0)
    expect(await page.getByRole("radio", { name: "Internet banking" }).isVisible()).toBe(true)
    await page.context().close()
  })

  it("is not asked by a page that is only fetched: without JavaScript it waits for its button", async () => {
    const { page, transaction_id } = await startCart(BKASH, { ...PHONE, javaScriptEnabled: false })
    await page.reload()
    expect(await page.getByRole("radio", { name: "bKash" }).isChecked()).toBe(true)
    expect(await attemptsOf(transaction_id)).toEqual([])
    await submit(page)
    await atBkash(page)
    expect(await attemptsOf(transaction_id)).toHaveLength(1)
    await page.context().close()
  })

  it("after a cancellation there the page stays, says why, and offers the other ways", async () => {
    const { page, transaction_id } = await startCart(BKASH)
    await page.click('button[value="cancel"]')
    await page.getByRole("heading", { name: "You left bKash" }).waitFor()
    await look(page, "acquirers-straight-left")
    expect(await page.getByRole("radio", { name: "Internet banking" }).isVisible()).toBe(true)
    expect(await page.getByRole("button", { name: /^Return to / }).textContent()).not.toContain("the shop")
    expect(await attemptsOf(transaction_id)).toHaveLength(1)
    await page.context().close()
  })
})

describe("decisions: EMI — instalments at an acquirer", () => {
  it("the summary, the first payment and the button follow the plan that is clicked, and SSLCommerz is asked for it", async () => {
    const { SSLCOMMERZ_STORE_ID: store_id, SSLCOMMERZ_STORE_PASSWORD: store_passwd } = acquirers.environment
    const merchant = await merchantOf(store, landing.url)
    await insertAccount(store, {
      ...{ id: "gaa_0123456789abcdef01234567ee", merchant_id: merchant.id, acquirer: "sslcommerz" },
      ...{ settings: { store_id }, secrets: { store_passwd } },
    })
    const plan = { bank_name: "Padma Demo Bank", interest_rate: "8.5", processing_fee: "250" }
    await addEmi(store, merchant.id, { ...plan, tenure: 6 })
    await addEmi(store, merchant.id, { ...plan, tenure: 12 })
    const checkout = await merchant.checkout({ order_amount: "12500.00", order_items: undefined })
    const page = await (await browser.newContext({ viewport: { width: 390, height: 844 }, locale: "en-GB" })).newPage()
    page.setDefaultTimeout(20_000)
    await page.goto(checkout.page)
    await page.check("#method_card")
    const button = page.locator("#payment button[type=submit]")
    expect(await button.innerText()).toBe("Continue to pay")
    await page.locator("details.bank summary").click()
    await page.locator("label.plan", { hasText: "12 months" }).click()
    expect(await page.locator(".summary-emi").innerText()).toBe("12 months with Padma Demo Bank: ৳13,812.50 in all")
    expect(await page.locator("label.plan", { has: page.locator("input:checked") }).innerText()).toContain(
      "The first payment, with the fee, is ৳1,380.21."
    )
    expect(await button.innerText()).toBe("Pay ৳1,130.21 a month, ৳13,812.50 in all")
    await look(page, "acquirers-emi")
    await page.locator("label.plan", { hasText: "6 months" }).click()
    expect(await page.locator(".summary-emi").innerText()).toBe("6 months with Padma Demo Bank: ৳13,812.50 in all")
    await page.locator("label.plan", { hasText: "12 months" }).click()
    await button.click()
    await page.waitForSelector("text=12 monthly instalments")
    expect(await page.innerText("strong")).toBe("12500.00 BDT")
    await page.click("#pay")
    await page.waitForURL(/[?&]status=SUCCESS(&|$)/)
    await page.context().close()
  })
})
