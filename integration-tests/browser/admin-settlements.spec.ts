import { insertAccount } from "../support/acquirer-accounts"
import { openStripe, STRIPE, stripe } from "../support/acquirer-stand-ins"
import { prepareAdmin } from "../support/admin"
import {
  admin,
  button,
  heading,
  merchant,
  open,
  page,
  paid,
  PAGES,
  picture,
  region,
  rowsShown,
  toast,
  useAdminPages,
  WIDE,
} from "../support/admin-screens"
import { accessibilityProblems } from "../support/browser"
import { blocked } from "../support/locks"
import { expectLoggedErrors } from "../support/logged-errors"
import { useStore } from "../support/store"

openStripe()
const store = useStore({ shop: true, prepare: prepareAdmin, withAdmin: true, env: STRIPE })
useAdminPages(store)
expectLoggedErrors(/refuses our calls: credentials, in settlements/)

const DESK = { width: 1280, height: 900 }
const SMALL = { width: 360, height: 740 }
const PHONE = { width: 360, height: 640 }
const HEADER = "ধরন,লেনদেন আইডি,তারিখ,পরিমাণ,ফি,ভ্যাট"

beforeEach(() => page.setViewportSize(DESK))
afterEach(() => page.setViewportSize(WIDE))

const dialog = () => page.getByRole("dialog")
const lines = () => store.db("gateway_settlement_line").where({ merchant_id: merchant.id }).orderBy("line")
const result = () => page.getByRole("list", { name: "First lines as they would be read" })

/** Today in Bangladesh, as the file of the tests writes it. */
function today(): string {
  const [year, month, day] = new Date(Date.now() + 6 * 3_600_000).toISOString().slice(0, 10).split("-")
  return `${day}/${month}/${year}`
}

async function referenceOf(id: string): Promise<string> {
  return (await store.db("gateway_transaction").where({ id }).first()).acquirer_reference
}

const fileOf = (...rows: string[]) => ["বিকাশ সেটেলমেন্ট প্রতিবেদন,,,,,", HEADER, ...rows].join("\n")

/** The choice of a field, by its label. */
async function choose(field: string, option: string): Promise<void> {
  await page.getByRole("combobox", { name: field, exact: true }).click()
  await page.getByRole("option", { name: option, exact: true }).click()
}

/** Chooses the file and maps its columns and words into a new template, by clicks and a name. */
async function mapFile(file: string): Promise<void> {
  await open("/settlements/import")
  await admin.file("week.csv", file)
  await heading("A new template").waitFor()
  await page.getByLabel("Name", { exact: true }).fill("bKash weekly")
  await choose("বিক্রি", "Payment")
  await button("Save the template").first().click()
  await toast("bKash weekly is saved as version 1")
}

async function say(what: string, number: string | null, note: string | null): Promise<void> {
  await button(what).click()
  if (number !== null) {
    await dialog().getByLabel("Number").fill(number)
  }
  if (note !== null) {
    await dialog().getByLabel("Reason").fill(note)
  }
  await dialog().getByRole("button", { name: what }).click()
  await dialog().waitFor({ state: "detached" })
}

/** The page in Bangla on a small phone; nothing may stick out. */
async function inBangla(path: string, name: string): Promise<void> {
  const speak = (language: string) =>
    page.evaluate((to) => {
      localStorage.setItem("lng", to)
      document.cookie = `lng=${to}; path=/`
    }, language)
  await speak("bn")
  await page.setViewportSize(SMALL)
  await open(path)
  await page.locator("[lang=bn-BD]").first().waitFor()
  expect([path, await admin.fitsTheScreen()]).toEqual([path, true])
  await admin.picture(`settlements-${name}-bn-phone`, 2400)
  await speak("en")
  await page.setViewportSize(DESK)
}

