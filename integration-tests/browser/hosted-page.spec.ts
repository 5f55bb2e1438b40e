import { readFileSync } from "node:fs"
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { messages } from "../../src/i18n/bn/messages"
import { pay } from "../../src/i18n/bn/pay"
import { Canvas } from "../../src/modules/gateway/invoices/documents/canvas"
import { loadHarfBuzz } from "../../src/modules/gateway/invoices/documents/shaping"
import { gatewayOf, newMerchant } from "../support/api"
import { accessibilityProblems, launchBrowser } from "../support/browser"
import { merchantOf, openLanding, type Checkout, type Landing, type Merchant } from "../support/checkouts"
import { Subscriber } from "../support/subscriptions"
import { useStore } from "../support/store"

const PHONE = { viewport: { width: 390, height: 844 } }
const WITHOUT_JAVASCRIPT = { ...PHONE, javaScriptEnabled: false }
const SUCCEEDS = "4242424242424242"

const store = useStore()
let browser: Browser
let landing: Landing
let merchant: Merchant
const contexts: BrowserContext[] = []

beforeAll(async () => {
  browser = await launchBrowser()
  landing = await openLanding()
  merchant = await merchantOf(store, landing.url)
})

afterEach(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()))
})

afterAll(async () => {
  await browser?.close()
  await landing?.close()
})

/** Opens a checkout as a shopper does: through a link on the shop, which is another site. */
async function open(checkout: Checkout, options: BrowserContextOptions = PHONE): Promise<Page> {
  const context = await browser.newContext(options)
  contexts.push(context)
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  await page.goto(landing.url)
  await page.goto(checkout.page, { referer: landing.url })
  return page
}

const BENGALI = "@fontsource/noto-sans-bengali/files/noto-sans-bengali-bengali-400-normal.woff"
const CARD_FIELDS = ["Card number", "Expiry date", "Security code", "Name on card"]

async function fillCard(page: Page, number = SUCCEEDS): Promise<void> {
  await page.getByLabel("Card number").fill(number)
  await page.getByLabel("Expiry date").fill("12/40")
  await page.getByLabel("Security code").fill("123")
  await page.getByLabel("Name on card").fill("Rahim Uddin")
}

/** The page is open again after a decline, and says why. */
const declinedOn = (page: Page, why: string) =>
  page.getByRole("alert").filter({ hasText: "The payment did not go through" }).filter({ hasText: why }).waitFor()
const payButton = (page: Page) => page.getByRole("button", { name: /^Pay ৳/ })
const landed = (page: Page, status: string) =>
  page.waitForURL(new RegExp(`^http://localhost:.*[?&]status=${status}(&|$)`))

