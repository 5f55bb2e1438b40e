import type { BrowserContextOptions } from "playwright-core"
import { accessibilityProblems } from "../support/browser"
import { SHOP_ENVIRONMENT } from "../support/shop"
import { inspectScreen, LOOKS } from "../support/shop-looks"
import {
  addTea,
  browser,
  fillCard,
  GOOD_CARD,
  leaveToPay,
  newEmail,
  open,
  page,
  PASSWORD,
  PHONE,
  reachPaymentFromAccount,
  textOf,
  useShop,
} from "../support/shop-screens"
import { useStore } from "../support/store"

const store = useStore({ env: SHOP_ENVIRONMENT })
useShop(store)

describe("docs/decisions/07 — a saved payment method", () => {
  /** From the home page to the payment page, as a customer who is signed in. */
  async function buyTea(): Promise<void> {
    await addTea()
    await page.click("a:has-text('Go to the cart')")
    await page.click("a:has-text('Go to checkout')")
    await page.waitForSelector("#save-address")
    await reachPaymentFromAccount()
    await leaveToPay()
    await page.waitForSelector("#payment")
  }

  async function expectNoSavedMethod(url: string, options: BrowserContextOptions = PHONE): Promise<void> {
    const stranger = await browser.newContext(options)
    const theirs = await stranger.newPage()
    await theirs.goto(url)
    await theirs.waitForSelector("#payment")
    expect(await theirs.locator("input[value^=saved_], input[name^=save_]").count()).toBe(0)
    await stranger.close()
  }

  it("is saved with consent, pays the next order in the same browser only, and is removed in the account", async () => {
    await open("/register")
    await page.fill("#name", "Nusrat Jahan")
    await page.fill("#email", newEmail())
    await page.fill("#password", PASSWORD)
    await page.click("#account-go")
    await page.waitForSelector(".account-owner")
    expect(await textOf("#saved-methods")).toContain("Nothing is saved")

    await buyTea()
    expect(await page.isChecked("#save_card")).toBe(false)
    await fillCard(GOOD_CARD)
    await page.check("#save_card")
    expect(await accessibilityProblems(page)).toEqual([])
    await page.click("#payment button[type=submit]")
    await page.waitForSelector("#order")

    await buyTea()
    expect(await page.isChecked("input[name=method][value^=saved_]")).toBe(true)
    expect(await textOf(".methods")).toContain("Visa ending in 4242")
    expect(await page.isVisible("#card_number")).toBe(false)
    for (const [name, language] of Object.entries({ english: "en", bangla: "bn" })) {
      await page.goto(`${page.url().split("?")[0]}?lang=${language}`)
      await inspectScreen(`saved-${name}`, LOOKS, "payment page")
    }
    await page.goto(`${page.url().split("?")[0]}?lang=en`)
    await expectNoSavedMethod(page.url())
    await page.click("#payment button[type=submit]")
    await page.waitForSelector("#order")

    await open("/account")
    expect(await textOf("#saved-methods")).toContain("Visa ending in 4242")
    await inspectScreen("saved", LOOKS, "account")
    await page.click("#saved-methods button")
    await page.click("#dialog-confirm")
    await page.waitForSelector("text=Visa ending in 4242 has been removed.")
    expect(await textOf("#saved-methods")).toContain("Nothing is saved")
    await buyTea()
    expect(await page.locator("input[value^=saved_]").count()).toBe(0)
  }, 300_000)
})
