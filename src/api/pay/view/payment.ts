import type { Language } from "../../../i18n/languages"
import { textGroup, textsOf } from "../../../i18n/translate"
import { monthOf, asksForDetails } from "../form/instrument"
import type { FieldName, FormFields, Problem } from "../form/fields"
import type { CheckoutPage } from "../../../modules/gateway/checkout/page"
import { localDigits, money } from "../../../i18n/formats"
import { type FormView, ICONS, declineText, providerName, sessionPath } from "./parts"
import { canPay, payLabel } from "./emi"
import { html, type Markup } from "../../../modules/gateway/kernel/text/html"
import { shopName } from "../../../modules/gateway/merchants/profile-rules"
import { VERIFICATION_NOTICE, document, summary, testData, testNotice, verificationNotice } from "./layout"
import { methodChoice } from "./methods"
import { RENEWAL_NOTICE, hasSaved, isLast, renewalNotice } from "./saved"

/** The field that a problem's link leads to. */
function anchor(view: FormView, field: FieldName): string {
  const { methods } = view.page
  if (field === "service" || (field === "method" && methods[0]?.kind === "mobile_banking")) {
    return `method_${methods.find(({ kind }) => kind === "mobile_banking")?.services[0]?.code ?? ""}`
  }
  if (field === "method") {
    return `method_${methods[0]?.kind ?? ""}`
  }
  if (field === "emi" && !view.page.emi?.offers.length) {
    return "payment"
  }
  return field
}

function problemSummary(view: FormView): Markup {
  const links = [...view.problems].map(([field, text]) => html`<li><a href="#${anchor(view, field)}">${text}</a></li>`)
  return html`<div class="problems" id="problems" role="alert" tabindex="-1" autofocus>
<h2>${view.t("problemsTitle")}</h2>
<ul>${links}</ul>
</div>`
}

/** Why the last attempt came to nothing, and that another one may follow. */
function declineNotice({ page, t, language, problems }: FormView): Markup | false {
  const { declined } = page
  if (declined === null || problems.size > 0) {
    return false
  }
  const { code, reason, tries_left, attempts_left } = declined
  const digits = (count: number) => localDigits(String(count), language)
  const byReason = reason === null ? undefined : textGroup("pay", "declineReasons", language)[reason]
  const hasLeft = code === "CANCELLED"
  const why = hasLeft ? null : (byReason ?? declineText(page, code, language) ?? t("declinedOtherwise"))
  return html`<div class="problems" id="problems" role="alert" tabindex="-1" autofocus>
<h2>${hasLeft ? t("leftTitle", { provider: providerName(page, language) }) : t("declinedTitle")}</h2>
<p>${why}${tries_left !== null && html` ${t("triesLeft", { count: tries_left, number: digits(tries_left) })}`}</p>
${page.account?.was_declined === true && html`<p>${t("saved.declined")}</p>`}
<p>${t("declinedNext", { count: attempts_left, number: digits(attempts_left) })}</p>
</div>`
}

function payForm(view: FormView, token: string): Markup {
  const { page, t, language } = view
  const amount = money(page.amount_minor, page.currency, language)
  const details = page.methods.some(({ services }) => asksForDetails(page, services))
  const paysHere = details || hasSaved(view)
  const inFull = paysHere ? t(page.verifies ? "verify.save" : "pay", { amount }) : t("continueToPay")
  const now = monthOf(page.now)
  const goesAway = page.goes_straight && view.problems.size === 0
  return html`<form id="payment" method="post" action="${sessionPath(page)}" novalidate data-month="${now.year}-${now.month}"
${goesAway && html` data-straight="${t("straight", { provider: providerName(page, language) })}"`} data-problems="${JSON.stringify(textGroup("pay", "problems", language))}" data-wait="${t("doNotClose")}" data-filled="${t("cardFilled")}">
<input type="hidden" name="csrf_token" value="${token}">
${view.problems.size > 0 && problemSummary(view)}
${declineNotice(view)}
${methodChoice(view)}
${!details && html`<p class="note leave">${t(hasSaved(view) ? "saved.otherwise" : "redirectText")}</p>`}
${renewalNotice(view)}
${verificationNotice(view)}
${canPay(page) && html`<button class="button" type="submit" data-paying="${t("paying")}"${describedBy(page)}>${ICONS.lock}${payLabel(view, inFull)}</button>`}
</form>`
}

/** The notice about what follows the payment describes the button. */
function describedBy({ verifies, renewal }: CheckoutPage): Markup | false {
  const notice = verifies ? VERIFICATION_NOTICE : renewal === null ? null : RENEWAL_NOTICE
  return notice !== null && html` aria-describedby="${notice}"`
}

function cancelForm({ page, t }: FormView, token: string): Markup {
  return html`<form class="cancel" method="post" action="${sessionPath(page)}/cancel">
<input type="hidden" name="csrf_token" value="${token}">
<button type="submit"><bdi>${t(page.declined === null ? "cancel" : "returnToShop", { merchant: page.merchant_name })}</bdi></button>
</form>`
}

/** What becomes of the shopper's details, which are entered on this page alone. */
function footOf({ page, t }: FormView): string {
  const { renewal, verifies, account } = page
  const isKept = verifies || (renewal !== null && (renewal.kept || !isLast(renewal)))
  const kept = renewal !== null && isLast(renewal) ? "renewal.useLast" : "renewal.use"
  return `${t(isKept ? kept : account === null ? "use" : "saved.use")} ${t("footer")}`
}

/** The page on which the shopper pays. `entered` and `problems` come from a refused submission. */
export function paymentPage(input: {
  page: CheckoutPage
  language: Language
  token: string
  entered: FormFields
  problems: readonly Problem[]
}): Markup {
  const { language, token } = input
  const merchant = shopName(input.page.merchant_name, input.page.profile, language)
  const page = { ...input.page, merchant_name: merchant }
  const t = textsOf("pay", language)
  const problems = new Map(input.problems.map(({ field, problem }) => [field, t(`problems.${problem}`)]))
  const view: FormView = { page, language, t, entered: input.entered, problems }
  const title = t("documentTitle", {
    amount: money(page.amount_minor, page.currency, language),
    merchant,
  })
  return document({
    language,
    title: problems.size > 0 ? `${t("errorTitlePrefix")}: ${title}` : title,
    merchant,
    profile: page.profile,
    path: sessionPath(page),
    skipTo: "payment",
    test: testNotice(page.environment, language),
    foot: footOf(view),
    body: html`${page.environment === "sandbox" && testData(view)}
<div class="columns">
${summary(view)}
<section class="panel" aria-label="${t("securePayment")}">
${payForm(view, token)}
${cancelForm(view, token)}
</section>
</div>`,
  })
}
