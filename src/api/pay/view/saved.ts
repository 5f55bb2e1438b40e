import { brandName, localDate, localDigits, money, taka } from "../../../i18n/formats"
import { textGroup } from "../../../i18n/translate"
import type { PageMethod } from "../../../modules/gateway/checkout/page"
import { type Markup, html } from "../../../modules/gateway/kernel/text/html"
import type { PaymentMethod } from "../../../modules/gateway/merchants/payment-services"
import { planName } from "../../../modules/gateway/plans/rules"
import { portalLoginPath } from "../../../modules/gateway/portal/rules"
import { saveField, savedValue } from "../form/saved-method"
import { type FormView, ICONS } from "./parts"

type Renewal = NonNullable<FormView["page"]["renewal"]>["renewals"][number]
type SavedMethod = NonNullable<FormView["page"]["account"]>["methods"][number]

export function hasSaved({ page }: FormView): boolean {
  return (page.account?.methods.length ?? 0) > 0
}

/** The posted value of the saved method that is chosen: by the shopper, or at first the newest one. */
export function chosenSaved({ page, entered }: FormView): string | null {
  const values = (page.account?.methods ?? []).map(({ id }) => savedValue(id))
  const posted = entered.get("method")
  if (posted !== undefined) {
    return values.find((value) => value === posted) ?? null
  }
  const preferred = page.account?.preferred ?? null
  return preferred === null ? null : savedValue(preferred)
}

/** A row for each saved method, above the ways to pay that ask for details. */
export function savedChoices(view: FormView): Markup[] {
  const chosen = chosenSaved(view)
  return (view.page.account?.methods ?? []).map((saved) => {
    const value = savedValue(saved.id)
    return html`<div class="method" data-method="saved">
<label class="method-label"><input type="radio" name="method" value="${value}"${chosen === value && html` checked`}><span class="saved-name"><bdi>${nameOf(view, saved)}</bdi>${expiryOf(view, saved)}</span>${ICONS[saved.method]}</label>
</div>`
  })
}

/** A method as its owner knows it: "Visa ending in 4242", "bKash 017…". */
export function nameOf(
  { t, language }: Pick<FormView, "t" | "language">,
  saved: Pick<SavedMethod, "service" | "brand" | "last_four" | "account">
): string {
  const service = textGroup("pay", "services", language)[saved.service] ?? saved.service
  if (saved.last_four !== null) {
    return t("saved.endingIn", {
      name: saved.brand === null ? service : brandName(saved.brand),
      number: localDigits(saved.last_four, language),
    })
  }
  return saved.account === null ? service : t("saved.accountOf", { name: service, number: saved.account })
}

export function expiryOf(
  { t, language }: Pick<FormView, "t" | "language">,
  { expiry_month, expiry_year }: Pick<SavedMethod, "expiry_month" | "expiry_year">
): Markup | null {
  if (expiry_month === null || expiry_year === null) {
    return null
  }
  const month = localDigits(String(expiry_month).padStart(2, "0"), language)
  const year = localDigits(String(expiry_year), language)
  return html` <span class="saved-expiry">${t("saved.expires", { month, year })}</span>`
}

/** The shopper's consent, off until it is given. It names the services when the method has others that keep nothing. */
export function saveConsent(view: FormView, method: PageMethod): Markup | null {
  const { page, t, language, entered } = view
  const keeping = page.account?.keeping ?? []
  const kept = method.services.filter(({ code }) => keeping.includes(code))
  if (kept.length === 0) {
    return null
  }
  const names = kept.map(({ code, name }) => textGroup("pay", "services", language)[code] ?? name).join(", ")
  // A subscription keeps it in any case: what is asked is whether other orders may use it (docs/decisions/07).
  const save = page.renewal?.kept === true ? "saveToo" : "save"
  const label = kept.length === method.services.length ? t(`saved.${save}`) : t(`saved.${save}Of`, { services: names })
  return consent(view, method.kind, label, entered.get(saveField(method.kind)) === "yes")
}

