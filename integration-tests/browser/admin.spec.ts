import { mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import type { Browser, BrowserContext, Page, Response } from "playwright-core"
import { done, redirect, ScriptedAcquirer, servicesWith, unpaid } from "../support/acquirer"
import type { StandIn as Sslcommerz } from "../acquirers/sslcommerz/support"
import { gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import { accessibilityProblems, launchBrowser } from "../support/browser"
import { CartShop } from "../support/carts"
import { ADMIN, prepareAdmin } from "../support/admin"
import { importModule } from "../support/import-module.cjs"
import { addEmi } from "../support/emi"
import { expectLoggedErrors } from "../support/logged-errors"
import { useReceiver } from "../support/receiver"
import { bankSays } from "../support/secrets"
import { ROOT, useStore } from "../support/store"
import { clockTo, Subscriber } from "../support/subscriptions"

expectLoggedErrors(
  /came for the attempt .*, which is over; it is given back/,
  /the acquirer does not know what became of/
)

let sslcommerz: Sslcommerz

const store = useStore({
  shop: true,
  prepare: prepareAdmin,
  withAdmin: true,
  env: async () => {
    const file = join(ROOT, "integration-tests/acquirers/sslcommerz/stand-in.mjs")
    sslcommerz = await (await importModule<{ startStandIn(): Promise<Sslcommerz> }>(file)).startStandIn()
    return { SSLCOMMERZ_BASE_URL: sslcommerz.url }
  },
})
const receiver = useReceiver()
const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }
/** A folder for pictures of the pages: SCREENSHOTS=1 npm test -- browser browser/admin */
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
afterAll(() => sslcommerz?.close())

beforeEach(async () => {
  faults = []
  merchant = await newMerchant(store)
})
afterEach(() => expect(faults).toEqual([]))

const heading = (text: string | RegExp) => page.getByRole("heading", { name: text }).first()
const button = (name: string | RegExp) => page.getByRole("button", { name })
const region = (name: string) => page.getByRole("region", { name })
/** Medusa's own frame around the pages is not ours to fix. */
const PAGES = "[data-gateway-admin]"
const settled = () =>
  page.waitForFunction(
    () => document.querySelector("main h1") !== null && document.querySelector("main .animate-pulse") === null
  )

async function open(path: string): Promise<void> {
  const separator = path.includes("?") ? "&" : "?"
  await page.goto(`${store.url}/app/gateway${path}${separator}merchant_id=${merchant.id}&environment=sandbox`)
  await settled()
}

/** The page keeps showing the old rows while it fetches the new ones. */
async function rowsShown(count: number): Promise<void> {
  await page.waitForFunction((wanted) => document.querySelectorAll("main tbody tr").length === wanted, count)
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

const sandbox = () => ({ merchant_id: merchant.id, environment: "sandbox" as const })

/** In the form of the retries. */
async function chooseRetries(name: string): Promise<void> {
  await page.getByRole("dialog").getByRole("combobox", { name: "Failed charges are tried again" }).click()
  await page.getByRole("option", { name, exact: true }).click()
}

/** A paid, a declined and an open checkout, with an endpoint that fails and an ipn_url that works. */
async function someHistory(): Promise<{ paid: string; declined: string }> {
  receiver.answer = (response, { url }) => response.writeHead(url.startsWith("/hook") ? 500 : 200).end("no thanks")
  await gatewayOf(store).webhookEndpoints.create(
    { merchant_id: merchant.id, environment: "sandbox" },
    { endpoint_url: `${receiver.url}/hook`, event_types: ["*"] }
  )
  const paid = await merchant.open({ ipn_url: `${receiver.url}/ipn`, order_id: `PAID-${merchant.id.slice(-6)}` })
  await merchant.pay(paid.session_id)
  const declined = await merchant.open({ order_amount: "300.00", order_id: `DECLINED-${merchant.id.slice(-6)}` })
  await merchant.pay(declined.session_id)
  await merchant.open({ order_amount: "77.70" })
  await gatewayOf(store).refunds.create({
    transaction_id: paid.transaction_id,
    amount: 25_000n,
    reason: "one cup was broken",
    requested_by: "the test",
    request_key: "one",
  })
  await gatewayOf(store).webhookDispatch.drain(merchant.id)
  return { paid: paid.transaction_id, declined: declined.transaction_id }
}

describe("the overview", () => {
  it("shows the key figures, links to what needs attention, and keeps its period in the address", async () => {
    await someHistory()
    await store
      .db("gateway_webhook_delivery")
      .where({ merchant_id: merchant.id, state: "pending" })
      .update({ state: "failed" })
    await open("")
    await heading("Overview").waitFor()
    const figures = await page.innerText("dl")
    for (const text of [
      "৳1,250.50",
      "50.0%",
      "1 of 2 payments",
      "৳250.00",
      "৳31.26",
      "Balance now",
      "Monthly recurring revenue now",
    ]) {
      expect(figures).toContain(text)
    }
    await page.getByRole("img", { name: /^Payments from .* at most 2$/ }).waitFor()
    await picture("overview-light")
    expect(await accessibilityProblems(page, PAGES)).toEqual([])

    await page.getByText("Show as a table").first().click()
    const table = region("Volume").getByRole("row")
    expect(await table.count()).toBe(31)
    expect(await table.last().innerText()).toContain("৳1,250.50")

    await page.getByRole("combobox", { name: "Period" }).click()
    await page.getByRole("option", { name: "Last 365 days" }).click()
    await page.waitForURL(/days=365/)
    await page.getByText("By month").waitFor()
    await picture("overview-year-light")
    await page.getByRole("combobox", { name: "Period" }).click()
    await page.getByRole("option", { name: "Custom" }).click()
    await page.getByLabel("From", { exact: true }).fill("2020-01-01")
    await page.getByLabel("To", { exact: true }).focus()
    await page.getByText("From must be at most 366 days before To").waitFor()
    await page.getByLabel("To", { exact: true }).fill("2020-01-31")
    await page.getByLabel("From", { exact: true }).focus()
    await page.waitForURL(/from=2020-01-01&to=2020-01-31/)
    await page.getByText("Nobody has tried to pay in this period.").waitFor()

    await region("Needs attention")
      .getByRole("link", { name: /Deliveries that failed for good/ })
      .click()
    await page.waitForURL(/developers\/deliveries\?status=failed/)
    await heading("Deliveries").waitFor()
    await page.locator("tbody tr", { hasText: "Failed" }).first().waitFor()
  })

  it("in the dark, on a phone, before anybody has paid", async () => {
    await theme("dark")
    await page.setViewportSize(PHONE)
    await open("")
    await page.getByText("Nothing needs your attention").waitFor()
    await picture("overview-empty-dark-phone")
    await someHistory()
    await open("")
    await page.getByText("৳1,250.50").first().waitFor()
    await picture("overview-dark-phone")
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    await page.setViewportSize(WIDE)
    await theme("light")
  })
})

describe("payments", () => {
  it("are listed, searched, filtered and sorted, and the address keeps it", async () => {
    const { declined } = await someHistory()
    await open("/payments")
    await heading("Payments").waitFor()
    const rows = page.locator("tbody tr")
    expect(await rows.count()).toBe(3)
    expect(await page.innerText("tbody")).toContain("৳1,250.50")
    await picture("payments-light")
    expect(await accessibilityProblems(page, PAGES)).toEqual([])

    await page.getByPlaceholder("Order, name, phone, e-mail, amount …").fill("DECLINED-")
    await page.waitForURL(/q=DECLINED-/)
    await rowsShown(1)
    await page.reload()
    await rowsShown(1)
    await rows.first().getByRole("link").first().click()
    await page.waitForURL(new RegExp(`/gateway/payments/${declined}`))
    await page.getByText("Declined: the bank or wallet declined it").first().waitFor()
  })

  it("filters by status through the menu, and says when nothing is found", async () => {
    await someHistory()
    await open("/payments?status=SUCCESS,REFUNDED")
    await rowsShown(1)
    await open("/payments?status=CANCELLED")
    await page.getByText("Nothing found").waitFor()
  })

  it("show everything that happened, down to the failing endpoint, and link to its delivery", async () => {
    const { paid } = await someHistory()
    await open(`/payments/${paid}`)
    await heading("What happened").waitFor()
    for (const text of [
      "Checkout session opened",
      "Attempt 1 to pay with Card",
      "Paid",
      "payment.succeeded",
      "Refund of ৳250.00 requested: one cup was broken",
      "Refund of ৳250.00 completed",
    ]) {
      await page.locator(PAGES).getByText(text).first().waitFor()
    }
    await picture("payment-light")
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    await page
      .getByRole("link", { name: /Webhook .*\/hook/ })
      .first()
      .click()
    await page.getByRole("dialog").getByText("Body that is sent").waitFor()
    await page.getByRole("dialog").getByText("no thanks").first().waitFor()
    await picture("delivery-light")
  })

  it("decisions: Checkout — show every attempt, and what came for one that was over", async () => {
    const bank = new ScriptedAcquirer("redirect", [redirect], [unpaid, done])
    const { payments, inquiries } = servicesWith(store, "sandbox", bank)
    const { session_id, transaction_id } = await merchant.open()
    await merchant.pay(session_id, { payment_method: "card", card_number: "4000000000009995", final: false })
    const page_url = "http://pay.test/pay/x"
    await payments.pay({ session_id, instrument: { method: "wallet" }, page_url })
    await inquiries.leave({ session_id, page_url })
    await merchant.pay(session_id)
    const [, left] = await store.db("gateway_payment_attempt").where({ transaction_id }).orderBy("number")
    await inquiries.hinted(left.id, null)
    await open("")
    await page.getByRole("link", { name: /Money that is given back/ }).click()
    await rowsShown(1)
    await page.locator("tbody").getByRole("link").first().click()
    for (const text of [
      "Attempt 1 to pay with Card",
      "Attempt 1 declined: ",
      "Attempt 2 to pay with Wallet",
      "being given back",
      "৳1,250.50 came for attempt 2, which was over",
      "Attempt 3 to pay with Card",
    ]) {
      await page.locator(PAGES).getByText(text).first().waitFor()
    }
    await picture("payment-attempts-light")
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    await open("/payouts/ledger?account=refunds")
    await page.locator("tbody").getByText("Money to give back").waitFor()
  })

  it("docs/decisions/0048 — that are held are accepted on their page, after a question", async () => {
    await store.db("gateway_merchant_environment").where({ merchant_id: merchant.id }).update({ hold_risky: true })
    const bank = new ScriptedAcquirer("inline", [() => ({ ...done(), risk: "High risk" })])
    const { payments } = servicesWith(store, "sandbox", bank)
    const { session_id, transaction_id } = await merchant.open()
    await payments.pay({ session_id, instrument: { method: "wallet" }, page_url: "http://pay.test/pay/x" })
    await open("")
    await page.getByRole("link", { name: /Payments held as risky/ }).click()
    await rowsShown(1)
    await page.locator("tbody").getByText("Waiting for your decision").waitFor()
    await page.locator("tbody").getByRole("link").first().click()
    await region("Flagged as risky").getByText("High risk").waitFor()
    await page.locator(PAGES).getByText("Held, because the acquirer flags the payment: High risk").waitFor()
    await picture("payment-held-light")
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    await region("Flagged as risky").getByRole("textbox").fill("known customer")
    await button("Accept payment").click()
    await confirm("Accept payment")
    await toast("Payment updated")
    await region("Flagged as risky").getByText("known customer").waitFor()
    await page.locator(PAGES).getByText("Accepted by an admin").waitFor()
    expect((await merchant.verified(transaction_id)).status).toBe("SUCCESS")
    await open("/settings")
    await page.getByRole("switch", { name: "Hold payments that the acquirer flags as risky" }).click()
    await toast("Risky payments saved")
    expect(
      await store.db("gateway_merchant_environment").where({ merchant_id: merchant.id, environment: "sandbox" }).first()
    ).toMatchObject({ hold_risky: false })
  })

  it("docs/decisions/0048 — a note about one payment does not go along to another one", async () => {
    await store.db("gateway_merchant_environment").where({ merchant_id: merchant.id }).update({ hold_risky: true })
    const risky = () => ({ ...done(), risk: "High risk" })
    const { payments } = servicesWith(store, "sandbox", new ScriptedAcquirer("inline", [risky, risky]))
    const second = `SECOND-${merchant.id.slice(-6)}`
    const hold = async (order_id?: string) => {
      const { session_id, transaction_id } = await merchant.open(order_id === undefined ? {} : { order_id })
      await payments.pay({ session_id, instrument: { method: "wallet" }, page_url: "http://pay.test/pay/x" })
      return transaction_id
    }
    const [one, two] = [await hold(), await hold(second)]
    await open(`/payments/${one}`)
    await region("Flagged as risky").getByRole("textbox").fill("known customer")
    await page.keyboard.press("Control+k")
    const search = page.getByRole("dialog")
    await search.getByRole("combobox").fill(second)
    await search.getByRole("option", { name: /৳1,250\.50/ }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click()
    await page.waitForURL(new RegExp(`/gateway/payments/${two}`))
    await page.getByText(two).first().waitFor()
    expect(await region("Flagged as risky").getByRole("textbox").inputValue()).toBe("")
  })

  it("docs/decisions/0051 — a merchant is made compatible with shop modules by a switch, off at first", async () => {
    await open("/settings")
    const compatible = page.getByRole("switch", { name: "Compatible with shop modules" })
    expect(await compatible.isChecked()).toBe(false)
    await compatible.click()
    await toast("Shop modules saved")
    expect(
      await store.db("gateway_merchant_environment").where({ merchant_id: merchant.id, environment: "sandbox" }).first()
    ).toMatchObject({ shop_modules: true })
    await page.getByRole("switch", { name: "Compatible with shop modules", checked: true }).waitFor()
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
  })

  it("docs/decisions/0049 — that only the acquirer's dashboard knows are decided with what it shows", async () => {
    const lost = () =>
      ({ result: "unknown", message: "Lost", needs_operator: true, references: { trx: "P-7" } }) as const
    const bank = new ScriptedAcquirer("inline", [lost], [lost])
    const { payments, reconciliation } = servicesWith(store, "sandbox", bank)
    const { session_id, transaction_id } = await merchant.open()
    await payments.pay({ session_id, instrument: { method: "wallet" }, page_url: "http://pay.test/pay/x" })
    const until = (await reconciliation.nextDue(merchant.id)) as Date
    await reconciliation.run(5, { merchant_id: merchant.id, until })
    await open("")
    await page.getByRole("link", { name: /Payments only the acquirer's dashboard knows/ }).click()
    await rowsShown(1)
    await page.locator("tbody").getByRole("link").first().click()
    const unknownAt = region("Unknown at scripted")
    await unknownAt.getByText("P-7").waitFor()
    await picture("payment-unresolved-light")
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    await unknownAt.getByRole("button", { name: "Decide" }).click()
    await confirm("Decide")
    await unknownAt.getByRole("alert").first().waitFor()
    await unknownAt.getByLabel("Acquirer's reference").fill("TRX-BROWSER")
    await unknownAt.getByLabel("Note").fill("Karim, in the portal")
    await unknownAt.getByRole("button", { name: "Decide" }).click()
    await confirm("Decide")
    await toast("Decided")
    await unknownAt.waitFor({ state: "detached" })
    expect((await merchant.verified(transaction_id)).status).toBe("SUCCESS")
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
    await page.getByText("Name is required").waitFor()
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
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
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
    await page.locator("[role=alert]", { hasText: "URL must" }).waitFor()
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
    await page.getByRole("radiogroup", { name: "Signature" }).getByLabel("sha256= and hexadecimal").click()
    await button("Save").click()
    await toast("Endpoint saved")
    await picture("webhook-light")
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    await button("Rotate secret").click()
    await confirm("Rotate secret")
    await heading("Copy the signing secret now").waitFor()
    await button("I have stored it").click()
    await button("Delete").click()
    await confirm("Delete")
    await page.waitForURL(/\/developers\/webhooks(\?|$)/)
    await page.getByText("No endpoints yet").waitFor()
  })

  it("a rotated IPN secret is the one that is shown, although it cannot be read again", async () => {
    await open("/developers/webhooks")
    const shown = () => region("IPN secret").locator("code").innerText()
    await region("IPN secret").getByRole("button", { name: "Show" }).click()
    const old = await shown()
    expect(old).toMatch(/^whsec_/)
    await page.route("**/admin/gateway/ipn-secret?*", (route) => route.abort())
    await region("IPN secret").getByRole("button", { name: "Rotate secret" }).click()
    await confirm("Rotate secret")
    await page.waitForFunction((before) => document.querySelector("code")?.textContent !== before, old)
    expect(await shown()).toMatch(/^whsec_/)
    const { secret } = await gatewayOf(store).webhookEndpoints.ipnSecret(sandbox())
    expect(await shown()).toBe(secret)
    await page.unrouteAll({ behavior: "ignoreErrors" })
  })

  it("a failed delivery is looked at and sent again, then all of them", async () => {
    await someHistory()
    await store
      .db("gateway_webhook_delivery")
      .where({ merchant_id: merchant.id, state: "pending" })
      .update({ state: "failed" })
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

  it("keys, events, requests and their errors lead to their place in the reference", async () => {
    await someHistory()
    await merchant.call("GET", "/payments/verify/txn1")
    await gatewayOf(store).requestLog.flush()
    const placeOf = async (path: string, name: string | RegExp) => {
      await open(path)
      const href = await page.getByRole("link", { name }).first().getAttribute("href")
      return decodeURIComponent((href ?? "").replace(/^.*\/api\/v2\/docs/, "").replaceAll("+", " "))
    }
    expect([
      await placeOf("/developers/api-keys", /^sk_test_/),
      await placeOf("/developers/events", "payment.succeeded"),
      await placeOf("/developers/requests", "POST /payments/checkout"),
      await placeOf("/developers/requests", "TRANSACTION_NOT_FOUND"),
    ]).toEqual([
      "",
      "?event=payment.succeeded",
      "?operation=POST /payments/checkout",
      "/guides/errors#TRANSACTION_NOT_FOUND",
    ])
    await page.goto(`${store.url}/api/v2/docs/guides/errors#TRANSACTION_NOT_FOUND`)
    expect(await page.locator("tr:target").innerText()).toContain("TRANSACTION_NOT_FOUND")
  })

  it("the sandbox clock moves forward after a question", async () => {
    await merchant.open()
    await open("/developers/clock")
    await page.getByLabel("Forward by").fill("2")
    await button("Move the clock").click()
    await confirm("Move the clock")
    await page.getByText("Expired sessions: 1").waitFor()
    await page.getByText("2 days").waitFor()
    // A day ago is by this clock, like the times of the deliveries.
    await open("/developers/deliveries")
    await button("Send all failed again").click()
    const since = await page.getByRole("dialog").getByLabel("Since").inputValue()
    expect(Date.parse(`${since}:00+06:00`)).toBeGreaterThan(Date.now())
  })
})

describe("settings and audit log", () => {
  it("profile, verification, services, callbacks, limit and fees are changed, and the audit log shows who and what", async () => {
    await open("/settings")
    await region("Merchant").getByRole("button", { name: "Edit" }).click()
    await page.getByLabel("E-mail").fill("not an address")
    await button("Save").click()
    await page.getByText("E-mail must be a valid e-mail address").waitFor()
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
    await region("Payment attempts").getByRole("button", { name: "Edit" }).click()
    await page.getByRole("dialog").getByLabel("Payment attempts per checkout").fill("5")
    await button("Save").click()
    await toast("Payment attempts saved")
    await region("Payment attempts").getByText("5", { exact: true }).waitFor()
    await region("Refunds and returns").getByRole("button", { name: "Edit" }).click()
    await page.getByRole("dialog").getByLabel("Approval").fill("ten")
    await page
      .getByRole("dialog")
      .getByRole("switch", { name: /^Returns are refunded at once/ })
      .click()
    await button("Save").click()
    await page.locator("[role=alert]", { hasText: "Approval above must" }).waitFor()
    await picture("settings-refunds-form")
    await page.getByRole("dialog").getByLabel("Approval").fill("5000")
    await button("Save").click()
    await toast("Refunds and returns saved")
    await page.getByText("Above ৳5,000.00 an admin approves").waitFor()
    await region("Retries").getByRole("button", { name: "Edit" }).click()
    await chooseRetries("On days that you choose")
    await page.getByRole("dialog").getByLabel("Days after the first failure").fill("2, 1")
    await button("Save").click()
    await page.locator("[role=alert]", { hasText: "Days after the first failure must ascend" }).waitFor()
    await page.getByRole("dialog").getByLabel("Days after the first failure").fill("1, 2, 10")
    await button("Save").click()
    await toast("Retries saved")
    await page.getByText("After 1, 2, 10 days").waitFor()
    await region("Retries").getByRole("button", { name: "Edit" }).click()
    await chooseRetries("Never")
    await button("Save").click()
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await region("Retries").getByText("Never", { exact: true }).waitFor()
    // Saved again as it is, it stays so.
    await region("Retries").getByRole("button", { name: "Edit" }).click()
    await button("Save").click()
    await page.getByRole("dialog").waitFor({ state: "detached" })
    const { retry_days } = await gatewayOf(store).merchants.environment(sandbox())
    expect(retry_days).toEqual([])
    await picture("settings-light")
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    await open("/audit")
    await page.getByText("Way to pay: changed").waitFor()
    await page.getByText("office@shapla.example").waitFor()
    expect(await page.innerText("tbody")).toMatch(/Days after the first failure[^]*Approval above/)
    expect(await page.innerText("tbody")).toContain(ADMIN.email)
    await picture("audit-light")
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
  })

  it("one service is switched off, whatever another admin has switched meanwhile", async () => {
    await open("/settings")
    await gatewayOf(store).merchants.configure(sandbox(), { service_changes: { emi: false } })
    await page.getByRole("switch", { name: /^Refunds/ }).click()
    await confirm("Switch off")
    await page.getByRole("switch", { name: /^EMI/, checked: false }).waitFor()
    const { services } = await gatewayOf(store).merchants.environment(sandbox())
    expect([...services].sort()).toEqual(["checkout", "subscriptions"])
  })

  it("a form changes what was changed in it, whatever another admin has changed since it was opened", async () => {
    await open("/settings")
    await region("Refunds and returns").getByRole("button", { name: "Edit" }).click()
    await gatewayOf(store).merchants.configure(sandbox(), { may_overdraw: true, returns_refund_shipping: true })
    await page.getByRole("dialog").getByLabel("Approval").fill("7000")
    await button("Save").click()
    await toast("Refunds and returns saved")
    const { may_overdraw, returns_refund_shipping, refund_approval_threshold_minor } =
      await gatewayOf(store).merchants.environment(sandbox())
    expect([may_overdraw, returns_refund_shipping, refund_approval_threshold_minor]).toEqual([true, true, 700_000])
  })

  it("what the API refuses about something that the form does not show is said in a toast", async () => {
    await open("/settings")
    await region("Rate limit").getByRole("button", { name: "Edit" }).click()
    await page.getByRole("dialog").getByRole("spinbutton").fill("7")
    const details = [
      { field: "rate_limit_requests", message: "This is too much" },
      { field: "ip_allow_list", message: "Nobody is left to call" },
    ]
    await page.route("**/admin/gateway/settings?*", (route) =>
      route.request().method() === "POST"
        ? route.fulfill({ status: 422, json: { message: "No", code: "VALIDATION_ERROR", details } })
        : route.continue()
    )
    await button("Save").click()
    await page.getByRole("dialog").getByText("This is too much").waitFor()
    await toast("Nobody is left to call")
    expect(await page.getByText("This is too much").count()).toBe(1)
    await page.unrouteAll({ behavior: "wait" })
    await button("Save").click()
    await toast("Rate limit saved")
  })

  it("an account at an acquirer is entered, tested with its outcome in words, and shown without its secret", async () => {
    await open("/settings")
    await page.getByRole("link", { name: "Acquirers" }).click()
    await button("Set up SSLCommerz").click()
    const dialog = page.getByRole("dialog")
    await dialog.getByText("It is known once the account is saved.").waitFor()
    await dialog.getByLabel("Store ID").fill(sslcommerz.store_id)
    await button("Save").click()
    await page.locator("[role=alert]", { hasText: "Store password is required" }).waitFor()
    await dialog.getByLabel("Store password").fill("wrong")
    await button("Test connection").click()
    await dialog.getByText("The acquirer refuses these credentials.").waitFor()
    await button("Save").click()
    await toast("SSLCommerz saved")
    await page.getByText("Has never worked").waitFor()
    await picture("acquirers-never-worked")
    await button("Edit SSLCommerz").click()
    expect(await dialog.getByLabel("Store password").inputValue()).toBe("")
    await dialog.getByText("Stored. Leave it empty to keep it.").waitFor()
    await dialog.getByLabel("Store password").fill(` ${sslcommerz.store_passwd} `)
    await button("Test connection").click()
    await dialog.getByText("The connection works: the acquirer accepts the credentials.").waitFor()
    await dialog.getByText(/\/gateway\/acquirers\/sslcommerz\/notify\/gaa_/).waitFor()
    await picture("acquirers-form")
    expect(await accessibilityProblems(page, "[role=dialog] .overflow-y-auto")).toEqual([])
    await button("Save").click()
    await page.getByText("Works", { exact: true }).waitFor()
    await button("Edit SSLCommerz").click()
    await dialog.getByRole("checkbox", { name: "Nagad" }).click()
    await dialog.getByRole("switch", { name: /^Takes new payments/ }).click()
    await button("Save").click()
    await page.getByRole("cell", { name: "Off" }).waitFor()
    expect(await page.innerText("tbody")).not.toContain("Nagad")
    expect(await page.innerText("tbody")).toContain("Card")
    await picture("acquirers-light")
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    expect(await page.content()).not.toContain(sslcommerz.store_passwd)
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
    await page
      .getByRole("list", { name: "পেমেন্ট" })
      .getByText(/১,২৫০.৫০/)
      .first()
      .waitFor()
    await picture("payments-dark-phone-bn")
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    await open("/developers/api-keys")
    await picture("keys-dark-phone-bn")
    await button("এপিআই কী তৈরি করুন").click()
    await button("এপিআই কী তৈরি করুন").last().click()
    await page.getByText("নাম আবশ্যক").waitFor()
    await picture("key-refused-dark-phone-bn")
    await page.keyboard.press("Escape")
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

describe("billing: plans, subscriptions and invoices", () => {
  const alert = (text: string) => page.getByText(text).first().waitFor()
  const dialog = () => page.getByRole("dialog")

  /** A subscription that was paid once and is past due since, with a card that works again. */
  async function pastDue(): Promise<Subscriber> {
    await clockTo(merchant, "2028-01-31T00:00:00Z")
    const subscriber = await Subscriber.create(merchant)
    await subscriber.pay()
    const kept = await store
      .db("gateway_instrument")
      .where({ merchant_id: merchant.id })
      .whereNotNull("token")
      .select("id", "token")
    await bankSays(store, kept, "CARD_DECLINED")
    await clockTo(merchant, "2028-02-29T12:00:00Z")
    await bankSays(store, kept, "SUCCESS")
    return subscriber
  }

  it("a plan is made, changed, archived and restored, and its subscribers are there", async () => {
    await open("/plans")
    await page.getByText("No plans yet").waitFor()
    await button("Create plan").click()
    await dialog().getByRole("button", { name: "Create plan" }).click()
    await alert("Name is required")
    await dialog().getByLabel("Name", { exact: true }).fill("Tea club")
    await dialog().getByLabel("Amount in BDT").fill("450")
    await dialog().getByLabel("Days of trial").fill("14")
    await picture("plan-form")
    await page.keyboard.press("Enter")
    await heading("Tea club").waitFor()
    await page.getByText("every month").first().waitFor()
    await page.getByText("14 days, free").waitFor()
    await button("Edit").click()
    await dialog().getByLabel("Amount in BDT").fill("5")
    await button("Save").click()
    await alert("Amount must be at least 10.00")
    await dialog().getByLabel("Amount in BDT").fill("475.50")
    await dialog().getByLabel("Days of trial").fill("")
    await button("Save").click()
    await toast("Plan saved")
    await page.getByText("৳475.50").first().waitFor()
    const number = Number(await region("Tea club").locator("dd code").first().innerText())
    await Subscriber.create(merchant, {
      subscription_plan_id: number,
      amount: undefined,
      interval_count: undefined,
      interval_unit: undefined,
    })
    await page.reload()
    await settled()
    await page.getByText("Karim Uddin").waitFor()
    await picture("plan-light")
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    await button("Archive").click()
    await confirm("Cancel")
    await button("Archive").click()
    await confirm("Archive")
    await toast("Plan archived")
    await button("Restore").click()
    await confirm("Restore")
    await toast("Plan restored")
    await open("/plans?status=active")
    await page.getByPlaceholder("Name or id").fill("tea c")
    await page.waitForURL(/q=tea/)
    await rowsShown(1)
    await picture("plans-light")
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
  })

  /** More plans than a menu holds; the oldest is "Rare oolong", and "Old blend" is archived. */
  async function manyPlans(): Promise<void> {
    await store.db.raw(
      `INSERT INTO gateway_plan (id, uuid, merchant_id, environment, plan_name, amount_minor, currency, interval_count, interval_unit,
         meta_data, opened_at, is_active)
       SELECT 'gpl_' || ? || n, gen_random_uuid()::text, ?, 'sandbox',
         CASE n WHEN 1 THEN 'Rare oolong' WHEN 2 THEN 'Old blend' ELSE 'Tea no. ' || n END, 45000, 'BDT', 1, 'MONTH', '{}', now(), n <> 2
       FROM generate_series(1, 250) n`,
      [merchant.id, merchant.id]
    )
  }

  it("any of hundreds of plans is found by typing, with the keyboard alone, and subscribed to", async () => {
    await manyPlans()
    await open("/subscriptions")
    await button("Create subscription").click()
    const field = dialog().getByRole("combobox", { name: "Plan" })
    await dialog().getByLabel("E-mail").fill("nasrin@example.com")
    await dialog().getByLabel("Name").fill("Nasrin Akter")
    await field.click()
    const options = page.getByRole("listbox", { name: "Plan" }).getByRole("option")
    await options.nth(19).waitFor()
    expect(await options.count()).toBe(20)
    await page.getByText("These are the first 20. Type more to narrow them down.").first().waitFor()
    await options.first().hover()
    await page.mouse.wheel(0, 400)
    await page.waitForFunction(() => (document.querySelector("[role=listbox]")?.scrollTop ?? 0) > 0)
    await page.mouse.move(0, 0)
    await picture("choose-plan-light")
    expect(await accessibilityProblems(page, "[role=dialog] .overflow-y-auto")).toEqual([])
    expect(await accessibilityProblems(page, "[data-radix-popper-content-wrapper]")).toEqual([])

    await page.keyboard.press("Escape")
    await options.first().waitFor({ state: "detached" })
    expect(await field.getAttribute("aria-expanded")).toBe("false")
    await field.pressSequentially("no such tea")
    await page.getByText("No plan has this id, or a name that begins like this.").first().waitFor()
    await field.fill("old b")
    await page.getByText("No plan has this id, or a name that begins like this.").first().waitFor()
    await field.fill("TEA NO. 24")
    await page.waitForFunction(() => document.querySelectorAll("[role=option]").length === 11)
    await page.keyboard.press("ArrowUp")
    expect(await page.locator(`[id="${await field.getAttribute("aria-activedescendant")}"]`).innerText()).toMatch(
      /^Tea no. 24 /
    )
    await field.fill("rare")
    await page.waitForFunction(() => document.querySelectorAll("[role=option]").length === 1)
    await page.keyboard.press("Enter")
    expect(await field.inputValue()).toMatch(/^Rare oolong · ৳450.00/)
    await field.pressSequentially("something else")
    await page.keyboard.press("Tab")
    expect(await field.inputValue()).toMatch(/^Rare oolong · ৳450.00/)
    await dialog().getByRole("button", { name: "Create subscription" }).click()
    await page.waitForURL(/subscriptions\/[0-9a-f-]{36}/)
    await page.getByRole("link", { name: "Rare oolong" }).first().waitFor()
  })

  it("the list of subscriptions is filtered by any of hundreds of plans, and the address keeps it, in the dark and on a phone too", async () => {
    await manyPlans()
    const number = async (plan_name: string) =>
      (await store.db("gateway_plan").where({ merchant_id: merchant.id, plan_name }).first()).number
    const terms = { amount: undefined, interval_count: undefined, interval_unit: undefined }
    await Subscriber.create(merchant, { ...terms, subscription_plan_id: Number(await number("Rare oolong")) })
    await Subscriber.create(merchant, { ...terms, subscription_plan_id: Number(await number("Tea no. 9")) })
    await open("/subscriptions")
    const field = page.getByRole("combobox", { name: "Plan" })
    const rows = page.locator("tbody tr")
    expect(await rows.count()).toBe(2)
    await field.fill("rare o")
    await page.getByRole("option", { name: /^Rare oolong/ }).click()
    await page.waitForURL(new RegExp(`plan_id=${await number("Rare oolong")}`))
    await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 1)
    await page.reload()
    await settled()
    await page.waitForFunction(() =>
      document.querySelector<HTMLInputElement>("input[role=combobox]")?.value.startsWith("Rare oolong")
    )
    expect(await rows.count()).toBe(1)
    await picture("subscriptions-by-plan-light")
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    await field.fill("Old b")
    await page.getByRole("option", { name: /^Old blend/ }).click()
    await page.getByText("Nothing found").waitFor()
    await theme("dark")
    await page.setViewportSize(PHONE)
    await page.reload()
    await settled()
    await field.fill("tea no. 1")
    await page.getByRole("option").nth(19).waitFor()
    await picture("subscriptions-by-plan-dark-phone")
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    expect(await accessibilityProblems(page, "[data-radix-popper-content-wrapper]")).toEqual([])
    await page.keyboard.press("Escape")
    await button("Clear Plan").click()
    await page.waitForFunction(() => document.querySelectorAll("main ul[aria-label=Subscriptions] > li").length === 2)
    expect(page.url()).not.toContain("plan_id")
    await page.setViewportSize(WIDE)
    await theme("light")
  })

  it("a subscription is made, paused, resumed, changed and cancelled", async () => {
    await open("/subscriptions")
    await button("Create subscription").click()
    await dialog().getByRole("button", { name: "Create subscription" }).click()
    await alert("Name is required")
    await dialog().getByLabel("E-mail").fill("nasrin@example.com")
    await dialog().getByLabel("Name").fill("Nasrin Akter")
    await dialog().getByLabel("Its own").click()
    await dialog().getByLabel("Amount in BDT").fill("500")
    await picture("subscription-form")
    await dialog().getByRole("button", { name: "Create subscription" }).click()
    await heading("৳500.00 every month").waitFor()
    await page.waitForURL(/subscriptions\/[0-9a-f-]{36}/)
    const subscriber = new Subscriber(merchant, /subscriptions\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? "")
    await page.getByText("Waiting for the first payment").first().waitFor()
    await subscriber.pay()
    await page.reload()
    await button("Pause").click()
    await confirm("Pause")
    await toast("Subscription paused")
    expect(await subscriber.status()).toBe("PAUSED")
    await button("Resume").click()
    await confirm("Resume")
    await toast("Subscription resumed")
    await button("Change").click()
    await dialog().getByLabel("Amount in BDT").fill("600")
    await button("Save").click()
    await toast("Subscription changed")
    await heading("৳600.00 every month").waitFor()
    await page.getByText("Card Visa •••• 4242").first().waitFor()
    await page.getByText("INV-000001").waitFor()
    await picture("subscription-light")
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    await button("Cancel subscription").click()
    await dialog().getByLabel("Reason").fill("moved away")
    await picture("subscription-cancel")
    await dialog().getByRole("button", { name: "Cancel subscription" }).click()
    await toast("Subscription cancelled")
    await page.getByText("moved away").waitFor()
    expect(await subscriber.get()).toMatchObject({ status: "CANCELLED", cancel_at_period_end: true })
    await open("/subscriptions?status=CANCELLED")
    await page.getByPlaceholder("Customer's e-mail or id").fill("NASRIN@")
    await page.waitForURL(/q=NASRIN/)
    await rowsShown(1)
    await picture("subscriptions-light")
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
  })

  it("a past due payment is tried again, once, in the dark and on a phone too", async () => {
    const subscriber = await pastDue()
    await theme("dark")
    await page.setViewportSize(PHONE)
    await open(`/subscriptions/${subscriber.uuid}`)
    await page.getByText("The last charge failed: the bank or wallet declined it").waitFor()
    await picture("subscription-dark-phone")
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    await page.setViewportSize(WIDE)
    await picture("subscription-dark")
    await button("Retry payment now").click()
    await picture("subscription-retry-dark")
    await confirm("Retry payment now")
    await toast("Paid: the subscription is active again")
    await page.getByText("Active", { exact: true }).first().waitFor()
    expect(await button("Retry payment now").count()).toBe(0)
    expect(await subscriber.charges()).toHaveLength(2)
    await open("/subscriptions")
    await picture("subscriptions-dark")
    await page.setViewportSize(PHONE)
    await open("/plans")
    await picture("plans-dark-phone")
    await page.setViewportSize(WIDE)
    await theme("light")
  })

  it("an invoice is made, downloaded, sent again and voided", async () => {
    const subscriber = await Subscriber.create(merchant)
    await open(`/subscriptions/${subscriber.uuid}`)
    await button("Invoice what is due").click()
    await confirm("Invoice what is due")
    await heading(/^INV-000001/).waitFor()
    await page.getByText(/\/pay\/invoice\//).waitFor()
    const [download] = await Promise.all([page.waitForEvent("download"), button("Download PDF").click()])
    expect(download.suggestedFilename()).toBe("INV-000001.pdf")
    await store
      .db("gateway_invoice_mail")
      .where({ merchant_id: merchant.id, kind: "invoice" })
      .update({ state: "sent", sent_at: new Date() })
    await button("Send again").click()
    await confirm("Send again")
    await toast("The invoice is on its way")
    await picture("invoice-light")
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    await page.setViewportSize(PHONE)
    await picture("invoice-phone")
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    await page.setViewportSize(WIDE)
    await button("Void").click()
    await confirm("Void")
    await toast("Invoice voided")
    expect(await subscriber.invoices()).toMatchObject([{ status: "VOID" }])
    await open("/invoices?status=VOID")
    await page.getByRole("link", { name: "INV-000001" }).waitFor()
    await picture("invoices-light")
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    await open("/invoices/INV-000999")
    await page.getByText("There is no such invoice in this environment.").waitFor()
  })
})

describe("docs/decisions/0060 — every page", () => {
  const phone = (text: string) => page.getByRole("listitem").filter({ hasText: text }).first()
  const folder = join(ROOT, "src/admin/routes/gateway")
  /** The pages of the file system that are about no single thing, so that a new one is visited without being listed. */
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /(^|\/)page\.tsx$/.test(file) && !file.includes("["))
    .map((file) => `/${file.replace(/\/?page\.tsx$/, "")}`)

  /** As the choice on the Settings page keeps it. */
  const speak = (language: string) =>
    page.evaluate((name) => {
      localStorage.setItem("lng", name)
      document.cookie = `lng=${name}; path=/`
    }, language)

  /** What a page says, without what looks like code: ids, event types, scopes and bodies are those of the API. */
  const said = () =>
    page.evaluate((part) => {
      const copy = document.querySelector(part)?.cloneNode(true) as HTMLElement
      copy.querySelectorAll("code, pre, .font-mono, input, textarea").forEach((one) => one.remove())
      return [...copy.querySelectorAll("*")].flatMap((element) =>
        [...element.childNodes].flatMap((node) => (node.nodeType === Node.TEXT_NODE ? (node.textContent ?? "") : []))
      )
    }, PAGES)
  /** A key of the API is named with how it begins and ends: sk_test_…Fr1w. */
  const KEY = /\w+_\w+_…\w+/
  /** Addresses are data: the gateway adds its parameters to them. */
  const ADDRESS = /https?:\/\/\S+/g
  const RAW = /[a-z0-9]_[a-z]|[A-Z]_[A-Z]|\d{4}-\d\d-\d\dT\d\d|\d{4,} s\b|[{"]\w+":/

  async function everything(): Promise<string[]> {
    const { paid, declined } = await someHistory()
    const tenant = { merchant_id: merchant.id, environment: "sandbox" as const }
    const subscriber = await Subscriber.create(merchant)
    await subscriber.pay()
    await addEmi(store, merchant.id, { bank_name: "Padma Demo Bank", processing_fee: "100" })
    const [configuration] = await store.db("gateway_emi_configuration").where({ merchant_id: merchant.id })
    const emi = await merchant.open({ order_amount: "12000.00" })
    await merchant.pay(emi.session_id, { payment_method: "card", emi_configuration_id: configuration.uuid })
    await gatewayOf(store).merchants.configure({ ...tenant }, { retry_days: [1, 2] })
    await gatewayOf(store).requestLog.flush()
    await merchant.advance(3 * 86_400 + 7_200)
    const [plan] = await store.db("gateway_plan").where({ merchant_id: merchant.id }).select("uuid")
    const [endpoint] = await store.db("gateway_webhook_endpoint").where({ merchant_id: merchant.id }).select("uuid")
    return [
      ...paths,
      ...[paid, declined, emi.transaction_id].map((id) => `/payments/${id}`),
      `/subscriptions/${subscriber.uuid}`,
      ...(plan === undefined ? [] : [`/plans/${plan.uuid}`]),
      `/developers/webhooks/${endpoint.uuid}`,
    ]
  }

  it("says no names of the API, has no finding of axe, and carries the bar of the test mode", async () => {
    expect(paths.length).toBeGreaterThan(20)
    for (const path of await everything()) {
      await open(path)
      expect([path, (await said()).filter((text) => RAW.test(text.replace(KEY, "").replace(ADDRESS, "")))]).toEqual([
        path,
        [],
      ])
      expect([path, await accessibilityProblems(page, PAGES)]).toEqual([path, []])
      await page.getByRole("note", { name: "Test mode" }).getByText("no real money moves").waitFor()
      await picture(`page${path.replaceAll("/", "-")}-light`)
    }
    await page.goto(`${store.url}/app/gateway/payments?merchant_id=${merchant.id}&environment=production`)
    await settled()
    expect(await page.getByRole("note", { name: "Test mode" }).count()).toBe(0)
  }, 240_000)

  it("fits a phone, in the dark and in Bangla too, and lists show customer, amount and state", async () => {
    const all = await everything()
    await theme("dark")
    await page.setViewportSize(PHONE)
    for (const path of all) {
      await open(path)
      expect([path, await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)]).toEqual([
        path,
        true,
      ])
      expect([path, await accessibilityProblems(page, PAGES)]).toEqual([path, []])
      await picture(`page${path.replaceAll("/", "-")}-dark-phone`)
    }
    await open("/payments")
    for (const text of ["Rahima Khatun", "৳1,250.50", "Partly refunded"]) {
      await phone("৳1,250.50").getByText(text).first().waitFor()
    }
    await phone("12 months with Padma Demo Bank")
      .getByText(/৳[\d,.]+ in all/)
      .waitFor()
    await phone("৳300.00").getByText("the bank or wallet declined it").waitFor()
    await open("/refunds")
    await phone("৳250.00").getByText("Rahima Khatun").waitFor()
    await speak("bn")
    await open("/payments")
    await phone("১,২৫০.৫০").getByText("আংশিক ফেরত").waitFor()
    await picture("page-payments-dark-phone-bn")
    await speak("en")
    await page.setViewportSize(WIDE)
    await theme("light")
  }, 240_000)

  it("the steps of the checklist are marked done, and it is dismissed", async () => {
    await open("")
    const steps = region("First steps")
    await steps.getByText("0 of 5 done").waitFor()
    await picture("first-steps-none")
    await someHistory()
    await open("")
    await steps.getByText("2 of 5 done").waitFor()
    await picture("first-steps-some")
    await steps.getByRole("button", { name: "Dismiss" }).click()
    await steps.waitFor({ state: "detached" })
    await open("")
    await heading("Overview").waitFor()
    await page.getByText("৳1,250.50").first().waitFor()
    expect(await steps.count()).toBe(0)
  })

  it("a payment is found in Medusa's own search, and opened from it", async () => {
    const { paid } = await someHistory()
    await open("")
    await page.keyboard.press("Control+k")
    const search = page.getByRole("dialog")
    await search.getByRole("combobox").fill(`PAID-${merchant.id.slice(-6)}`)
    const found = search.getByRole("option", { name: /৳1,250\.50/ })
    await found.getByText(/Paid · Rahima Khatun/).waitFor()
    await picture("global-search-light")
    await found.click()
    await page.waitForURL(new RegExp(`/gateway/payments/${paid}`))
    await heading("What happened").waitFor()
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

describe("a product of the store", () => {
  it("its variant is linked to a plan, which then says so, and taken off again", async () => {
    const shop = new CartShop(store)
    await shop.open()
    const { id: merchant_id } = await shop.gateway.merchants.storeMerchant(shop.gateway.options.storeMerchantName)
    const terms = {
      plan_name: "Tea by post",
      plan_description: null,
      amount: 45_000n,
      currency: "BDT",
      interval_count: 1,
      interval_unit: "MONTH",
    } as const
    const rest = { trial_period_days: null, trial_amount: null, meta_data: {} }
    const plan = await shop.gateway.plans.create(
      { merchant_id, environment: "sandbox", now: new Date() },
      { ...terms, ...rest }
    )
    const variant = await store
      .db("product_variant")
      .where({ id: await shop.variantId("TEA-250") })
      .first()
    await page.goto(`${store.url}/app/products/${variant.product_id}`)
    const widget = region("Subscription plan")
    await widget.getByText("Sold without a subscription").first().waitFor()
    await widget.getByRole("button", { name: `Link to a plan: ${variant.title}` }).click()
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Plan is required").waitFor()
    await page.getByRole("dialog").getByRole("combobox").click()
    await page.getByRole("option", { name: /Tea by post/ }).click()
    await page.getByRole("button", { name: "Save" }).click()
    await toast("The variant is sold on this plan now")
    await widget.getByRole("link", { name: "Tea by post" }).waitFor()
    await widget.scrollIntoViewIfNeeded()
    await picture("product-widget")
    await widget.getByRole("link", { name: "Tea by post" }).click()
    await region("Sold as").getByText("TEA-250").waitFor()
    expect(page.url()).toContain(plan.uuid)
    await picture("plan-sold-as")
    await region("Sold as").getByRole("listitem").getByRole("link").click()
    await widget.getByRole("button", { name: "Unlink" }).click()
    await confirm("Unlink")
    await toast("The variant is sold without a subscription now")
    await widget.getByRole("link", { name: "Tea by post" }).waitFor({ state: "detached" })
  })
})
