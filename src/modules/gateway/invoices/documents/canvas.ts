import { readFileSync } from "node:fs"
import { create, type Font } from "fontkit"
import qrcode from "qrcode-generator"
import { runsOf, type Face, type Run } from "./scripts"
import { SearchableDocument } from "./searchable-document"
import { layoutBy, type HarfBuzz } from "./shaping"
import { sfntOf } from "./woff"

type Weight = "regular" | "bold"
export type TextStyle = {
  size: number
  weight?: Weight
  color?: string
  align?: "left" | "right"
  link?: string
  maxLines?: number
}
/** Points from the page's left and top. */
export type Box = { x: number; y: number; width: number }

const FILES: Record<Face, string> = {
  latin: "@fontsource/noto-sans/files/noto-sans-latin",
  "latin-ext": "@fontsource/noto-sans/files/noto-sans-latin-ext",
  bengali: "@fontsource/noto-sans-bengali/files/noto-sans-bengali-bengali",
}
const WEIGHTS: Record<Weight, number> = { regular: 400, bold: 700 }
const INK = "#15211d"
/** Readers need this much white around a QR code, in modules. */
const QUIET_ZONE = 4
/** Relative to the font size; Bengali letters hang from a line on top and reach below the baseline. */
const LINE_HEIGHT = 1.45
const ASCENT = 1.05

/** Parsed once in a process: to read a font's tables costs several times as much as to draw a page with them. */
const parsed = new Map<string, Pick<Font, "layout"> & { font: Font }>()

/**
 * A font for one document. Its tables are shared by all documents, its glyphs are not: fontkit writes on a glyph which
 * letters it was first used for, and shapes later text by that, so that one document would change the next one's bytes.
 */
function fontOf(face: Face, weight: Weight, harfbuzz: HarfBuzz): Font {
  const name = `${FILES[face]}-${WEIGHTS[weight]}-normal.woff`
  let known = parsed.get(name)
  if (known === undefined) {
    const file = sfntOf(readFileSync(require.resolve(name)))
    const font = create(file) as Font
    known = { font, layout: face === "bengali" ? layoutBy(harfbuzz, file) : font.layout }
    parsed.set(name, known)
  }
  const { font, layout } = known
  return Object.create(font, { _glyphs: { value: {}, writable: true }, layout: { value: layout } }) as Font
}

/** A4 pages that draw text in several scripts. */
export class Canvas {
  readonly document: SearchableDocument
  private readonly registered = new Set<string>()

  constructor(
    info: { title: string; author: string; language: string; at: Date },
    private readonly harfbuzz: HarfBuzz
  ) {
    this.document = new SearchableDocument({
      size: "A4",
      margin: 0,
      lang: info.language,
      displayTitle: true,
      info: {
        Title: info.title,
        Author: info.author,
        Creator: info.author,
        Producer: "pdfkit",
        CreationDate: info.at,
        ModDate: info.at,
      },
    })
  }

  /** Draws text in lines that fit the box; returns the y where the next element may begin. */
  text(text: string, box: Box, style: TextStyle): number {
    const lines = this.fitted(text, box.width, style)
    lines.forEach((line, index) => {
      const top = box.y + index * style.size * LINE_HEIGHT
      const width = this.width(line, style)
      this.line(line, style.align === "right" ? box.x + box.width - width : box.x, top, style)
      if (style.link !== undefined) {
        this.document.link(box.x, top, width, style.size * LINE_HEIGHT, style.link)
      }
    })
    return box.y + lines.length * style.size * LINE_HEIGHT
  }

  /** How high `text` draws the same. */
  height(text: string, width: number, style: TextStyle): number {
    return this.fitted(text, width, style).length * style.size * LINE_HEIGHT
  }

  width(text: string, style: TextStyle): number {
    return runsOf(text).reduce((sum, run) => sum + this.use(run, style).widthOfString(run.text), 0)
  }

  /**
   * Draws a text as a QR code with the white around it, black on white whatever the document's colours are. One path:
   * rectangles that are filled one by one show the ground between them.
   */
  code(text: string, { x, y, width: side }: Box): void {
    const code = qrcode(0, "M")
    code.addData(text)
    code.make()
    const count = code.getModuleCount()
    const unit = side / (count + 2 * QUIET_ZONE)
    this.document.rect(x, y, side, side).fill("#ffffff")
    for (let row = 0; row < count; row++) {
      for (let from = 0, to: number; from < count; from = to + 1) {
        for (to = from; to < count && code.isDark(row, to); to++);
        if (to > from) {
          const [left, top] = [x + (from + QUIET_ZONE) * unit, y + (row + QUIET_ZONE) * unit]
          this.document.rect(left, top, (to - from) * unit, unit)
        }
      }
    }
    this.document.fill("#000000")
  }

  async bytes(): Promise<Buffer> {
    const chunks: Buffer[] = []
    this.document.end()
    for await (const chunk of this.document) {
      chunks.push(chunk as Buffer)
    }
    return Buffer.concat(chunks)
  }

  /** Text beyond the allowed number of lines ends in an ellipsis. */
  private fitted(text: string, width: number, style: TextStyle): string[] {
    const lines = this.lines(text, width, style)
    const { maxLines = Infinity } = style
    if (lines.length <= maxLines) {
      return lines
    }
    const letters = [...new Intl.Segmenter("bn").segment(lines[maxLines - 1])].map(({ segment }) => segment)
    while (letters.length > 0 && this.width(`${letters.join("")}…`, style) > width) {
      letters.pop()
    }
    return [...lines.slice(0, maxLines - 1), `${letters.join("")}…`]
  }

  private line(text: string, x: number, top: number, style: TextStyle): void {
    let at = x
    for (const run of runsOf(text)) {
      const font = this.use(run, style)
      const baseline = top + style.size * ASCENT
      const draw = () =>
        font.fillColor(style.color ?? INK).text(run.text, at, baseline, { lineBreak: false, baseline: "alphabetic" })
      if (run.face === "bengali") {
        this.document.showing(run.text, draw)
      } else {
        draw()
      }
      at += font.widthOfString(run.text)
    }
  }

  private use(run: Run, { size, weight = "regular" }: TextStyle): PDFKit.PDFDocument {
    const name = `${run.face} ${weight}`
    if (!this.registered.has(name)) {
      // pdfkit takes a font of fontkit's as it is; its types do not say so.
      this.document.registerFont(name, fontOf(run.face, weight, this.harfbuzz) as unknown as Buffer)
      this.registered.add(name)
    }
    return this.document.font(name).fontSize(size)
  }

  /** Breaks lines at spaces; a word wider than the box, such as an address, breaks between its letters. */
  private lines(text: string, width: number, style: TextStyle): string[] {
    const lines: string[] = []
    let line = ""
    for (const word of text.split(/\s+/).filter((part) => part !== "")) {
      const longer = line === "" ? word : `${line} ${word}`
      if (this.width(longer, style) <= width) {
        line = longer
        continue
      }
      if (line !== "") {
        lines.push(line)
      }
      const pieces = this.pieces(word, width, style)
      line = pieces.pop() ?? ""
      lines.push(...pieces)
    }
    return line === "" ? lines : [...lines, line]
  }

  private pieces(word: string, width: number, style: TextStyle): string[] {
    if (this.width(word, style) <= width) {
      return [word]
    }
    const pieces = [""]
    for (const { segment } of new Intl.Segmenter("bn").segment(word)) {
      const longer = pieces[pieces.length - 1] + segment
      if (this.width(longer, style) <= width) {
        pieces[pieces.length - 1] = longer
      } else {
        pieces.push(segment)
      }
    }
    return pieces
  }
}
