import { textsOf } from "../../../i18n/translate"
import type { Environment } from "../kernel/clock"
import { html, type Renderable } from "../kernel/html"
import type { Language } from "../kernel/locale"

export type LinkMail = { merchant: string; name: string; url: string; language: Language; environment: Environment }

const INK = "#15211d"
const MUTED = "#51615b"
const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Noto Sans Bengali',sans-serif"

/** The e-mail with a customer's link, as HTML and as plain text. It loads nothing from anywhere. */
export function linkMail({ merchant, name, url, language, environment }: LinkMail) {
  const t = textsOf("portal", language)
  const isTest = environment === "sandbox"
  const title = t("mail.subject", { merchant: oneLine(merchant) })
  const subject = isTest ? `[${textsOf("pay", language)("testMode")}] ${title}` : title
  const [greeting, intro, note] = [t("mail.greeting", { name }), t("mail.intro", { merchant }), t("mail.note")]
  const paragraph = (text: Renderable) => html`<p style="margin:0 0 12px">${text}</p>`
  const page = html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light"><title>${subject}</title></head>
<body style="margin:0;padding:0;background:#eef2f1;color:${INK};${FONT}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#eef2f1"><tr><td align="center" style="padding:28px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border:1px solid #d5deda;border-radius:14px">
<tr><td style="padding:28px 28px 8px;font-size:20px;line-height:1.3;font-weight:700;overflow-wrap:anywhere">${merchant}</td></tr>
<tr><td style="padding:8px 28px;font-size:16px;line-height:1.6;overflow-wrap:anywhere">${paragraph(greeting)}${paragraph(intro)}</td></tr>
<tr><td style="padding:10px 28px 0"><a href="${url}" style="display:block;padding:15px 20px;border-radius:12px;background:#00634a;color:#ffffff;font-size:17px;line-height:1.3;font-weight:700;text-align:center;text-decoration:none">${t("mail.open")}</a></td></tr>
<tr><td style="padding:20px 28px 24px;font-size:13px;line-height:1.6;color:${MUTED};overflow-wrap:anywhere">${note}<br><br>${url}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
  return { subject, html: page.text, text: `${[greeting, intro, url, note].join("\n\n")}\n` }
}

/** A subject is a header: a line break in a name would start another header. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim()
}