describe.each([
  ["with JavaScript", PHONE],
  ["without JavaScript", WITHOUT_JAVASCRIPT],
])("the hosted page %s", (_, options) => {
  it("contract 4.2 (5): a card is paid, and the shopper is back on success_url, over the shop's own redirect too", async () => {
    const checkout = await merchant.checkout()
    const page = await open(checkout, options)
    await fillCard(page)
    await payButton(page).click()
    await landed(page, "SUCCESS")
    const query = new URL(page.url()).searchParams
    expect(query.get("from")).toBe("shop")
    expect(query.get("transaction_id")).toBe(checkout.transaction_id)
    expect(await merchant.status(checkout.transaction_id)).toBe("SUCCESS")
  })

  it("decisions: Checkout — a declined card: the page stays with the reason, and the next card pays", async () => {
    const checkout = await merchant.checkout()
    const page = await open(checkout, options)
    await fillCard(page, "4000000000009995")
    await payButton(page).click()
    await declinedOn(page, "There was not enough money in the account.")
    expect(new URL(page.url()).pathname).toBe(new URL(checkout.page).pathname)
    expect(await page.getByText("You can try 2 more times, in the same or in another way.").isVisible()).toBe(true)
    await page.locator("#problems:focus").waitFor()
    const kept = options === PHONE ? ["4000 0000 0000 9995", "12 / 40", "", "Rahim Uddin"] : ["", "", "", ""]
    expect(await Promise.all(CARD_FIELDS.map((label) => page.getByLabel(label).inputValue()))).toEqual(kept)
    await fillCard(page)
    await payButton(page).click()
    await landed(page, "SUCCESS")
    expect(await merchant.status(checkout.transaction_id)).toBe("SUCCESS")
  })

  it("contract 3.3: the last declined card leads to fail_url", async () => {
    const page = await open(await merchant.checkout(), options)
    for (let attempt = 1; attempt <= 3; attempt++) {
      await fillCard(page, "4000000000009995")
      await payButton(page).click()
      await (attempt < 3 ? declinedOn(page, "There was not enough money in the account.") : landed(page, "FAILED"))
      // Without this the next round would find the notice of this one.
      await (attempt < 3 ? page.reload() : undefined)
    }
  })

  it("contract 3.3: leaving after a declined card leads to fail_url; returning to the page shows why, and no form", async () => {
    const checkout = await merchant.checkout()
    const page = await open(checkout, options)
    await fillCard(page, "4000000000009995")
    await payButton(page).click()
    await declinedOn(page, "There was not enough money in the account.")
    await page.getByRole("button", { name: "Return to Nakshi House" }).click()
    await landed(page, "FAILED")
    await page.goto(checkout.page)
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("The payment did not go through")
    expect(await page.getByText("There was not enough money in the account.").isVisible()).toBe(true)
    expect(await page.locator("form").count()).toBe(0)
    await page.getByRole("link", { name: "Return to Nakshi House" }).click()
    await landed(page, "FAILED")
  })

  it("contract 3.3: cancelling leads to cancel_url", async () => {
    const page = await open(await merchant.checkout(), options)
    await page.getByRole("button", { name: "Cancel and return to Nakshi House" }).click()
    await landed(page, "CANCELLED")
  })

  it("decisions: Sandbox — mobile banking with any number, OTP 123456 and PIN 12345 succeeds, also in Bangla numerals", async () => {
    const checkout = await merchant.checkout()
    const page = await open(checkout, options)
    await page.getByRole("radio", { name: "Nagad" }).check()
    expect(await page.getByLabel("Card number").isVisible()).toBe(false)
    await page.getByLabel("Mobile number").fill("০১৭১২-৩৪৫৬৭৮")
    await page.getByLabel("OTP").fill("১২৩৪৫৬")
    await page.getByLabel("PIN").fill("12345")
    await payButton(page).click()
    await landed(page, "SUCCESS")
    expect(await merchant.status(checkout.transaction_id)).toBe("SUCCESS")
  })

  it("decisions: Sandbox — with another PIN mobile banking fails, and with the right one it is paid", async () => {
    const page = await open(await merchant.checkout(), options)
    await page.getByRole("radio", { name: "bKash" }).check()
    await page.getByLabel("Mobile number").fill("01712345678")
    await page.getByLabel("OTP").fill("123456")
    await page.getByLabel("PIN").fill("54321")
    await payButton(page).click()
    await declinedOn(page, "The OTP or the PIN was wrong.")
    expect(await page.getByRole("radio", { name: "bKash" }).isChecked()).toBe(true)
    await page.getByLabel("Mobile number").fill("01712345678")
    await page.getByLabel("OTP").fill("123456")
    await page.getByLabel("PIN").fill("12345")
    await payButton(page).click()
    await landed(page, "SUCCESS")
  })

  it("internet banking and wallet are confirmed in the sandbox", async () => {
    const bank = await open(await merchant.checkout(), options)
    await bank.getByRole("radio", { name: "Internet banking" }).check()
    await bank.getByLabel("Your bank").selectOption({ index: 1 })
    await payButton(bank).click()
    await landed(bank, "SUCCESS")
    const wallet = await open(await merchant.checkout(), options)
    await wallet.getByRole("radio", { name: "Wallet" }).check()
    await payButton(wallet).click()
    await landed(wallet, "SUCCESS")
  })

  it("decisions: Sandbox — a card that is no test card is refused by the page and the attempt is not used up", async () => {
    const page = await open(await merchant.checkout(), options)
    await fillCard(page, "4012888888881881")
    await payButton(page).click()
    const problems = page.getByRole("alert")
    await problems.waitFor()
    expect(await problems.textContent()).toContain("Only test cards work here")
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("problems")
    expect(await page.getByLabel("Card number").inputValue()).toBe("")
    expect(await page.getByLabel("Security code").inputValue()).toBe("")
    expect(await page.getByLabel("Name on card").inputValue()).toBe("Rahim Uddin")
    await fillCard(page)
    await payButton(page).click()
    await landed(page, "SUCCESS")
  })

  it("decisions: Checkout — Pay pressed twice pays once, and ends on success_url", async () => {
    const checkout = await merchant.checkout()
    const page = await open(checkout, options)
    await fillCard(page)
    await payButton(page).dblclick({ noWaitAfter: true })
    // The second press replaces the first one's navigation, which Playwright may report as an error.
    await landed(page, "SUCCESS").catch(() => landed(page, "SUCCESS"))
    const { rows } = await store.db.raw(
      "SELECT count(*)::int AS charges FROM gateway_sandbox_operation WHERE key IN (SELECT id FROM gateway_payment_attempt WHERE transaction_id = ?)",
      [checkout.transaction_id]
    )
    expect(rows).toEqual([{ charges: 1 }])
  })

  it("paying in a second tab what the first has paid leads to the same outcome", async () => {
    const checkout = await merchant.checkout()
    const first = await open(checkout, options)
    const second = await first.context().newPage()
    await second.goto(checkout.page)
    await fillCard(first)
    await fillCard(second)
    await payButton(first).click()
    await landed(first, "SUCCESS")
    await payButton(second).click()
    await landed(second, "SUCCESS")
  })

  it("decisions: Checkout — an expired session says so and leads back to fail_url", async () => {
    const slow = await merchantOf(store, landing.url, "Slow House")
    const page = await open(await slow.checkout(), options)
    await slow.advance(31 * 60)
    await fillCard(page)
    await payButton(page).click()
    await page.getByRole("heading", { name: "The time to pay is over" }).waitFor()
    await page.getByRole("link", { name: "Return to Slow House" }).click()
    await landed(page, "EXPIRED")
  })

  it("a payment being confirmed polls automatically and leads back once there is an outcome", async () => {
    const checkout = await merchant.checkout()
    const setState = (state: string) =>
      store.db.raw("UPDATE gateway_transaction SET state = ? WHERE id = ?", [state, checkout.transaction_id])
    await setState("PROCESSING")
    const page = await open(checkout, options)
    await page.getByRole("heading", { name: "Your payment is being confirmed" }).waitFor()
    await page.waitForURL(/wait=1$/)
    await setState("OPEN")
    await merchant.pay(checkout.session_id)
    await landed(page, "SUCCESS")
  })

  it("is in Bangla for a browser in Bangla, and can be switched", async () => {
    const page = await open(await merchant.checkout(), { ...options, locale: "bn-BD" })
    expect(await page.locator("html").getAttribute("lang")).toBe("bn")
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toContain("৳১,২৩৪.৫০")
    await page.getByRole("link", { name: "English" }).click()
    await payButton(page).waitFor()
    await page.reload()
    expect(await page.locator("html").getAttribute("lang")).toBe("en")
  })
})

