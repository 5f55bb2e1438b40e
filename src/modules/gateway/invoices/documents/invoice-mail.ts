import type { InvoiceMailKind } from "../mail-rules"
import type { InvoiceDocument } from "./invoice-document"
import { oneLine } from "../../kernel/text/html"
import { paperMail, type MailContent } from "./paper-mail"

/** An e-mail about an unpaid invoice. `publicUrl` is for the merchant's logo; null: it is left out. */
export function invoiceMail(
  kind: InvoiceMailKind,
  invoice: InvoiceDocument,
  publicUrl: string | null = null
): MailContent {
  const { words, merchant, total, number, due, issuer } = invoice
  const contacts = issuer.contacts.map(({ text }) => text).join(" · ")
  return paperMail({
    paper: invoice,
    subject: words(`mail.subject.${kind}`, { merchant: oneLine(merchant), amount: total.value, number }),
    paragraphs: [words("mail.greeting", { name: invoice.customer[0] }), words(`mail.intro.${kind}`, { merchant, due })],
    notes: [
      words("mail.reason", { merchant }),
      ...(contacts === "" ? [] : [words("mail.contact", { merchant, contacts })]),
    ],
    linkNote: words("mail.linkNote"),
    publicUrl,
  })
}
