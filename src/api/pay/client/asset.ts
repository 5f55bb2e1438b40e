import { createHash } from "node:crypto"
import { brotliCompressSync, gzipSync } from "node:zlib"

/**
 * A file of the page's own. Styles, script and icon are strings in modules because Medusa's builds compile TypeScript
 * and copy nothing else: a .css file beside the code would be missing from the built app and from the package.
 */
export type Asset = {
  name: string
  extension: string
  type: string
  body: Buffer
  /** The body as each encoding has it; null for a file that would gain nothing from it: a small one, a font. */
  encoded: Readonly<Record<AssetEncoding, Buffer>> | null
  hash: string
  url: string
}

/** In our order of preference: brotli is the smaller one. */
export const ENCODINGS = ["br", "gzip"] as const
export type AssetEncoding = (typeof ENCODINGS)[number]

/** In bytes, the limit of src/api/compress.ts. */
const SMALLEST_ENCODED = 1024
const GZIP = { level: 9 }

/**
 * A text file, encoded once per process, for its first reader, at the best level: nobody counts the requests for it, so
 * none after that may cost CPU time.
 */
export function textAsset(name: string, extension: string, type: string, text: string): Asset {
  const body = Buffer.from(text, "utf8")
  let encoded: Asset["encoded"] = null
  return {
    ...named(name, extension, body),
    type,
    get encoded() {
      if (encoded === null && body.length >= SMALLEST_ENCODED) {
        encoded = { br: brotliCompressSync(body), gzip: gzipSync(body, GZIP) }
      }
      return encoded
    },
  }
}

/** A font: WOFF2 is compressed already. */
export function fontAsset(name: string, body: Buffer): Asset {
  return { ...named(name, "woff2", body), type: "font/woff2", encoded: null }
}

function named(name: string, extension: string, body: Buffer) {
  const hash = createHash("sha256").update(body).digest("hex").slice(0, 16)
  return { name, extension, body, hash, url: `/pay/assets/${name}.${hash}.${extension}` }
}
