import { prepareAdmin } from "../support/admin"
import { admin, elsewhere, merchant, open, PAGES, rows, tenant, useAdminPages } from "../support/admin-screens"
import { gatewayOf } from "../support/api"
import { accessibilityProblems } from "../support/browser"
import { useStore } from "../support/store"

const store = useStore({ shop: true, prepare: prepareAdmin, withAdmin: true })
useAdminPages(store)

describe("payment links", () => {
  it("are made, shown with their QR code, and closed", async () => {
    await open("/links")
    await admin.button("Create payment link").click()
    const dialog = admin.page.getByRole("dialog")
    await dialog.getByLabel("Amount").fill("5")
    await dialog.getByLabel("What it is for").fill("Tea for the office")
    await dialog.getByRole("button", { name: "Create payment link" }).click()
    await dialog.getByRole("alert").first().waitFor()
    await admin.picture("links-form")
    await dialog.getByLabel("Amount").fill("250")
    await dialog.getByRole("switch", { name: "For one customer" }).click()
    await dialog.getByLabel("Name").fill("Karim Ahmed")
    await dialog.getByLabel("E-mail").fill("karim@example.com")
    await dialog.getByLabel("Phone").fill("01712345678")
    await dialog.getByRole("button", { name: "Create payment link" }).click()
    await admin.shows("Payment link created")
    await dialog.getByRole("img", { name: "QR code of the payment link" }).waitFor()
    const [{ token }] = await store.db("gateway_payment_link").where({ merchant_id: merchant.id })
    await dialog.getByText(`/pay/link/${token}`).first().waitFor()
    await admin.picture("links-drawer")
    await dialog.getByRole("button", { name: "Close link" }).click()
    await admin.answer("Close link")
    await dialog.getByText("Closed", { exact: true }).first().waitFor()
    await admin.page.keyboard.press("Escape")
    await rows().getByText("Closed").waitFor()
    await admin.page.getByRole("region", { name: "Totals of all rows" }).getByText("Open: ৳0.00").waitFor()
    await admin.picture("links-light")
    expect(await accessibilityProblems(admin.page, PAGES)).toEqual([])
    await elsewhere("/links", "links")
  })

  it("their public page fits a phone, in both languages", async () => {
    const link = await gatewayOf(store).paymentLinks.create(
      { ...tenant(), now: new Date() },
      { amount: 25_000n, currency: "BDT", description: "Tea for the office", customer: null, expires_at: null }
    )
    await admin.look("light", "phone")
    for (const language of ["en", "bn"]) {
      await admin.page.goto(`${store.url}/pay/link/${link.token}?lang=${language}`)
      expect(await admin.page.getByRole("textbox").count()).toBe(3)
      expect(await accessibilityProblems(admin.page)).toEqual([])
      expect(await admin.fitsTheScreen()).toBe(true)
      await admin.picture(`link-page-${language}-phone`)
    }
    await admin.page.goto(`${store.url}/pay/link/${link.token}?lang=en`)
    await admin.page.getByLabel("Your name").fill("Karim Ahmed")
    await admin.page.getByLabel("E-mail address").fill("karim@example.com")
    await admin.page.getByLabel("Phone number").fill("01712345678")
    await admin.page.getByRole("button", { name: "Pay ৳250.00" }).click()
    await admin.page.waitForURL(/\/pay\/ses_/)
    await admin.shows("Tea for the office")
    await admin.look("light", "wide")
  })
})
