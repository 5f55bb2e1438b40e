import { readFileSync } from "node:fs"
import type { Locator } from "playwright-core"
import qrcode from "qrcode-generator"
import { prepareAdmin } from "../support/admin"
import {
  admin,
  elsewhere,
  merchant,
  open,
  PAGES,
  payByCard,
  rows,
  tenant,
  useAdminPages,
} from "../support/admin-screens"
import { gatewayOf } from "../support/api"
import { accessibilityProblems } from "../support/browser"
import { useStore } from "../support/store"

const store = useStore({ shop: true, prepare: prepareAdmin, withAdmin: true })
useAdminPages(store)

/** Both files show the code that is on the page, and the code is the link's: PNG and SVG differ in no pixel. */
async function expectFiles(dialog: Locator, token: string): Promise<void> {
  const saved = async (format: string) => {
    const button = dialog.getByRole("button", { name: `QR code as ${format}` })
    const [file] = await Promise.all([admin.page.waitForEvent("download"), button.click()])
    expect(file.suggestedFilename()).toMatch(new RegExp(`^lnk_\\w+\\.${format.toLowerCase()}$`))
    return readFileSync(await file.path())
  }
  const [png, svg] = [await saved("PNG"), await saved("SVG")]
  expect(png.subarray(1, 4).toString()).toBe("PNG")
  const images = [`image/png;base64,${png.toString("base64")}`, `image/svg+xml;base64,${svg.toString("base64")}`]
  const [first, second] = await admin.page.evaluate(async (sources) => {
    const pixels = async (source: string) => {
      const image = Object.assign(new Image(), { src: `data:${source}` })
      await image.decode()
      const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height })
      const context = canvas.getContext("2d") as CanvasRenderingContext2D
      context.drawImage(image, 0, 0)
      const { data } = context.getImageData(0, 0, image.width, image.height)
      const dark = Array.from({ length: data.length / 4 }, (_, index) => (data[index * 4] < 128 ? "1" : "0")).join("")
      return { width: image.width, dark }
    }
    return Promise.all(sources.map(pixels))
  }, images)
  expect(second).toEqual(first)
  const code = qrcode(0, "M")
  code.addData(`${store.url}/pay/link/${token}`)
  code.make()
  const scale = first.width / (code.getModuleCount() + 8)
  const modules = Array.from({ length: code.getModuleCount() }, (_, index) => index)
  const centre = (index: number) => Math.floor((index + 4.5) * scale)
  const drawn = modules.map((row) =>
    modules.map((column) => first.dark[centre(row) * first.width + centre(column)] === "1")
  )
  expect(drawn).toEqual(modules.map((row) => modules.map((column) => code.isDark(row, column))))
}

