import fc from "fast-check"
import type { InvoiceSubject } from "../../rules"
import { CURRENCIES } from "../../../kernel/money/currencies"
import { money } from "../../../../../i18n/formats"
import { Canvas } from "../canvas"
import { invoiceDocument } from "../invoice-document"
import { invoiceMail } from "../invoice-mail"
import { invoicePdf } from "../invoice-pdf"
import { drawPaper } from "../drawing"
import { drawableLogo } from "../../../merchants/logo-rules"
import { jpegOf, pngChunks, pngHeader, pngOf } from "../../../../../../integration-tests/support/logos"
import { runsOf } from "../scripts"
import { loadHarfBuzz, type HarfBuzz } from "../shaping"
import { sfntOf } from "../woff"
import { codeInPdf, linesInFoot, pagesOfPdf, textOfPdf } from "./pdf-text"

const at = (text: string) => new Date(text)
const INVOICE: InvoiceSubject = {
  number: 1,
  uuid: "0b8c0a52-6f5b-4a8e-9d0e-0a4b6b1f9a10",
  pay_token: "inp_0123456789abcdef0123456789abcdef",
  invoice_type: "SUBSCRIPTION",
  status: "PENDING",
  business_name: "Aarong Test & Söhne",
  subscription_number: 7,
  subscription_uuid: "5d5f1f0e-3f5b-4a8e-9d0e-0a4b6b1f9a10",
  customer_number: 4,
  amount_minor: 12_550_050,
  currency: "BDT",
  period_start: at("2027-01-31T00:00:00Z"),
  period_end: at("2027-02-28T00:00:00Z"),
  due_date: at("2027-01-31T00:00:00Z"),
  paid_at: null,
  voided_at: null,
  opened_at: at("2027-01-28T08:00:00Z"),
  environment: "production",
  profile: {},
  time_zone: "Asia/Dhaka",
  tax_minor: null,
  lines: null,
  is_last: false,
  payment_minor: null,
  paid_together: [],
  subscription_status: "ACTIVE",
  may_be_paid: true,
  payment_under_way: false,
  interval_count: 1,
  interval_unit: "MONTH",
  plan_name: "Gold membership",
  plan_name_bn: null,
  customer_name: "Rahima Khatun",
  customer_email: "rahima@example.com",
  mail_to: "rahima@example.com",
  customer_phone: "01712-345678",
}
const VIEW = { language: "en", now: at("2027-01-29T08:00:00Z"), publicUrl: "https://pay.example.com" } as const
const document = (changes: Partial<InvoiceSubject> = {}, view: Partial<Parameters<typeof invoiceDocument>[1]> = {}) =>
  invoiceDocument({ ...INVOICE, ...changes }, { ...VIEW, ...view })

const anyChunk = fc.tuple(
  fc.constantFrom("IHDR", "PLTE", "tRNS", "IDAT", "IEND", "tEXt", "gAMA", "eXIf", "ABCD"),
  fc
    .oneof(fc.uint8Array({ maxLength: 20 }), fc.constant(pngHeader({ width: 60_000, height: 60_000 })))
    .map((bytes) => Buffer.from(bytes))
)
/** Good pictures with chunks added, removed and altered, whose checksums are right, and with single bytes altered. */
const mutatedLogo = fc
  .record({
    color: fc.constantFrom(0, 2, 3, 4, 6),
    size: fc.record({ width: fc.integer({ min: 1, max: 9 }), height: fc.integer({ min: 1, max: 9 }) }),
    filter: fc.integer({ min: 0, max: 5 }),
    added: fc.array(fc.tuple(fc.nat(5), anyChunk), { maxLength: 2 }),
    removed: fc.option(fc.nat(4), { freq: 8 }),
    altered: fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { maxLength: 2 }),
    kind: fc.constantFrom("png", "jpg"),
  })
  .map(({ color, size, filter, added, removed, altered, kind }) => {
    const chunks = pngChunks({ ...size, color, filter })
    added.forEach(([at, chunk]) => chunks.splice(at, 0, chunk))
    if (removed !== null) {
      chunks.splice(removed, 1)
    }
    const remark = Buffer.from([
      0xff,
      0xe1,
      0,
      34,
      ...Buffer.from("Exif\0\0II*\0\b\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0", "latin1"),
      0,
      0,
      0,
      0,
      0,
      0,
    ])
    const bytes = kind === "png" ? pngOf(chunks) : jpegOf(size.width, size.height, [...remark])
    if (kind === "jpg" || altered.length === 1) {
      altered.forEach(([at, byte]) => (bytes[at % bytes.length] = byte))
    }
    return bytes
  })

