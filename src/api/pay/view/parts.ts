import type { pay } from "../../../i18n/en/pay"
import { localDigits } from "../../../i18n/formats"
import type { Language } from "../../../i18n/languages"
import { textGroup, textsOf } from "../../../i18n/translate"
import { type Say } from "../../../i18n/wording"
import type { CheckoutPage } from "../../../modules/gateway/checkout/page"
import { type Markup, type Renderable, html } from "../../../modules/gateway/kernel/text/html"
import type { FieldName, FormFields } from "../form/fields"

/**
 * Why the last attempt was declined, by its code; undefined for a code without a text. CARD_DECLINED is also the code of
 * a wallet or an account that was declined without a reason: those are no cards.
 */
export function declineText(page: CheckoutPage, code: string, language: Language): string | undefined {
  const isOtherThanCard = page.preselected !== null && page.preselected.kind !== "card"
  return code === "CARD_DECLINED" && isOtherThanCard
    ? textsOf("pay", language)("declinedOtherwise")
    : textGroup("pay", "declines", language)[code]
}

/** The wallet that was tried last, by its name; of other services the shopper does not know whose page it was. */
export function providerName({ preselected }: CheckoutPage, language: Language): string {
  const code = preselected?.kind === "mobile_banking" ? preselected.service_code : null
  return (
    (code === null ? undefined : textGroup("pay", "services", language)[code]) ??
    textsOf("pay", language)("paymentProvider")
  )
}

/** The attributes that connect a control to its hint and its problem. */
export function description(view: FormView, name: FieldName, hint: boolean): Markup {
  const wrong = view.problems.has(name)
  const ids = [hint ? `${name}-hint` : "", wrong ? `${name}-error` : ""].filter(Boolean).join(" ")
  return html`${ids !== "" && html` aria-describedby="${ids}"`}${wrong && html` aria-invalid="true"`}`
}

export function problemText(view: FormView, name: FieldName): Markup | null {
  const text = view.problems.get(name)
  return text === undefined ? null : html`<p class="error" id="${name}-error">${text}</p>`
}

type TextField = {
  name: FieldName
  label: string
  hint?: string
  autocomplete: string
  type?: "text" | "tel" | "password"
  inputmode: "numeric" | "tel" | "text"
  maxlength: number
  half?: boolean
  /** Secrets are never written into a page again, not even into the page that shows their problem. */
  secret: boolean
  after?: Renderable
  className?: string
}

export function textField(view: FormView, field: TextField): Markup {
  const { name } = field
  const value = field.secret ? "" : (view.entered.get(name) ?? "")
  return html`<div class="field${field.half ? " half" : ""}">
<label for="${name}">${field.label}</label>
${field.hint !== undefined && html`<p class="hint" id="${name}-hint">${field.hint}</p>`}
<div class="control ${field.className ?? ""}"><input id="${name}" name="${name}" type="${field.type ?? "text"}" inputmode="${field.inputmode}" autocomplete="${field.autocomplete}" maxlength="${field.maxlength}" value="${value}" aria-required="true"${description(view, name, field.hint !== undefined)} autocapitalize="off" autocorrect="off" spellcheck="false" data-check>${field.after}</div>
${problemText(view, name)}
</div>`
}

/** The data of the payment form's templates. */
export type FormView = {
  page: CheckoutPage
  language: Language
  t: Say<typeof pay>
  /** What was posted before, for the fields that may be shown again; empty at first. */
  entered: FormFields
  problems: ReadonlyMap<FieldName, string>
}

export function sessionPath(page: { session_id: string }): string {
  return `/pay/${page.session_id}`
}

/** Seconds as minutes and seconds, e.g. 1799 as "29:59". */
export function clockTime(seconds: number, language: Language): string {
  const minutes = Math.floor(seconds / 60)
  const rest = String(seconds % 60).padStart(2, "0")
  return localDigits(`${minutes}:${rest}`, language)
}

/** A card number in the groups printed on the card: 4-6-5 for fifteen digits, else fours. */
export function groupedCard(digits: string): string {
  return digits.length === 15
    ? digits.replace(/^(.{4})(.{6})(.{5})$/, "$1 $2 $3")
    : digits.replace(/(.{4})(?=.)/g, "$1 ")
}

/** Our own line icons, decorative only: the text beside them carries the meaning. */
function icon(paths: Markup): Markup {
  return html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${paths}</svg>`
}

export const ICONS = {
  lock: icon(html`<rect x="5" y="11" width="14" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>`),
  clock: icon(html`<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/>`),
  card: icon(html`<rect x="3" y="5" width="18" height="14" rx="2.5"/><path d="M3 10h18M7 15h3"/>`),
  mobile_banking: icon(html`<rect x="7" y="3" width="10" height="18" rx="2.5"/><path d="M11 18h2"/>`),
  internet_banking: icon(html`<path d="M4 10h16L12 4zM6 10v7m4-7v7m4-7v7m4-7v7M4 20h16"/>`),
  wallet: icon(html`<path d="M4 7v11a2 2 0 0 0 2 2h14V9H6a2 2 0 0 1 0-4h12v4"/><path d="M16 14.5h.01"/>`),
  done: icon(html`<path d="m5 12.5 4.5 4.5L19 7.5"/>`),
  cross: icon(html`<path d="m7 7 10 10M17 7 7 17"/>`),
  back: icon(html`<path d="M9 6 4 11l5 5M4 11h11a5 5 0 0 1 0 10h-2"/>`),
  renew: icon(html`<path d="M4 12a8 8 0 0 1 14-5.3L20 9M20 4v5h-5M20 12a8 8 0 0 1-14 5.3L4 15M4 20v-5h5"/>`),
  warning: icon(html`<path d="M12 4 3 19.5h18zM12 10v4m0 3h.01"/>`),
} as const

/** Marks of our own drawing, decorative as well. */
function mark(className: string, shapes: Markup): Markup {
  return html`<svg class="scheme ${className}" viewBox="0 0 42 24" width="42" height="24" aria-hidden="true" focusable="false"><rect x=".5" y=".5" width="41" height="23" rx="5"/>${shapes}</svg>`
}

export const CARD_MARKS = html`<span class="marks">${mark("visa", html`<text x="21" y="16.5" text-anchor="middle">VISA</text>`)}${mark("mastercard", html`<circle cx="17" cy="12" r="7" fill="#eb001b"/><circle cx="25" cy="12" r="7" fill="#f79e1b" fill-opacity=".85"/>`)}</span>`
