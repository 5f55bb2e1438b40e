import { inflateSync } from "node:zlib"

/** A PNG as the PDF library can draw it. `bytes`: the file without the chunks that drawing does not need. */
type Png = { width: number; height: number; bytes: Buffer }
type Chunk = { name: string; data: Buffer; bytes: Buffer }
type Header = { width: number; height: number; color: number; channels: number }

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const PALETTE = 3
const LAST_FILTER = 4
/**
 * The order of chunks in a file, one letter each: header, palette, transparency, rows, end; `-` is any other. A second
 * header would make the library allocate a picture of another size than the rows have.
 */
const LETTERS: Readonly<Record<string, string>> = { IHDR: "H", PLTE: "P", tRNS: "T", IDAT: "D", IEND: "E" }
const ORDER = /^H-*P?-*T?-*D+-*E$/
/** A small first letter says that a program that does not know the chunk may skip it. */
const SKIPPABLE = /^[a-z][A-Za-z][A-Z][A-Za-z]$/

/**
 * Reads a PNG to its last row, with its checksums. Null: it is not exactly what the PDF library can draw, which decodes
 * where no error can be caught: eight bits a channel, not interlaced, one header, chunks in their order, the rows that
 * the header announces, nothing behind its end. Rows of pictures larger than `mostPixels` a side are not read.
 */
export function readPng(file: Buffer, mostPixels: number): Png | null {
  const chunks = file.subarray(0, 8).equals(SIGNATURE) ? chunksOf(file.subarray(8)) : null
  if (chunks === null || !ORDER.test(chunks.map(({ name }) => LETTERS[name] ?? "-").join(""))) {
    return null
  }
  const data = (name: string) => Buffer.concat(chunks.filter((chunk) => chunk.name === name).map((chunk) => chunk.data))
  const header = headerOf(data("IHDR"))
  if (header === null || data("IEND").length > 0 || !hasColors(header.color, data("PLTE"), data("tRNS"))) {
    return null
  }
  const { width, height, color, channels } = header
  if (Math.max(width, height) <= mostPixels && !hasRows(data("IDAT"), height, 1 + width * channels)) {
    return null
  }
  const drawn = color === PALETTE ? Object.keys(LETTERS) : ["IHDR", "IDAT", "IEND"]
  const kept = chunks.filter(({ name }) => drawn.includes(name))
  return { width, height, bytes: Buffer.concat([SIGNATURE, ...kept.map(({ bytes }) => bytes)]) }
}

/** Null where a length or checksum is wrong, a chunk that may not be skipped is unknown, or IEND is not the end. */
function chunksOf(bytes: Buffer): Chunk[] | null {
  const chunks: Chunk[] = []
  for (let at = 0; at < bytes.length;) {
    const end = at + 12 <= bytes.length ? at + 12 + bytes.readUInt32BE(at) : Infinity
    if (end > bytes.length) {
      return null
    }
    const name = bytes.toString("latin1", at + 4, at + 8)
    const isKnown = Object.hasOwn(LETTERS, name) || SKIPPABLE.test(name)
    if (!isKnown || crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) {
      return null
    }
    chunks.push({ name, data: bytes.subarray(at + 8, end - 4), bytes: bytes.subarray(at, end) })
    at = end
  }
  return chunks
}

function headerOf(data: Buffer): Header | null {
  if (data.length !== 13) {
    return null
  }
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)]
  const [bits, color, compression, filtering, interlacing] = data.subarray(8)
  const channels = CHANNELS[color]
  const isDrawable = bits === 8 && compression === 0 && filtering === 0 && interlacing === 0
  return isDrawable && channels !== undefined && width > 0 && height > 0 ? { width, height, color, channels } : null
}

/** A picture with a palette has one, and at most one transparency for each of its colours. */
function hasColors(color: number, palette: Buffer, transparency: Buffer): boolean {
  const colors = palette.length / 3
  return (
    color !== PALETTE || (Number.isInteger(colors) && colors >= 1 && colors <= 256 && transparency.length <= colors)
  )
}

/** Whether the packed data is exactly the rows of the picture, each with a filter that exists. */
function hasRows(packed: Buffer, height: number, rowBytes: number): boolean {
  try {
    const rows = inflateSync(packed, { maxOutputLength: height * rowBytes + 1 })
    if (rows.length !== height * rowBytes) {
      return false
    }
    return Array.from({ length: height }, (_, row) => rows[row * rowBytes]).every((filter) => filter <= LAST_FILTER)
  } catch {
    return false
  }
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) {
    value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  }
  return value
})

/** By hand, because node:zlib has it only from Node 20.15 on. */
function crc32(bytes: Buffer): number {
  let value = 0xffffffff
  for (const byte of bytes) {
    value = CRC_TABLE[(value ^ byte) & 0xff] ^ (value >>> 8)
  }
  return (value ^ 0xffffffff) >>> 0
}