describe("decisions/13 — an invoice of what a payment was for", () => {
  const line = { name: null, quantity: 1, discount_minor: 0, tax_minor: 0 }
  const PAID = {
    status: "PAID",
    paid_at: at("2027-01-31T00:00:00Z"),
    amount_minor: 134_000,
    payment_minor: 201_000,
    paid_together: [2],
    tax_minor: 17_478,
    lines: [
      { ...line, kind: "plan", quantity: 2, amount_minor: 60_000, discount_minor: 5_000 },
      { ...line, kind: "goods", name: "Green mug, Small", amount_minor: 77_000 },
      { ...line, kind: "delivery", name: "Inside Dhaka", amount_minor: 7_000 },
      { ...line, kind: "adjustment", amount_minor: -10_000 },
    ],
  } as const

  it.each([
    ["en", ["Every month · 5 × ৳200.00", "× 3"]],
    ["bn", ["প্রতি মাস · ৫ × ৳২০০.০০", "× ৩"]],
  ] as const)("decisions: Quantity — in %s, a line says how many and what one costs", (language, details) => {
    const lines = [
      { ...line, kind: "plan", quantity: 5, unit_minor: 20_000, amount_minor: 100_000 },
      { ...line, kind: "credit", quantity: 3, amount_minor: -30_000 },
    ] as const
    expect(document({ amount_minor: 70_000, lines }, { language }).lines.map(({ detail }) => detail)).toEqual(details)
  })

  it("decisions: An end — the invoice of the last period says so, in both languages", async () => {
    expect(document().isLast).toBe(false)
    const last = document({ is_last: true })
    expect([last.isLast, last.lines[0].detail]).toEqual([
      true,
      "Every month · Last payment: the subscription ends with this period",
    ])
    expect(document({ is_last: true }, { language: "bn" }).lines[0].detail).toContain("শেষ পেমেন্ট")
    const mail = invoiceMail("invoice", last, "https://pay.example.com")
    expect(mail.text).toContain("Last payment: the subscription ends with this period")
    expect(mail.html).toContain("Last payment: the subscription ends with this period")
    expect(textOfPdf(await invoicePdf(last, null)).replace(/\s+/g, " ")).toContain("Last payment:")
  })

  it("each line has its words, and the other invoices of the payment are named", () => {
    const { lines, sums, total, facts } = document(PAID)
    expect(lines.map(({ description, detail, amount }) => [description, detail, amount])).toEqual([
      ["Gold membership", "Every month · × 2", "৳600.00"],
      ["Green mug, Small", "", "৳770.00"],
      ["Delivery", "Inside Dhaka", "৳70.00"],
      ["Credit or adjustment", "", "-৳100.00"],
    ])
    expect(sums.map(({ label }) => label)).toEqual(["Discount, taken off above", "VAT included"])
    expect([total.value, facts.at(-1)]).toEqual([
      "৳1,340.00",
      { label: "Payment", value: "৳2,010.00 in all, with INV-000002" },
    ])
  })

  it("in Bangla too", () => {
    const { lines, facts } = document(PAID, { language: "bn" })
    expect(lines.map(({ description }) => description)).toEqual([
      "Gold membership",
      "Green mug, Small",
      "ডেলিভারি",
      "জমা বা সমন্বয়",
    ])
    expect(facts.at(-1)?.label).toBe("পেমেন্ট")
  })
})

