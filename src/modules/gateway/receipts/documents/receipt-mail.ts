import { paperMail, type MailContent } from "../../invoices/documents/paper-mail"
import { oneLine } from "../../kernel/text/html"
import type { ReceiptDocument } from "./receipt-document"

/** The e-mail to which a receipt is attached. `publicUrl` is for the merchant's logo; null: it is left out. */
export function receiptMail(receipt: ReceiptDocument, publicUrl: string | null): MailContent {
  const { words, kind, merchant, order_number: number, total, issuer, hasCostlyPlan } = receipt
  const contacts = issuer.contacts.map(({ text }) => text).join(" · ")
  const said = { merchant: oneLine(merchant), number: oneLine(number), amount: total.value }
  return paperMail({
    paper: receipt,
    subject: words(`mail.subject.${hasCostlyPlan ? "instalments" : kind}`, said),
    paragraphs: [
      words("mail.greeting", { name: receipt.customer[0] ?? "" }),
      words(`mail.intro.${kind}`, { merchant }),
      receipt.statusText,
    ],
    notes: [
      words("mail.reason", { merchant }),
      ...(contacts === "" ? [] : [words("mail.contact", { merchant, contacts })]),
    ],
    linkNote: "",
    publicUrl,
  })
}
