import { inflateSync } from "node:zlib"
import jsQR from "jsqr"

type Objects = Map<string, { dictionary: string; stream: Buffer | null }>

/** A line of text; `y` is its baseline, in points from the page's bottom. */
type Line = { text: string; y: number }

/** The text of a PDF by pdfkit as a search or a copy finds it, in the order in which it was written. */
export function textOfPdf(pdf: Buffer): string {
  return pagesOfPdf(pdf)
    .flat()
    .map(({ text }) => text)
    .join("\n")
}

/**
 * The lines of each page, in the order in which they were written; a new line wherever the baseline changes. Marked
 * content is its ActualText, all else what the font says of its glyphs (ToUnicode).
 */
export function pagesOfPdf(pdf: Buffer): Line[][] {
  const objects = objectsOf(pdf)
  const fonts = fontsOf(objects)
  const pages = [...objects.values()].filter(({ dictionary }) => /\/Type \/Page\b/.test(dictionary))
  return pages
    .map(({ dictionary }) => objects.get(/\/Contents (\d+) 0 R/.exec(dictionary)?.[1] ?? "")?.stream ?? Buffer.alloc(0))
    .map((content) => linesOfContent(content.toString("latin1"), fonts))
}

/** Lines that are not above the foot of their page; `first` is the first line of each page's foot. */
export function linesInFoot(pages: Line[][], first: string): Line[] {
  return pages.flatMap((lines) => {
    const foot = lines.findIndex(({ text }) => text === first)
    return lines.slice(0, foot).filter(({ y }) => y <= lines[foot].y)
  })
}

function objectsOf(pdf: Buffer): Objects {
  const objects: Objects = new Map()
  const text = pdf.toString("latin1")
  for (const { 1: id, index, 0: head } of text.matchAll(/^(\d+) 0 obj\n/gm)) {
    const from = index + head.length
    const end = text.indexOf("\nendobj", from)
    const start = text.indexOf("\nstream\n", from)
    const dictionary = text.slice(from, start >= 0 && start < end ? start : end)
    const length = Number(/\/Length (\d+)/.exec(dictionary)?.[1] ?? 0)
    const stream = start >= 0 && start < end ? pdf.subarray(start + 8, start + 8 + length) : null
    const isPacked = dictionary.includes("/FlateDecode")
    objects.set(id, { dictionary, stream: stream !== null && isPacked ? inflateSync(stream) : stream })
  }
  return objects
}

/** By the name that a content stream uses, the text of each glyph. */
function fontsOf(objects: Objects): Map<string, Map<number, string>> {
  const fonts = new Map<string, Map<number, string>>()
  for (const { dictionary } of objects.values()) {
    for (const [, name, id] of dictionary.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const toUnicode = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id)?.dictionary ?? "")?.[1] ?? ""
      fonts.set(name, glyphsOf(objects.get(toUnicode)?.stream?.toString("latin1") ?? ""))
    }
  }
  return fonts
}

/** Of `<0000> <0002> [<0041> <0042> <00660069>]`: from the first glyph on, the text of each. */
function glyphsOf(cmap: string): Map<number, string> {
  const glyphs = new Map<number, string>()
  for (const [, first, list] of cmap.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/gi)) {
    const texts = [...list.matchAll(/<([0-9a-f ]*)>/gi)].map(([, hex]) =>
      utf16(Buffer.from(hex.replace(/ /g, ""), "hex"))
    )
    texts.forEach((text, index) => glyphs.set(parseInt(first, 16) + index, text))
  }
  return glyphs
}

const TOKEN =
  /(?<begin>BT)\n|1 0 0 1 \S+ (?<y>\S+) Tm|\/(?<name>F\d+) \S+ Tf|\/ActualText \((?<actual>(?:\\[\s\S]|[^\\)])*)\)|(?<end>EMC)|\[(?<shown>[^\]]*)\] TJ/g

function linesOfContent(content: string, fonts: Map<string, Map<number, string>>): Line[] {
  const lines: Line[] = []
  const write = (text: string) => (lines[lines.length - 1].text += text)
  let font = ""
  let marked: string | null = null
  let isPlaced = false
  for (const { groups } of content.matchAll(TOKEN)) {
    const { begin, y, name, actual, end, shown } = groups as Partial<Record<string, string>>
    if (begin !== undefined) {
      isPlaced = false
    } else if (y !== undefined && !isPlaced) {
      // The first position of a text object counts: single glyphs may be moved up or down after it.
      if (lines.at(-1)?.y !== Number(y)) {
        lines.push({ text: "", y: Number(y) })
      }
      isPlaced = true
    } else if (name !== undefined) {
      font = name
    } else if (actual !== undefined) {
      marked = literal(actual)
    } else if (end !== undefined) {
      write(marked ?? "")
      marked = null
    } else if (shown !== undefined && marked === null) {
      const codes = [...shown.matchAll(/<([0-9a-f]*)>/gi)].flatMap(([, hex]) => hex.match(/.{4}/g) ?? [])
      write(codes.map((code) => fonts.get(font)?.get(parseInt(code, 16)) ?? "\ufffd").join(""))
    }
  }
  return lines
}

/** A literal string: bytes with `\` before a bracket or another `\`, in UTF-16 after its mark, else Latin. */
function literal(escaped: string): string {
  const names: Record<string, string> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" }
  const bytes = Buffer.from(
    escaped.replace(/\\([\s\S])/g, (_whole, one: string) => names[one] ?? one),
    "latin1"
  )
  return bytes[0] === 0xfe && bytes[1] === 0xff ? utf16(bytes.subarray(2)) : bytes.toString("latin1")
}

function utf16(bigEndian: Buffer): string {
  return Buffer.from(bigEndian).swap16().toString("utf16le")
}

/** What a camera reads in a PDF by pdfkit: the text of the QR code that is drawn of its rectangles; null: there is none. */
export function codeInPdf(pdf: Buffer): string | null {
  const content = [...objectsOf(pdf).values()].map(({ stream }) => stream?.toString("latin1") ?? "").join("\n")
  const fills = content.split(/\bf\n/).map((drawn) => ({
    isBlack: /\b0 0 0 scn\b/.test(drawn),
    rectangles: [...drawn.matchAll(/^([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re$/gm)].map((match) =>
      match.slice(1).map(Number)
    ),
  }))
  const code = fills.findIndex(({ isBlack, rectangles }) => isBlack && rectangles.length > 50)
  if (code === -1) {
    return null
  }
  const [[left, top, side]] = fills[code - 1].rectangles
  const pixels = 400
  const picture = new Uint8ClampedArray(pixels * pixels * 4).fill(255)
  const pixel = (points: number) => Math.round((points * pixels) / side)
  for (const [x, y, width, height] of fills[code].rectangles) {
    for (let row = pixel(y - top); row < pixel(y - top + height); row++) {
      for (let column = pixel(x - left); column < pixel(x - left + width); column++) {
        picture.fill(0, 4 * (row * pixels + column), 4 * (row * pixels + column) + 3)
      }
    }
  }
  return jsQR(picture, pixels, pixels)?.data ?? null
}
