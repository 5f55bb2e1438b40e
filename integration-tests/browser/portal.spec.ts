import { join } from "node:path"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { newMerchant, type ApiMerchant } from "../support/api"
import { accessibilityProblems, launchBrowser } from "../support/browser"
import { Subscriber } from "../support/subscriptions"
import { useStore } from "../support/store"

const store = useStore()
const PHONE = { viewport: { width: 390, height: 844 } }
const WIDE = { viewport: { width: 1280, height: 900 } }
let browser: Browser
let merchant: ApiMerchant

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
})
beforeEach(async () => {
  merchant = await newMerchant(store)
})

/** A link to the portal of a customer with a subscription that is paid. */
async function customer(): Promise<{ url: string; subscriber: Subscriber }> {
  const { uuid: plan } = (
    await merchant.call("POST", "/payments/subscription-plans", {
      plan_name: "Tea club, first flush from Sylhet",
      amount: "500.00",
      interval_count: 1,
      interval_unit: "MONTH",
    })
  ).body as unknown as { uuid: string }
  const { number } = await store.db("gateway_plan").where({ uuid: plan }).first("number")
  const subscriber = await Subscriber.create(merchant, { subscription_plan_id: number })
  await subscriber.pay()
  const { customer_id } = await subscriber.get()
  const { body } = await merchant.call("POST", "/payments/portal-sessions", {
    customer_id,
    return_url: "http://shop.example/account",
  })
  const { url } = body.data as unknown as { url: string }
  return { url, subscriber }
}

async function inBrowser(options: BrowserContextOptions, work: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext(options)
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    await work(page)
  } finally {
    await context.close()
  }
}

/** Expects a page without findings of axe that fits its window; keeps a picture where somebody wants to look at it. */
async function inspect(page: Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS) {
    await page.screenshot({ path: join(process.env.SCREENSHOTS, `portal-${name}.png`), fullPage: true })
  }
  expect([name, await accessibilityProblems(page)]).toEqual([name, []])
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect([name, Math.max(0, tooWide)]).toEqual([name, 0])
}

async function payByCard(page: Page, number: string): Promise<void> {
  await page.locator("#card_number").fill(number)
  await page.locator("#card_expiry").fill("12/40")
  await page.locator("#card_cvc").fill("123")
  await page.locator("#card_name").fill("Rahim Uddin")
  await page.locator("form#payment button[type=submit]").click()
}