describe("a settlement file", () => {
  it("is mapped, looked at and imported; its lines are matched, explained and undone; and it is taken out again", async () => {
    const [one, two, three] = [await paid(), await paid(), await paid("500.00")]
    const [first, second] = [await referenceOf(one), await referenceOf(two)]
    await open("/settlements")
    await page.getByText("No files yet").waitFor()
    await picture("settlements-empty")
    await page.getByRole("link", { name: "Import a file" }).click()
    await heading("Import a settlement file").waitFor()
    await admin.file("week.pdf", "%PDF-1.7")
    await page
      .getByRole("alert")
      .getByText(/is a PDF/)
      .waitFor()
    const file = fileOf(
      `বিক্রি,${first},${today()},১০০০.০০,২০,৩`,
      `বিক্রি,${second},${today()},"৯৯০.০০",২০,৩`,
      `বিক্রি,nobody-knows,${today()},৫০০,১০,১.৫`,
      "মোট,,,২৪৯০,৫০,৭.৫"
    )
    await admin.file("week.csv", file)
    await heading("A new template").waitFor()
    // What the columns are called is recognised; what the words mean, nobody can know.
    for (const [column, name] of [
      ["Acquirer's number", "লেনদেন আইডি"],
      ["Amount", "পরিমাণ"],
      ["VAT on the fee", "ভ্যাট"],
      ["Dates", "31/01/2026, day first"],
    ]) {
      await page.getByRole("combobox", { name: column, exact: true }).getByText(name, { exact: true }).waitFor()
    }
    await page.getByText("0 lines can be imported, 1 left out", { exact: true }).waitFor()
    await page.getByText('3 lines wait: say under "Words for kinds" what their words mean.').waitFor()
    await admin.picture("settlements-mapping", 2600)
    await page.setViewportSize(PHONE)
    expect(await admin.fitsTheScreen()).toBe(true)
    await admin.picture("settlements-mapping-phone", 5200)
    await page.setViewportSize(DESK)
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    await choose("Acquirer's number", "Not in the file")
    await page
      .getByRole("alert")
      .getByText(/file cannot be read like this yet/)
      .waitFor()
    await choose("Acquirer's number", "লেনদেন আইডি")
    await choose("বিক্রি", "Payment")
    await page.getByText("3 lines can be imported, 1 left out", { exact: true }).waitFor()
    const read = result().getByRole("listitem").filter({ hasText: second })
    await read.getByText("৳990.00").waitFor()
    await read.getByText("৳967.00").waitFor()
    await result().getByText('the line begins with "মোট"').waitFor()
    expect(await lines()).toEqual([])
    await button("Save the template").first().click()
    await admin.shows("name is required")
    await page.getByLabel("Name", { exact: true }).fill("bKash weekly")
    await page.getByText("name is required").waitFor({ state: "detached" })
    await button("Save the template").first().click()
    await toast("bKash weekly is saved as version 1")
    await admin.picture("settlements-preview", 1700)
    await button("Import 3 lines").click()
    await heading("week.csv").waitFor()
    await page.getByText("Imported", { exact: true }).first().waitFor()
    await rowsShown(3)
    await page.locator("tbody").getByText("number not found").waitFor()
    await admin.picture("settlements-import", 1500)
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    const { pathname } = new URL(page.url())
    const ofFile = pathname.replace("/app/gateway", "")

    await page.getByRole("link", { name: "1 line with other figures than ours" }).click()
    await rowsShown(1)
    await page.locator("tbody").getByRole("link").first().click()
    const compared = region("Figures of the line")
    await compared.getByRole("row").filter({ hasText: "Amount" }).getByText("৳990.00").waitFor()
    await compared.getByRole("row").filter({ hasText: "Amount" }).getByText("৳1,000.00").waitFor()
    await compared
      .getByRole("row")
      .filter({ hasText: "Amount" })
      .getByText(/10\.00$/)
      .waitFor()
    await picture("settlements-line")
    // On a phone the difference stands beside the figures, without scrolling.
    await page.setViewportSize(PHONE)
    expect(await compared.evaluate((shown) => shown.scrollWidth <= shown.clientWidth)).toBe(true)
    await page.setViewportSize(DESK)
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    const differing = new URL(page.url()).pathname.replace("/app/gateway", "")
    await say("Explain", null, "the bank kept ten")
    await page.locator(PAGES).getByText("Explained", { exact: true }).waitFor()
    await region("Details").getByText("the bank kept ten").waitFor()
    await region("Details").getByText("admin@example.com").waitFor()
    await say("Undo", null, "it is another payment")
    await page.locator(PAGES).getByText("Unknown", { exact: true }).waitFor()
    await say("Match", two, null)
    await page.locator(PAGES).getByText("Differs", { exact: true }).waitFor()
    await region("Details").getByRole("link", { name: "Open payment" }).waitFor()

    await open("/settlements/lines?status=unknown")
    await rowsShown(1)
    await page.locator("tbody").getByRole("link").first().click()
    await button("Match").click()
    await dialog().getByLabel("Number").fill("nobody")
    await dialog().getByRole("button", { name: "Match" }).click()
    await dialog().getByText("No payment, refund or dispute of this source has this number").waitFor()
    await dialog().getByLabel("Number").fill(three)
    await dialog().getByRole("button", { name: "Match" }).click()
    await toast("The line is changed")
    await page.locator(PAGES).getByText("Matched", { exact: true }).waitFor()
    expect((await lines()).map(({ state }) => state)).toEqual(["matched", "differs", "matched"])

    await inBangla(differing, "line")
    await inBangla(ofFile, "import")
    await inBangla("/settlements/lines", "lines")
    await open(ofFile)
    await button("Take the file out").click()
    await dialog().getByText("Its 3 lines are deleted").waitFor()
    await dialog().getByRole("button", { name: "Take the file out" }).click()
    await dialog()
      .getByText(/is required/)
      .waitFor()
    await dialog().getByLabel("Reason").fill("the wrong week")
    await dialog().getByRole("button", { name: "Take the file out" }).click()
    await toast("The file is taken out")
    await page.locator(PAGES).getByText("the wrong week").waitFor()
    expect(await lines()).toEqual([])
    await inBangla("/settlements", "list")
  }, 240_000)

  it("is read by the template that fits; a change of that is its next version", async () => {
    const one = await paid()
    const row = `বিক্রি,${await referenceOf(one)},${today()},১০০০.০০,২০,৩`
    await mapFile(fileOf(row))
    await open("/settlements/import")
    await admin.file("next.csv", fileOf(row, `ফেরত,x,${today()},-5,0,0`))
    await page.getByText("The file has the columns of this template.").waitFor()
    await page.getByText("1 line can be imported, 1 problem", { exact: true }).waitFor()
    await button("Change the template").click()
    await heading("The template's next version").waitFor()
    await choose("ফেরত", "Refund")
    await page.getByText("2 lines can be imported", { exact: true }).waitFor()
    await button("Save the template").first().click()
    await toast("bKash weekly is saved as version 2")
    await button("Import 2 lines").waitFor()
    await page.getByRole("link", { name: "Templates", exact: true }).click()
    await page.getByRole("link", { name: "bKash weekly" }).click()
    await region("Versions").getByRole("link", { name: "Version 1" }).waitFor()
    await region("Columns").getByText("ফেরত", { exact: true }).waitFor()
    await picture("settlements-template")
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    const { pathname } = new URL(page.url())
    await region("Versions").getByRole("link", { name: "Version 1" }).click()
    await page.getByText("An earlier version").waitFor()
    await region("Columns").getByText("ফেরত", { exact: true }).waitFor({ state: "detached" })
    await inBangla(pathname.replace("/app/gateway", ""), "template")
  })

  it("says how far it is while it is read, and is stopped", async () => {
    await mapFile(fileOf(`বিক্রি,x,${today()},১০০০.০০,২০,৩`))
    await whileHeld("sandbox", async () => {
      await button("Import 1 line").click()
      await blocked(store, 1)
      await page.getByText("0 of 1 lines read").waitFor()
      await picture("settlements-progress")
      await stopImport()
    })
    await heading("week.csv").waitFor()
    await page.locator(PAGES).getByText("Stopped", { exact: true }).waitFor()
    expect(await lines()).toEqual([])
  })
})