describe("what JavaScript adds", () => {
  it("a tap on a test card fills it in, and Pay is next", async () => {
    const page = await open(await merchant.checkout())
    await page.getByText("Show test cards and codes").click()
    await page.getByRole("button", { name: "Use test card 3782 822463 10005" }).click()
    expect(await page.getByLabel("Card number").inputValue()).toBe("3782 822463 10005")
    expect(await page.getByLabel("Security code").inputValue()).toBe("1234")
    expect(await page.locator(".brand").textContent()).toBe("Amex")
    await page.keyboard.press("Enter")
    await landed(page, "SUCCESS")
  })

  it("numbers and dates are formatted while they are typed, and the caret stays", async () => {
    const page = await open(await merchant.checkout())
    const number = page.getByLabel("Card number")
    await number.pressSequentially("৪২৪২4242424")
    expect(await number.inputValue()).toBe("4242 4242 424")
    await number.press("Home")
    await number.press("ArrowRight")
    await number.press("9")
    expect(await number.inputValue()).toBe("4924 2424 2424")
    expect(await number.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(2)
    const expiry = page.getByLabel("Expiry date")
    await expiry.pressSequentially("930")
    expect(await expiry.inputValue()).toBe("09 / 30")
  })

  it("a wrong field shows its problem when it is left and when Pay is pressed, and gets the focus; nothing is sent", async () => {
    const page = await open(await merchant.checkout())
    const posts: string[] = []
    page.on("request", (request) => request.method() === "POST" && posts.push(request.url()))
    const number = page.getByLabel("Card number")
    await number.fill("4242424242424241")
    await page.getByLabel("Expiry date").fill("01/20")
    await page.getByLabel("Name on card").focus()
    expect(await page.locator("#card_number-error").textContent()).toBe(
      "The card number is not right; check the digits"
    )
    expect(await page.locator("#card_expiry-error").textContent()).toBe("This card has expired; use another one")
    await payButton(page).click()
    expect(await number.evaluate((input) => document.activeElement === input)).toBe(true)
    expect(await number.getAttribute("aria-invalid")).toBe("true")
    expect(await number.getAttribute("aria-describedby")).toContain("card_number-error")
    await number.fill(SUCCEEDS)
    expect(await number.getAttribute("aria-invalid")).toBeNull()
    expect(posts).toEqual([])
  })

  it("Pay shows that it works, says so to a screen reader, and takes the way to cancel away", async () => {
    const page = await open(await merchant.checkout())
    await fillCard(page)
    // Reads the state between pressing and leaving inside the page: Playwright itself waits while a page is left.
    const shown = await page.locator("form#payment").evaluate((form: HTMLFormElement) => {
      const button = form.querySelector<HTMLButtonElement>("button[type=submit]")
      button?.click()
      const again = form.dispatchEvent(new SubmitEvent("submit", { cancelable: true }))
      return {
        label: button?.textContent,
        disabled: button?.getAttribute("aria-disabled"),
        announced: document.querySelector("[aria-live=polite]")?.textContent,
        cancelHidden: document.querySelector<HTMLElement>("form.cancel")?.hidden,
        again,
      }
    })
    expect(shown).toEqual({
      label: "Paying…",
      disabled: "true",
      announced: "Your payment is being made. Please do not close this page.",
      cancelHidden: true,
      again: false,
    })
    await landed(page, "SUCCESS")
  })

  it("Pay pressed while offline keeps the page, with what was typed, and says so", async () => {
    const page = await open(await merchant.checkout())
    await fillCard(page)
    await page.context().setOffline(true)
    await payButton(page).click()
    await page.getByRole("status").filter({ hasText: "You are offline. Nothing was sent" }).waitFor()
    expect(await page.getByLabel("Name on card").inputValue()).toBe("Rahim Uddin")
    await page.context().setOffline(false)
    await payButton(page).click()
    await landed(page, "SUCCESS")
  })

  it("mobile banking asks as an acquirer does, step by step: the number, then the OTP, then the PIN", async () => {
    const page = await open(await merchant.checkout())
    await page.getByRole("radio", { name: "Nagad" }).check()
    const asked = async () =>
      Promise.all(["Mobile number", "OTP", "PIN"].map((label) => page.getByLabel(label).isVisible()))
    expect(await asked()).toEqual([true, false, false])
    await payButton(page).click()
    await page.getByText("Enter your mobile number").waitFor()
    expect(await asked()).toEqual([true, false, false])
    await page.getByLabel("Mobile number").fill("01712345678")
    expect(await asked()).toEqual([true, true, false])
    expect(await page.getByText("None is sent here: 123456").isVisible()).toBe(true)
    await payButton(page).click()
    await page.getByText("Enter the OTP").waitFor()
    await page.getByLabel("OTP").fill("123456")
    expect(await asked()).toEqual([true, true, true])
    await page.getByLabel("Mobile number").fill("0171")
    expect(await asked()).toEqual([true, true, false])
    await page.getByLabel("Mobile number").fill("01712345678")
    await page.getByLabel("PIN").fill("12345")
    await payButton(page).click()
    await landed(page, "SUCCESS")
  })

  it("back from the page after a refused form asks for no second sending: it is the payment page, empty", async () => {
    const page = await open(await merchant.checkout())
    await page.locator("form#payment").evaluate((form: HTMLFormElement) => HTMLFormElement.prototype.submit.call(form))
    await page.locator("#problems").waitFor()
    await page.goto(`${store.url}/health`)
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().includes("/pay/ses_")),
      page.goBack(),
    ])
    expect([answer.request().method(), answer.status()]).toEqual(["GET", 200])
  })

  it("the time left counts down, is announced politely, and the page reloads when it is over", async () => {
    const slow = await merchantOf(store, landing.url, "Late House")
    const checkout = await slow.checkout()
    await slow.advance(29 * 60 - 3)
    const page = await open(checkout)
    expect(await page.locator(".time").textContent()).toMatch(/Time left 1:0\d/)
    await page.waitForFunction(
      () => document.querySelector("[aria-live=polite]")?.textContent === "Minutes left to pay: 1"
    )
    const last = await slow.checkout()
    await slow.advance(30 * 60 - 4)
    const ending = await open(last)
    await ending.getByRole("heading", { name: "The time to pay is over" }).waitFor()
  })

  it("what was typed under another method is not sent", async () => {
    const page = await open(await merchant.checkout())
    await fillCard(page)
    await page.getByRole("radio", { name: "Wallet" }).check()
    const [request] = await Promise.all([
      page.waitForRequest((sent) => sent.method() === "POST"),
      payButton(page).click(),
    ])
    expect(request.postData()).not.toContain("card_number")
  })
})

