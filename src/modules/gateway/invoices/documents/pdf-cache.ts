import { createHash } from "node:crypto"
import { drawPaper } from "./drawing"
import type { Paper } from "./paper"

const MOST_BYTES = 16 * 1024 * 1024

/** Reads the logo of a document; null: it has none that a PDF can hold. */
type ReadLogo = () => Promise<Buffer | null>

/**
 * Caches recently used PDFs of invoices and receipts up to a number of bytes; the least recently used goes first. The key covers
 * everything that is printed, so that a file is never outdated. Concurrent requests for one file draw it once. In
 * memory only: drawing a file again costs hundredths of a second and nothing else.
 */
export class PdfCache {
  private readonly files = new Map<string, Buffer>()
  private readonly drawing = new Map<string, Promise<Buffer>>()
  private bytes = 0

  constructor(
    private readonly most: number = MOST_BYTES,
    private readonly draw: (paper: Paper, logo: Buffer | null) => Promise<Buffer> = drawPaper
  ) {}

  /** `mayDraw` is called before a file has to be drawn; where it throws, nothing is drawn for this request. */
  async pdf(paper: Paper, readLogo: ReadLogo = async () => null, mayDraw?: () => Promise<void>): Promise<Buffer> {
    const key = versionOf(paper)
    const known = this.known(key)
    if (known !== undefined || mayDraw === undefined) {
      return known ?? this.drawn(key, paper, readLogo)
    }
    // Not part of the drawing: a refusal must not reach others who ask for the same file.
    await mayDraw()
    return this.known(key) ?? this.drawn(key, paper, readLogo)
  }

  private known(key: string): Buffer | Promise<Buffer> | undefined {
    const kept = this.files.get(key)
    if (kept !== undefined) {
      this.files.delete(key)
      this.files.set(key, kept)
    }
    return kept ?? this.drawing.get(key)
  }

  private async drawn(key: string, paper: Paper, readLogo: ReadLogo): Promise<Buffer> {
    const drawn = readLogo().then((logo) => this.draw(paper, logo))
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

/** A document's functions, which say its words, leave no trace in JSON: the language determines them. */
function versionOf(printed: Paper): string {
  return createHash("sha256").update(JSON.stringify(printed)).digest("base64url")
}