describe("contract 2.12 — what an invoice shows", () => {
  it("merchant, number, dates, period, line, amount and the way to pay, in English", () => {
    expect(document()).toMatchObject({
      title: "Invoice",
      number: "INV-000001",
      merchant: "Aarong Test & Söhne",
      displayStatus: "open",
      statusText: "Please pay by 31 Jan 2027.",
      testMode: null,
      facts: [
        { label: "Invoice number", value: "INV-000001" },
        { label: "Issued", value: "28 Jan 2027" },
        { label: "Due", value: "31 Jan 2027" },
      ],
      customer: ["Rahima Khatun", "rahima@example.com", "01712-345678"],
      lines: [
        {
          description: "Gold membership",
          detail: "Every month",
          period: "31 Jan 2027 – 28 Feb 2027",
          amount: "৳1,25,500.50",
        },
      ],
      total: { label: "Amount due", value: "৳1,25,500.50" },
      pay: {
        label: "Pay ৳1,25,500.50",
        url: "https://pay.example.com/pay/invoice/inp_0123456789abcdef0123456789abcdef",
      },
    })
  })

  it("the same in Bangla, with Bangla numerals except in the invoice number", () => {
    expect(document({ interval_count: 3 }, { language: "bn" })).toMatchObject({
      number: "INV-000001",
      lines: [{ detail: "প্রতি ৩ মাস", period: "৩১ জানুয়ারি ২০২৭ – ২৮ ফেব্রুয়ারি ২০২৭", amount: "৳১,২৫,৫০০.৫০" }],
    })
  })

  it("its days, and the end of the day on which it is due, are those of the time zone in which it was issued", () => {
    const bounds = { period_start: at("2026-09-30T20:00:00Z"), period_end: at("2026-10-31T20:00:00Z") }
    const invoice = { ...bounds, due_date: at("2026-09-30T20:00:00Z"), opened_at: at("2026-09-30T20:00:00Z") }
    const inZone = (time_zone: string, language: "en" | "bn" = "en") =>
      document({ ...invoice, time_zone }, { language, now: at("2026-10-01T04:30:00Z") })
    const shown = inZone("Asia/Dhaka")
    expect(shown.lines[0]).toMatchObject({ period: "1 Oct 2026 – 1 Nov 2026", detail: "Every month" })
    expect([shown.displayStatus, shown.labels.foot]).toEqual(["open", "All dates are in Bangladesh time (UTC+6)."])
    const there = inZone("America/New_York")
    expect(there.lines[0].period).toBe("30 Sep 2026 – 31 Oct 2026")
    expect([there.displayStatus, there.labels.foot]).toEqual([
      "overdue",
      "All dates are in the time zone America/New_York.",
    ])
    expect(inZone("America/New_York", "bn").labels.foot).toBe("সব তারিখ America/New_York সময় অঞ্চলের।")
  })

  it.each<[string, Partial<InvoiceSubject>, string, string, boolean]>([
    ["the last moment of its day", {}, "2027-01-31T17:59:59Z", "open", true],
    ["the day after", {}, "2027-01-31T18:00:00Z", "overdue", true],
    ["paid", { status: "PAID", paid_at: at("2027-02-02T00:00:00Z") }, "2027-02-03T00:00:00Z", "paid", false],
    ["void", { status: "VOID", voided_at: at("2027-02-02T00:00:00Z") }, "2027-02-03T00:00:00Z", "void", false],
    ["its subscription cancelled", { subscription_status: "CANCELLED" }, "2027-01-29T00:00:00Z", "closed", false],
    ["its subscription expired", { subscription_status: "EXPIRED" }, "2027-01-29T00:00:00Z", "closed", false],
  ])("%s", (_name, changes, now, displayStatus, payable) => {
    const shown = document(changes, { now: at(now) })
    expect([shown.displayStatus, shown.pay !== null]).toEqual([displayStatus, payable])
  })

  it("while a payment is being confirmed, or its merchant may not take payments, it does not ask for payment", () => {
    expect(document({ payment_under_way: true })).toMatchObject({
      displayStatus: "open",
      payable: false,
      pay: null,
      pending: expect.stringContaining("do not pay again"),
      total: { label: "Amount due" },
    })
    expect(document({ may_be_paid: false })).toMatchObject({
      displayStatus: "open",
      payable: false,
      pay: null,
      pending: null,
      stopped: expect.stringContaining("cannot take payments"),
    })
    expect(document({ may_be_paid: false, payment_under_way: true })).toMatchObject({
      payable: false,
      pending: expect.any(String),
      stopped: null,
    })
    expect([
      document({}).stopped,
      document({ may_be_paid: false, status: "PAID", paid_at: at("2027-02-02T00:00:00Z") }).stopped,
    ]).toEqual([null, null])
    expect(
      document({ payment_under_way: true, status: "PAID", paid_at: at("2027-02-02T00:00:00Z") }).pending
    ).toBeNull()
  })

  it("a custom subscription has no plan's name, and a deployment without a public address no link", () => {
    const shown = document({ plan_name: null, customer_phone: null }, { publicUrl: null })
    expect(shown.lines[0].description).toBe("Subscription")
    const inBangla = { plan_name: "Gold membership", plan_name_bn: "স্বর্ণ সদস্য" }
    expect(document(inBangla).lines[0].description).toBe("Gold membership")
    expect(document(inBangla, { language: "bn" }).lines[0].description).toBe("স্বর্ণ সদস্য")
    expect(shown.customer).toHaveLength(2)
    expect(shown.pay).toBeNull()
  })
})