function consent({ page, t }: FormView, kind: PaymentMethod, label: string, checked: boolean): Markup {
  const name = saveField(kind)
  return html`<div class="field save"><label><input type="checkbox" id="${name}" name="${name}" value="yes" aria-describedby="${name}-hint"${checked && html` checked`}><span>${label}</span></label>
<p class="hint" id="${name}-hint"><bdi>${t("saved.saveNote", { merchant: page.merchant_name })}</bdi></p></div>`
}

/** The notice's id: it describes the Pay button. */
export const RENEWAL_NOTICE = "renewal"

/** Nothing is charged after this payment. */
export function isLast({ renewals }: NonNullable<FormView["page"]["renewal"]>): boolean {
  return renewals.length > 0 && renewals.every(({ first_at }) => first_at === null)
}

/** How often it is paid, or until when: "12 payments with this one, then it ends". */
function endText(
  { page, t, language }: Pick<FormView, "page" | "t" | "language">,
  end: NonNullable<Renewal["end"]>
): string {
  if ("from" in end) {
    return t("renewal.endsFrom", { date: localDate(end.from, language, page.time_zone) })
  }
  const number = localDigits(String(end.cycles), language)
  return end.with_this ? t("renewal.cyclesWithThis", { number }) : t("renewal.cycles", { count: end.cycles, number })
}

/** States, above the button, that the instrument is kept, what will be charged from when on, and how to stop it. */
export function renewalNotice({ page, t, language }: FormView): Markup | null {
  const { renewal, merchant_name } = page
  if (renewal === null) {
    return null
  }
  if (renewal.renewals.length === 0) {
    return html`<div class="renewal" id="${RENEWAL_NOTICE}"><p><bdi>${t("renewal.keptOnly", { merchant: merchant_name })}</bdi></p></div>`
  }
  const lines = renewal.renewals.map((line) => {
    const name = planName(line, language)
    const { amount_minor, delivery_minor, interval_count, interval_unit, first_at, end } = line
    if (first_at === null) {
      return html`<li>${name && html`<bdi>${name}</bdi>: `}${t("renewal.last")}</li>`
    }
    const every = t(`renewal.every.${interval_unit}`, {
      count: interval_count,
      number: localDigits(String(interval_count), language),
    })
    const terms = t("renewal.line", {
      amount: taka(amount_minor, language),
      every,
      date: localDate(first_at, language, page.time_zone),
    })
    const delivery = delivery_minor > 0 && html` (${t("renewal.delivery", { amount: taka(delivery_minor, language) })})`
    const until = end !== null && html`; ${endText({ page, t, language }, end)}`
    return html`<li>${name && html`<bdi>${name}</bdi>: `}${terms}${delivery}${until}</li>`
  })
  const due = money(page.amount_minor, page.currency, language)
  const noTrial = renewal.trial_refused && html`<p>${t("renewal.noTrial", { amount: due })}</p>`
  if (isLast(renewal)) {
    return html`<div class="renewal" id="${RENEWAL_NOTICE}"><p class="renewal-title">${t("renewal.lastTitle")}</p>
${noTrial}<ul>${lines}</ul>
${renewal.kept && html`<p>${t("renewal.keptLast")}</p>`}</div>`
  }
  const how = t(renewal.in_account ? "renewal.stopInAccount" : "renewal.stopInPortal", { merchant: merchant_name })
  // In a tab of its own: who follows it has not paid yet.
  const stop = renewal.in_account
    ? html`<bdi>${how}</bdi>`
    : html`<a href="${portalLoginPath(page)}" target="_blank" rel="noreferrer"><bdi>${how}</bdi></a>`
  return html`<div class="renewal" id="${RENEWAL_NOTICE}"><p class="renewal-title">${ICONS.renew}${t("renewal.title")}</p>
${noTrial}<ul>${lines}</ul>
<p>${t(renewal.kept ? "renewal.kept" : "renewal.invoiced")} ${stop}</p></div>`
}
