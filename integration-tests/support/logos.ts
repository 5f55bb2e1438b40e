import { deflateSync } from "node:zlib"

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
type Made = {
  width?: number
  height?: number
  bits?: number
  color?: number
  interlace?: number
  rows?: number
  filter?: number
}
type Chunk = [name: string, data: Buffer]

/** Bit by bit as in the PNG specification's own words, to be independent of the code under test. */
function crc32(bytes: Buffer): number {
  let value = 0xffffffff
  for (const byte of bytes) {
    value ^= byte
    for (let bit = 0; bit < 8; bit++) {
      value = (value >>> 1) ^ (0xedb88320 & -(value & 1))
    }
  }
  return ~value >>> 0
}

export function pngHeader({ width = 2, height = 2, bits = 8, color = 6, interlace = 0 }: Made = {}): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([bits, color, 0, 0, interlace], 8)
  return header
}

/** The chunks of a valid picture, in their order. */
export function pngChunks(made: Made = {}): Chunk[] {
  const { width = 2, height = 2, color = 6, rows = height, filter = 0 } = made
  const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[color] ?? 1
  const row = Buffer.concat([Buffer.from([filter]), Buffer.alloc(width * channels, 1)])
  const data = deflateSync(Buffer.concat(Array.from({ length: rows }, () => row)))
  return [
    ["IHDR", pngHeader(made)],
    ...(color === 3 ? ([["PLTE", Buffer.alloc(6, 200)]] as Chunk[]) : []),
    ["IDAT", data],
    ["IEND", Buffer.alloc(0)],
  ]
}

export function pngOf(chunks: readonly Chunk[]): Buffer {
  return Buffer.concat([PNG_SIGNATURE, ...chunks.map(([name, data]) => chunkOf(name, data))])
}

function chunkOf(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), data])
  const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  crc.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, crc])
}

/** Valid by its headers; PDFs and browsers get its rows as they are. */
export function jpegOf(width: number, height: number, before: number[] = []): Buffer {
  return Buffer.from([
    ...[0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, ...before],
    ...[0xff, 0xc0, 0, 17, 8, height >> 8, height & 255, width >> 8, width & 255, 3, 1, 17, 0, 2, 17, 0, 3, 17, 0],
    ...[0xff, 0xda, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0, 0x5a, 0xff, 0xd9],
  ])
}

/** A logo that an earlier version accepted: its second header is that of another picture. */
export function pngOfTwoHeaders(second: Made = { width: 60_000, height: 60_000 }): Buffer {
  const [header, ...rest] = pngChunks()
  return pngOf([header, ["IHDR", pngHeader(second)], ...rest])
}
