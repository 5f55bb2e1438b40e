import { textsOf } from "../../../i18n/translate"
import type { Environment } from "../kernel/money/clock"
import { MAIL_MUTED, html, mailButton, mailOpening, mailPage, oneLine } from "../kernel/text/html"
import type { Language } from "../../../i18n/languages"

type LinkMail = { merchant: string; name: string; url: string; language: Language; environment: Environment }

const ACCENT = "#00634a"

/** The e-mail with a customer's link, as HTML and as plain text. It loads nothing from anywhere. */
export function linkMail({ merchant, name, url, language, environment }: LinkMail) {
  const t = textsOf("portal", language)
  const isTest = environment === "sandbox"
  const title = t("mail.subject", { merchant: oneLine(merchant) })
  const subject = isTest ? `[${textsOf("pay", language)("testMode")}] ${title}` : title
  const [greeting, intro, note] = [t("mail.greeting", { name }), t("mail.intro", { merchant }), t("mail.note")]
  const rows = html`${mailOpening(merchant, [greeting, intro])}
<tr><td style="padding:10px 28px 0">${mailButton(url, t("mail.open"), ACCENT)}</td></tr>
<tr><td style="padding:20px 28px 24px;font-size:13px;line-height:1.6;color:${MAIL_MUTED};overflow-wrap:anywhere">${note}<br><br>${url}</td></tr>`
  const page = mailPage(language, subject, rows)
  return { subject, html: page.text, text: `${[greeting, intro, url, note].join("\n\n")}\n` }
}