describe("what the order allows and the merchant says", () => {
  it("a card number is seen whole on a small phone", async () => {
    const page = await open(await merchant.checkout(), { viewport: { width: 360, height: 640 } })
    await fillCard(page)
    const number = page.locator("[name=card_number]")
    expect(await number.evaluate((input) => input.scrollWidth <= input.clientWidth)).toBe(true)
  })

  it.each(["en-GB", "bn-BD"])(
    "on a small phone labels keep to a line, and no shop's name is cut: %s",
    async (locale) => {
      const shop = await merchantOf(store, landing.url, "Nakshi House Banani")
      const page = await open(await shop.checkout(), { viewport: { width: 360, height: 640 }, locale })
      await page.check("#method_card")
      const heights = await page.evaluate(() =>
        ["card_expiry", "card_cvc"].map(
          (name) => document.querySelector(`label[for=${name}]`)?.getBoundingClientRect().height
        )
      )
      expect(heights[1]).toBe(heights[0])
      const isWhole = await page
        .locator(".merchant bdi")
        .evaluate((name) => name.scrollWidth <= name.clientWidth && name.scrollHeight <= name.clientHeight + 1)
      expect(isWhole).toBe(true)
    }
  )

  it("on a small phone the ways to pay are on the first screen; a wide one shows the order too", async () => {
    const small = await open(await merchant.checkout(), { viewport: { width: 360, height: 640 } })
    const box = await small.locator("#method_card").boundingBox()
    expect(box?.y).toBeLessThan(640 - 56)
    expect(await small.locator(".order").isVisible()).toBe(false)
    await small.locator(".fold > summary").click()
    expect(await small.locator(".order").isVisible()).toBe(true)
    const wide = await open(await merchant.checkout(), { viewport: { width: 1280, height: 900 } })
    expect(await wide.locator(".order").isVisible()).toBe(true)
  })

  it("contract 2.5: with one allowed method there is no choice; with a service preselected it is chosen", async () => {
    const cardOnly = await open(await merchant.checkout({ payment_info: { allowed_payment_methods: ["card"] } }))
    expect(await cardOnly.getByRole("radio").count()).toBe(0)
    await fillCard(cardOnly)
    await payButton(cardOnly).click()
    await landed(cardOnly, "SUCCESS")
    const nagad = await open(await merchant.checkout({ payment_info: { payment_service_id: 3 } }))
    expect(await nagad.getByRole("radio", { name: "Nagad" }).isChecked()).toBe(true)
  })

  it("hostile names stay text, and nothing runs", async () => {
    const evil = `<img src=x onerror="document.title='hacked'"><script>document.title='hacked'</script>`
    const hostile = await merchantOf(store, landing.url, evil)
    const page = await open(
      await hostile.checkout({
        order_description: evil,
        order_items: [{ product_name: evil, quantity: 1, unit_price: "1.00" }],
      })
    )
    expect(await page.locator(".item-name").textContent()).toBe(evil)
    expect(await page.locator("main img, main script").count()).toBe(0)
    expect(await page.title()).toContain("<img src=x")
  })

  it("nothing is asked of any other host, and the browser finds nothing against the page's policy", async () => {
    const checkout = await merchant.checkout()
    const context = await browser.newContext(PHONE)
    contexts.push(context)
    const page = await context.newPage()
    const requests: string[] = []
    const complaints: string[] = []
    page.on("request", (request) => requests.push(request.url()))
    page.on("console", (message) => complaints.push(message.text()))
    page.on("pageerror", (error) => complaints.push(error.message))
    await page.goto(checkout.page, { waitUntil: "networkidle" })
    expect(requests.filter((url) => !url.startsWith(`${store.url}/pay/`))).toEqual([])
    expect(complaints).toEqual([])
  })

  it("what the policy blocks does not run, and the browser reports it to us", async () => {
    const page = await open(await merchant.checkout())
    const reported = new Promise<string>((done) => {
      const logger = store.container.resolve(ContainerRegistrationKeys.LOGGER)
      jest
        .spyOn(logger, "warn")
        .mockImplementation((text) => void (String(text).includes("a browser reports") && done(String(text))))
    })
    await page.evaluate(() => {
      const image = document.createElement("img")
      image.src = "https://evil.example/pixel.png"
      document.body.append(image)
    })
    expect(await reported).toContain(
      "img-src of the payment pages' content rules blocked https://evil.example on /pay/*"
    )
    jest.restoreAllMocks()
  })

  it("who has to wait reads so on a page like the others, in both languages, at any width", async () => {
    const checkout = await merchant.checkout()
    const { pageLimits } = gatewayOf(store).options
    pageLimits.session = 1
    try {
      const page = await open(checkout)
      for (const [language, title] of [
        ["en", "Please wait a moment"],
        ["bn", "অনুগ্রহ করে একটু অপেক্ষা করুন"],
      ]) {
        await page.goto(`${checkout.page}?lang=${language}`)
        await page.getByRole("heading", { name: title }).waitFor()
        expect(await accessibilityProblems(page)).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
      }
    } finally {
      pageLimits.session = 0
    }
  })

  it("cannot be framed", async () => {
    const checkout = await merchant.checkout()
    const context = await browser.newContext(PHONE)
    contexts.push(context)
    const page = await context.newPage()
    await page.goto(landing.url)
    const refused = page.waitForEvent("console", (message) => message.text().includes("frame-ancestors"))
    await page.setContent(`<iframe src="${checkout.page}"></iframe>`)
    await refused
    const [, frame] = page.frames()
    expect(await frame.locator("form").count()).toBe(0)
  })
})

