import {
  MAIL_INK,
  MAIL_MUTED,
  type Markup,
  type Renderable,
  html,
  mailButton,
  mailOpening,
  mailPage,
} from "../../kernel/text/html"
import type { Paper } from "./paper"

export type MailContent = { subject: string; html: string; text: string }

/** An e-mail around a document. `linkNote`: said above the link to pay, where there is one. */
type PaperMail<Shown extends Paper> = {
  paper: Shown
  subject: string
  paragraphs: readonly string[]
  /** Why the reader gets it, and how to reach the merchant. */
  notes: readonly string[]
  linkNote: string
  /** The public address of this deployment, for the logo; null: it is left out. */
  publicUrl: string | null
}

/**
 * As HTML and as plain text. The HTML loads nothing but the merchant's logo: a program that loads no pictures shows the
 * name, which stands there anyway.
 */
export function paperMail<Shown extends Paper>(mail: PaperMail<Shown>): MailContent {
  const { testMode } = mail.paper
  return {
    subject: testMode === null ? mail.subject : `[${testMode.label}] ${mail.subject}`,
    html: page(mail).text,
    text: plain(mail),
  }
}

function plain({ paper, paragraphs, notes }: PaperMail<Paper>): string {
  const { lines, sums, total, facts, pay, testMode, issuer, labels } = paper
  const fact = ({ label, value }: { label: string; value: string }) => `${label}: ${value}`
  const parts = [
    testMode === null ? null : `${testMode.label}: ${testMode.text}`,
    ...paragraphs,
    facts.map(fact).join("\n"),
    lines.map((line) => `${line.description}\n${besides(line)}${line.amount}`).join("\n\n"),
    [...sums, total].map(fact).join("\n"),
    pay === null ? null : `${labels.payOnline}:\n${pay.url}`,
    ...notes,
    [...issuer.lines, ...(issuer.bin === null ? [] : [fact(issuer.bin)])].join("\n") || null,
  ]
  return `${parts.filter((part) => part !== null).join("\n\n")}\n`
}

function besides({ detail, period }: { detail: string; period: string }): string {
  const parts = [detail, period].filter((part) => part !== "")
  return parts.length === 0 ? "" : `${parts.join(", ")}\n`
}

function page({ paper, subject, paragraphs, notes, linkNote, publicUrl }: PaperMail<Paper>): Markup {
  const { language, testMode, merchant, issuer } = paper
  const note = (text: Renderable) =>
    html`<p style="margin:0 0 8px;font-size:13px;line-height:1.6;color:${MAIL_MUTED}">${text}</p>`
  const logo = issuer.logo === null || publicUrl === null ? null : `${publicUrl}/pay/logo/${issuer.logo}`
  const masthead = html`${logo !== null && html`<img src="${logo}" alt="" height="40" style="display:block;height:40px;max-width:200px;margin-bottom:10px">`}${merchant}`
  const rows = html`${testMode !== null && html`<tr><td style="padding:10px 28px;background:#fff2d1;border-radius:14px 14px 0 0;color:#6a4700;font-size:14px;line-height:1.5"><strong>${testMode.label}</strong> – ${testMode.text}</td></tr>`}
${mailOpening(masthead, paragraphs)}
<tr><td style="padding:4px 28px 0">${amounts(paper)}</td></tr>
${payment(paper, linkNote)}
<tr><td style="padding:20px 28px 24px;overflow-wrap:anywhere">${notes.map(note)}${note(imprint(paper))}</td></tr>`
  return mailPage(language, subject, rows)
}

function imprint({ issuer: { lines, bin } }: Paper): Renderable {
  const all = [...lines, ...(bin === null ? [] : [`${bin.label} ${bin.value}`])]
  return all.map((line, index) => html`${index > 0 && html`<br>`}${line}`)
}

/** An invoice's number or a date is not broken, also on a narrow screen. */
const SHORT_MAX_CHARS = 16

/** `long`: which of the two may be a text without spaces that has to be broken; amounts never are. */
type Row = { strong?: boolean; long?: "label" | "value" }

function amounts({ facts, lines, sums, total }: Paper): Markup {
  const row = (label: Renderable, value: Renderable, { strong = false, long }: Row = {}) => html`<tr>
<td style="padding:9px 14px;font-size:15px;line-height:1.5;color:${strong ? MAIL_INK : MAIL_MUTED};font-weight:${strong ? 700 : 400};overflow-wrap:${long === "label" ? "anywhere" : "break-word"}">${label}</td>
<td align="right" style="padding:9px 14px;font-size:${strong ? 18 : 15}px;line-height:1.5;font-weight:${strong ? 700 : 600};${long === "value" ? "overflow-wrap:anywhere" : "white-space:nowrap"}">${value}</td></tr>`
  const described = lines.map(({ description, detail, period, amount }) => {
    const below = [detail, period].filter((part) => part !== "").join(" · ")
    return row(html`${description}${below !== "" && html`<br><span style="font-size:13px">${below}</span>`}`, amount, {
      long: "label",
    })
  })
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f5f8f7;border-radius:12px">
${facts.map(({ label, value }) => row(label, value, value.length > SHORT_MAX_CHARS ? { long: "value" } : {}))}
${described}
${sums.map(({ label, value }) => row(label, value))}
${row(total.label, total.value, { strong: true })}
</table>`
}

function payment({ pay, issuer }: Paper, linkNote: string): Markup | null {
  return pay === null
    ? null
    : html`<tr><td style="padding:22px 28px 0">${mailButton(pay.url, pay.label, issuer.accent)}</td></tr>
<tr><td style="padding:14px 28px 0;font-size:13px;line-height:1.6;color:${MAIL_MUTED};overflow-wrap:anywhere">${linkNote}<br><a href="${pay.url}" style="color:${issuer.accent}">${pay.url}</a></td></tr>`
}
