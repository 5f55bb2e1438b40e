import { join } from "node:path"
import { prepareAdmin, useAdminOf, type Admin } from "../support/admin"
import {
  admin,
  button,
  heading,
  merchant,
  open,
  page,
  PAGES,
  region,
  rowsShown,
  toast,
  useAdminPages,
} from "../support/admin-screens"
import { importModule } from "../support/import-module.cjs"
import { useStore } from "../support/store"

/*
 * The demo's month, as a finance clerk closes it: 2,000 payments at three acquirers with refunds and a dispute, cash of a
 * courier, a bank's statement, and each kind of fault once in their files.
 */

const DEMO = join(__dirname, "../../scripts/demo")

const store = useStore({ shop: true, prepare: prepareAdmin, withAdmin: true })
const adminOf = useAdminOf(store)
useAdminPages(store)

type File = { name: string; source: string; text: string }
type Agreement = { source: string; valid_from: string; rate_percent: string; fixed: string; vat_percent: string }
type Faults = Record<
  "amount" | "fee" | "currency" | "date" | "not_found" | "taken" | "no_reference" | "unreadable" | "repeated",
  string
> &
  Record<"ambiguous" | "missing", string[]>
type Payment = { reference: string; acquirer: string; minor: number }
type Refund = { reference: string; named: string; payment: Payment; minor: number }
type Month = { payments: Payment[]; refunds: Refund[]; agreements: Agreement[]; files: File[]; faults: Faults }

const NAMES: Record<string, string> = { sslcommerz: "SSLCommerz", bkash: "bKash", stripe: "Stripe" }
/** What the words for kinds mean, which no program can know. */
const WORDS: Record<string, Record<string, string>> = {
  sslcommerz: { Sale: "Payment", Refund: "Refund" },
  bkash: { পেমেন্ট: "Payment", ফেরত: "Refund" },
  stripe: { charge: "Payment", refund: "Refund", dispute: "Dispute", adjustment: "Adjustment" },
}

/** Last month in Bangladesh, as `2026-10`. */
function lastMonth(): string {
  // Dhaka's, an hour late: only then can a month be closed that has just ended.
  const [year, month] = new Date(Date.now() + 5 * 3_600_000).toISOString().split("-").map(Number)
  return new Date(Date.UTC(year, month - 2, 1)).toISOString().slice(0, 7)
}

const dialog = () => page.getByRole("dialog")
const status = (name: string) => page.locator(PAGES).getByText(name, { exact: true }).first()

async function choose(field: string, option: string, within: Pick<typeof page, "getByRole"> = page): Promise<void> {
  await within.getByRole("combobox", { name: field, exact: true }).click()
  await page.getByRole("option", { name: option, exact: true }).click()
}

async function seed(): Promise<Month> {
  const { demoMonth } = await importModule<{ demoMonth(month: string): Month }>(join(DEMO, "month.mjs"))
  const { writeMonth } = await importModule<{ writeMonth(client: unknown, id: string, month: Month): Promise<void> }>(
    join(DEMO, "month-books.mjs")
  )
  const month = demoMonth(lastMonth())
  const client = await store.db.client.acquireConnection()
  await writeMonth(client, merchant.id, month)
  await store.db.client.releaseConnection(client)
  return month
}

async function agree({ source, valid_from, rate_percent, fixed, vat_percent }: Agreement): Promise<void> {
  await open("/settlements/fees")
  await button("Add an agreement").click()
  await choose("From", NAMES[source], dialog())
  await dialog().getByLabel("Valid from").fill(valid_from)
  await dialog().getByLabel("Percent of the amount").fill(rate_percent)
  await dialog().getByLabel("Fixed part of each payment").fill(fixed)
  await dialog().getByLabel("VAT, percent of the fee").fill(vat_percent)
  await dialog().getByRole("button", { name: "Save" }).click()
  await toast("The agreement is saved")
}

