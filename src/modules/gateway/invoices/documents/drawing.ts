import { withinDeadline } from "../../kernel/database/deadline"
import { invoicePdf } from "./invoice-pdf"
import type { Paper } from "./paper"

/** Drawing takes hundredths of a second, on a busy machine a few seconds. */
const DRAWN_WITHIN_SECONDS = 10

type Drawing = { seconds?: number; draw?: (paper: Paper, logo: Buffer | null) => Promise<Buffer> }

/**
 * A paper as PDF, within a time limit: the PDF library decodes a picture in callbacks of its own, and a document whose
 * picture it cannot decode has no end. Such a paper is drawn without its logo, because it matters more than the logo.
 * Throws DeadlinePassed.
 */
export async function drawPaper(
  paper: Paper,
  logo: Buffer | null,
  { seconds = DRAWN_WITHIN_SECONDS, draw = invoicePdf }: Drawing = {}
): Promise<Buffer> {
  try {
    return await withinDeadline(seconds, () => draw(paper, logo))
  } catch (error) {
    if (logo === null) {
      throw error
    }
    return withinDeadline(seconds, () => draw(paper, null))
  }
}
