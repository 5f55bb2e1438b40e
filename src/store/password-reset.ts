import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { languageOfTag } from "../i18n/languages"
import { textsOf } from "../i18n/translate"
import { html } from "../modules/gateway/kernel/html"

const TEMPLATE = "customer-password-reset"

/** Medusa's event of a request for a new password; `metadata` comes from the browser, and anybody may write it. */
export type PasswordRequest = {
  entity_id: string
  actor_type: string
  token: string
  metadata?: { locale?: unknown } | null
}

/**
 * Sends a customer the link of the storefront's page for a new password. `page` is that page's address; token and e-mail
 * address follow as its query. A page whose address has a `#` receives them behind it, where no server logs them.
 */
export async function sendPasswordLink(
  container: MedusaContainer,
  page: string,
  { entity_id: email, token, metadata }: PasswordRequest
): Promise<void> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data: stores } = await query.graph({ entity: "store", fields: ["name"] })
  const shop = stores[0]?.name ?? ""
  const language = typeof metadata?.locale === "string" ? (languageOfTag(metadata.locale) ?? "en") : "en"
  const words = textsOf("password", language)
  const url = `${page}?${new URLSearchParams({ token, email })}`
  const [subject, text, ignore] = [words("subject", { shop }), words("text", { shop }), words("ignore")]
  const content = {
    subject,
    text: `${text}\n\n${url}\n\n${ignore}\n`,
    html: html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${subject}</title></head>
<body><p>${text}</p><p><a href="${url}">${words("button")}</a></p><p>${ignore}</p></body></html>
`.text,
  }
  await container.resolve(Modules.NOTIFICATION).createNotifications({
    to: email,
    channel: "email",
    template: TEMPLATE,
    trigger_type: TEMPLATE,
    content,
    data: content,
  })
}
