import { localDate } from "../../../i18n/formats"
import type { Language } from "../../../i18n/languages"
import { textsOf } from "../../../i18n/translate"
import type { Environment } from "../kernel/money/clock"
import { MAIL_MUTED, html, mailButton, mailOpening, mailPage, oneLine } from "../kernel/text/html"
import { accentOf, contactsOf, profileOf, shopName, type StoredProfile } from "../merchants/profile-rules"
import { planName, type PlanNames } from "../plans/rules"
import { mayUncancel } from "../subscriptions/cancellation-rules"

/** A cancelled subscription, as its customer reads of it. Times on the merchant's clock. */
export type CancelledSubscription = PlanNames &
  Parameters<typeof mayUncancel>[0] & {
    environment: Environment
    cancelled_at: Date
    cancellation_reason: string | null
    failed_payment_count: number
    customer_name: string
    merchant_name: string
    profile: StoredProfile | null
    /** IANA, in whose days dates are written. */
    time_zone: string
  }

/**
 * How it ends. `until`: with what is paid for, and can be undone till then. `failed`: at once, after the last try of a
 * payment. `now`: at once.
 */
export type CancellationEnd = "until" | "failed" | "now"

export function endOf(cancelled: CancelledSubscription, now: Date): CancellationEnd {
  if (mayUncancel(cancelled, now)) {
    return "until"
  }
  const hasFailed = cancelled.cancellation_reason === "payment_failed" && cancelled.failed_payment_count > 0
  return hasFailed ? "failed" : "now"
}

type Shown = { language: Language; now: Date; portalUrl: string | null }

/**
 * The e-mail about a cancellation, as HTML and as plain text. It loads nothing from anywhere. `portalUrl`: where the
 * customer gets into the portal; null: the deployment has no address.
 */
export function cancellationMail(cancelled: CancelledSubscription, { language, now, portalUrl }: Shown) {
  const t = textsOf("mails", language)
  const { time_zone } = cancelled
  const profile = profileOf(cancelled.profile)
  const merchant = shopName(cancelled.merchant_name, profile, language)
  const end = endOf(cancelled, now)
  const plan = planName(cancelled, language) ?? t("cancelled.unnamed")
  const isTest = cancelled.environment === "sandbox"
  const title = t("cancelled.subject", { plan: oneLine(plan), merchant: oneLine(merchant) })
  const subject = isTest ? `[${textsOf("pay", language)("testMode")}] ${title}` : title
  const ends = (end === "until" ? cancelled.current_period_end : null) ?? cancelled.cancelled_at
  const date = localDate(ends, language, time_zone)
  const paragraphs = [
    t("cancelled.greeting", { name: cancelled.customer_name }),
    t(`cancelled.${end}`, { plan, merchant, date }),
    ...(end === "until" ? [t("cancelled.undo", { date })] : []),
  ]
  const contacts = contactsOf(profile)
    .map(({ text }) => text)
    .join(" · ")
  const notes = [
    t("cancelled.reason", { merchant }),
    ...(contacts === "" ? [] : [t("cancelled.contact", { merchant, contacts })]),
  ]
  const label = t(end === "until" ? "cancelled.openToUndo" : "cancelled.open")
  const link = portalUrl === null ? null : { url: portalUrl, note: t("cancelled.link") }
  const rows = html`${mailOpening(merchant, paragraphs)}
${
  link &&
  html`<tr><td style="padding:10px 28px 0">${mailButton(link.url, label, accentOf(profile))}</td></tr>
<tr><td style="padding:14px 28px 0;font-size:13px;line-height:1.6;color:${MAIL_MUTED};overflow-wrap:anywhere">${link.note}<br>${link.url}</td></tr>`
}
<tr><td style="padding:20px 28px 24px;font-size:13px;line-height:1.6;color:${MAIL_MUTED};overflow-wrap:anywhere">${notes.map((note) => html`<p style="margin:0 0 8px">${note}</p>`)}</td></tr>`
  const parts = [...paragraphs, ...(link === null ? [] : [`${link.note}\n${link.url}`]), ...notes]
  return { subject, html: mailPage(language, subject, rows).text, text: `${parts.join("\n\n")}\n` }
}