/** Imports a file; the first one of a source is mapped. */
async function take({ name, source, text }: File, isFirst: boolean): Promise<void> {
  await open("/settlements/import")
  await admin.file(name, text)
  if (isFirst) {
    await heading("A new template").waitFor()
    await page.getByLabel("Name", { exact: true }).fill(`Files of ${source}`)
    const named = /^(courier|bank):(.+)$/.exec(source)
    if (named === null) {
      await choose("From", NAMES[source])
    } else {
      await choose("From", named[1] === "bank" ? "Another bank" : "Another courier")
      await page.getByLabel(named[1] === "bank" ? "Bank" : "Courier", { exact: true }).fill(named[2])
    }
    // What a serial number is, nobody can know: here it names a line for good.
    const id = ["Line", "আইডি"].find((column) => text.includes(column))
    if (id !== undefined) {
      await choose("Number of the line", id)
    }
    for (const [word, kind] of Object.entries(WORDS[source] ?? {})) {
      await choose(word, kind)
    }
    await button("Save the template").first().click()
    await toast(`Files of ${source} is saved as version 1`)
  }
  await button(/^Import \d[\d,]* lines?$/).click()
  await heading(name).waitFor()
  await status("Imported").waitFor({ timeout: 60_000 })
}

/** Opens the line that a number or id finds, which says why it is not matched. */
async function lineOf(query: string, why: string): Promise<void> {
  await open(`/settlements/lines?${query}`)
  await page.locator("tbody").getByText(why, { exact: true }).first().waitFor()
  await page.locator("tbody tr").filter({ hasText: why }).first().getByRole("link").first().click()
  await region("Figures of the line").waitFor()
}

async function say(what: "Match" | "Explain", fields: Record<string, string>, becomes: string): Promise<void> {
  await button(what).click()
  for (const [label, text] of Object.entries(fields)) {
    await dialog().getByLabel(label).fill(text)
  }
  await dialog().getByRole("button", { name: what }).click()
  await toast("The line is changed")
  await status(becomes).waitFor()
}

const explain = (why: string) => say("Explain", { Reason: why }, "Explained")

/** Matches a bank's line with settlements; `amounts`: where not all that is to come of one. */
async function bring(text: string, batches: readonly string[], amounts: Record<string, string> = {}): Promise<void> {
  await open("/settlements/lines?status=unknown&source=bank:city")
  await page.locator("tbody tr").filter({ hasText: text }).getByRole("link").first().click()
  await button("Match with settlements").click()
  for (const batch of batches) {
    const box = dialog().getByRole("checkbox", { name: new RegExp(` · ${batch} · `) })
    if (!(await box.isChecked())) {
      await box.click()
    }
    if (amounts[batch] !== undefined) {
      await dialog().getByLabel(`Amount of ${batch}`).fill(amounts[batch])
    }
  }
  await dialog().getByRole("button", { name: "Match with settlements" }).click()
  await toast("The line is changed")
  await region("What it brings").waitFor()
}

type Block = Record<string, { amount: string }>
type Figures = { currency: string; held: Block; settled: Block; bank: Block }
const minorOf = (amount: string) => BigInt(amount.replace(".", ""))
/** What is not zero, as texts: jest's report cannot hold a bigint. */
const texts = (amounts: Record<string, bigint>) =>
  Object.entries(amounts)
    .filter(([, minor]) => minor !== 0n)
    .map(([name, minor]) => `${name} ${minor}`)
    .sort()

