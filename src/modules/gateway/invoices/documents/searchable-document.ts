import PDFDocument from "pdfkit"

/**
 * A PDF whose text objects can carry the text that they show (ISO 32000-1, 14.9.4: ActualText). Bengali needs it: a
 * glyph stands for several letters, and some stand before the letter that they follow, so the glyphs alone read as
 * other words.
 */
export class SearchableDocument extends PDFDocument {
  private shown?: string

  constructor(options: PDFKit.PDFDocumentOptions) {
    // Marked content has had its own ActualText since PDF 1.5.
    super({ ...options, pdfVersion: "1.5" })
  }

  /** A reader of the PDF finds and copies what `draw` writes as `text`. */
  showing(text: string, draw: () => void): void {
    this.shown = text
    try {
      draw()
    } finally {
      this.shown = undefined
    }
  }

  /**
   * The mark is inside the text object. Around it, as `markContent` alone would put it, it ends where no font is set any
   * more, and programs that measure the text by the font (poppler) believe that it is turned.
   */
  override addContent(data: unknown): this {
    if (this.shown === undefined) {
      return super.addContent(data) as this
    }
    if (data === "ET") {
      this.endMarkedContent()
    }
    super.addContent(data)
    if (data === "BT") {
      this.markContent("Span", { actual: this.shown })
    }
    return this
  }
}
