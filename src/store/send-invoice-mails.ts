import type { MedusaContainer } from "@medusajs/framework/types"
import type { OutgoingMail } from "../modules/gateway/store-port"
import { notifyOnce } from "./notify-once"

/**
 * How invoices leave: through the provider of Medusa's e-mail channel. `content` is for those that send what they are
 * given, `data` has the same and the invoice for those that render by templates; those that can attach the PDF.
 */
export async function sendMail(scope: MedusaContainer, mail: OutgoingMail): Promise<void> {
  const { subject, html, text, attachment, resource } = mail
  await notifyOnce(scope, {
    occasion: mail.occasion,
    to: mail.to,
    template: mail.template,
    resource_id: resource.id,
    resource_type: resource.type,
    content: { subject, html, text },
    data: { ...mail.data, subject, html, text },
    attachments: [
      {
        filename: attachment.filename,
        content_type: attachment.type,
        content: attachment.bytes.toString("base64"),
        disposition: "attachment",
      },
    ],
  })
}
