import type { InvoiceDisplayStatus } from "./invoice-document"
import { Canvas, type Box } from "./canvas"
import type { InvoiceDocument } from "./invoice-document"

const MARGIN = 52
const PAGE = { width: 595.28, height: 841.89 }
const CONTENT = PAGE.width - 2 * MARGIN
const ACCENT = "#00634a"
const MUTED = "#51615b"
const LINE = "#d5deda"
const WARNING = { ink: "#6a4700", ground: "#fff2d1" }

const CHIPS: Record<InvoiceDisplayStatus, { ink: string; ground: string }> = {
  open: { ink: "#00634a", ground: "#e2f1eb" },
  overdue: { ink: "#b3261e", ground: "#fdeceb" },
  paid: { ink: "#00634a", ground: "#e2f1eb" },
  void: { ink: "#51615b", ground: "#eef2f1" },
  closed: { ink: "#51615b", ground: "#eef2f1" },
}

/** The invoice on one A4 page. Pure except for the font files that it reads: the same document gives the same bytes. */
export async function invoicePdf(invoice: InvoiceDocument): Promise<Buffer> {
  const title = `${invoice.title} ${invoice.number}`
  const canvas = new Canvas({ title, author: invoice.merchant, language: invoice.language, at: invoice.issued_at })
  let y = banner(canvas, invoice)
  y = head(canvas, invoice, y)
  y = parties(canvas, invoice, y + 28)
  y = table(canvas, invoice, y + 30)
  payment(canvas, invoice, y + 26)
  foot(canvas, invoice)
  return canvas.bytes()
}

function column(x: number, y: number, width: number): Box {
  return { x: MARGIN + x, y, width }
}

function banner(canvas: Canvas, { testMode }: InvoiceDocument): number {
  if (testMode === null) {
    canvas.document.rect(0, 0, PAGE.width, 6).fill(ACCENT)
    return MARGIN
  }
  canvas.document.rect(0, 0, PAGE.width, 30).fill(WARNING.ground)
  canvas.text(`${testMode.label} – ${testMode.text}`, column(0, 8, CONTENT), {
    size: 9.5,
    weight: "bold",
    color: WARNING.ink,
  })
  return MARGIN + 12
}

/** The issuer, the kind of document, and its state on a coloured background. */
function head(canvas: Canvas, invoice: InvoiceDocument, y: number): number {
  const half = CONTENT / 2
  const left = canvas.text(invoice.merchant, column(0, y, half - 12), { size: 17, weight: "bold", maxLines: 4 })
  const title = canvas.text(invoice.title, column(half, y - 4, half), {
    size: 22,
    weight: "bold",
    color: ACCENT,
    align: "right",
  })
  const number = canvas.text(invoice.number, column(half, title, half), { size: 10.5, color: MUTED, align: "right" })
  const style = { size: 9.5, weight: "bold", color: CHIPS[invoice.displayStatus].ink } as const
  const width = canvas.width(invoice.status, style) + 20
  const top = number + 6
  canvas.document.roundedRect(MARGIN + CONTENT - width, top, width, 20, 10).fill(CHIPS[invoice.displayStatus].ground)
  canvas.text(invoice.status, column(CONTENT - width + 10, top + 3, width), style)
  return Math.max(left, top + 20)
}

function parties(canvas: Canvas, invoice: InvoiceDocument, y: number): number {
  const half = CONTENT / 2
  const label = { size: 9, color: MUTED }
  let left = canvas.text(invoice.words("billedTo"), column(0, y, half - 12), label) + 1
  invoice.customer.forEach((line, index) => {
    left = canvas.text(line, column(0, left, half - 12), {
      size: 10.5,
      weight: index === 0 ? "bold" : "regular",
      maxLines: 4,
    })
  })
  let right = y
  for (const fact of invoice.facts) {
    canvas.text(fact.label, column(half, right, half * 0.5), label)
    right = canvas.text(fact.value, column(half * 1.5, right - 1, half * 0.5), { size: 10.5, align: "right" }) + 3
  }
  return Math.max(left, right)
}

function table(canvas: Canvas, { words, lines, total }: InvoiceDocument, top: number): number {
  const widths = { description: CONTENT * 0.42, period: CONTENT * 0.36, amount: CONTENT * 0.22 }
  const cells = (y: number) => ({
    description: column(0, y, widths.description - 10),
    period: column(widths.description, y, widths.period - 10),
    amount: column(widths.description + widths.period, y, widths.amount),
  })
  const heading = { size: 9, color: MUTED }
  canvas.text(words("description"), cells(top).description, heading)
  canvas.text(words("period"), cells(top).period, heading)
  let y = canvas.text(words("amount"), cells(top).amount, { ...heading, align: "right" }) + 6
  rule(canvas, y)
  for (const line of lines) {
    y += 10
    const description = canvas.text(line.description, cells(y).description, { size: 10.5, weight: "bold", maxLines: 6 })
    const detail = canvas.text(line.detail, cells(description).description, { size: 9.5, color: MUTED })
    const period = canvas.text(line.period, cells(y).period, { size: 10.5 })
    canvas.text(line.amount, cells(y).amount, { size: 10.5, align: "right" })
    y = Math.max(detail, period) + 10
    rule(canvas, y)
  }
  const half = CONTENT / 2
  const label = canvas.text(total.label, column(half - 60, y + 15, half * 0.5 + 40), { size: 11, weight: "bold" })
  const value = canvas.text(total.value, column(half * 1.5 - 20, y + 10, half * 0.5 + 20), {
    size: 16,
    weight: "bold",
    align: "right",
  })
  return Math.max(label, value)
}

function payment(canvas: Canvas, { statusText, pay, words }: InvoiceDocument, y: number): void {
  const text = canvas.text(statusText, column(0, y, CONTENT), { size: 10.5 })
  if (pay === null) {
    return
  }
  const style = { size: 11, weight: "bold", color: "#ffffff" } as const
  const width = canvas.width(pay.label, style) + 40
  const top = text + 12
  canvas.document.roundedRect(MARGIN, top, width, 36, 9).fill(ACCENT)
  canvas.document.link(MARGIN, top, width, 36, pay.url)
  canvas.text(pay.label, column(20, top + 9, width), style)
  const label = canvas.text(words("payOnline"), column(0, top + 48, CONTENT), { size: 9, color: MUTED })
  canvas.text(pay.url, column(0, label, CONTENT), { size: 9.5, color: ACCENT, link: pay.url })
}

function foot(canvas: Canvas, { merchant, number, words }: InvoiceDocument): void {
  const y = PAGE.height - MARGIN
  rule(canvas, y - 10)
  canvas.text(words("datesNote"), column(0, y, CONTENT * 0.4), { size: 8.5, color: MUTED })
  canvas.text(`${number} · ${merchant}`, column(CONTENT * 0.4, y, CONTENT * 0.6), {
    size: 8.5,
    color: MUTED,
    align: "right",
    maxLines: 1,
  })
}

function rule(canvas: Canvas, y: number): void {
  canvas.document
    .moveTo(MARGIN, y)
    .lineTo(MARGIN + CONTENT, y)
    .lineWidth(0.75)
    .strokeColor(LINE)
    .stroke()
}
