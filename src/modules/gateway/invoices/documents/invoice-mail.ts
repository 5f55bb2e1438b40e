import { html, type Markup, type Renderable } from "../../kernel/html"
import type { InvoiceMailKind } from "../mail-rules"
import type { InvoiceDocument } from "./invoice-document"

export type MailContent = { subject: string; html: string; text: string }

const INK = "#15211d"
const MUTED = "#51615b"
const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Noto Sans Bengali',sans-serif"

/**
 * An e-mail about an unpaid invoice, as HTML and as plain text. The HTML uses tables and inline styles, because mail
 * programs support little else. It loads nothing from anywhere, so it looks the same to everyone.
 */
export function invoiceMail(kind: InvoiceMailKind, invoice: InvoiceDocument): MailContent {
  const { words, merchant, total, number, due, testMode } = invoice
  const subject = words(`mail.subject.${kind}`, { merchant: oneLine(merchant), amount: total.value, number })
  const intro = words(`mail.intro.${kind}`, { merchant, due })
  const greeting = words("mail.greeting", { name: invoice.customer[0] })
  return {
    subject: testMode === null ? subject : `[${testMode.label}] ${subject}`,
    html: page(invoice, subject, [greeting, intro]).text,
    text: plain(invoice, [greeting, intro]),
  }
}

/** A subject is a header: a line break in a name would start another header. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim()
}

function plain(invoice: InvoiceDocument, paragraphs: readonly string[]): string {
  const { words, lines, total, facts, pay, testMode, merchant } = invoice
  const parts = [
    testMode === null ? null : `${testMode.label}: ${testMode.text}`,
    ...paragraphs,
    facts.map(({ label, value }) => `${label}: ${value}`).join("\n"),
    lines.map((line) => `${line.description}\n${line.detail}, ${line.period}\n${line.amount}`).join("\n\n"),
    `${total.label}: ${total.value}`,
    pay === null ? null : `${words("payOnline")}:\n${pay.url}`,
    words("mail.reason", { merchant }),
  ]
  return `${parts.filter((part) => part !== null).join("\n\n")}\n`
}

function page(invoice: InvoiceDocument, title: string, paragraphs: readonly string[]): Markup {
  const { language, testMode, merchant, words } = invoice
  const note = (text: Renderable) =>
    html`<p style="margin:0 0 8px;font-size:13px;line-height:1.6;color:${MUTED}">${text}</p>`
  return html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light"><title>${title}</title></head>
<body style="margin:0;padding:0;background:#eef2f1;color:${INK};${FONT}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#eef2f1"><tr><td align="center" style="padding:28px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border:1px solid #d5deda;border-radius:14px">
${testMode !== null && html`<tr><td style="padding:10px 28px;background:#fff2d1;border-radius:14px 14px 0 0;color:#6a4700;font-size:14px;line-height:1.5"><strong>${testMode.label}</strong> – ${testMode.text}</td></tr>`}
<tr><td style="padding:28px 28px 8px;font-size:20px;line-height:1.3;font-weight:700;overflow-wrap:anywhere">${merchant}</td></tr>
<tr><td style="padding:8px 28px;font-size:16px;line-height:1.6;overflow-wrap:anywhere">${paragraphs.map((text) => html`<p style="margin:0 0 12px">${text}</p>`)}</td></tr>
<tr><td style="padding:4px 28px 0">${amounts(invoice)}</td></tr>
${payment(invoice)}
<tr><td style="padding:20px 28px 24px;overflow-wrap:anywhere">${note(words("mail.reason", { merchant }))}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}

function amounts({ facts, lines, total }: InvoiceDocument): Markup {
  const row = (label: Renderable, value: Renderable, strong = false) => html`<tr>
<td style="padding:9px 14px;font-size:15px;line-height:1.5;color:${strong ? INK : MUTED};font-weight:${strong ? 700 : 400};overflow-wrap:anywhere">${label}</td>
<td align="right" style="padding:9px 14px;font-size:${strong ? 18 : 15}px;line-height:1.5;font-weight:${strong ? 700 : 600};white-space:nowrap">${value}</td></tr>`
  const described = lines.map((line) =>
    row(html`${line.description}<br><span style="font-size:13px">${line.detail} · ${line.period}</span>`, line.amount)
  )
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f5f8f7;border-radius:12px">
${facts.map(({ label, value }) => row(label, value))}
${described}
${row(total.label, total.value, true)}
</table>`
}

function payment({ pay, words }: InvoiceDocument): Markup | null {
  return pay === null
    ? null
    : html`<tr><td style="padding:22px 28px 0"><a href="${pay.url}" style="display:block;padding:15px 20px;border-radius:12px;background:#00634a;color:#ffffff;font-size:17px;line-height:1.3;font-weight:700;text-align:center;text-decoration:none">${pay.label}</a></td></tr>
<tr><td style="padding:14px 28px 0;font-size:13px;line-height:1.6;color:${MUTED};overflow-wrap:anywhere">${words("mail.linkNote")}<br><a href="${pay.url}" style="color:#00634a">${pay.url}</a></td></tr>`
}
