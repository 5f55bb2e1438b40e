import { deflateRawSync } from "node:zlib"

/*
 * XLSX files made by hand, so that a test can say what stands in the XML: text, numbers as a spreadsheet stores them,
 * styles, merged cells, and what no spreadsheet would write.
 */

/** A cell: text, a number, a date (with the number of its day), or XML as it is. */
export type TestCell = string | number | null | { day: number } | { zeros: number } | { xml: string }

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
const RELS = "http://schemas.openxmlformats.org/package/2006/relationships"
const TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

const escaped = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;")

export function columnLetters(index: number): string {
  return (index >= 26 ? String.fromCharCode(64 + Math.floor(index / 26)) : "") + String.fromCharCode(65 + (index % 26))
}

/** By the names of the parts; `change` may replace them. */
export function xlsxParts(
  rows: readonly (readonly TestCell[])[],
  { merged = [] as string[], is1904 = false, sheets = [] as string[] } = {}
): Record<string, string> {
  const texts: string[] = []
  const cell = (value: TestCell, at: string) => {
    if (value === null || value === "") {
      return ""
    }
    if (typeof value === "string") {
      texts.push(value)
      return `<c r="${at}" t="s"><v>${texts.length - 1}</v></c>`
    }
    if (typeof value === "number") {
      return `<c r="${at}"><v>${value}</v></c>`
    }
    return "day" in value
      ? `<c r="${at}" s="1"><v>${value.day}</v></c>`
      : "zeros" in value
        ? `<c r="${at}" s="2"><v>${value.zeros}</v></c>`
        : value.xml.replaceAll("{at}", at)
  }
  const body = rows
    .map((cells, index) => {
      const written = cells.map((value, column) => cell(value, `${columnLetters(column)}${index + 1}`)).join("")
      return written === "" ? "" : `<row r="${index + 1}">${written}</row>`
    })
    .join("")
  const merges = merged.map((range) => `<mergeCell ref="${range}"/>`).join("")
  const others = sheets.map(
    (name, index) => `<sheet name="${escaped(name)}" sheetId="${index + 2}" r:id="rId${index + 10}"/>`
  )
  const links = sheets.map(
    (_, index) =>
      `<Relationship Id="rId${index + 10}" Type="${TYPES}/worksheet" Target="worksheets/other${index}.xml"/>`
  )
  return {
    "_rels/.rels": `<Relationships xmlns="${RELS}"><Relationship Id="rId1" Type="${TYPES}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `<workbook xmlns="${MAIN}" xmlns:r="${TYPES}">${is1904 ? '<workbookPr date1904="1"/>' : ""}<sheets><sheet name="Report" sheetId="1" r:id="rId1"/>${others.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${RELS}"><Relationship Id="rId1" Type="${TYPES}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${TYPES}/styles" Target="/xl/styles.xml"/><Relationship Id="rId3" Type="${TYPES}/sharedStrings" Target="sharedStrings.xml"/>${links.join("")}</Relationships>`,
    "xl/styles.xml": `<styleSheet xmlns="${MAIN}"><numFmts><numFmt numFmtId="164" formatCode="[$-409]dd\\-mmm\\-yyyy hh:mm;@"/><numFmt numFmtId="165" formatCode="00000000"/><numFmt numFmtId="166" formatCode="#,##0.00 &quot;Tk days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    "xl/sharedStrings.xml": `<sst xmlns="${MAIN}">${texts.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join("")}</sst>`,
    "xl/worksheets/sheet1.xml": `<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="${MAIN}"><sheetData>${body}</sheetData>${merges === "" ? "" : `<mergeCells>${merges}</mergeCells>`}</worksheet>`,
  }
}

export function xlsxFile(rows: readonly (readonly TestCell[])[], options?: Parameters<typeof xlsxParts>[1]): Buffer {
  return zipped(xlsxParts(rows, options))
}

/** `sizes`: what the zip says of a part's size, where that is not the truth. */
export function zipped(parts: Record<string, string | Buffer>, sizes: Record<string, number> = {}): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [path, content] of Object.entries(parts)) {
    const [name, bytes] = [Buffer.from(path), Buffer.from(content)]
    const packed = deflateRawSync(bytes)
    const about = Buffer.alloc(26)
    about.writeUInt16LE(20, 0)
    about.writeUInt16LE(8, 4)
    about.writeUInt32LE(crc32(bytes), 10)
    about.writeUInt32LE(packed.length, 14)
    about.writeUInt32LE(sizes[path] ?? bytes.length, 18)
    about.writeUInt16LE(name.length, 22)
    files.push(Buffer.from("PK\u0003\u0004"), about, name, packed)
    const end = Buffer.alloc(14)
    end.writeUInt32LE(offset, 10)
    directory.push(Buffer.from("PK\u0001\u0002\u0014\u0000"), about, end, name)
    offset += 30 + name.length + packed.length
  }
  const size = Buffer.concat(directory).length
  const tail = Buffer.alloc(22)
  tail.write("PK\u0005\u0006")
  tail.writeUInt16LE(Object.keys(parts).length, 8)
  tail.writeUInt16LE(Object.keys(parts).length, 10)
  tail.writeUInt32LE(size, 12)
  tail.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, ...directory, tail])
}

const CRC_TABLE = Array.from({ length: 256 }, (_, byte) =>
  Array.from({ length: 8 }).reduce<number>((crc) => (crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1), byte)
)

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc = (CRC_TABLE[(crc ^ byte) & 0xff] ^ (crc >>> 8)) >>> 0
  }
  return (crc ^ 0xffffffff) >>> 0
}
