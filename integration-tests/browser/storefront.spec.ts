import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { build } from "esbuild"
import type { Browser, Page } from "playwright-core"
import { returnPage, type Outcome } from "../../src/storefront"
import { accessibilityProblems, launchBrowser } from "../support/browser"
import { ROOT } from "../support/store"

/*
 * medusa-payment-gateway/storefront in a browser, without a store: a shop on `localhost`, and a payment page on 127.0.0.1,
 * which browsers take for another site.
 */

const CART = "cart=cart_1"
const IDS = { cartId: "cart_1", sessionId: "ses_1", transactionId: "txn1" }

let browser: Browser
let page: Page
let shop: Server
let paymentPage: Server
/** The cart's cookie as each path of the shop has received it. */
let cookies: Map<string, string | undefined>
let outcome: Outcome
let script: string

const portOf = (server: Server) => (server.address() as AddressInfo).port
const shopUrl = () => `http://localhost:${portOf(shop)}`
const paymentUrl = () => `http://127.0.0.1:${portOf(paymentPage)}`

beforeAll(async () => {
  browser = await launchBrowser()
  const { outputFiles } = await build({
    stdin: {
      resolveDir: ROOT,
      loader: "tsx",
      contents: `
        import { createElement } from "react"
        import { createRoot } from "react-dom/client"
        import { PayButton } from "./src/storefront/next/pay-button"
        import { CashButton } from "./src/storefront/next/cash-button"
        const start = () => { window.started = (window.started ?? 0) + 1; return window.start() }
        const noted = (name) => (...given) => {
          window.calls = [...(window.calls ?? []), [name, ...given]]
          return window[name](...given)
        }
        const query = new URLSearchParams(location.search)
        const chosen = { total: "580.00", dueNow: query.get("now"), dueInCash: query.get("cash"), needsCode: query.has("code") }
        const cash = { chosen, currency: "bdt", confirm: noted("confirm"), sendCode: noted("sendCode"), "data-testid": "place" }
        const button = query.has("cash") ? createElement(CashButton, cash) : createElement(PayButton, { start, language: "bn" })
        createRoot(document.getElementById("app")).render(button)`,
    },
    bundle: true,
    write: false,
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
  })
  script = outputFiles[0].text
  shop = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", shopUrl())
    cookies.set(pathname, request.headers.cookie)
    if (pathname === "/return") {
      const answer = returnPage(outcome, { orderUrl: (id) => `/order/${id}`, checkoutUrl: "/checkout" })
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
    } else if (pathname === "/redirect") {
      response.writeHead(303, { Location: "/checkout" }).end()
    } else if (pathname === "/pay-button.js") {
      response.writeHead(200, { "Content-Type": "text/javascript" }).end(script)
    } else {
      const body = pathname === "/pay" ? `<div id="app"></div><script src="/pay-button.js"></script>` : ""
      const headers = { "Content-Type": "text/html; charset=utf-8", "Set-Cookie": `${CART}; SameSite=Strict; HttpOnly` }
      response.writeHead(200, headers).end(`<!doctype html><title>${pathname}</title><h1>${pathname}</h1>${body}`)
    }
  })
  paymentPage = createServer((request, response) => {
    const to = new URL(request.url ?? "/", paymentUrl()).searchParams.get("to") ?? ""
    if (request.method === "POST") {
      response.writeHead(303, { Location: `${shopUrl()}${to}` }).end()
    } else {
      response.writeHead(200, { "Content-Type": "text/html" })
      response.end(`<!doctype html><title>Pay</title><form method="post"><button>Cancel</button></form>`)
    }
  })
  await Promise.all([shop, paymentPage].map((server) => new Promise<void>((done) => server.listen(0, done))))
})

