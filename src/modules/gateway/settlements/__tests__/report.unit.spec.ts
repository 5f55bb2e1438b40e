import fc from "fast-check"
import { drawPaper } from "../../invoices/documents/drawing"
import { textOfPdf } from "../../invoices/documents/__tests__/pdf-text"
import { textsOf } from "../../../../i18n/translate"
import { figuresOf, NO_SUMS, SUMS, type MonthSums } from "../month-rules"
import { reportDocument, reportRows, reportTable, type Report } from "../report-document"

const amount = fc.bigInt({ min: -1_000_000_000n, max: 1_000_000_000n })
const SAMPLE: MonthSums = {
  ...NO_SUMS,
  payments: 1_234_567_00n,
  refunds: 5_000_00n,
  set_off: 1_000_000_00n,
  lines: 412n,
  gross: 1_004_000_00n,
  settled_refunds: 4_000_00n,
  fees: 18_500_00n,
  charges: 500_00n,
  vat: 2_850_00n,
  net: 978_150_00n,
  agreed_fees: 18_400_00n,
  agreed_vat: 2_760_00n,
  brought: 978_150_00n,
  bank_charges: 115_00n,
  unknown_lines: 2n,
  unknown_amount: 750_00n,
}
const reportOf = (of: Partial<Report> = {}): Report => ({
  source: "sslcommerz",
  month: "2026-11",
  ends_at: new Date("2026-11-30T18:00:00Z"),
  time_zone: "Asia/Dhaka",
  state: "open",
  figures: [figuresOf("BDT", { held: 20_000_00n, bank: 0n }, SAMPLE)],
  closing: null,
  merchant: { name: "Aarong", profile: {} },
  environment: "production",
  carried: [
    {
      id: "txn1",
      order_id: "42",
      acquirer_reference: "SSL-0001",
      payment_service: "CARD",
      currency: "BDT",
      amount_minor: 125_000,
      finished_at: new Date("2026-11-29T10:00:00Z"),
    },
  ],
  more: [{ currency: "BDT", amount: 9_000n }],
  ...of,
})
const CLOSING = {
  closed_by: "user_1",
  closed_at: new Date("2026-12-02T06:00:00Z"),
  note: "as the bank says",
  reopened_by: null,
  reopened_at: null,
  reopened_note: null,
}

describe("the report of a month (decisions: Settlements)", () => {
  it("names an acquirer as people know it", () => {
    const paper = reportDocument(reportOf(), "en")
    expect([paper.customer, paper.number]).toEqual([["SSLCommerz"], "SSLCommerz · 2026-11"])
    expect(reportTable(reportOf(), "en")[0][1]).toBe("SSLCommerz")
  })

  it("adds up as it stands: each part is its opening or its first figure, with all that follows, up to its sum", () => {
    const sums = fc.record(
      Object.fromEntries(SUMS.map((name) => [name, amount])) as Record<keyof MonthSums, typeof amount>
    )
    fc.assert(
      fc.property(sums, amount, amount, (any, held, bank) => {
        const { gross, settled_refunds, settled_disputes, adjustments, fees, charges, vat } = any
        const net = gross - settled_refunds - settled_disputes + adjustments - fees - charges - vat
        const figures = [figuresOf("BDT", { held, bank }, { ...any, net })]
        const rows = reportRows({ source: "bkash", figures }, textsOf("settlements", "en"))
        for (const part of ["held", "settled", "bank"] as const) {
          const own = rows.filter((row) => row.part === part)
          const at = own.findIndex(({ isSum }) => isSum)
          expect(own.slice(0, at).reduce((sum, row) => sum + row.amount, 0n)).toBe(own[at].amount)
        }
      })
    )
  })

  it.each([
    [
      "en",
      [
        "Settlement report",
        "Not closed",
        "৳12,34,567.00",
        "-৳5,000.00",
        "Unknown lines: 2",
        "SSL-0001",
        "More payments",
      ],
    ],
    ["bn", ["সেটেলমেন্ট প্রতিবেদন", "বন্ধ হয়নি", "৳১২,৩৪,৫৬৭.০০", "অজানা লাইন: ২", "আরও পেমেন্ট"]],
  ] as const)("is a PDF in %s", async (language, texts) => {
    const pdf = await drawPaper(reportDocument(reportOf(), language), null)
    const text = textOfPdf(pdf).replace(/\s+/g, " ")
    texts.forEach((expected) => expect(text).toContain(expected))
  })

  it("says when it was closed and why, and which courier it is about", () => {
    const paper = reportDocument(reportOf({ state: "closed", closing: CLOSING, source: "courier:Pathao" }), "en")
    expect(paper).toMatchObject({
      status: "Closed",
      customer: ["Pathao (courier)"],
      number: "Pathao (courier) · 2026-11",
    })
    expect(paper.facts).toContainEqual({ label: "Closed on", value: "2 Dec 2026, 12:00" })
    expect(paper.facts).toContainEqual({ label: "Note", value: "as the bank says" })
    expect(paper.lines).toContainEqual(expect.objectContaining({ detail: "Cash collected, less courier charges" }))
    expect(reportDocument(reportOf({ closing: CLOSING }), "en").statusText).toContain("not closed")
    const table = reportTable(reportOf({ state: "closed", closing: CLOSING }), "en")
    expect(table).toContainEqual(["Status", "Closed", "", "2026-12-02T06:00:00.000Z", "", ""])
    expect(table.every((row) => row.length === 6)).toBe(true)
  })
})
