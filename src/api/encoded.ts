import type { ServerResponse } from "node:http"
import { promisify } from "node:util"
import { brotliCompress as brotliWithCallback, constants, gzip as gzipWithCallback } from "node:zlib"
import { acceptsEncoding } from "./accept-encoding"
import { SMALLEST_COMPRESSED } from "./compress"

const gzip = promisify(gzipWithCallback)
const brotli = promisify(brotliWithCallback)
/** The best level takes ten seconds for the largest file, this one less than one, and saves nearly as much. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
/** In our order of preference: brotli is the smaller one. */
const ENCODINGS = ["br", "gzip"] as const

/** What is the same for everybody, in each encoding: one buffer for all who read it. */
export type Encoded = Readonly<{ plain: Buffer; br?: Buffer; gzip?: Buffer }>

/** Compresses once, outside the event loop. What is too small for it stays plain. */
export async function encode(plain: Buffer): Promise<Encoded> {
  return plain.length < SMALLEST_COMPRESSED
    ? { plain }
    : { plain, br: await brotli(plain, BROTLI), gzip: await gzip(plain) }
}

/** Keeps the newest version of one text, by its key: within a deployment it hardly ever has two. */
export class EncodedText {
  private kept: { key: string; encoded: Promise<Encoded> } | null = null

  of(key: string, text: () => string): Promise<Encoded> {
    if (this.kept?.key !== key) {
      this.kept = { key, encoded: encode(Buffer.from(text())) }
    }
    return this.kept.encoded
  }
}

/** Answers 200 in the encoding that the client takes, HEAD without the body. Other headers are set before. */
export function sendEncoded(response: ServerResponse, type: string, encoded: Encoded): void {
  const accepted = response.req.headers["accept-encoding"]
  const encoding = ENCODINGS.find((one) => encoded[one] !== undefined && acceptsEncoding(one, accepted))
  const body = (encoding && encoded[encoding]) ?? encoded.plain
  response.setHeader("Vary", "Accept-Encoding")
  if (encoding !== undefined) {
    response.setHeader("Content-Encoding", encoding)
  }
  response.writeHead(200, { "Content-Type": type, "Content-Length": body.length })
  response.end(response.req.method === "HEAD" ? undefined : body)
}
