import { createHash } from "node:crypto"
import type { InvoiceDocument } from "./invoice-document"
import { invoicePdf } from "./invoice-pdf"

const MOST_BYTES = 16 * 1024 * 1024

/**
 * Caches recently used PDFs of invoices up to a number of bytes; the least recently used goes first. The key covers
 * everything that is printed, so that a file is never outdated. Concurrent requests for one file draw it once. In
 * memory only: drawing a file again costs a tenth of a second and nothing else.
 */
export class PdfCache {
  private readonly files = new Map<string, Buffer>()
  private readonly drawing = new Map<string, Promise<Buffer>>()
  private bytes = 0

  constructor(
    private readonly most: number = MOST_BYTES,
    private readonly draw: (invoice: InvoiceDocument) => Promise<Buffer> = invoicePdf
  ) {}

  async pdf(invoice: InvoiceDocument): Promise<Buffer> {
    const key = versionOf(invoice)
    const kept = this.files.get(key)
    if (kept !== undefined) {
      this.files.delete(key)
      this.files.set(key, kept)
      return kept
    }
    const begun = this.drawing.get(key)
    if (begun !== undefined) {
      return begun
    }
    const drawn = this.draw(invoice)
    this.drawing.set(key, drawn)
    try {
      this.keep(key, await drawn)
    } finally {
      this.drawing.delete(key)
    }
    return drawn
  }

  private keep(key: string, file: Buffer): void {
    if (file.length > this.most) {
      return
    }
    this.files.set(key, file)
    this.bytes += file.length
    for (const [oldest, { length }] of this.files) {
      if (this.bytes <= this.most) {
        return
      }
      this.files.delete(oldest)
      this.bytes -= length
    }
  }
}

/** The language determines the words. */
function versionOf({ words: _words, ...printed }: InvoiceDocument): string {
  return createHash("sha256").update(JSON.stringify(printed)).digest("base64url")
}