const PROFILE = {
  legal_name: "Aarong Test Limited",
  address: "House 12\nDhaka 1205",
  bin: "001234567-0101",
  support_email: "help@aarong.example",
  brand_color: "#0b3d91",
  logo: `${"ab".repeat(32)}.png`,
}
/** One white pixel with an alpha channel, which the PDF library decodes. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==",
  "base64"
)

describe("docs/decisions/15 — the merchant's profile on an invoice", () => {
  it("registered name, address, BIN and contact; VAT where the order of the store has it, and nothing where not", () => {
    expect(document({ profile: PROFILE, tax_minor: 2_500 })).toMatchObject({
      issuer: {
        lines: ["Aarong Test Limited", "House 12", "Dhaka 1205"],
        bin: { label: "BIN", value: "001234567-0101" },
        contacts: [{ text: "help@aarong.example" }],
      },
      sums: [{ label: "VAT included", value: "৳25.00" }],
    })
    expect([document().sums, document({ tax_minor: 0 }).sums, document().issuer.lines]).toEqual([[], [], []])
  })

  it("the e-mail says the same, in its colour; the logo is the only thing that it loads", () => {
    const mail = invoiceMail("invoice", document({ profile: PROFILE, tax_minor: 2_500 }), VIEW.publicUrl)
    for (const body of [mail.html, mail.text]) {
      for (const part of ["Aarong Test Limited", "001234567-0101", "help@aarong.example", "৳25.00"]) {
        expect(body).toContain(part)
      }
    }
    expect(mail.html.match(/<(script|img|link)[^>]*>/g)).toEqual([
      expect.stringContaining(`src="${VIEW.publicUrl}/pay/logo/${PROFILE.logo}" alt=""`),
    ])
    expect(mail.html).toContain("background:#0b3d91")
    expect(invoiceMail("invoice", document({ profile: PROFILE })).html).not.toContain("<img")
  })
})

let harfbuzz: HarfBuzz
beforeAll(async () => {
  harfbuzz = await loadHarfBuzz()
})

const emptyCanvas = () =>
  new Canvas({ title: "", author: "", language: "en", at: at("2027-01-01T00:00:00Z") }, harfbuzz)

/** Whether the font that draws a character has it; the library does not say so itself. */
function hasGlyph(canvas: Canvas, character: string, weight: "regular" | "bold"): boolean {
  canvas.width(character, { size: 10, weight })
  const { _font } = canvas.document as unknown as { _font: { font: { hasGlyphForCodePoint(code: number): boolean } } }
  return _font.font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)
}

