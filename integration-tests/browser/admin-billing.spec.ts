import { prepareAdmin } from "../support/admin"
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
  rowsShown,
  settled,
  theme,
  toast,
  useAdminPages,
  WIDE,
} from "../support/admin-screens"
import { accessibilityProblems } from "../support/browser"
import { insertPlans } from "../support/many-rows"
import { bankSays } from "../support/secrets"
import { useStore } from "../support/store"
import { clockTo, Subscriber } from "../support/subscriptions"

const store = useStore({ shop: true, prepare: prepareAdmin, withAdmin: true })
useAdminPages(store)

describe("billing: plans, subscriptions and invoices", () => {
  const alert = (text: string) => page.getByText(text).first().waitFor()
  const dialog = () => page.getByRole("dialog")

  /** A subscription that was paid once and is past due since, with a card that works again. */
  /** `later`: what the bank says about the next tries. */
  async function pastDue(later = "SUCCESS"): Promise<Subscriber> {
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
    await bankSays(store, kept, later)
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
    const teas = Array.from({ length: 248 }, (_, index) => `Tea no. ${index + 3}`)
    const tenant = { merchant_id: merchant.id, environment: "sandbox" } as const
    const [, archived] = await insertPlans(store, tenant, ["Rare oolong", "Old blend", ...teas])
    await store.db("gateway_plan").where({ id: archived }).update({ is_active: false })
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

  it("docs/decisions/11: a plan is switched after its cost was seen, and a scheduled switch is taken back", async () => {
    const made = async (plan_name: string, amount: string) => {
      const terms = { plan_name, amount, interval_count: 1, interval_unit: "MONTH" }
      return (await merchant.call("POST", "/payments/subscription-plans", terms)).body as unknown as { id: number }
    }
    const small = await made("Small parcel", "500.00")
    await made("Large parcel", "1000.00")
    const subscriber = await Subscriber.create(merchant, { subscription_plan_id: small.id, amount: undefined })
    await subscriber.pay()
    await open(`/subscriptions/${subscriber.uuid}`)
    const choose = async () => {
      await button("Switch plan").click()
      await dialog().getByRole("combobox").fill("Large")
      await page.getByRole("option", { name: /Large parcel/ }).click()
    }
    await choose()
    await dialog().getByLabel("With the next period").click()
    await dialog()
      .getByText(/Next payment: ৳1,000\.00/)
      .waitFor()
    await dialog().getByRole("button", { name: "Switch plan" }).click()
    await toast("The new terms begin with the next period")
    await page.getByText("Large parcel · ৳1,000.00 every month").waitFor()
    await button("Keep the terms").click()
    await confirm("Keep the terms")
    await toast("The terms stay as they are")
    const kept = await subscriber.get()
    expect([kept.subscription_plan_id, "scheduled_change" in kept]).toEqual([small.id, false])
    await choose()
    await dialog().getByText("Charged now: ৳500.00").waitFor()
    await picture("subscription-switch")
    await dialog().getByRole("button", { name: "Switch plan" }).click()
    await toast("Switched to the new terms")
    await page.getByRole("heading", { name: "৳1,000.00 every month" }).waitFor()
    expect((await subscriber.charges()).map(({ amount_minor }) => amount_minor)).toEqual([50_000, 50_000])
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
    await dialog().getByLabel("Reason").click()
    await page.getByRole("option", { name: "Found something better" }).click()
    await dialog().getByLabel("Note").fill("moved away")
    await picture("subscription-cancel")
    await dialog().getByRole("button", { name: "Cancel subscription" }).click()
    await toast("Subscription cancelled")
    await page.getByText("Found something better").waitFor()
    await page.getByText("moved away").waitFor()
    await button("Undo the cancellation").click()
    await confirm("Undo the cancellation")
    await toast("Cancellation undone")
    expect(await subscriber.get()).toMatchObject({ status: "ACTIVE", cancellation_reason: null })
    await button("Cancel subscription").click()
    await dialog().getByRole("button", { name: "Cancel subscription" }).click()
    await button("Undo the cancellation").waitFor()
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

  it("one that ended because nothing could be charged says so in words", async () => {
    const subscriber = await pastDue("CARD_DECLINED")
    await merchant.advance(9 * 86_400)
    await open(`/subscriptions/${subscriber.uuid}`)
    await region("Details").getByText("The payment failed, also when it was tried for the last time").waitFor()
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