/** By the ids of the form's fields. */
const DECLINED_CARD = {
  card_number: "4000000000000002",
  card_expiry: "12/40",
  card_cvc: "123",
  card_name: "Rahim Uddin",
}

/** Each state of a checkout, as the database stores it. */
const STATES = {
  "Your payment is being confirmed": "state = 'PROCESSING'",
  "Your payment is being checked by the shop": "state = 'HELD'",
  "The payment did not go through": "state = 'FAILED', error_code = 'CARD_DECLINED'",
  "Payment cancelled": "state = 'CANCELLED'",
  "The time to pay is over": "state = 'EXPIRED'",
  "Payment received": "state = 'SUCCESS', verified_at = now(), acquirer_reference = id",
  "Payment refunded": "state = 'REFUNDED'",
}

/** A page that waits asks again by itself after three seconds: on a busy machine it would be gone before axe has ended. */
async function withoutRefresh(page: Page): Promise<void> {
  await page.route("**/pay/**", async (route) => {
    const response = await route.fetch({ maxRedirects: 0 })
    const headers = response.headers()
    delete headers.refresh
    await route.fulfill({ response, headers })
  })
}

describe("WCAG 2.2 AA (axe)", () => {
  it.each([
    ["light", "en-GB", PHONE],
    ["dark", "bn-BD", PHONE],
    ["light", "bn-BD", { viewport: { width: 1280, height: 900 } }],
    ["dark", "en-GB", { viewport: { width: 1280, height: 900 } }],
    ["light", "en-GB", { viewport: { width: 320, height: 640 } }],
  ] as const)(
    "nothing is found, and nothing is wider than the page, in %s, %s, %j: every method, test data, errors, and each state",
    async (colorScheme, locale, size) => {
      const checkout = await merchant.checkout()
      const page = await open(checkout, { ...size, colorScheme, locale })
      await withoutRefresh(page)
      const found: string[] = []
      const look = async () => {
        // At 320 pixels axe finds what it finds at a phone's width; what may differ is whether everything fits.
        found.push(...(size.viewport.width > 320 ? await accessibilityProblems(page) : []))
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth
        )
        expect(overflow).toBe(0)
      }
      await page.locator("#test-data summary").click()
      await page.locator(".fold").evaluate((fold: HTMLDetailsElement) => (fold.open = true))
      for (const method of ["card", "BKASH", "internet_banking", "wallet"]) {
        await page.locator(`#method_${method}`).check()
        await look()
      }
      await page.locator("#method_card").check()
      await page.locator("form#payment button[type=submit]").click()
      await look()
      await page
        .locator("form#payment")
        .evaluate((form: HTMLFormElement) => HTMLFormElement.prototype.submit.call(form))
      await page.locator("#problems").waitFor()
      await look()
      await page.goto(checkout.page)
      for (const [id, value] of Object.entries(DECLINED_CARD)) {
        await page.fill(`#${id}`, value)
      }
      await page.locator("form#payment button[type=submit]").click()
      await page.locator("form#payment .problems").waitFor()
      await look()
      const [attempt] = await store.db("gateway_payment_attempt").where({ transaction_id: checkout.transaction_id })
      const change = (state: string, changes: Record<string, unknown>) =>
        Promise.all([
          store.db("gateway_transaction").where({ id: checkout.transaction_id }).update({ state }),
          store.db("gateway_payment_attempt").where({ id: attempt.id }).update(changes),
        ])
      await change("PROCESSING", { state: "REDIRECTED", redirect_url: "https://bank.example.com/pay/1" })
      await page.goto(checkout.page)
      await page.locator("form[action$='/leave']").waitFor()
      await look()
      await change("OPEN", { state: "DECLINED", redirect_url: null })
      for (const [title, changes] of Object.entries(STATES)) {
        await store.db.raw(`UPDATE gateway_transaction SET ${changes} WHERE id = ?`, [checkout.transaction_id])
        await page.goto(checkout.page)
        if (locale === "en-GB") {
          expect(await page.locator("h1").textContent()).toBe(title)
        }
        await look()
      }
      await page.goto(`${store.url}/pay/unknown`)
      await look()
      expect(found).toEqual([])
      // No money has moved: the suite's books must balance in the end.
      await store.db.raw(
        `UPDATE gateway_transaction SET state = 'EXPIRED', verified_at = NULL, acquirer_reference = NULL WHERE id = ?`,
        [checkout.transaction_id]
      )
    }
  )
})

