import fc from "fast-check"
import { linesInFoot, pagesOfPdf } from "../../invoices/documents/__tests__/pdf-text"
import { invoicePdf } from "../../invoices/documents/invoice-pdf"
import { localDateTime } from "../../../../i18n/formats"
import { receiptDocument } from "../documents/receipt-document"
import { receiptMail } from "../documents/receipt-mail"
import { itemsThatAddUp, ITEMS_SHOWN, taxOf, type ReceiptSubject } from "../rules"

const at = (text: string) => new Date(text)
const CUSTOMER = {
  name: "Rahima Khatun",
  email: "rahima@example.com",
  address: "House 7",
  city: "Dhaka",
  postcode: "1205",
  country: "Bangladesh",
  phone: "01712-345678",
}
const PAID: ReceiptSubject = {
  environment: "production",
  transaction_id: `txn${"0".repeat(32)}`,
  order_id: "01JDXYZ",
  order_number: "1042",
  currency: "BDT",
  amount_minor: 1_250_000,
  payment_service: "CARD",
  instrument: { brand: "Visa", last_four: "4242" },
  verified_at: at("2027-01-31T18:30:00Z"),
  description: null,
  description_bn: null,
  customer: CUSTOMER,
  items: [
    { product_name: "Jamdani scarf", quantity: 2, unit_price: "6000.00", net_amount: "12000.00", vat: "1565.22" },
    { product_name: "Outside Dhaka", product_category: "Delivery", quantity: 1, net_amount: "500.00", vat: "0.00" },
  ],
  tax_minor: null,
  in_cash_minor: null,
  emi: null,
  invoice_numbers: [],
  invoice_lines: null,
  merchant_name: "Shapla",
  time_zone: "Asia/Dhaka",
  profile: {},
  language: null,
  refund: null,
}
const EMI: NonNullable<ReceiptSubject["emi"]> = {
  configuration_uuid: "uuid",
  revision: 1,
  bank_name: "Padma Demo Bank",
  tenure_months: 12,
  rate_ppm: 85_000,
  method: "flat",
  merchant_absorbs: false,
  order_amount_minor: 1_250_000,
  interest_minor: 106_250,
  fee_minor: 25_000,
  total_minor: 1_356_250,
  monthly_minor: 113_021,
  bank_interest_minor: 106_250,
  bank_fee_minor: 25_000,
  schedule: [
    { installment: 1, due_month: "2027-02", amount_minor: 113_021 },
    { installment: 2, due_month: "2027-03", amount_minor: 113_019 },
  ],
}
const REFUND = { id: "rfd_1", amount_minor: 50_000, reason: "damaged", completed_at: at("2027-02-03T04:05:00Z") }
const shown = (changes: Partial<ReceiptSubject> = {}, language: "en" | "bn" = "en") =>
  receiptDocument({ ...PAID, ...changes }, language)

