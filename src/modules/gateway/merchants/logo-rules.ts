import { inflateSync } from "node:zlib"

export const LOGO_FILE = /^[0-9a-f]{64}\.(png|jpg|webp)$/
export type LogoType = "png" | "jpg" | "webp"

export const LOGO_TYPES: Readonly<Record<LogoType, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
}

export const LOGO_MAX_BYTES = 256 * 1024
export const LOGO_MAX_PIXELS = 2_000

/** What is wrong with a picture: its format, its size in bytes, or its width or height. */
export type LogoProblem = "image_type" | "image_bytes" | "image_pixels"
type Picture = { type: LogoType; width: number; height: number }

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const PNG_CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const PNG_FILTERS = 4
/** Frame headers of JPEG, which hold the size; 0xc4, 0xc8 and 0xcc are other segments. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
const JPEG_CHANNELS = [1, 3, 4]

/**
 * The type of a logo, by its content and never by its name, or what is wrong with it. SVG is none of them: it can hold
 * scripts. A PNG is read to its last row, because the PDF library decodes it outside of any try: one that it cannot
 * decode would end the process.
 */
export function readLogo(bytes: Buffer): { type: LogoType } | { problem: LogoProblem } {
  if (bytes.length > LOGO_MAX_BYTES) {
    return { problem: "image_bytes" }
  }
  const picture = png(bytes) ?? jpeg(bytes) ?? webp(bytes)
  if (picture === null) {
    return { problem: "image_type" }
  }
  const { type, width, height } = picture
  return Math.max(width, height) > LOGO_MAX_PIXELS ? { problem: "image_pixels" } : { type }
}

/** Eight bits a channel, not interlaced: what the PDF library reads. */
function png(bytes: Buffer): Picture | null {
  if (!bytes.subarray(0, 8).equals(PNG_SIGNATURE)) {
    return null
  }
  const chunks = pngChunks(bytes)
  const header = chunks?.find(({ name }) => name === "IHDR")?.data
  if (chunks === null || header === undefined || header.length !== 13 || chunks[0].name !== "IHDR") {
    return null
  }
  const [width, height, bits, color] = [header.readUInt32BE(0), header.readUInt32BE(4), header[8], header[9]]
  const channels = PNG_CHANNELS[color]
  const palette = chunks.find(({ name }) => name === "PLTE")?.data.length ?? 0
  if (bits !== 8 || channels === undefined || header[12] !== 0 || width === 0 || height === 0) {
    return null
  }
  if (color === 3 && (palette === 0 || palette % 3 !== 0)) {
    return null
  }
  const picture = { type: "png", width, height } as const
  // Too large a picture is refused for that, and its rows are not read.
  const isLarge = Math.max(width, height) > LOGO_MAX_PIXELS
  const rows = Buffer.concat(chunks.filter(({ name }) => name === "IDAT").map(({ data }) => data))
  return isLarge || hasRows(rows, height, 1 + width * channels) ? picture : null
}

function pngChunks(bytes: Buffer): { name: string; data: Buffer }[] | null {
  const chunks: { name: string; data: Buffer }[] = []
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at)
    if (at + 12 + length > bytes.length) {
      return null
    }
    const name = bytes.toString("latin1", at + 4, at + 8)
    chunks.push({ name, data: bytes.subarray(at + 8, at + 8 + length) })
    if (name === "IEND") {
      return chunks
    }
    at += 12 + length
  }
  return null
}

/** Whether the packed data is exactly the rows of the picture, each with a filter that exists. */
function hasRows(packed: Buffer, height: number, rowBytes: number): boolean {
  try {
    const rows = inflateSync(packed, { maxOutputLength: height * rowBytes + 1 })
    if (rows.length !== height * rowBytes) {
      return false
    }
    return Array.from({ length: height }, (_, row) => rows[row * rowBytes]).every((filter) => filter <= PNG_FILTERS)
  } catch {
    return false
  }
}

function jpeg(bytes: Buffer): Picture | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) {
    return null
  }
  for (let at = 2; at + 10 <= bytes.length;) {
    if (bytes[at] !== 0xff) {
      return null
    }
    const marker = bytes[at + 1]
    if (isFrame(marker)) {
      const [bits, height, width] = [bytes[at + 4], bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)]
      const isKnown = bits === 8 && JPEG_CHANNELS.includes(bytes[at + 9]) && width > 0 && height > 0
      return isKnown ? { type: "jpg", width, height } : null
    }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}

function webp(bytes: Buffer): Picture | null {
  const text = (from: number, to: number) => bytes.toString("latin1", from, to)
  if (bytes.length < 30 || text(0, 4) !== "RIFF" || text(8, 12) !== "WEBP") {
    return null
  }
  const size = webpSize(text(12, 16), bytes.subarray(20))
  return size === null ? null : { type: "webp", ...size }
}

function webpSize(kind: string, data: Buffer): { width: number; height: number } | null {
  switch (kind) {
    case "VP8 ":
      return data.readUIntBE(3, 3) === 0x9d012a
        ? { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
        : null
    case "VP8L": {
      const packed = data.readUInt32LE(1)
      return data[0] === 0x2f ? { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 } : null
    }
    case "VP8X":
      return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 }
    default:
      return null
  }
}