/** As acquirers lead back: with a form that another site's page sends. */
async function comeBackFromAnotherSite(session_id: string): Promise<void> {
  const { page } = admin
  const form = `<form method="post" action="${store.url}/pay/${session_id}/return"><button>Back to the shop</button></form>`
  await page.route("http://acquirer.example/", (route) => route.fulfill({ contentType: "text/html", body: form }))
  await page.goto("http://acquirer.example/")
  await page.getByRole("button", { name: "Back to the shop" }).click()
  await page.waitForURL(/\/pay\/link\//)
}

async function enterPayer(): Promise<void> {
  const { page } = admin
  await page.getByLabel("Your name").fill("Karim Ahmed")
  await page.getByLabel("E-mail address").fill("karim@example.com")
  await page.getByLabel("Phone number").fill("01712345678")
}

/** Chooses a suggested amount, and then pays again another one, on a phone. */
async function payOnItsPage(path: string): Promise<void> {
  const { page } = admin
  const pay = page.getByRole("button", { name: "Pay", exact: true })
  await admin.look("light", "phone")
  await page.goto(`${store.url}${path}?lang=bn`)
  expect(await page.getByRole("radio").count()).toBe(3)
  await admin.picture("link-page-many-bn-phone")
  await page.goto(`${store.url}${path}?lang=en`)
  expect(await accessibilityProblems(page)).toEqual([])
  expect(await admin.fitsTheScreen()).toBe(true)
  const other = page.getByRole("textbox", { name: "Another amount" })
  await page.getByLabel("৳500.00").check()
  expect(await other.isVisible()).toBe(false)
  await enterPayer()
  await pay.click()
  await page.waitForURL(/\/pay\/ses_/)
  await admin.shows("৳500.00")
  await payByCard()
  await admin.shows("Paid with Visa ending in 4242")
  await admin.picture("link-page-many-paid-phone")
  await page.getByRole("link", { name: "Pay again" }).click()
  await page.getByRole("radio", { name: "Another amount" }).check()
  await enterPayer()
  await other.fill("10")
  await pay.click()
  await admin.shows("Enter an amount from ৳50.00 to ৳5,000.00.")
  expect(await accessibilityProblems(page)).toEqual([])
  await admin.picture("link-page-many-wrong-phone")
  await other.fill("১,২৩৪.৫০")
  await pay.click()
  await page.waitForURL(/\/pay\/ses_/)
  await payByCard()
  await admin.shows("৳1,234.50")
  await page.goto(`${store.url}${path}?lang=en`)
  await admin.shows("as often as the shop asked for")
  await admin.look("light", "wide")
}

describe("payment links", () => {
  it("are made, shown with their QR code, and closed", async () => {
    await open("/links")
    await admin.button("Create payment link").click()
    const dialog = admin.page.getByRole("dialog")
    await dialog.getByLabel("Amount", { exact: true }).fill("5")
    await dialog.getByLabel("What it is for").fill("Tea for the office")
    await dialog.getByRole("button", { name: "Create payment link" }).click()
    await dialog.getByRole("alert").first().waitFor()
    await admin.picture("links-form")
    await dialog.getByLabel("Amount", { exact: true }).fill("250")
    await dialog.getByRole("switch", { name: "For one customer" }).click()
    await dialog.getByLabel("Name").fill("Karim Ahmed")
    await dialog.getByLabel("E-mail").fill("karim@example.com")
    await dialog.getByLabel("Phone").fill("1712-345678")
    await dialog.getByRole("button", { name: "Create payment link" }).click()
    await admin.shows("Payment link created")
    await dialog.getByRole("img", { name: "QR code of the payment link" }).waitFor()
    const [{ token }] = await store.db("gateway_payment_link").where({ merchant_id: merchant.id })
    await dialog.getByText(`/pay/link/${token}`).first().waitFor()
    await admin.picture("links-drawer")
    await expectFiles(dialog, token)
    const mail = decodeURIComponent(
      (await dialog.getByRole("link", { name: "Send by e-mail" }).getAttribute("href")) ?? ""
    )
    expect(mail).toMatch(/^mailto:karim@example\.com\?subject=Tea for the office&body=Please pay ৳250\.00 here: http/)
    expect(mail.endsWith(`/pay/link/${token}`)).toBe(true)
    // The phone was typed without its zero: the address has it in full.
    await admin.page.context().route("https://wa.me/**", (route) => route.fulfill({ body: "WhatsApp" }))
    const write = dialog.getByRole("link", { name: "Send by WhatsApp" })
    const [message] = await Promise.all([admin.page.waitForEvent("popup"), write.click()])
    await message.waitForURL(/wa\.me/)
    expect(decodeURIComponent(message.url())).toMatch(
      /^https:\/\/wa\.me\/8801712345678\?text=Please pay ৳250\.00 here: http\S+$/
    )
    await message.close()
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
    await enterPayer()
    await admin.page.getByRole("button", { name: "Pay ৳250.00" }).click()
    await admin.page.waitForURL(/\/pay\/ses_/)
    await admin.shows("Tea for the office")
    await payByCard()
    await admin.shows("Paid with Visa ending in 4242")
    expect(await accessibilityProblems(admin.page)).toEqual([])
    await admin.picture("link-page-paid-phone")
    // Whoever reads on in the other language still sees what was paid.
    await admin.page.getByRole("link", { name: "বাংলা" }).click()
    await admin.shows("রসিদ ডাউনলোড করুন")
    await admin.page.getByRole("link", { name: "English" }).click()
    await admin.shows("Paid with Visa ending in 4242")
    const { pathname } = new URL(admin.page.url())
    const [{ session_id }] = await store.db("gateway_transaction").where({ link_id: link.id })
    await comeBackFromAnotherSite(session_id)
    expect(new URL(admin.page.url()).pathname).toBe(pathname)
    await admin.shows("Paid with Visa ending in 4242")
    const receipt = admin.page.getByRole("link", { name: "Download the receipt" })
    const [file] = await Promise.all([admin.page.waitForEvent("download"), receipt.click()])
    expect(
      readFileSync(await file.path())
        .subarray(0, 5)
        .toString()
    ).toBe("%PDF-")
    await admin.look("light", "wide")
  })
  it("that many can pay take a suggested amount or another one, and list their payments", async () => {
    await open("/links")
    await admin.button("Create payment link").click()
    const dialog = admin.page.getByRole("dialog")
    await dialog.getByRole("switch", { name: "The payer chooses the amount" }).click()
    await dialog.getByLabel("Minimum").fill("50")
    await dialog.getByLabel("Maximum").fill("৫,০০০")
    await dialog.getByLabel("Suggested amounts").fill("100, 500 6000")
    await dialog.getByRole("switch", { name: "Many can pay it" }).click()
    await dialog.getByLabel("Number of payments").fill("2")
    await dialog.getByLabel("What it is for").fill("Flood relief")
    await dialog.getByRole("button", { name: "Create payment link" }).click()
    await dialog.getByText("must be an amount from 50.00 to 5,000.00").waitFor()
    await admin.picture("links-form-many")
    await dialog.getByLabel("Suggested amounts").fill("100 500")
    await dialog.getByRole("button", { name: "Create payment link" }).click()
    await admin.shows("Payment link created")
    await dialog.getByText("৳50.00 to ৳5,000.00").waitFor()
    await dialog.getByText("Nobody has begun to pay yet.").waitFor()
    const [{ id, token }] = await store.db("gateway_payment_link").where({ merchant_id: merchant.id, max_payments: 2 })
    await payOnItsPage(`/pay/link/${token}`)
    await open(`/links?q=${id}`)
    await rows().getByText("2 of 2").waitFor()
    await rows().getByRole("button").first().click()
    await dialog.getByText("2 payments, ৳1,734.50 in all").waitFor()
    await dialog.getByRole("listitem").nth(1).waitFor()
    expect(await dialog.getByRole("listitem").allInnerTexts()).toEqual([
      expect.stringMatching(/Karim Ahmed[^]*৳1,234\.50[^]*Paid/),
      expect.stringMatching(/Karim Ahmed[^]*৳500\.00[^]*Paid/),
    ])
    await admin.picture("links-drawer-many")
    expect(await accessibilityProblems(admin.page, PAGES)).toEqual([])
    await dialog.getByRole("link", { name: "Show all of its payments" }).click()
    await admin.page.waitForURL(/\/gateway\/payments\?q=lnk_/)
    await rows().getByText("৳1,234.50").waitFor()
    expect(await rows().count()).toBe(2)
  })
})