describe("docs/decisions/12 — what a receipt shows", () => {
  it("a payment: order number, time in Bangladesh, method, what was bought, VAT and the amount", () => {
    expect(shown()).toMatchObject({
      title: "Receipt",
      number: "Order 1042",
      statusText: "Paid on 1 Feb 2027, 00:30. Thank you.",
      facts: [
        { label: "Order", value: "1042" },
        { label: "Paid on", value: "1 Feb 2027, 00:30" },
        { label: "Payment method", value: "Visa ending in 4242" },
        { label: "Transaction", value: PAID.transaction_id },
      ],
      customer: ["Rahima Khatun", "rahima@example.com", "01712-345678"],
      lines: [
        { description: "Jamdani scarf", period: "× 2", amount: "৳12,000.00" },
        { description: "Delivery: Outside Dhaka", period: "", amount: "৳500.00" },
      ],
      sums: [{ label: "VAT included", value: "৳1,565.22" }],
      total: { label: "Amount paid", value: "৳12,500.00" },
      pay: null,
      testMode: null,
    })
  })

  it("the same in Bangla, in Bangla's numerals", () => {
    expect(shown({}, "bn")).toMatchObject({
      title: "রসিদ",
      total: { value: "৳১২,৫০০.০০" },
      facts: [{ value: "1042" }, { value: "১ ফেব্রুয়ারি ২০২৭, ০০:৩০" }, {}, {}],
    })
  })

  it("instalments: bank and months, what is paid when, what they cost, and what is paid in all", () => {
    const receipt = shown({ emi: EMI })
    expect(receipt).toMatchObject({
      statusText: "Bought on 1 Feb 2027, 00:30 and paid in 12 months with Padma Demo Bank: ৳13,812.50 in all.",
      sums: [
        { label: "Price", value: "৳12,500.00" },
        { label: "VAT included" },
        { label: "Interest", value: "৳1,062.50" },
        { label: "Processing fee", value: "৳250.00" },
      ],
      total: { label: "In all", value: "৳13,812.50" },
    })
    expect(receipt.facts.slice(3, 6)).toEqual([
      { label: "Instalments", value: "12 months with Padma Demo Bank" },
      { label: "First payment, with the fee", value: "৳1,380.21" },
      { label: "Then each month", value: "৳1,130.21" },
    ])
    expect(receiptMail(receipt, null).subject).toBe("Receipt from Shapla: order 1042, ৳13,812.50 in all")
    expect(shown({ emi: EMI }, "bn").facts).toEqual(
      expect.arrayContaining([
        { label: "পেমেন্টের পদ্ধতি", value: "Visa, শেষে ৪২৪২" },
        { label: "তারপর প্রতি মাসে", value: "৳১,১৩০.২১" },
      ])
    )
  })

  it("instalments that the merchant pays for cost the price", () => {
    const free = { ...EMI, merchant_absorbs: true, interest_minor: 0, fee_minor: 0, total_minor: 1_250_000 }
    expect(shown({ emi: free })).toMatchObject({
      sums: [{ label: "VAT included" }],
      total: { label: "Amount paid", value: "৳12,500.00" },
      statusText: expect.stringContaining("12 months with Padma Demo Bank: ৳12,500.00 in all"),
    })
  })

  it("an advance: what is due in cash at the door besides, and no VAT, which is of the whole order", () => {
    const advance = { items: [], amount_minor: 13_000, tax_minor: 7_500, in_cash_minor: 45_000 }
    expect(shown(advance)).toMatchObject({
      statusText: "Paid in advance on 1 Feb 2027, 00:30. Thank you. ৳450.00 is due in cash at the door.",
      lines: [{ description: "Advance for order 1042", amount: "৳130.00" }],
      sums: [],
      total: { label: "Amount paid", value: "৳130.00" },
    })
    expect(shown(advance).facts).toContainEqual({ label: "Due in cash at the door", value: "৳450.00" })
    const inBangla = shown(advance, "bn")
    expect(inBangla.lines).toMatchObject([{ description: "অর্ডার 1042-এর অগ্রিম" }])
    expect(inBangla.facts).toContainEqual({ label: "পণ্য হাতে পেয়ে নগদে দেবেন", value: "৳৪৫০.০০" })
    expect(inBangla.statusText).toContain("৳৪৫০.০০")
    // Its refund is of the advance alone.
    expect(shown({ ...advance, refund: { ...REFUND, amount_minor: 13_000 } })).toMatchObject({ sums: [] })
  })

  it("an advance of the whole order is a payment as any other", () => {
    expect(JSON.stringify(shown({ in_cash_minor: 0 }))).toBe(JSON.stringify(shown()))
  })

  it("a refund: its amount and time, and the payment that it belongs to; VAT only when all is given back", () => {
    expect(shown({ refund: REFUND })).toMatchObject({
      title: "Refund receipt",
      statusText: "৳500.00 went back on 3 Feb 2027, 10:05. It can take your bank up to ten days to show it.",
      facts: [
        { label: "Order", value: "1042" },
        { label: "Refunded on", value: "3 Feb 2027, 10:05" },
        { label: "Payment method", value: "Visa ending in 4242" },
        { label: "Original payment", value: "৳12,500.00 on 1 Feb 2027, 00:30" },
        { label: "Refund", value: "rfd_1" },
      ],
      lines: [{ description: "Refund for order 1042", amount: "৳500.00" }],
      sums: [],
      total: { label: "Amount refunded", value: "৳500.00" },
    })
    expect(shown({ refund: { ...REFUND, amount_minor: 1_250_000 } }).sums).toHaveLength(1)
  })

  it("a reason is for the merchant's books, and the customer does not read it", () => {
    const { html, text } = receiptMail(shown({ refund: { ...REFUND, reason: "suspected fraud" } }), null)
    expect([html, text].join("")).not.toContain("suspected fraud")
  })

  it("an invoice's number, a wallet's account, the sandbox, and another currency", () => {
    const receipt = shown({
      invoice_numbers: [7],
      payment_service: "BKASH",
      instrument: { account: "017••••5678" },
      environment: "sandbox",
      currency: "USD",
    })
    expect(receipt.facts.slice(1, 4)).toEqual([
      { label: "Invoice", value: "INV-000007" },
      { label: "Paid on", value: "1 Feb 2027, 00:30" },
      { label: "Payment method", value: "bKash 017••••5678" },
    ])
    expect([receipt.testMode?.label, receipt.total.value]).toEqual(["Test mode", "$12,500.00"])
  })

  it("a time of the evening in UTC is the next day in Bangladesh", () => {
    expect(localDateTime(at("2026-12-31T18:00:00Z"), "en", "Asia/Dhaka")).toBe("1 Jan 2027, 00:00")
    expect(localDateTime(at("2026-12-31T17:59:59Z"), "en", "Asia/Dhaka")).toBe("31 Dec 2026, 23:59")
    const there = receiptDocument({ ...PAID, time_zone: "America/New_York" }, "en")
    expect(there.facts).toContainEqual({ label: "Paid on", value: "31 Jan 2027, 13:30" })
    expect(there.labels.foot).toBe("All times are in the time zone America/New_York.")
  })
})