describe("contract 4.6 generate-invoice — the PDF", () => {
  const absurd: Partial<InvoiceSubject> = {
    business_name: "W".repeat(200),
    customer_name: "ক্ষ".repeat(255),
    customer_email: `${"a".repeat(64)}@${"b".repeat(185)}.com`,
    plan_name: "北京 Łódź প্ল্যান ".repeat(12),
  }

  it.each<[string, Partial<InvoiceSubject>, "en" | "bn"]>([
    ["English", {}, "en"],
    ["Bangla", { business_name: "আড়ং ও সন্স", customer_name: "রহিমা খাতুন", plan_name: "স্বর্ণ" }, "bn"],
    ["paid", { status: "PAID", paid_at: at("2027-02-02T00:00:00Z") }, "en"],
    ["sandbox", { environment: "sandbox" }, "bn"],
    ["names as long as they may be", absurd, "bn"],
  ])("%s: one page, and the same bytes every time", async (_name, changes, language) => {
    const shown = document(changes, { language })
    const [first, second] = [await invoicePdf(shown), await invoicePdf(shown)]
    const text = first.toString("latin1")
    expect(text.startsWith("%PDF-1.")).toBe(true)
    expect(text.trimEnd().endsWith("%%EOF")).toBe(true)
    expect(text.match(/\/Type \/Page\b/g)).toHaveLength(1)
    expect(text.includes(`${VIEW.publicUrl}/pay/invoice/`)).toBe(shown.pay !== null)
    expect(codeInPdf(first)).toBe(shown.pay === null ? null : `${VIEW.publicUrl}/pay/invoice/${INVOICE.pay_token}`)
    expect(textOfPdf(first).includes(shown.words("scan"))).toBe(shown.pay !== null)
    expect(first.equals(second)).toBe(true)
    expect(first.length).toBeLessThan(80_000)
  })

  it("the same bytes whatever the process has drawn before, such as the same glyph for other letters", async () => {
    const drawn = async (texts: string[]) => {
      jest.resetModules()
      const { Canvas: Fresh } = jest.requireActual<typeof import("../canvas")>("../canvas")
      let last: Buffer = Buffer.alloc(0)
      for (const text of texts) {
        const info = { title: "Invoice", author: "Aarong", language: "bn", at: INVOICE.opened_at }
        const canvas = new Fresh(info, harfbuzz)
        canvas.text(text, { x: 0, y: 0, width: 200 }, { size: 10 })
        last = await canvas.bytes()
      }
      return last
    }
    expect((await drawn(["ক্যঁ", "ক্য"])).equals(await drawn(["ক্য"]))).toBe(true)
  })

  it("docs/decisions/15: it holds the merchant's logo: one page, and the same bytes every time", async () => {
    const shown = document({ profile: PROFILE, tax_minor: 2_500 })
    const [first, second, without] = [
      await invoicePdf(shown, PIXEL),
      await invoicePdf(shown, PIXEL),
      await invoicePdf(shown),
    ]
    const pictures = (file: Buffer) => file.toString("latin1").match(/\/Subtype \/Image/g)?.length ?? 0
    expect([pictures(first), pictures(without), first.equals(second)]).toEqual([2, 0, true])
    expect(first.toString("latin1").match(/\/Type \/Page\b/g)).toHaveLength(1)
  })

  it("docs/decisions/15: one whose logo has no end is drawn without it; one that itself has no end is an error", async () => {
    const drawn: string[] = []
    const drawing =
      (isEndless: (logo: Buffer | null) => boolean, failure?: Error) => async (_: unknown, logo: Buffer | null) => {
        drawn.push(logo === null ? "bare" : "with logo")
        return isEndless(logo)
          ? failure === undefined
            ? new Promise<Buffer>(() => {})
            : Promise.reject(failure)
          : Buffer.from("PDF")
      }
    const hasLogo = (logo: Buffer | null) => logo !== null
    const draw = (by: ReturnType<typeof drawing>) => drawPaper(document(), PIXEL, { seconds: 0.001, draw: by })
    expect((await draw(drawing(hasLogo))).toString()).toBe("PDF")
    expect((await draw(drawing(hasLogo, new Error("Incomplete or corrupt PNG file")))).toString()).toBe("PDF")
    await expect(draw(drawing(() => true))).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" })
    expect(drawn).toEqual(Array(3).fill(["with logo", "bare"]).flat())
  })

  it("docs/decisions/15: any logo that is accepted is drawn to its end", async () => {
    let [accepted, refused] = [0, 0]
    await fc.assert(
      fc.asyncProperty(mutatedLogo, async (bytes) => {
        const logo = drawableLogo(bytes)
        if (logo === null) {
          refused += 1
          return
        }
        accepted += 1
        const canvas = emptyCanvas()
        canvas.document.image(logo, 0, 0, { fit: [160, 40] })
        expect((await canvas.bytes()).toString("latin1")).toContain("/Subtype /Image")
      }),
      { numRuns: 500 }
    )
    expect([accepted > 50, refused > 50]).toEqual([true, true])
  })

  it("what does not fit above the foot is on the next page, the button that pays too", async () => {
    const profile = { ...PROFILE, legal_name: "W".repeat(200), address: Array(5).fill("W".repeat(59)).join("\n") }
    const shown = document({ ...absurd, profile, environment: "sandbox", tax_minor: 2_500 })
    const pages = pagesOfPdf(await invoicePdf(shown, PIXEL))
    expect(pages).toHaveLength(2)
    expect(linesInFoot(pages, "help@aarong.example")).toEqual([])
    expect(pages[1].map(({ text }) => text)).toEqual(expect.arrayContaining([shown.total.value, shown.pay?.label]))
  })

  it.each(["en", "bn"] as const)(
    "its text can be searched and copied as it was written, conjuncts too: %s",
    async (language) => {
      const shown = document(
        {
          business_name: "আড়ং ক্ষুদ্র শিল্প (ঢাকা) \\ Söhne",
          customer_name: "রহিমা খাতুন কৃষ্ণা",
          plan_name: "স্বর্ণ office, ৫% ছাড়ে",
          environment: "sandbox",
        },
        { language }
      )
      const text = textOfPdf(await invoicePdf(shown)).normalize("NFC")
      const written = [
        `${shown.testMode?.label} – ${shown.testMode?.text}`,
        shown.merchant,
        shown.title,
        shown.number,
        shown.status,
        shown.statusText,
        ...shown.customer,
        ...shown.facts.flatMap(({ label, value }) => [label, value]),
        ...shown.lines.flatMap(({ description, detail, period, amount }) => [description, detail, period, amount]),
        shown.total.label,
        shown.total.value,
        shown.pay?.label ?? "",
        shown.pay?.url ?? "",
        shown.words("datesNote"),
        `${shown.number} · ${shown.merchant}`,
      ]
      // A line that is too long for its box is broken at a space.
      const found = text.replace(/\n/g, " ")
      expect(written.filter((part) => !found.includes(part.normalize("NFC")))).toEqual([])
    }
  )

  it("an invalid font file fails the first PDF, with a message that says so", () => {
    expect(() => sfntOf(Buffer.alloc(64))).toThrow("not a WOFF font")
  })

  it("draws each letter with a font that has it", () => {
    expect(runsOf("৳১,২৫ Łódź")).toEqual([
      { face: "bengali", text: "৳১" },
      { face: "latin", text: "," },
      { face: "bengali", text: "২৫" },
      { face: "latin", text: " " },
      { face: "latin-ext", text: "Ł" },
      { face: "latin", text: "ód" },
      { face: "latin-ext", text: "ź" },
    ])
  })

  it.each(CURRENCIES)("docs/decisions/08 — the symbol of %s is drawn, in both weights", (code) => {
    const canvas = emptyCanvas()
    for (const { face, text } of runsOf(money(125_000, code, "en"))) {
      for (const weight of ["regular", "bold"] as const) {
        const missing = [...text].filter((character) => !hasGlyph(canvas, character, weight))
        expect([face, text, missing]).toEqual([face, expect.not.stringContaining("?"), []])
      }
    }
  })

  it("every character for which a font is chosen is in that font", () => {
    const canvas = emptyCanvas()
    const characters = Array.from({ length: 0x2c00 }, (_, code) => String.fromCodePoint(code))
    const drawn = characters.filter((one) => /\P{Cn}/u.test(one) && runsOf(one)[0]?.text === one)
    expect(drawn.length).toBeGreaterThan(800)
    expect(drawn.filter((one) => !hasGlyph(canvas, one, "regular"))).toEqual([])
  })

  it("marks missing glyphs, keeps joiners with the letters they join, and drops invisible characters", () => {
    expect(runsOf("a北\u200db😀")).toEqual([{ face: "latin", text: "a?b?" }])
    expect(runsOf("র\u200d্যাব")).toEqual([{ face: "bengali", text: "র\u200d্যাব" }])
    expect(runsOf("a\n\tb")).toEqual([{ face: "latin", text: "a  b" }])
    expect(runsOf("")).toEqual([])
  })

  it("any text: every run has a font face, and no letter is lost", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const runs = runsOf(text)
        expect(runs.every((run, index) => run.text !== "" && run.face !== runs[index + 1]?.face)).toBe(true)
        const letters = [...text.normalize("NFC")].filter(
          (character) => !/[\u200c\u200d\p{Mn}]/u.test(character)
        ).length
        expect([...runs.map((run) => run.text).join("")].length).toBeGreaterThanOrEqual(letters)
      })
    )
  })
})