describe("the public page of an invoice", () => {
  async function openInvoice(options: BrowserContextOptions) {
    const subscriber = await Subscriber.create(await newMerchant(store))
    const { payment_url } = (await subscriber.call("POST", "/generate-invoice")).body as unknown as {
      payment_url: string
    }
    const context = await browser.newContext({ ...options, acceptDownloads: true })
    contexts.push(context)
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    await page.goto(payment_url)
    return { page, payment_url, subscriber }
  }

  it.each([
    ["with JavaScript", PHONE],
    ["without JavaScript", WITHOUT_JAVASCRIPT],
  ])(
    "contract 4.6 generate-invoice, %s: Pay leads to the hosted page, a decline back to try again, a payment back to the paid invoice and its PDF",
    async (_, options) => {
      const { page, payment_url, subscriber } = await openInvoice(options)
      const back = () => page.waitForURL((url) => url.href.startsWith(payment_url))
      if (options === PHONE) {
        await page.context().setOffline(true)
        await payButton(page).click()
        await page.getByRole("status").filter({ hasText: "You are offline. Nothing was sent" }).waitFor()
        await page.context().setOffline(false)
      }
      await payButton(page).click()
      await page.waitForURL(/\/pay\/ses_/)
      await fillCard(page, "4000000000000002")
      await payButton(page).click()
      await declinedOn(page, "The card was declined by its bank.")
      await page.getByRole("button", { name: /^Return to / }).click()
      await back()
      expect(await page.getByRole("status").textContent()).toContain("nothing was charged")
      await payButton(page).click()
      await page.waitForURL(/\/pay\/ses_/)
      await fillCard(page)
      await payButton(page).click()
      await back()
      expect(await page.getByText("Thank you.").isVisible()).toBe(true)
      expect(await payButton(page).count()).toBe(0)
      expect(await subscriber.status()).toBe("ACTIVE")
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Download PDF" }).click(),
      ])
      expect(download.suggestedFilename()).toBe("INV-000001.pdf")
    }
  )

  it.each([
    ["a phone in English", PHONE],
    ["a phone in the dark in Bangla", { ...PHONE, colorScheme: "dark", locale: "bn-BD" }],
    ["a desktop in Bangla", { viewport: { width: 1280, height: 900 }, locale: "bn-BD" }],
  ] as const)("is accessible in every state, on %s", async (_, options) => {
    const { page, payment_url, subscriber } = await openInvoice(options)
    const look = async () => {
      expect(await accessibilityProblems(page)).toEqual([])
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      ).toBe(0)
    }
    await look()
    await page.goto(`${payment_url}?status=FAILED`)
    await look()
    await store
      .db("gateway_invoice")
      .whereIn("subscription_id", store.db("gateway_subscription").where({ uuid: subscriber.uuid }).select("id"))
      .update({ due_date: "2026-01-01" })
    const own = store.db("gateway_subscription").where({ uuid: subscriber.uuid })
    await own.clone().update({ awaiting_transaction_id: (await subscriber.checkout()).transaction_id })
    await page.goto(payment_url)
    await look()
    await own.update({ awaiting_transaction_id: null })
    await subscriber.pay()
    await page.goto(payment_url)
    await look()
  })

  it("the PDF joins Bengali letters as Chromium does: 200 words are as wide in both", async () => {
    const words = [
      ...new Set(["সাবস্ক্রিপশন", ...(JSON.stringify([pay, messages]).match(/[\u0980-\u09fe]{5,}/g) ?? [])]),
    ].slice(0, 200)
    const info = { title: "", author: "", language: "bn", at: new Date(0) }
    const canvas = new Canvas(info, await loadHarfBuzz())
    const font = readFileSync(require.resolve(BENGALI)).toString("base64")
    const page = await browser.newPage()
    const inChromium = await page.evaluate(
      async ([texts, data]) => {
        const face = new FontFace("Paper", `url(data:font/woff;base64,${data})`)
        document.fonts.add(await face.load())
        const context = document.createElement("canvas").getContext("2d") as CanvasRenderingContext2D
        context.font = "1000px Paper"
        return texts.map((text) => Math.round(context.measureText(text).width))
      },
      [words, font] as const
    )
    await page.close()
    expect(words).toHaveLength(200)
    expect(words.map((word) => Math.round(canvas.width(word, { size: 1000 })))).toEqual(inChromium)
  })
})