/** Runs with an import of the merchant waiting for its source: what it does next is held back. */
async function whileHeld(source: string, work: () => Promise<void>): Promise<void> {
  const holder = await store.db.transaction()
  const name = `gateway_settlement:${merchant.id}:sandbox:${source}`
  await holder.raw("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", [name])
  try {
    await work()
  } finally {
    await holder.rollback()
  }
}

async function stopImport(): Promise<void> {
  await button("Stop").click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Stop" }).click()
  await toast("The import is stopped")
}

describe("an acquirer's API", () => {
  it("gives settlements of two days without a file: progress and stop as for one, and what is wrong in words", async () => {
    const there = new Date(Date.now() + 6 * 3_600_000)
    const monthFrom = (months: number) => Date.UTC(there.getUTCFullYear(), there.getUTCMonth() + months, 1)
    const [from, to] = [monthFrom(-1), monthFrom(0) - 86_400_000].map((day) => new Date(day).toISOString().slice(0, 10))
    const charge = () => stripe.account.charge({ amount: -2_000, currency: "bdt", type: "stripe_fee" })
    const payOut = (automatic: boolean) =>
      stripe.account.payOut({ automatic, currency: "bdt", arrival_date: monthFrom(-1) / 1_000 })
    charge()
    payOut(true)
    charge()
    const byHand = payOut(false)
    const secrets = { secret_key: stripe.secret_key }
    await insertAccount(store, {
      id: "gaa_0123456789abcdef01234567cc",
      merchant_id: merchant.id,
      acquirer: "stripe",
      secrets,
    })
    await open("/settlements/import")
    await heading("Get it from Stripe").waitFor()
    const [first, last] = [page.getByLabel("Paid out from"), page.getByLabel("Paid out to")]
    expect([await first.inputValue(), await last.inputValue()]).toEqual([from, to])
    await picture("settlements-fetch")
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    const get = button("Get the settlements")
    await last.fill("2025-01-31")
    await get.click()
    await page.getByText(/must not be after/).waitFor()
    expect([await first.getAttribute("aria-invalid"), await last.getAttribute("aria-invalid")]).toEqual(["true", null])
    await last.fill(to)
    stripe.faults.next("forbidden", { on: "GET /v1/balance_transactions" })
    await get.click()
    await page
      .locator(PAGES)
      .getByRole("alert")
      .getByText(/may not read balance/)
      .waitFor()
    await whileHeld("stripe", async () => {
      await get.click()
      await blocked(store, 1)
      await page.getByText("0 lines read").waitFor()
      await picture("settlements-fetch-progress")
      await stopImport()
    })
    const name = `Stripe ${from} – ${to}`
    await heading(name).waitFor()
    await page.locator(PAGES).getByText("Stopped", { exact: true }).waitFor()
    expect(await lines()).toEqual([])

    await open("/settlements/import")
    await get.click()
    await toast("The settlements are imported")
    await heading(name).waitFor()
    await page.locator("dd").getByText("Stripe, by its API", { exact: true }).waitFor()
    await page.getByText(new RegExp(`${byHand.id} of .* was made by hand`)).waitFor()
    await page.getByText("These are not imported. Each says why, and what you can do.").waitFor()
    await rowsShown(1)
    await admin.picture("settlements-fetched", 1500)
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    await page.getByRole("link", { name: "Files", exact: true }).click()
    await rowsShown(3)
    expect(await page.locator("tbody").getByText("Stripe, by its API", { exact: true }).count()).toBe(3)
    await inBangla("/settlements/import", "fetch")
  })
})