describe("contract 4.6 generate-invoice — the e-mail with the payment link", () => {
  it.each(["invoice", "reminder", "past_due"] as const)(
    "%s: subject, HTML and text say the same in both languages",
    (kind) => {
      for (const language of ["en", "bn"] as const) {
        const shown = document({}, { language })
        const mail = invoiceMail(kind, shown)
        expect(mail.subject).toContain("INV-000001")
        expect(mail.subject).toContain(shown.total.value)
        for (const body of [mail.html, mail.text]) {
          expect(body).toContain(shown.pay?.url)
          expect(body).toContain(shown.total.value)
          expect(body).toContain("INV-000001")
          expect(body).toContain(shown.lines[0].period)
        }
        expect(mail.html).toContain(`<html lang="${language}">`)
        expect(mail.html).not.toMatch(/<(script|img|link)|https?:\/\/(?!pay\.example\.com)/)
      }
    }
  )

  it("a test says so, in the subject too", () => {
    const mail = invoiceMail("invoice", document({ environment: "sandbox" }))
    expect(mail.subject).toMatch(/^\[Test mode\] /)
    expect(mail.text).toContain("No real money is due")
    expect(mail.html).toContain("No real money is due")
  })

  it("names cannot inject: no tag into the HTML, no second header through the subject", () => {
    const mail = invoiceMail(
      "invoice",
      document({ business_name: "A\r\nBcc: all@example.com", customer_name: "<script>alert(1)</script>" })
    )
    expect(mail.subject).not.toMatch(/[\r\n]/)
    expect(mail.html).not.toContain("<script>")
    expect(mail.html).toContain("&lt;script&gt;")
  })
})