/** What the journals of the sources book on each account, in taka: above 0 it was credited more. */
async function booked(api: Admin, sources: readonly string[]): Promise<Record<string, bigint>> {
  const { accounts } = (await api.get("/settlements/accounts")).body as unknown as { accounts: { account: string }[] }
  for (const { account } of accounts) {
    expect((await api.post("/settlements/accounts", { account, number: account })).status).toBe(200)
  }
  const sums: Record<string, bigint> = {}
  for (const source of sources) {
    const { text } = await api.get(`/settlements/journal?source=${source}&month=${lastMonth()}`)
    for (const row of text.trim().split("\r\n").slice(1)) {
      const [, account, debit, credit, currency] =
        /^[^,]*,(\w+),(?:"[^"]*"|[^,]*),([\d.]*),([\d.]*),(\w+),/.exec(row) ?? []
      expect([row, currency]).toEqual([row, expect.stringMatching(/^(BDT|USD)$/)])
      if (currency === "BDT") {
        sums[account] = (sums[account] ?? 0n) + minorOf(credit || "0") - minorOf(debit || "0")
      }
    }
  }
  return sums
}

describe("closing a month (docs/guides/closing-the-month.md)", () => {
  it("every taka is explained, each fault is named, and the figures of the months are those of the ledger", async () => {
    const month = await seed()
    const { faults, files, refunds } = month
    const [late] = files.splice(-1)
    const bank = files.pop() as File
    for (const agreement of month.agreements) {
      await agree(agreement)
    }
    for (const [nth, file] of files.entries()) {
      await take(file, files.findIndex(({ source }) => source === file.source) === nth)
      if (file.name.startsWith("bkash") && nth === 1) {
        // The number that a spreadsheet has shortened: the line stays out, and the corrected file brings it.
        await page.getByText(/is a number that a spreadsheet has shortened/).waitFor()
      }
    }
    await open("/settlements/missing?source=bkash")
    await rowsShown(faults.missing.length)
    for (const [query, why, how] of [
      [`q=${faults.amount}`, "amount", "SSLCommerz corrects it next month"],
      [`q=${faults.fee}`, "fee", "a corporate card costs more"],
      [`q=${faults.currency}`, "currency", "the card is in dollars"],
      [`q=${faults.date}`, "date", "the day was typed wrong"],
      [`q=${faults.not_found}`, "number not found", "an order by phone"],
      ["status=unknown&source=bkash", "settled already", "bKash has paid twice"],
      ["status=unknown&source=stripe", "no number", "a fine"],
    ]) {
      await lineOf(query, why)
      await explain(how)
    }
    for (const { reference, named } of refunds.filter((refund) => refund.named !== refund.reference)) {
      await lineOf(`q=${named}&status=unknown`, "several fit")
      await say("Match", { Number: reference }, "Matched")
    }
    await open("/settlements/lines?status=unknown")
    await page
      .getByText(/^(No lines|Nothing found)$/)
      .first()
      .waitFor()
    await open("/settlements/lines?status=differs")
    await page
      .getByText(/^(No lines|Nothing found)$/)
      .first()
      .waitFor()

    await take(bank, true)
    const code = lastMonth().replace("-", "")
    const { text } = bank
    const part = /part 1","?([\d,]*)"?,"([\d,.]+)"/.exec(text) ?? /part 1,,"([\d,.]+)"/.exec(text)
    await bring("part 1", [`SSL-${code}-2`], { [`SSL-${code}-2`]: (part?.at(-1) as string).replaceAll(",", "") })
    await bring("part 2", [`SSL-${code}-2`])
    await bring(" and ", [`BKS-${code}-1`, `BKS-${code}-2`])
    await bring("less charge", [`po_${code}-3`])
    await region("What it brings").getByText("৳15.00").waitFor()
    await open("/settlements/lines?status=unknown&source=bank:city")
    await rowsShown(1)
    await page.locator("tbody").getByRole("link").first().click()
    await explain("rent is no settlement")

    const sources = ["sslcommerz", "bkash", "stripe", "courier:pathao"]
    for (const source of sources) {
      await open(`/settlements/months/${source}/${lastMonth()}`)
      await button("Close the month").click()
      await dialog().getByRole("button", { name: "Close the month" }).click()
      await toast("The month is closed")
      await status("Closed").waitFor()
    }
    await admin.picture("month-closed", 1900)

    const api = adminOf(merchant)
    const figuresOf = async (source: string): Promise<Figures[]> => {
      const { body } = await api.get(`/settlements/months/${source}/${lastMonth()}`)
      return (body as unknown as { month: { figures: Figures[] } }).month.figures
    }
    const taka = (await Promise.all(sources.map(figuresOf))).map(
      (all) => all.find(({ currency }) => currency === "BDT") as Figures
    )
    const sum = (of: (figures: Figures) => string, within = taka) =>
      within.reduce((total, figures) => total + minorOf(of(figures)), 0n)
    const online = taka.slice(0, 3)
    const shown = {
      acquirer_clearing: -sum(({ held }) => held.closing.amount, online),
      cash_received: -sum(({ held }) => held.closing.amount, taka.slice(3)),
      settlements: -sum(({ bank: { closing } }) => closing.amount),
      bank: -sum(({ bank: { deposited } }) => deposited.amount),
      bank_charges: -sum(({ bank: { charges } }) => charges.amount),
      acquirer_vat: -sum(({ settled }) => settled.vat.amount),
      settlement_differences: sum(({ settled }) => settled.differences.amount),
    }
    const kept = await store.gateway.ledger.balances({ merchant_id: merchant.id, environment: "sandbox" }, "BDT")
    expect(texts({ ...kept, ...shown })).toEqual(texts(kept))

    // The exports: the journals of all sources are the accounts of the ledger, and each report has its month's figures.
    // What is due in cash is booked with the order, before a courier has anything of it.
    const { cash_orders, cash_due, ...others } = kept
    expect(texts(await booked(api, sources))).toEqual(texts({ ...others, cash_due: cash_due + cash_orders }))
    for (const [nth, source] of sources.entries()) {
      const report = await api.get(`/settlements/months/${source}/${lastMonth()}/report?format=csv&lang=en`)
      const { held, settled, bank } = taka[nth]
      const named = nth < online.length ? "Payments" : '"Cash collected, less courier charges"'
      expect(report.text.split("\r\n")).toEqual(
        expect.arrayContaining([
          `Held by the source,${named},,,${held.payments.amount},BDT`,
          `Held by the source,Still held at the end of the month,,,${held.closing.amount},BDT`,
          `Settled in this month,"Settled, net",,,${settled.net.amount},BDT`,
        ])
      )
      expect(report.text).toContain(`,${bank.closing.amount},BDT`)
    }

    // The overview of the same days.
    const [year, nth] = lastMonth().split("-").map(Number)
    const days = `from=${lastMonth()}-01&to=${lastMonth()}-${new Date(Date.UTC(year, nth, 0)).getUTCDate()}`
    const { overview } = (await api.get(`/overview?${days}`)).body as unknown as {
      overview: { payments: { paid: number; amount: string }; balance_change: Record<string, string> }
    }
    const { payments, balance_change } = overview
    expect([payments.paid, payments.amount]).toEqual([
      month.payments.length,
      (month.payments.reduce((total, { minor }) => total + minor, 0) / 100).toFixed(2),
    ])
    const { volume, refunds: returned, disputes, dispute_fees } = balance_change
    const disputed = minorOf(disputes) + minorOf(dispute_fees)
    expect(texts({ volume: minorOf(volume), returned: minorOf(returned), disputed })).toEqual(
      texts({
        volume: sum(({ held }) => held.payments.amount, online),
        returned: sum(({ held }) => held.refunds.amount, online),
        disputed: sum(({ held }) => held.disputes.amount, online),
      })
    )
    expect(await store.brokenInvariants()).toEqual([])

    // A payment that was missing comes when the month is closed: it counts in the next one, and says so.
    const before = await figuresOf("bkash")
    await take(late, false)
    await lineOf(`q=${faults.missing[0]}`, "another month")
    expect(await figuresOf("bkash")).toEqual(before)
  }, 600_000)
})