beforeEach(async () => {
  cookies = new Map()
  page = await (await browser.newContext()).newPage()
})
afterEach(() => page.context().close())
afterAll(async () => {
  await browser.close()
  for (const server of [shop, paymentPage]) {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
})

/** Visits the shop, which sets the cart's cookie, and comes back from the payment page to a path of the shop. */
async function comeBackTo(path: string): Promise<void> {
  await page.goto(`${shopUrl()}/cart`)
  cookies.clear()
  await page.goto(`${paymentUrl()}/pay?to=${path}`)
  await page.click("button")
}

describe("a shop whose cart is in a cookie with SameSite=Strict", () => {
  it("does not get it after a redirect from the payment page: why returnPage is a page", async () => {
    await comeBackTo("/redirect")
    await page.waitForURL(`${shopUrl()}/checkout`)
    expect([cookies.get("/redirect"), cookies.get("/checkout")]).toEqual([undefined, undefined])
    expect(cookies.has("/checkout")).toBe(true)
  })

  it("gets it where returnPage leads after a cancellation", async () => {
    outcome = { state: "cancelled", ...IDS }
    await comeBackTo("/return")
    await page.waitForSelector("text=You cancelled the payment")
    expect(cookies.get("/return")).toBeUndefined()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.click("text=Back to the checkout")
    await page.waitForURL(`${shopUrl()}/checkout`)
    expect(cookies.get("/checkout")).toBe(CART)
  })

  it("gets it where returnPage forwards to, automatically, after a payment", async () => {
    outcome = { state: "paid", orderId: "order_1", ...IDS }
    await comeBackTo("/return")
    await page.waitForURL(`${shopUrl()}/order/order_1`)
    expect(cookies.get("/order/order_1")).toBe(CART)
  })

  it("an open payment is asked about again at the same address until it has an outcome", async () => {
    outcome = { state: "open" }
    await comeBackTo("/return")
    await page.waitForSelector("text=Confirming your payment")
    outcome = { state: "declined", ...IDS }
    await page.waitForSelector("text=The payment did not go through")
  })
})

describe("PayButton", () => {
  type Answered = { start: () => Promise<unknown>; started?: number }
  const answers = (answer: unknown) =>
    page.evaluate((value) => void ((window as unknown as Answered).start = async () => value), answer)
  const started = () => page.evaluate(() => (window as unknown as Answered).started ?? 0)
  const press = () => page.evaluate(() => document.querySelector("button")?.click())
  const label = () => page.textContent("button")

  beforeEach(() => page.goto(`${shopUrl()}/pay`))

  it("leaves for the payment page, and a second press starts no second payment", async () => {
    await page.evaluate(() => void ((window as unknown as Answered).start = () => new Promise(() => undefined)))
    await page.click("button")
    await page.waitForSelector("button[aria-busy=true][disabled]")
    await press()
    expect([await started(), await label()]).toEqual([1, "পেমেন্টের পাতা খোলা হচ্ছে…"])

    await page.reload()
    await answers({ ok: true, url: `${paymentUrl()}/pay`, sessionId: "ses_1", expiresAt: null })
    await page.click("button")
    await page.waitForURL(`${paymentUrl()}/pay`)
  })

  it("stays busy at the end of the first load, and is ready again when the browser shows the page as it was left", async () => {
    await page.evaluate(() => void ((window as unknown as Answered).start = () => new Promise(() => undefined)))
    await page.click("button")
    await page.waitForSelector("button[aria-busy=true]")
    const show = (persisted: boolean) =>
      page.evaluate((value) => void dispatchEvent(new PageTransitionEvent("pageshow", { persisted: value })), persisted)
    await show(false)
    await press()
    expect([await started(), await page.getAttribute("button", "aria-busy")]).toEqual([1, "true"])
    await show(true)
    await page.waitForSelector("button[aria-busy=false]")
  })

  it("says why a payment could not be started, and can be pressed again", async () => {
    await answers({ ok: false, error: { code: "amount", message: "খুব কম", detail: "too low" } })
    await page.click("button")
    await page.waitForSelector("[role=alert]:has-text('খুব কম')")
    await answers({ ok: true, url: `${paymentUrl()}/pay`, sessionId: "ses_1", expiresAt: null })
    await page.click("button:not([disabled])")
    await page.waitForURL(`${paymentUrl()}/pay`)
  })

  it("says that the shop cannot be reached when the action does not answer", async () => {
    await page.evaluate(() => void ((window as unknown as Answered).start = () => Promise.reject(new Error("offline"))))
    await page.click("button")
    await page.waitForSelector("[role=alert]:has-text('দোকানের সঙ্গে যোগাযোগ করা যাচ্ছে না')")
  })
})

describe("CashButton", () => {
  type Answered = Record<"confirm" | "sendCode", () => Promise<unknown>> & { calls?: unknown[] }
  const answers = (name: "confirm" | "sendCode", answer: unknown) =>
    page.evaluate(([as, value]) => void ((window as unknown as Answered)[as] = async () => value), [
      name,
      answer,
    ] as const)
  const calls = () => page.evaluate(() => (window as unknown as Answered).calls ?? [])

  it("shows both sums, and leaves for the payment page of the advance with what was shown", async () => {
    await page.goto(`${shopUrl()}/pay?now=130.00&cash=450.00`)
    expect(await page.textContent("[data-testid=cash-sums]")).toBe(
      "You pay ৳130.00 in advance now, and ৳450.00 in cash at the door."
    )
    expect(await page.textContent("[data-testid=place]")).toBe("Pay ৳130.00 in advance")
    await page.evaluate(() => void ((window as unknown as Answered).confirm = () => new Promise(() => undefined)))
    await page.click("[data-testid=place]")
    await page.waitForSelector("[data-testid=place][aria-busy=true][disabled]")
    expect(await calls()).toEqual([["confirm", { dueNow: "130.00", dueInCash: "450.00" }, ""]])
    await page.reload()
    await answers("confirm", { ok: true, url: `${paymentUrl()}/pay` })
    await page.click("[data-testid=place]")
    await page.waitForURL(`${paymentUrl()}/pay`)
  })

  it("sends a code, says when it is wrong, and goes to the order when it is right", async () => {
    await page.goto(`${shopUrl()}/pay?now=0.00&cash=520.00&code`)
    expect(await page.textContent("[data-testid=cash-sums]")).toBe("You pay ৳520.00 in cash at the door.")
    await answers("sendCode", { ok: false, error: { code: "code_limit", message: "no more today", detail: "" } })
    await page.click("[data-testid=send-code]")
    await page.waitForSelector("[role=alert]:has-text('no more today')")
    await answers("sendCode", { ok: true, sentTo: "+88017•••••678" })
    await page.click("[data-testid=send-code]")
    await page.waitForSelector("[role=status]:has-text('+88017•••••678')")
    await page.fill("[data-testid=cash-code]", "123456")
    await answers("confirm", { ok: false, error: { code: "code_wrong", message: "wrong", detail: "" } })
    await page.click("[data-testid=place]")
    await page.waitForSelector("[role=alert]:has-text('wrong')")
    expect((await calls()).at(-1)).toEqual(["confirm", { dueNow: "0.00", dueInCash: "520.00" }, "123456"])
    await answers("confirm", { ok: true, url: "/order/order_1/confirmed" })
    await page.click("[data-testid=place]:not([disabled])")
    await page.waitForURL(`${shopUrl()}/order/order_1/confirmed`)
  })
})