describe("docs/decisions/12 — the lines of a receipt", () => {
  it.each<[string, ReceiptSubject["items"]]>([
    ["no items", null],
    ["items that cost something else", [{ product_name: "Scarf", quantity: 1, net_amount: "1.00" }]],
    ["an item without an amount", [...(PAID.items ?? []), { product_name: "Gift" }]],
    ["an item without a name", [{ quantity: 1, net_amount: "12500.00" }]],
  ])("%s: one line for the payment", (_name, items) => {
    expect(shown({ items }).lines).toEqual([{ description: "Payment", detail: "", period: "", amount: "৳12,500.00" }])
  })

  it("docs/decisions/16 — a subscription's payment and refund are described by its plan's name in the reader's language", () => {
    const plan = { items: [], description: "Tea club", description_bn: "চায়ের আসর" }
    const refund = { id: "rfd1", amount_minor: 50_000, reason: "torn", completed_at: at("2027-02-01T10:00:00Z") }
    expect(shown(plan).lines).toMatchObject([{ description: "Tea club" }])
    expect(shown(plan, "bn").lines).toMatchObject([{ description: "চায়ের আসর" }])
    expect(shown({ ...plan, refund }, "bn").lines).toMatchObject([{ detail: "চায়ের আসর" }])
    expect(shown({ ...plan, description_bn: null }, "bn").lines).toMatchObject([{ description: "Tea club" }])
  })

  it.each([
    ["en", ["5 × ৳200.00", "× 3"]],
    ["bn", ["৫ × ৳২০০.০০", "× ৩"]],
  ] as const)("decisions: Quantity — in %s, of several it says how many and what one costs", (language, texts) => {
    const line = { name: null, discount_minor: 0, tax_minor: null }
    const invoice_lines = [
      { ...line, kind: "plan", quantity: 5, unit_minor: 20_000, amount_minor: 100_000 },
      { ...line, kind: "credit", quantity: 3, amount_minor: -30_000 },
    ] as const
    const { lines } = shown({ items: null, invoice_lines, amount_minor: 70_000 }, language)
    expect(lines.map(({ period }) => period)).toEqual(texts)
  })

  it("docs/decisions/15: the shop's name in Bangla is on receipts in Bangla, and in their e-mails", () => {
    const profile = { name_bn: "শাপলা" }
    const [english, bangla] = [shown({ profile }), shown({ profile }, "bn")]
    expect([english, bangla].map(({ merchant }) => merchant)).toEqual(["Shapla", "শাপলা"])
    expect([english, bangla].map((one) => receiptMail(one, null).subject.includes("শাপলা"))).toEqual([false, true])
  })

  it("of an order of many items, the rest are one line, and all add up", () => {
    const items = Array.from({ length: 200 }, (_, index) => ({ product_name: `Item ${index}`, net_amount: "62.50" }))
    const { lines } = shown({ items })
    expect(lines).toHaveLength(ITEMS_SHOWN + 1)
    expect(lines.at(-1)).toMatchObject({ description: "190 more items", amount: "৳11,875.00" })
  })

  it.each(["en", "bn"] as const)("what does not fit above the foot is on the next page: %s", async (language) => {
    const names = Array.from({ length: 12 }, (_, index) => `${index} `.padEnd(80, "Jamdani scarf "))
    const items = names.map((product_name) => ({ product_name, net_amount: "1000.00", vat: "130.43" }))
    const profile = {
      legal_name: "Shapla Handloom Limited",
      address: "House 12\nRoad 5\nDhanmondi\nDhaka 1205\nBangladesh",
      bin: "001234567-0101",
      support_email: "help@shapla.example",
      support_phone: "+880 1712 345678",
      support_url: "https://shapla.example/help",
    }
    const order = { items, amount_minor: 1_200_000, emi: EMI, invoice_numbers: [7] }
    const receipt = shown({ ...order, profile, environment: "sandbox" }, language)
    const pages = pagesOfPdf(await invoicePdf(receipt))
    expect(pages).toHaveLength(2)
    const contacts = receipt.issuer.contacts.map(({ text }) => text).join(" · ")
    expect(linesInFoot(pages, contacts)).toEqual([])
    const texts = pages.map((lines) => lines.map(({ text }) => text.normalize("NFC")).join(" "))
    for (const text of texts) {
      for (const part of [receipt.testMode?.label ?? "", receipt.labels.description, receipt.number, contacts]) {
        expect(text).toContain(part.normalize("NFC"))
      }
    }
    const { lines, sums, total, statusText } = receipt
    expect(lines).toHaveLength(ITEMS_SHOWN + 1)
    for (const { description } of lines) {
      expect(texts.join(" ")).toContain(description.trim().normalize("NFC"))
    }
    for (const part of [...sums, total].flatMap(({ label, value }) => [label, value]).concat(statusText)) {
      expect(texts[1]).toContain(part.normalize("NFC"))
    }
  })

  it("are there when they add up, whatever they are, and never otherwise", () => {
    const amounts = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(amounts, fc.integer({ min: -1, max: 1 }), (minors, off) => {
        const text = (minor: number) => `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, "0")}`
        const items = minors.map((minor, index) => ({ product_name: `Item ${index}`, net_amount: text(minor) }))
        const sum = minors.reduce((total, minor) => total + minor, 0)
        expect(itemsThatAddUp(items, sum + off)).toHaveLength(off === 0 ? minors.length : 0)
      })
    )
  })

  it("VAT: the order's own before what items state, and nothing that cannot be a part of the amount", () => {
    const of = (tax_minor: number | null, vat: string) =>
      taxOf({ tax_minor, items: [{ vat }, { vat: "1.00" }], amount_minor: 10_000, in_cash_minor: null })
    expect([of(null, "2.50"), of(500, "2.50"), of(0, "2.50"), of(null, "250.00"), of(null, "abc")]).toEqual([
      350,
      500,
      null,
      null,
      100,
    ])
  })
})