describe("docs/decisions/18 — the customer portal", () => {
  it.each([
    ["with JavaScript", PHONE],
    ["without JavaScript", { ...PHONE, javaScriptEnabled: false }],
  ])("%s: another card at no cost, pause, resume, cancel, remove the card, sign out", async (_name, options) => {
    const { url, subscriber } = await customer()
    await inBrowser(options, async (page) => {
      await page.goto(url)
      await page.getByRole("link", { name: "Manage Tea club" }).click()
      await page.getByRole("button", { name: "Change payment method" }).click()
      await page.waitForURL(/\/pay\/ses_/)
      expect(await page.locator(".summary").textContent()).toContain("This costs nothing: ৳100.00 is taken")
      await payByCard(page, "5555555555554444")
      await page.waitForURL(`${url}?done=changed`)
      await page.getByText("charged to the new payment method from now on").waitFor()
      await page.getByText("Charged to Mastercard ending in 4444").waitFor()

      await page.getByRole("link", { name: "Manage Tea club" }).click()
      await page.getByRole("button", { name: "Pause subscription" }).click()
      await page.getByText("The subscription is paused.").waitFor()
      await page.getByRole("button", { name: "Resume subscription" }).click()
      await page.getByText("The subscription continues.").waitFor()
      await page.getByRole("link", { name: "Cancel subscription" }).click()
      await page.getByRole("link", { name: "No, keep it" }).click()
      expect(await subscriber.status()).toBe("ACTIVE")
      await page.getByRole("link", { name: "Cancel subscription" }).click()
      await page.getByLabel("Why are you cancelling?").selectOption("Too expensive")
      await page.getByLabel("Would you like to add something?").fill("Back in spring")
      await page.getByRole("button", { name: "Yes, cancel it" }).click()
      await page.getByText("The subscription is cancelled.").waitFor()
      const why = { cancellation_reason: "too_expensive", cancellation_note: "Back in spring" }
      expect(await subscriber.get()).toMatchObject({ status: "CANCELLED", ...why })
      await page.getByRole("button", { name: "Keep the subscription" }).click()
      await page.getByText("it is not cancelled any more").waitFor()
      await page.getByText("Next payment on").waitFor()
      expect(await subscriber.status()).toBe("ACTIVE")
      await page.getByRole("link", { name: "Cancel subscription" }).click()
      await page.getByRole("button", { name: "Yes, cancel it" }).click()
      await page.getByText("The subscription is cancelled.").waitFor()

      await page.getByRole("link", { name: "Back to the overview" }).click()
      await page.getByRole("link", { name: "Remove Mastercard ending in 4444" }).click()
      await page.getByRole("button", { name: "Yes, remove it" }).click()
      await page.getByText("The payment method is removed.").waitFor()
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.getByRole("heading", { name: "You have signed out" }).waitFor()
      await page.goto(url)
      await page.getByRole("link", { name: "Get a new link" }).click()
      await page.getByRole("heading", { name: "Manage your subscriptions" }).waitFor()
      await page.getByLabel("E-mail address").fill("nobody@example.com")
      await page.getByRole("button", { name: "Send me a link" }).click()
      await page.getByRole("heading", { name: "Look into your mailbox" }).waitFor()
    })
  })

  const LOOKS = (["light", "dark"] as const).flatMap((colorScheme) =>
    (["en", "bn"] as const).flatMap((language) =>
      ([PHONE, WIDE] as const).map(
        (size) => [`${language} ${colorScheme} ${size.viewport.width}`, language, { ...size, colorScheme }] as const
      )
    )
  )
  it.each(LOOKS)("every page fits, and axe finds nothing: %s", async (name, language, options) => {
    const { url, subscriber } = await customer()
    const { uuid } = await store
      .db("gateway_instrument as i")
      .join("gateway_subscription as s", "s.instrument_id", "i.id")
      .where("s.uuid", subscriber.uuid)
      .first("i.uuid")
    const label = (what: string) => `${what} ${name}`.replaceAll(" ", "-")
    await inBrowser(options, async (page) => {
      for (const [what, path] of [
        ["overview", ""],
        ["subscription", `/subscriptions/${subscriber.uuid}`],
        ["cancel", `/subscriptions/${subscriber.uuid}/cancel`],
        ["invoices", "/invoices"],
        ["payments", "/payments"],
        ["method", `/methods/${uuid}`],
      ]) {
        await page.goto(`${url}${path}?lang=${language}`)
        await inspect(page, label(what))
      }
      await page.goto(`${url}/subscriptions/${subscriber.uuid}`)
      await page.locator("button[type=submit]").first().click()
      await page.waitForURL(/\/pay\/ses_/)
      await inspect(page, label("verification"))
      for (const [what, path] of [
        ["login", `/portal/${merchant.id}/sandbox`],
        ["sent", `/portal/${merchant.id}/sandbox?sent=1`],
        ["unknown", `/portal/ptl_${"a".repeat(32)}`],
        ["returned", "/portal/return"],
      ]) {
        await page.goto(`${store.url}${path}`)
        await inspect(page, label(what))
      }
    })
  })

  it("decisions: An end — a subscription of two payments is paid to its end by clicks, in both languages", async () => {
    const subscriber = await Subscriber.create(merchant, { billing_cycles: 2 })
    const { checkout_url } = await subscriber.checkout()
    const { customer_id } = await subscriber.get()
    const { url } = (await merchant.call("POST", "/payments/portal-sessions", { customer_id })).body
      .data as unknown as {
      url: string
    }
    await inBrowser({ viewport: { width: 360, height: 640 } }, async (page) => {
      await page.goto(`${checkout_url}?lang=bn`)
      await page.getByText("এটিসহ ২টি পেমেন্ট, তারপর শেষ").waitFor()
      await page.goto(`${checkout_url}?lang=en`)
      await page.getByText("2 payments with this one, then it ends").waitFor()
      await inspect(page, "end-checkout")
      await payByCard(page, "4242424242424242")
      await page.getByText("Payment received").first().waitFor()
      await page.goto(url)
      await page.getByText("Payments made: 1 of 2. It ends on").waitFor()
      await page.getByRole("link", { name: /^Manage Subscription/ }).click()
      await page.getByText("Payments made: 1 of 2. It ends on").waitFor()
      await page.goto(`${page.url()}?lang=bn`)
      await page.getByText("২টির মধ্যে ১টি পেমেন্ট হয়েছে। শেষ হবে").waitFor()
      await inspect(page, "end-bn")
      const ahead = await subscriber.checkout()
      await page.goto(`${ahead.checkout_url}?lang=en`)
      await page.getByText("This is the last payment. Nothing more is charged, and then it ends.").waitFor()
      await payByCard(page, "4242424242424242")
      await page.getByText("Payment received").first().waitFor()
      await page.goto(`${url}?lang=en`)
      await page.getByText("Everything is paid. It ends on").waitFor()
      await inspect(page, "end-last")
    })
    expect(await subscriber.get()).toMatchObject({ billing_cycles_paid: 2, next_billing_date: null })
  })

  it("docs/decisions/11: a plan is switched by clicks, after its cost was seen, in both languages", async () => {
    const plan = async (plan_name: string, amount: string, plan_name_bn: string) => {
      const terms = { plan_name, amount, family: "tea", interval_count: 1, interval_unit: "MONTH" }
      const { body } = await merchant.call("POST", "/payments/subscription-plans", {
        ...terms,
        meta_data: { plan_name_bn },
      })
      return (body as unknown as { id: number }).id
    }
    const small = await plan("Small parcel", "500.00", "ছোট পার্সেল")
    await plan("Large parcel of first flush", "1000.00", "বড় পার্সেল")
    const subscriber = await Subscriber.create(merchant, { subscription_plan_id: small, amount: undefined })
    await subscriber.pay()
    const { customer_id } = await subscriber.get()
    const { url } = (await merchant.call("POST", "/payments/portal-sessions", { customer_id })).body
      .data as unknown as {
      url: string
    }
    await inBrowser({ viewport: { width: 360, height: 640 } }, async (page) => {
      await page.goto(`${url}/subscriptions/${subscriber.uuid}`)
      await page.getByRole("link", { name: "Change plan" }).click()
      await inspect(page, "plans")
      await page.getByRole("link", { name: "See the cost of Large parcel of first flush" }).click()
      await inspect(page, "plan-cost")
      await page.goto(`${page.url()}&lang=bn`)
      await inspect(page, "plan-cost-bn")
      await page.getByRole("button", { name: "এখনই বদলান, ৳৫০০.০০ পরিশোধ করুন" }).click()
      await page.getByText("প্ল্যান বদলানো হয়েছে।").waitFor()
      await inspect(page, "plan-switched-bn")
    })
    expect(await subscriber.get()).toMatchObject({ amount: "1000.00", status: "ACTIVE" })
  })
})
