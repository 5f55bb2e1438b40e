import type { Language } from "../../../../i18n/languages"

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

/** Text that is already HTML. Only the `html` tag makes it, so a template escapes every other value. */
export class Markup {
  constructor(readonly text: string) {}
}

export type Renderable = string | number | Markup | null | undefined | false | readonly Renderable[]

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character])
}

function render(value: Renderable): string {
  if (value === null || value === undefined || value === false) {
    return ""
  }
  if (value instanceof Markup) {
    return value.text
  }
  if (typeof value === "string" || typeof value === "number") {
    return escapeHtml(String(value))
  }
  return value.map(render).join("")
}

/**
 * Builds HTML and escapes every value. Write attribute values in double quotes: an unquoted one would end at the first
 * space of a merchant's text, escaped or not.
 */
export function html(strings: TemplateStringsArray, ...values: Renderable[]): Markup {
  let text = strings[0]
  values.forEach((value, index) => {
    text += render(value) + strings[index + 1]
  })
  return new Markup(text)
}

export const MAIL_INK = "#15211d"
export const MAIL_MUTED = "#51615b"
const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Noto Sans Bengali',sans-serif"

/**
 * The frame of every e-mail: a card of table rows. It uses tables and inline styles, because mail programs support
 * little else. It loads no image or other file from outside.
 */
export function mailPage(language: Language, title: string, rows: Renderable): Markup {
  return html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light"><title>${title}</title></head>
<body style="margin:0;padding:0;background:#eef2f1;color:${MAIL_INK};${FONT}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#eef2f1"><tr><td align="center" style="padding:28px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border:1px solid #d5deda;border-radius:14px">
${rows}
</table>
</td></tr></table>
</body>
</html>
`
}

/** The rows that every e-mail begins with: who writes, and what. */
export function mailOpening(merchant: Renderable, paragraphs: readonly string[]): Markup {
  return html`<tr><td style="padding:28px 28px 8px;font-size:20px;line-height:1.3;font-weight:700;overflow-wrap:anywhere">${merchant}</td></tr>
<tr><td style="padding:8px 28px;font-size:16px;line-height:1.6;overflow-wrap:anywhere">${paragraphs.map((text) => html`<p style="margin:0 0 12px">${text}</p>`)}</td></tr>`
}

/** A link that looks like a button. */
export function mailButton(url: string, label: string, color: string): Markup {
  return html`<a href="${url}" style="display:block;padding:15px 20px;border-radius:12px;background:${color};color:#ffffff;font-size:17px;line-height:1.3;font-weight:700;text-align:center;text-decoration:none">${label}</a>`
}

/** A subject is a header: a line break in a name would start another header. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim()
}
