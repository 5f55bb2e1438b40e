import { prepareAdmin } from "../support/admin"
import {
  heading,
  merchant,
  open,
  page,
  PAGES,
  PHONE,
  picture,
  region,
  theme,
  useAdminPages,
  WIDE,
} from "../support/admin-screens"
import { accessibilityProblems } from "../support/browser"
import { usePaymentHistory } from "../support/payment-history"
import { useStore } from "../support/store"

const store = useStore({ shop: true, prepare: prepareAdmin, withAdmin: true })
useAdminPages(store)
const { someHistory } = usePaymentHistory(store)

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
      "1 payment; ৳0.00 in as many days before",
      "৳250.00",
      "৳31.26",
      "Balance now",
      "Monthly recurring revenue now",
    ]) {
      expect(figures).toContain(text)
    }
    const change = (await region("From volume to balance").locator("dl").innerText()).replace(/\s+/g, " ")
    expect(change).toBe(
      "Balance at the start ৳0.00 Volume ৳1,250.50 Fees -৳31.26 Refunds -৳250.00 Disputes ৳0.00 Dispute fees ৳0.00 Payouts ৳0.00 Balance at the end ৳969.24"
    )
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
