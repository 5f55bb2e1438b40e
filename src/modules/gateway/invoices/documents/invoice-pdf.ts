import type { Box, Canvas, TextStyle } from "./canvas"
import type { DocumentFact, DocumentLine, Paper } from "./paper"
import { loadHarfBuzz } from "./shaping"

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

/** A part of the page that is never broken: how high it is, and how it is drawn from `y` down. */
type Block = { height: number; draw: (y: number) => void }

/**
 * An invoice or a receipt on A4; what does not fit on a page is on the next. Pure except for the font files that it
 * reads: the same document gives the same bytes. `logo` is the content of the issuer's file, of a type that a PDF can
 * hold; null: the name stands alone.
 */
export async function invoicePdf(paper: Paper, logo: Buffer | null = null): Promise<Buffer> {
  const { Canvas } = require("./canvas") as typeof import("./canvas")
  const title = `${paper.title} ${paper.number}`
  const info = { title, author: paper.merchant, language: paper.language, at: paper.issued_at }
  const canvas = new Canvas(info, await loadHarfBuzz())
  let y = banner(canvas, paper)
  y = head(canvas, paper, logo, y)
  y = parties(canvas, paper, y + 28)
  y = table(canvas, paper, y + 30)
  closing(canvas, paper, y)
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

const WIDTHS = { description: CONTENT * 0.42, period: CONTENT * 0.36, amount: CONTENT * 0.22 }
const CELLS = {
  description: { size: 10.5, weight: "bold", maxLines: 6 },
  detail: { size: 9.5, color: MUTED },
  period: { size: 10.5 },
  amount: { size: 10.5, align: "right" },
} as const

function cells(y: number): Record<keyof typeof WIDTHS, Box> {
  return {
    description: column(0, y, WIDTHS.description - 10),
    period: column(WIDTHS.description, y, WIDTHS.period - 10),
    amount: column(WIDTHS.description + WIDTHS.period, y, WIDTHS.amount),
  }
}

/** The headings of the columns are on every page that has lines. */
function table(canvas: Canvas, paper: Paper, top: number): number {
  let y = headings(canvas, paper, top)
  for (const line of paper.lines) {
    const { height, draw } = row(canvas, line)
    y = fits(paper, y, height) ? y : headings(canvas, paper, nextPage(canvas, paper))
    draw(y)
    y += height
  }
  return y
}

function headings(canvas: Canvas, { labels }: Paper, top: number): number {
  const { description, period, amount } = cells(top)
  const style = { size: 9, color: MUTED }
  canvas.text(labels.description, description, style)
  canvas.text(labels.period, period, style)
  const y = canvas.text(labels.amount, amount, { ...style, align: "right" }) + 6
  rule(canvas, y)
  return y
}

function row(canvas: Canvas, line: DocumentLine): Block {
  const { description, period } = cells(0)
  const described = canvas.height(line.description, description.width, CELLS.description)
  const below = described + canvas.height(line.detail, description.width, CELLS.detail)
  const height = Math.max(below, canvas.height(line.period, period.width, CELLS.period)) + 20
  return {
    height,
    draw: (y) => {
      const at = cells(y + 10)
      canvas.text(line.description, at.description, CELLS.description)
      canvas.text(line.detail, { ...at.description, y: at.description.y + described }, CELLS.detail)
      canvas.text(line.period, at.period, CELLS.period)
      canvas.text(line.amount, at.amount, CELLS.amount)
      rule(canvas, y + height)
    },
  }
}

/** Draws the sums, the total, the status and how to pay, together on one page. */
function closing(canvas: Canvas, paper: Paper, y: number): void {
  const { sums, total, statusText, pay } = paper
  const blocks = [
    ...(sums.length > 0 ? [space(10)] : []),
    ...sums.map((sum) => amountBlock(canvas, sum, SUM)),
    space(10),
    amountBlock(canvas, total, TOTAL),
    space(26),
    textBlock(canvas, statusText, { size: 10.5 }),
    ...(pay === null ? [] : paymentBlocks(canvas, paper, pay)),
  ]
  const height = blocks.reduce((sum, block) => sum + block.height, 0)
  let top = fits(paper, y, height) ? y : nextPage(canvas, paper)
  for (const block of blocks) {
    block.draw(top)
    top += block.height
  }
}

function space(height: number): Block {
  return { height, draw: () => undefined }
}

function textBlock(canvas: Canvas, text: string, style: TextStyle): Block {
  return {
    height: canvas.height(text, CONTENT, style),
    draw: (y) => void canvas.text(text, column(0, y, CONTENT), style),
  }
}

/** `drop`: how much lower the label begins, to stand on the line of a larger value. */
type AmountStyle = { label: TextStyle; value: TextStyle; drop: number; after: number }
const SUM: AmountStyle = { label: { size: 10, color: MUTED }, value: { size: 10 }, drop: 0, after: 2 }
const TOTAL: AmountStyle = {
  label: { size: 11, weight: "bold" },
  value: { size: 16, weight: "bold" },
  drop: 5,
  after: 0,
}

function amountBlock(canvas: Canvas, { label, value }: DocumentFact, style: AmountStyle): Block {
  const half = CONTENT / 2
  const left = column(half - 60, 0, half * 0.5 + 40)
  const right = column(half * 1.5 - 20, 0, half * 0.5 + 20)
  const height = Math.max(
    style.drop + canvas.height(label, left.width, style.label),
    canvas.height(value, right.width, style.value)
  )
  return {
    height: height + style.after,
    draw: (y) => {
      canvas.text(label, { ...left, y: y + style.drop }, style.label)
      canvas.text(value, { ...right, y }, { ...style.value, align: "right" })
    },
  }
}

const SCAN = { side: 96, gap: 16 }

/** The button that pays, its address in words, for paper, and as a code, for the camera of a phone. */
function paymentBlocks(canvas: Canvas, { labels, issuer }: Paper, pay: NonNullable<Paper["pay"]>): Block[] {
  const style = { size: 11, weight: "bold", color: "#ffffff" } as const
  const width = canvas.width(pay.label, style) + 40
  const room = CONTENT - SCAN.side - SCAN.gap
  const label = { size: 9, color: MUTED } as const
  const address = { size: 9.5, color: issuer.accent, link: pay.url } as const
  const scan = SCAN.side + canvas.height(labels.scan, SCAN.side, label)
  const draw = (y: number) => {
    canvas.document.roundedRect(MARGIN, y, width, 36, 9).fill(issuer.accent)
    canvas.document.link(MARGIN, y, width, 36, pay.url)
    canvas.text(pay.label, column(20, y + 9, width), style)
    const below = canvas.text(labels.payOnline, column(0, y + 48, room), label)
    canvas.text(pay.url, column(0, below, room), address)
    canvas.code(pay.url, column(CONTENT - SCAN.side, y, SCAN.side))
    canvas.text(labels.scan, column(CONTENT - SCAN.side, y + SCAN.side, SCAN.side), { ...label, align: "right" })
  }
  const words = 48 + canvas.height(labels.payOnline, room, label) + canvas.height(pay.url, room, address)
  return [space(12), { height: Math.max(scan, words), draw }]
}

/** Whether so much still stands above the foot. */
function fits({ issuer }: Paper, y: number, height: number): boolean {
  return y + height <= PAGE.height - MARGIN - (issuer.contacts.length > 0 ? 32 : 16)
}

/** Finishes the page; returns where the next one begins. */
function nextPage(canvas: Canvas, paper: Paper): number {
  foot(canvas, paper)
  canvas.document.addPage()
  return banner(canvas, paper)
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
