import { messageOf } from "../../../../i18n/message"
import { LIMITS } from "../../kernel/limits"
import { refuseFile } from "../../kernel/text/csv"
import { streamCsv } from "../../kernel/text/csv-records"
import { xlsxRows, type SheetRow } from "../../kernel/text/xlsx"

export type { SheetRow } from "../../kernel/text/xlsx"

/** Enough to recognise the type of a file. */
const HEAD_BYTES = 1_024

const ZIP = Buffer.from("PK\u0003\u0004")
const OLD_EXCEL = Buffer.from("d0cf11e0a1b11ae1", "hex")
const PDF = Buffer.from("%PDF")

/**
 * The rows of a CSV or XLSX file, one after the other: of CSV no more is in memory than a part of the file, of XLSX the
 * packed file and the texts that it keeps once each. What a file is, its first bytes say; its name only what was meant.
 * `sheet`: the sheet of an XLSX file, null for the first that is shown. Throws VALIDATION_ERROR for a file that cannot be
 * read, when its rows come to where the fault is.
 */
export async function* readSheet(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  sheet: string | null = null
): AsyncGenerator<SheetRow> {
  const source = counted(bytes)
  try {
    yield* rowsOf(source, name, sheet)
  } finally {
    // What is not read to its end must be let go of.
    await source.return(undefined)
  }
}

async function* rowsOf(source: AsyncGenerator<Buffer>, name: string, sheet: string | null): AsyncGenerator<SheetRow> {
  const { head, whole } = await opened(source)
  if (head.length === 0) {
    refuseFile(messageOf("file.empty"))
  }
  if (begins(head, ZIP)) {
    yield* xlsxRows(await collected(whole), sheet)
    return
  }
  if (begins(head, OLD_EXCEL)) {
    refuseFile(messageOf("file.old_excel"))
  }
  if (begins(head, PDF)) {
    refuseFile(messageOf("file.pdf"))
  }
  if (/\.xls[xmb]$/i.test(name.trim())) {
    refuseFile(messageOf("file.xlsx_broken"))
  }
  let last = 0
  for await (const { line, lastLine, cells } of streamCsv(textOf(head, whole))) {
    if (line > last + 1) {
      yield { line: last + 1, cells: [] }
    }
    last = lastLine
    yield { line, cells }
  }
}

/** The file's first bytes, and all of it. */
async function opened(source: AsyncGenerator<Buffer>): Promise<{ head: Buffer; whole: AsyncGenerator<Buffer> }> {
  let head = Buffer.alloc(0)
  for (let next = await source.next(); next.done !== true; next = await source.next()) {
    head = Buffer.concat([head, next.value])
    if (head.length >= HEAD_BYTES) {
      break
    }
  }
  async function* whole(): AsyncGenerator<Buffer> {
    yield head
    yield* source
  }
  return { head, whole: whole() }
}

/** No more than a file may be large. */
async function* counted(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let size = 0
  for await (const part of bytes) {
    size += part.byteLength
    if (size > LIMITS.settlementFileMaxBytes) {
      refuseFile(messageOf("file.bytes_max", { max: LIMITS.settlementFileMaxBytes / 1_048_576 }))
    }
    yield Buffer.from(part.buffer, part.byteOffset, part.byteLength)
  }
}

async function collected(parts: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const part of parts) {
    all.push(part)
  }
  return Buffer.concat(all)
}

const BYTE_ORDER_MARKS: readonly (readonly [mark: Buffer, encoding: string])[] = [
  [Buffer.from("fffe", "hex"), "utf-16le"],
  [Buffer.from("feff", "hex"), "utf-16be"],
]

/** Text in UTF-8, or in UTF-16 with a byte order mark. An old Windows encoding would have wrong names and signs in it. */
async function* textOf(head: Buffer, whole: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const [, encoding = "utf-8"] = BYTE_ORDER_MARKS.find(([mark]) => begins(head, mark)) ?? []
  const decoder = new TextDecoder(encoding, { fatal: true })
  const decode = (bytes?: Buffer) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined })
    } catch {
      return refuseFile(messageOf("file.encoding"))
    }
  }
  let begun = ""
  for await (const part of whole) {
    const text = decode(part)
    // UTF-16 without a mark is valid UTF-8 with a NUL in every other place.
    if (text.includes("\0")) {
      refuseFile(messageOf("file.encoding"))
    }
    if (begun.length < HEAD_BYTES) {
      begun += text
      if (/^\s*<[!?a-z]/i.test(begun)) {
        refuseFile(messageOf("file.page"))
      }
    }
    yield text
  }
  yield decode()
}

function begins(bytes: Buffer, mark: Buffer): boolean {
  return bytes.subarray(0, mark.length).equals(mark)
}
