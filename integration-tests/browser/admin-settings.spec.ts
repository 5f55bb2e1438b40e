import { ADMIN, prepareAdmin } from "../support/admin"
import {
  button,
  confirm,
  heading,
  merchant,
  open,
  page,
  PAGES,
  PHONE,
  picture,
  region,
  tenant as sandbox,
  theme,
  toast,
  useAdminPages,
  WIDE,
} from "../support/admin-screens"
import { gatewayOf } from "../support/api"
import { accessibilityProblems } from "../support/browser"
import { usePaymentHistory } from "../support/payment-history"
import { openSslcommerz, SSLCOMMERZ, sslcommerz } from "../support/sslcommerz"
import { PLAN, PLANS, someone, SUBSCRIPTIONS, subscriptionOf } from "../support/subscriptions"
import { useStore } from "../support/store"

openSslcommerz()
const store = useStore({ shop: true, prepare: prepareAdmin, withAdmin: true, env: SSLCOMMERZ })
useAdminPages(store)
const { someHistory } = usePaymentHistory(store)

/** In the form of the retries. */
async function chooseRetries(name: string): Promise<void> {
  await page.getByRole("dialog").getByRole("combobox", { name: "Failed charges are tried again" }).click()
  await page.getByRole("option", { name, exact: true }).click()
}

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
    await page.getByText("2.75% + ৳0.00").waitFor()
    await region("Payment attempts").getByRole("button", { name: "Edit" }).click()
    await page.getByRole("dialog").getByLabel("Payment attempts per checkout").fill("৫")
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
    await page.locator("[role=alert]", { hasText: "Approval must" }).waitFor()
    await picture("settings-refunds-form")
    await page.getByRole("dialog").getByLabel("Approval").fill("5000")
    await button("Save").click()
    await toast("Settings for refunds and returns saved")
    await page.getByText("Above ৳5,000.00 an admin approves").waitFor()
    await region("Time zone").getByText("Asia/Dhaka", { exact: true }).waitFor()
    await region("Time zone").getByRole("button", { name: "Edit" }).click()
    await page.getByRole("dialog").getByLabel("Time zone").fill("Dhaka")
    await button("Save").click()
    await page
      .locator("[role=alert]", { hasText: "Time zone must be the name of a time zone, like Asia/Dhaka" })
      .waitFor()
    await picture("settings-time-zone-form")
    await page.getByRole("dialog").getByLabel("Time zone").fill("America/New_York")
    await button("Save").click()
    await toast("Time zone saved")
    await region("Time zone").getByText("America/New_York", { exact: true }).waitFor()
    await region("Retries").getByRole("button", { name: "Edit" }).click()
    await chooseRetries("On days that you choose")
    await page.getByRole("dialog").getByLabel("Days after the first failure").fill("2, 1")
    await button("Save").click()
    await page.locator("[role=alert]", { hasText: "Days after the first failure must ascend" }).waitFor()
    await page.getByRole("dialog").getByLabel("Days after the first failure").fill("1, 2, 10")
    await button("Save").click()
    await toast("Settings for retries saved")
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

  it("decisions: One trial — the rule is switched to all subscriptions, and the second one names the first", async () => {
    await open("/settings")
    await region("One trial per customer").getByText("Subscriptions bought in the store").waitFor()
    await region("One trial per customer").getByRole("button", { name: "Edit" }).click()
    await page.getByRole("dialog").getByRole("combobox", { name: "Holds for" }).click()
    await page.getByRole("option", { name: "All subscriptions, also those of your systems" }).click()
    await button("Save").click()
    await toast("Rule for trials saved")
    await region("One trial per customer").getByText("All subscriptions, also those of your systems").waitFor()
    const plan = await merchant.call("POST", PLANS, { ...PLAN, trial_period_days: 14 })
    const customer = someone()
    const made = async () => {
      const body = { subscription_plan_id: (plan.body as unknown as { id: number }).id, customer }
      return subscriptionOf(await merchant.call("POST", SUBSCRIPTIONS, body))
    }
    const [first, second] = [await made(), await made()]
    expect([first.status, second.status]).toEqual(["TRIALING", "PENDING"])
    await open(`/subscriptions/${second.uuid}`)
    await page.getByText("Not given: this customer had the plan's trial before.").waitFor()
    await picture("subscription-without-trial")
    await page.getByRole("link", { name: `See subscription ${first.id}` }).click()
    await page.waitForURL(new RegExp(`/subscriptions/${first.uuid}$`))
    await page.getByText("Trial", { exact: true }).first().waitFor()
    await open("/audit")
    await page.getByText("One trial per customer").first().waitFor()
  })

  it("docs/decisions/15 — acquirers of a way to pay are named in order, with shares and amounts", async () => {
    await open("/settings")
    await page.getByLabel("Edit Card").click()
    const dialog = page.getByRole("dialog")
    const fields = (name: string) => dialog.getByRole("group", { name, exact: true })
    for (const name of ["SSLCommerz", "shurjoPay"]) {
      await dialog.getByRole("button", { name: `Add ${name}` }).click()
    }
    await fields("SSLCommerz").getByLabel("Share").fill("90")
    await fields("shurjoPay").getByLabel("Share").fill("1000")
    await fields("shurjoPay").getByLabel("Up to").fill("৳৫,০০০")
    await button("Save").click()
    await fields("shurjoPay")
      .getByText(/whole number from 1 to 100/)
      .waitFor()
    await fields("shurjoPay").getByLabel("Share").fill("10")
    await fields("shurjoPay").getByRole("button", { name: "Move up" }).click()
    await picture("settings-routes")
    await button("Save").click()
    await toast("Card saved")
    const [card] = await gatewayOf(store).paymentSettings.list(sandbox())
    const none = { share: null, from_minor: null, to_minor: null }
    expect(card.routes).toEqual([
      { ...none, acquirer: "shurjopay", share: 10, to_minor: 500_000 },
      { ...none, acquirer: "sslcommerz", share: 90 },
    ])
    await page.getByLabel("Edit Card").click()
    await fields("shurjoPay").getByRole("button", { name: "Remove" }).click()
    await button("Save").click()
    await dialog.waitFor({ state: "detached" })
    expect((await gatewayOf(store).paymentSettings.list(sandbox()))[0].routes).toEqual([
      { ...none, acquirer: "sslcommerz", share: 90 },
    ])
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
    await toast("Settings for refunds and returns saved")
    const { may_overdraw, returns_refund_shipping, refund_approval_threshold_minor } =
      await gatewayOf(store).merchants.environment(sandbox())
    expect([may_overdraw, returns_refund_shipping, refund_approval_threshold_minor]).toEqual([true, true, 700_000])
  })

  it("what the API refuses about something that the form does not show is said in a toast", async () => {
    await open("/settings")
    await region("Rate limit").getByRole("button", { name: "Edit" }).click()
    await page.getByRole("dialog").getByRole("textbox").fill("৭")
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
    await Promise.all([page.waitForResponse(/connection-test/), button("Save").click()])
    await dialog.getByText("Correct them, or switch the account off to save it as it is.").waitFor()
    expect((await gatewayOf(store).acquirerAccounts.list(sandbox())).map(({ account }) => account)).not.toContainEqual(
      expect.objectContaining({ source: "admin" })
    )
    await dialog.getByRole("switch", { name: /^Takes new payments/ }).click()
    await button("Save").click()
    await toast("SSLCommerz saved")
    await page.getByText("Has never worked").waitFor()
    await picture("acquirers-never-worked")
    await button("Edit SSLCommerz").click()
    expect(await dialog.getByLabel("Store password").inputValue()).toBe("")
    await dialog.getByText("Stored. Leave it empty to keep it.").waitFor()
    await dialog.getByLabel("Store password").fill(` ${sslcommerz.store_passwd} `)
    await dialog.getByRole("switch", { name: /^Takes new payments/ }).click()
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
    const services = await page.locator("tbody tr").filter({ hasText: "SSLCommerz" }).innerText()
    expect(services).not.toContain("Nagad")
    expect(services).toContain("Card")
    await picture("acquirers-light")
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    expect(await page.content()).not.toContain(sslcommerz.store_passwd)
  })

  it("the fields of each acquirer's account have names and hints in words", async () => {
    await open("/settings/acquirers")
    const dialog = page.getByRole("dialog")
    for (const [name, field, hint] of [
      ["Nagad", "Merchant ID", "The address from which Nagad accepts your calls."],
      ["shurjoPay", "Prefix of the merchant", "shurjoPay gives it out"],
    ]) {
      await button(`Set up ${name}`).click()
      await dialog.getByText(hint).waitFor()
      await button("Save").click()
      await page.locator("[role=alert]", { hasText: `${field} is required` }).waitFor()
      expect(await dialog.getByLabel(field).count()).toBe(1)
      expect((await dialog.locator("label").allInnerTexts()).filter((text) => /_|^[a-z][a-z]/.test(text))).toEqual([])
      await button("Cancel").click()
      await dialog.waitFor({ state: "detached" })
    }
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
