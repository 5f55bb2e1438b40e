import type { MedusaContainer } from "@medusajs/framework/types"
import type { OutgoingMail } from "../modules/gateway/store-port"
import { notifyOnce } from "./notify-once"

/**
 * Sends invoices through the provider of Medusa's e-mail channel. `content` serves providers that send it as it is,
 * `data` serves those that render templates. Providers that support attachments get the PDF.
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
