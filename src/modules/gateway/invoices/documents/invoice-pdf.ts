import type { Box, Canvas } from "./canvas"
import type { Paper } from "./paper"

const MARGIN = 52
const PAGE = { width: 595.28, height: 841.89 }
const CONTENT = PAGE.width - 2 * MARGIN
const MUTED = "#51615b"
const LINE = "#d5deda"
const WARNING = { ink: "#6a4700", ground: "#fff2d1" }

/** The ground of a state's name; its ink is the issuer's colour where nothing else is said. */
const CHIPS: Record<Paper["tone"], { ink: string | null; ground: string }> = {
  good: { ink: null, ground: "#eef2f1" },
  bad: { ink: "#b3261e", ground: "#fdeceb" },
  calm: { ink: "#51615b", ground: "#eef2f1" },
}

/** The largest logo on paper, in points. */
const LOGO = { width: 160, height: 40 }

/**
 * An invoice or a receipt on one A4 page. Pure except for the font files that it reads: the same document gives the same
 * bytes. `logo` is the content of the issuer's file, of a type that a PDF can hold; null: the name stands alone.
 */
export async function invoicePdf(paper: Paper, logo: Buffer | null = null): Promise<Buffer> {
  const { Canvas } = require("./canvas") as typeof import("./canvas")
  const title = `${paper.title} ${paper.number}`
  const canvas = new Canvas({ title, author: paper.merchant, language: paper.language, at: paper.issued_at })
  let y = banner(canvas, paper)
  y = head(canvas, paper, logo, y)
  y = parties(canvas, paper, y + 28)
  y = table(canvas, paper, y + 30)
  payment(canvas, paper, y + 26)
  foot(canvas, paper)
  return canvas.bytes()
}

function column(x: number, y: number, width: number): Box {
  return { x: MARGIN + x, y, width }
}

function banner(canvas: Canvas, { testMode, issuer }: Paper): number {
  if (testMode === null) {
    canvas.document.rect(0, 0, PAGE.width, 6).fill(issuer.accent)
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
function head(canvas: Canvas, paper: Paper, logo: Buffer | null, y: number): number {
  const half = CONTENT / 2
  const left = issuerOn(canvas, paper, logo, y)
  const title = canvas.text(paper.title, column(half, y - 4, half), {
    size: 22,
    weight: "bold",
    color: paper.issuer.accent,
    align: "right",
  })
  const number = canvas.text(paper.number, column(half, title, half), { size: 10.5, color: MUTED, align: "right" })
  const { ink, ground } = CHIPS[paper.tone]
  const style = { size: 9.5, weight: "bold", color: ink ?? paper.issuer.accent } as const
  const width = canvas.width(paper.status, style) + 20
  const top = number + 6
  canvas.document.roundedRect(MARGIN + CONTENT - width, top, width, 20, 10).fill(ground)
  canvas.text(paper.status, column(CONTENT - width + 10, top + 3, width), style)
  return Math.max(left, top + 20)
}

function issuerOn(canvas: Canvas, { merchant, issuer }: Paper, logo: Buffer | null, top: number): number {
  const width = CONTENT / 2 - 12
  let y = top
  if (logo !== null) {
    canvas.document.image(logo, MARGIN, y, { fit: [LOGO.width, LOGO.height] })
    y += LOGO.height + 8
  }
  y = canvas.text(merchant, column(0, y, width), { size: logo === null ? 17 : 13, weight: "bold", maxLines: 4 })
  const lines = [...issuer.lines, ...(issuer.bin === null ? [] : [`${issuer.bin.label} ${issuer.bin.value}`])]
  for (const line of lines) {
    y = canvas.text(line, column(0, y, width), { size: 9.5, color: MUTED, maxLines: 2 })
  }
  return y
}

function parties(canvas: Canvas, paper: Paper, y: number): number {
  const half = CONTENT / 2
  const label = { size: 9, color: MUTED }
  let left = canvas.text(paper.labels.customer, column(0, y, half - 12), label) + 1
  paper.customer.forEach((line, index) => {
    left = canvas.text(line, column(0, left, half - 12), {
      size: 10.5,
      weight: index === 0 ? "bold" : "regular",
      maxLines: 4,
    })
  })
  let right = y
  for (const fact of paper.facts) {
    canvas.text(fact.label, column(half, right, half * 0.5), label)
    right = canvas.text(fact.value, column(half * 1.5, right - 1, half * 0.5), { size: 10.5, align: "right" }) + 3
  }
  return Math.max(left, right)
}

function table(canvas: Canvas, { labels, lines, sums, total }: Paper, top: number): number {
  const widths = { description: CONTENT * 0.42, period: CONTENT * 0.36, amount: CONTENT * 0.22 }
  const cells = (y: number) => ({
    description: column(0, y, widths.description - 10),
    period: column(widths.description, y, widths.period - 10),
    amount: column(widths.description + widths.period, y, widths.amount),
  })
  const heading = { size: 9, color: MUTED }
  canvas.text(labels.description, cells(top).description, heading)
  canvas.text(labels.period, cells(top).period, heading)
  let y = canvas.text(labels.amount, cells(top).amount, { ...heading, align: "right" }) + 6
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
  return totals(canvas, { sums, total }, y)
}

function totals(canvas: Canvas, { sums, total }: Pick<Paper, "sums" | "total">, top: number): number {
  const half = CONTENT / 2
  let y = top + (sums.length > 0 ? 10 : 0)
  for (const { label, value } of sums) {
    const left = canvas.text(label, column(half - 60, y, half * 0.5 + 40), { size: 10, color: MUTED })
    const right = canvas.text(value, column(half * 1.5 - 20, y, half * 0.5 + 20), { size: 10, align: "right" })
    y = Math.max(left, right) + 2
  }
  const label = canvas.text(total.label, column(half - 60, y + 15, half * 0.5 + 40), { size: 11, weight: "bold" })
  const value = canvas.text(total.value, column(half * 1.5 - 20, y + 10, half * 0.5 + 20), {
    size: 16,
    weight: "bold",
    align: "right",
  })
  return Math.max(label, value)
}

function payment(canvas: Canvas, { statusText, pay, labels, issuer }: Paper, y: number): void {
  const text = canvas.text(statusText, column(0, y, CONTENT), { size: 10.5 })
  if (pay === null) {
    return
  }
  const style = { size: 11, weight: "bold", color: "#ffffff" } as const
  const width = canvas.width(pay.label, style) + 40
  const top = text + 12
  canvas.document.roundedRect(MARGIN, top, width, 36, 9).fill(issuer.accent)
  canvas.document.link(MARGIN, top, width, 36, pay.url)
  canvas.text(pay.label, column(20, top + 9, width), style)
  const label = canvas.text(labels.payOnline, column(0, top + 48, CONTENT), { size: 9, color: MUTED })
  canvas.text(pay.url, column(0, label, CONTENT), { size: 9.5, color: issuer.accent, link: pay.url })
}

function foot(canvas: Canvas, { merchant, number, labels, issuer }: Paper): void {
  const y = PAGE.height - MARGIN
  rule(canvas, y - 10)
  if (issuer.contacts.length > 0) {
    const contacts = issuer.contacts.map(({ text }) => text).join(" · ")
    canvas.text(contacts, column(0, y - 26, CONTENT), { size: 8.5, color: MUTED, maxLines: 1 })
  }
  canvas.text(labels.foot, column(0, y, CONTENT * 0.4), { size: 8.5, color: MUTED })
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