describe("what came to the bank", () => {
  it("is matched with the settlements that it brings; the month shows it, is closed and opened again", async () => {
    const one = await paid()
    const day = new Date(Date.now() + 6 * 3_600_000).toISOString().slice(0, 10)
    const settled = `লেনদেন আইডি,তারিখ,পরিমাণ,ফি,ভ্যাট,ব্যাচ\n${await referenceOf(one)},${day},1000,20,3,S-1`
    await open("/settlements/import")
    await admin.file("week.csv", settled)
    await page.getByLabel("Name", { exact: true }).fill("Weekly")
    await page.getByText("1 line can be imported", { exact: true }).waitFor()
    await button("Save the template").first().click()
    await button("Import 1 line").click()
    await heading("week.csv").waitFor()
    await open("/settlements/import")
    const statement = `${day},EFT of the acquirer,,970.00,5970.00\n${day},Fee of the account,25.00,,5945.00`
    await admin.file("bank.csv", `Date,Particulars,Debit,Credit,Balance\n${statement}`)
    await page.getByLabel("Name", { exact: true }).fill("City Bank statement")
    await page.getByLabel("Bank", { exact: true }).fill("City")
    await page.getByText("2 lines can be imported", { exact: true }).waitFor()
    await button("Save the template").first().click()
    await button("Import 2 lines").click()
    await heading("bank.csv").waitFor()

    await page.getByRole("link", { name: "Deposits", exact: true }).click()
    await heading("Money in the bank").waitFor()
    await rowsShown(2)
    await admin.picture("settlements-deposits", 1300)
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    await page.locator("tbody tr").filter({ hasText: "৳970.00" }).getByRole("link").first().click()
    await button("Match with settlements").click()
    await dialog()
      .getByRole("checkbox", { name: /S-1 · ৳977\.00/ })
      .click()
    await dialog().getByLabel("Amount of S-1").fill("960")
    await dialog().getByText("৳10.00 more has come than is chosen.").waitFor()
    await dialog().getByLabel("Amount of S-1").fill("977")
    await dialog().getByText("The bank kept ৳7.00.").waitFor()
    await picture("settlements-deposit-form")
    expect(await accessibilityProblems(page, "[role=dialog]")).toEqual([])
    await dialog().getByRole("button", { name: "Match with settlements" }).click()
    await toast("The line is changed")
    await region("What it brings").getByText("৳977.00").waitFor()
    await region("What it brings").getByText("৳7.00").waitFor()
    const deposit = new URL(page.url()).pathname.replace("/app/gateway", "")

    await open("/settlements/lines?status=unknown")
    await page.locator("tbody tr").filter({ hasText: "25.00" }).getByRole("link").first().click()
    await button("Match with settlements").click()
    await dialog().getByText("The bank kept ৳25.00.").waitFor()
    await dialog().getByRole("button", { name: "Match with settlements" }).click()
    await toast("The line is changed")
    await region("What it brings").getByText("৳25.00").first().waitFor()
    const charges = await admin.downloaded(() => button("Journal as CSV").click())
    expect(charges.text.trim().split("\r\n")).toHaveLength(3)

    await open("/settlements/months")
    await region("Account numbers").getByRole("button", { name: "Edit: Fees" }).click()
    await dialog().getByLabel("Account number").fill("4010")
    await dialog().getByRole("button", { name: "Save" }).click()
    await toast("The account number is saved")
    await region("Account numbers").getByText("4010").waitFor()
    await picture("settlements-months")
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    await page.locator("tbody").getByRole("link").first().click()
    await page.getByRole("link", { name: "Deposited: ৳970.00" }).click()
    await heading(/^What came to the bank in/).waitFor()
    await page.locator("tbody tr").filter({ hasText: "৳970.00" }).waitFor()
    await page.goBack()
    await page.getByRole("link", { name: "Deposited: ৳970.00" }).waitFor()
    const month = new URL(page.url()).pathname.replace("/app/gateway", "")
    await admin.picture("settlements-month", 1500)
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    const report = await admin.downloaded(() => button("Report as PDF").click())
    expect(report.name).toMatch(/^settlement-sandbox-sandbox-.*\.pdf$/)
    const journal = await admin.downloaded(() => button("Journal as CSV").click())
    expect(journal.text).toContain("977.00")
    await button("Close the month").click()
    await dialog().getByRole("button", { name: "Close the month" }).click()
    await page.getByText(/is not over/).waitFor()
    await merchant.advance(45 * 86_400)
    await open(month)
    await say("Close the month", null, null)
    await page.locator(PAGES).getByText("Closed by").waitFor()
    await page.locator(PAGES).getByText("admin@example.com").waitFor()
    await say("Reopen the month", null, "a line was forgotten")
    await page.locator(PAGES).getByText("a line was forgotten").waitFor()
    await page.getByRole("link", { name: /^Payments: / }).click()
    await heading(/What moved in/).waitFor()
    await rowsShown(1)
    await page.goBack()
    await page
      .getByRole("link", { name: /^Settled, net: / })
      .first()
      .click()
    await rowsShown(1)
    await page.getByText("You see the lines that a figure is made of.").waitFor()
    // A statement has days alone, and the audit log says in words what was done.
    await open("/settlements/lines")
    await page.locator("tbody tr").first().waitFor()
    expect(await page.innerText(PAGES)).not.toContain("00:00:00")
    await open("/audit")
    const matched = page.locator("tbody tr").filter({ hasText: "deposit matched" }).filter({ hasText: "7.00" })
    await matched.locator("li", { hasText: /Bank's charge.*→ ৳7\.00/ }).waitFor()
    const said = await page.innerText(PAGES)
    expect(said).toMatch(/Source[^]*?→ Bank \S+/)
    expect(said).not.toMatch(/(bank|courier|payment|refund):\w/)
    await inBangla(deposit, "deposit")
    await inBangla(month, "month")
    await inBangla("/settlements/months", "months")
    await inBangla("/settlements/deposits", "deposits")
  }, 240_000)
})

describe("what settlements are compared with", () => {
  it("fees that were agreed, by which the next file is measured; and payments that are in no file", async () => {
    const [one, two] = [await paid(), await paid()]
    const day = 86_400_000
    await store
      .db("gateway_transaction")
      .where({ id: two })
      .update({ finished_at: new Date(Date.now() - 8 * day) })
    await open("/settlements/fees")
    await page.getByText("Nothing was agreed with this source.").waitFor()
    await button("Add an agreement").click()
    await dialog().getByLabel("Valid from").fill("2026-01-01")
    await dialog().getByLabel("Percent of the amount").fill("১.৮৫")
    await picture("settlements-fee-form")
    await dialog().getByRole("button", { name: "Save" }).click()
    await toast("The agreement is saved")
    await page.locator("tbody").getByText("1.85%").waitFor()
    await page.locator("tbody").getByText("15%").waitFor()
    await inBangla("/settlements/fees", "fees")
    const [date, month, year] = new Date(Date.now() - 9 * day)
      .toLocaleDateString("en-GB", { timeZone: "Asia/Dhaka" })
      .split("/")
    await mapFile(fileOf(`বিক্রি,${await referenceOf(one)},${date}/${month}/${year},১০০০.০০,২০,৩`))
    await button("Import 1 line").click()
    await heading("week.csv").waitFor()
    await rowsShown(1)
    await page.locator("tbody").getByText("fee, date").waitFor()
    await page.locator("tbody").getByRole("link").first().click()
    const fee = region("Figures of the line").getByRole("row").filter({ hasText: "Fee" })
    await fee.getByText("৳18.50").waitFor()
    await fee.getByText("৳1.50").waitFor()
    await open("")
    await page.getByRole("link", { name: /Payments not settled after 5 days: .*sandbox/i }).click()
    await heading("Missing payments").waitFor()
    expect(new URL(page.url()).searchParams.get("source")).toBe("sandbox")
    await page
      .getByRole("combobox", { name: "From", exact: true })
      .getByText(/sandbox/i)
      .waitFor()
    await rowsShown(1)
    await page.locator("tbody").getByText("8 days").waitFor()
    await picture("settlements-missing")
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    await choose("Older than", "14 days")
    await page.getByText("No payment is missing").or(page.getByText("Nothing found")).waitFor()
    await choose("Older than", "7 days")
    await rowsShown(1)
    const { text } = await admin.downloaded(() => button("Export CSV").click())
    expect(text).toContain(two)
    await page.locator("tbody").getByRole("link").first().click()
    await heading("What happened").waitFor()
    await region("Details").getByText("Not settled yet: in no file").waitFor()
    await open(`/payments/${one}`)
    await region("Details").getByRole("link", { name: "Its lines in settlements" }).click()
    await rowsShown(1)
    await page
      .locator("tbody")
      .getByText(await referenceOf(one))
      .waitFor()
    await inBangla("/settlements/missing?days=7", "missing")
  })

  it("by an admin who may only read them: nothing can be changed, and why is said", async () => {
    await mapFile(fileOf(`বিক্রি,x,${today()},১০০০.০০,২০,৩`))
    await button("Import 1 line").click()
    await heading("week.csv").waitFor()
    await rowsShown(1)
    let areas = ["overview"]
    await page.route(
      (url) => url.pathname.endsWith("/admin/gateway"),
      async (route) => {
        const response = await route.fetch({ maxRetries: 3 })
        await route.fulfill({ response, json: { ...(await response.json()), changeable_areas: areas } })
      }
    )
    const [{ id, import_id, month }] = await lines()
    const closing = async () => {
      await open(`/settlements/months/sandbox/${month}`)
      await button("Close the month").waitFor()
      return button("Close the month").isEnabled()
    }
    for (const [path, names] of [
      ["/settlements/import", ["Choose a file"]],
      [`/settlements/imports/${import_id}`, ["Take the file out"]],
      [`/settlements/lines/${id}`, ["Match", "Explain"]],
      ["/settlements/fees", ["Add an agreement"]],
    ] as const) {
      await open(path)
      for (const name of names) {
        await button(name).waitFor()
        expect([name, await button(name).isDisabled()]).toEqual([name, true])
      }
    }
    await button("Add an agreement").locator("xpath=..").hover()
    await page.getByRole("tooltip").getByText("None of your roles allows this.").waitFor()
    // Who may match lines may not close months, and the other way round.
    areas = ["settlements"]
    expect(await closing()).toBe(false)
    areas = ["settlement-closings"]
    expect(await closing()).toBe(true)
    await page.unrouteAll({ behavior: "wait" })
  })
})
