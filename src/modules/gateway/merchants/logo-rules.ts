import { readPng } from "./png-rules"

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
type LogoProblem = "image_type" | "image_bytes" | "image_pixels"
/** `drawn`: what the PDF library gets to draw; null: it reads no such pictures. */
type Picture = { type: LogoType; width: number; height: number; drawn: Buffer | null }

/** Baseline, extended and progressive JPEG: PDFs hold no other kinds, and browsers show none. */
const FRAMES = [0xc0, 0xc1, 0xc2]
/** Markers of segments with a length that may stand before the rows: tables, remarks, and data of applications. */
const isTable = (marker: number) => [0xc4, 0xdb, 0xdd, 0xfe].includes(marker) || (marker >= 0xe0 && marker <= 0xef)
const ROWS = 0xda
const JPEG_CHANNELS = [1, 3, 4]

/**
 * The type of a logo, by its content and never by its name, or what is wrong with it. SVG is none of them: it can hold
 * scripts. Whatever is accepted here, the PDF library draws to the end; it decodes a PNG where no error can be caught, so
 * one that it cannot decode would leave its document unfinished for ever.
 */
export function readLogo(bytes: Buffer): { type: LogoType } | { problem: LogoProblem } {
  if (bytes.length > LOGO_MAX_BYTES) {
    return { problem: "image_bytes" }
  }
  const picture = pictureOf(bytes)
  if (picture === null) {
    return { problem: "image_type" }
  }
  return isTooLarge(picture) ? { problem: "image_pixels" } : { type: picture.type }
}

/** A stored logo as the PDF library may draw it; null for one that `readLogo` would refuse today, and for WebP. */
export function drawableLogo(bytes: Buffer): Buffer | null {
  const picture = bytes.length > LOGO_MAX_BYTES ? null : pictureOf(bytes)
  return picture === null || isTooLarge(picture) ? null : picture.drawn
}

function isTooLarge({ width, height }: Picture): boolean {
  return Math.max(width, height) > LOGO_MAX_PIXELS
}

function pictureOf(bytes: Buffer): Picture | null {
  return png(bytes) ?? jpeg(bytes) ?? webp(bytes)
}

function png(bytes: Buffer): Picture | null {
  const found = readPng(bytes, LOGO_MAX_PIXELS)
  return found === null ? null : { type: "png", width: found.width, height: found.height, drawn: found.bytes }
}

/** One frame before the rows, and every segment where the one before it ends: so the PDF library finds the same frame. */
function jpeg(bytes: Buffer): Picture | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) {
    return null
  }
  let picture: Picture | null = null
  for (let at = 2; at + 4 <= bytes.length;) {
    const [start, marker, length] = [bytes[at], bytes[at + 1], bytes.readUInt16BE(at + 2)]
    if (start !== 0xff || length < 2) {
      return null
    }
    if (marker === ROWS) {
      return picture
    }
    if (FRAMES.includes(marker) && picture === null) {
      picture = frame(bytes, at + 4, length)
      if (picture === null) {
        return null
      }
    } else if (!isTable(marker)) {
      return null
    }
    at += 2 + length
  }
  return null
}

function frame(bytes: Buffer, at: number, length: number): Picture | null {
  if (length < 8 || at + 6 > bytes.length) {
    return null
  }
  const [bits, height, width, channels] = [
    bytes[at],
    bytes.readUInt16BE(at + 1),
    bytes.readUInt16BE(at + 3),
    bytes[at + 5],
  ]
  const isKnown = bits === 8 && JPEG_CHANNELS.includes(channels) && length === 8 + 3 * channels
  return isKnown && width > 0 && height > 0 ? { type: "jpg", width, height, drawn: bytes } : null
}

function webp(bytes: Buffer): Picture | null {
  const text = (from: number, to: number) => bytes.toString("latin1", from, to)
  if (bytes.length < 30 || text(0, 4) !== "RIFF" || text(8, 12) !== "WEBP") {
    return null
  }
  const size = webpSize(text(12, 16), bytes.subarray(20))
  return size === null ? null : { type: "webp", ...size, drawn: null }
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