describe("docs/decisions/12 — the e-mail", () => {
  it.each(["en", "bn"] as const)("%s: HTML and text say the same", (language) => {
    for (const changes of [{}, { emi: EMI }, { refund: REFUND }]) {
      const receipt = shown(changes, language)
      const mail = receiptMail(receipt, null)
      expect(mail.subject).toContain("1042")
      expect(mail.text.match(/Thank you|ধন্যবাদ/gi)?.length ?? 0).toBeLessThan(2)
      for (const body of [mail.html, mail.text]) {
        for (const { value } of [...receipt.facts, ...receipt.sums, receipt.total]) {
          expect(body).toContain(value)
        }
      }
      expect(mail.html).toContain(`<html lang="${language}">`)
      expect(mail.html).not.toMatch(/<(script|img|link|a )/)
    }
  })

  it("names cannot inject: no tag into the HTML, no second header through the subject", () => {
    const mail = receiptMail(
      shown({
        merchant_name: "A\r\nBcc: all@example.com",
        order_number: "<b>\n1",
        customer: { ...CUSTOMER, name: "<i>" },
      }),
      null
    )
    expect(mail.subject).not.toMatch(/[\r\n]/)
    expect(mail.html).not.toMatch(/<b>|<i>/)
  })

  it("the PDF: one page, and the same bytes every time, in both languages", async () => {
    for (const language of ["en", "bn"] as const) {
      const receipt = shown({ emi: EMI }, language)
      const [first, second] = [await invoicePdf(receipt), await invoicePdf(receipt)]
      expect([first.subarray(0, 5).toString(), first.equals(second)]).toEqual(["%PDF-", true])
    }
  })
})
