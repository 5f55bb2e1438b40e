import { textGroup } from "../../../i18n/translate"
import { asksForDetails, DEMO_BANKS, serviceField } from "../form/instrument"
import type { PaymentMethod } from "../../../modules/gateway/merchants/payment-services"
import type { PageMethod, PageService } from "../../../modules/gateway/checkout/page"
import { emiChoice } from "./emi"
import { type FormView, ICONS, description, problemText, textField } from "./parts"
import { html, type Markup, type Renderable } from "../../../modules/gateway/kernel/text/html"
import { chosenSaved, hasSaved, saveConsent, savedChoices } from "./saved"

/**
 * The shopper's earlier choice, otherwise the merchant's preselection, otherwise the first; null when a saved method is
 * chosen.
 */
function chosenMethod(view: FormView): PaymentMethod | null {
  const { page, entered } = view
  if (chosenSaved(view) !== null) {
    return null
  }
  const kinds = page.methods.map(({ kind }) => kind)
  const wanted = [entered.get("method"), page.preselected?.kind ?? (page.emi?.chosen ? "card" : undefined)]
  return kinds.find((kind) => kind === wanted[0]) ?? kinds.find((kind) => kind === wanted[1]) ?? kinds[0] ?? null
}

function chosenService({ page, entered }: FormView, method: PageMethod): string | null {
  const codes = method.services.map(({ code }) => code)
  const wanted = entered.get(serviceField(method.kind)) ?? page.preselected?.service_code
  return codes.find((code) => code === wanted) ?? null
}

function serviceTile(view: FormView, method: PageMethod, service: PageService, id: string): Markup {
  const name = textGroup("pay", "services", view.language)[service.code] ?? service.name
  const checked = chosenService(view, method) === service.code
  const mark = `mark mark-${service.code.toLowerCase()}`
  const where = !isMixed(view, method)
    ? null
    : asksForDetails(view.page, [service])
      ? html` data-here`
      : html` data-away`
  return html`<label class="tile"><input type="radio" id="${id}" name="${serviceField(method.kind)}" value="${service.code}"${checked && html` checked`}${where}><span class="${mark}" aria-hidden="true"></span><span>${name}</span></label>`
}

function serviceChoice(view: FormView, method: PageMethod): Markup | null {
  if (method.services.length < 2) {
    return null
  }
  const wrong = chosenMethod(view) === method.kind
  const tiles = method.services.map((service, index) =>
    serviceTile(view, method, service, index === 0 && wrong ? "service" : `${method.kind}_${service.id}`)
  )
  return html`<fieldset class="choices"${wrong && view.problems.has("service") && html` aria-describedby="service-error"`}><legend>${view.t("chooseService")}</legend><div class="tiles">${tiles}</div>${wrong && problemText(view, "service")}</fieldset>`
}

function cardFields(view: FormView): Markup {
  const { t } = view
  return html`${textField(view, { name: "card_number", label: t("cardNumber"), autocomplete: "cc-number", inputmode: "numeric", maxlength: 23, secret: true, className: "card-number", after: html`<span class="brand" aria-hidden="true"></span>` })}
${textField(view, { name: "card_expiry", label: t("cardExpiry"), hint: t("cardExpiryHint"), autocomplete: "cc-exp", inputmode: "numeric", maxlength: 9, secret: false, half: true })}
${textField(view, { name: "card_cvc", label: t("cardCvc"), hint: t("cardCvcHint"), autocomplete: "cc-csc", inputmode: "numeric", maxlength: 4, secret: true, half: true })}
${textField(view, { name: "card_name", label: t("cardName"), autocomplete: "cc-name", inputmode: "text", maxlength: 80, secret: false })}`
}

function mobileFields(view: FormView): Markup {
  const { t } = view
  return html`${textField(view, { name: "mobile_number", label: t("mobileNumber"), hint: t("mobileNumberHint"), autocomplete: "tel", type: "tel", inputmode: "tel", maxlength: 20, secret: false })}
${textField(view, { name: "otp", label: t("otp"), hint: t("otpHint"), autocomplete: "one-time-code", inputmode: "numeric", maxlength: 10, secret: true, half: true })}
${textField(view, { name: "pin", label: t("pin"), hint: t("pinHint"), autocomplete: "off", type: "password", inputmode: "numeric", maxlength: 10, secret: true, half: true })}`
}

function bankField(view: FormView): Markup {
  const { t, entered } = view
  const options = DEMO_BANKS.map(
    (bank) =>
      html`<option value="${bank}"${entered.get("bank") === bank && html` selected`}>${t(`banks.${bank}`)}</option>`
  )
  return html`<p class="field note">${t("internetBankingText")}</p>
<div class="field"><label for="bank">${t("bank")}</label>
<div class="control"><select id="bank" name="bank" aria-required="true"${description(view, "bank", false)} data-check><option value="">${t("choose")}</option>${options}</select></div>
${problemText(view, "bank")}</div>`
}

function details(view: FormView, kind: PaymentMethod): Renderable {
  switch (kind) {
    case "card":
      return cardFields(view)
    case "mobile_banking":
      return mobileFields(view)
    case "internet_banking":
      return bankField(view)
    case "wallet":
      return html`<p class="field note">${view.t("walletText")}</p>`
  }
}

/** Where other methods are paid on this page, the method's own body says that it leads away; otherwise the form does. */
function leaveNote({ page, t }: FormView): Markup | null {
  const isPaidHere = page.methods.some(({ services }) => asksForDetails(page, services))
  return isPaidHere ? html`<p class="field note leave">${t("redirectText")}</p>` : null
}

/**
 * A method of which some services are paid here and some on their own page asks for details only once a service is
 * chosen that is paid here: nobody may type the PIN of a wallet into the page of another. Without the script the page
 * with the details follows when the form is sent; the stylesheet hides them again when the choice changes.
 */
function mixedDetails(view: FormView, method: PageMethod): Markup {
  const chosen = method.services.filter(({ code }) => code === chosenService(view, method))
  const isHere = asksForDetails(view.page, chosen)
  return html`<fieldset class="here" data-details${!isHere && html` disabled`}><div class="fields">${details(view, method.kind)}</div></fieldset>
<p class="field note leave away">${view.t("redirectText")}</p>`
}

function methodDetails(view: FormView, method: PageMethod): Renderable {
  if (isMixed(view, method)) {
    return mixedDetails(view, method)
  }
  return asksForDetails(view.page, method.services) ? details(view, method.kind) : leaveNote(view)
}

/** Whether some of the method's services are paid here, and others on their own page. */
function isMixed({ page }: FormView, { services }: PageMethod): boolean {
  return asksForDetails(page, services) && services.some((service) => !asksForDetails(page, [service]))
}

function methodBody(view: FormView, method: PageMethod): Markup | null {
  const services = serviceChoice(view, method)
  const emi = method.kind === "card" ? emiChoice(view) : null
  const fields = methodDetails(view, method)
  const save = saveConsent(view, method)
  if (services === null && emi === null && fields === null && save === null) {
    return null
  }
  const name = view.t(`methods.${method.kind}`)
  return html`<fieldset class="method-body" data-body aria-label="${name}"><div class="fields">${services}${emi}${fields}${save}</div></fieldset>`
}

function method(view: FormView, entry: PageMethod): Markup {
  const { kind } = entry
  const checked = chosenMethod(view) === kind
  return html`<div class="method" data-method="${kind}">
<label class="method-label"><input type="radio" id="method_${kind}" name="method" value="${kind}"${checked && html` checked`}>${view.t(`methods.${kind}`)}${ICONS[kind]}</label>
${methodBody(view, entry)}
</div>`
}

/** Only the methods that the order allows; a single one shows its fields without a choice. */
export function methodChoice(view: FormView): Markup {
  const { methods } = view.page
  if (methods.length === 1 && !hasSaved(view)) {
    const [only] = methods
    return html`<h2 class="heading">${view.t(`methods.${only.kind}`)}</h2>
<input type="hidden" id="method_${only.kind}" name="method" value="${only.kind}">
${problemText(view, "method")}
<div class="method single" data-method="${only.kind}">${methodBody(view, only)}</div>`
  }
  const invalid = view.problems.has("method")
  return html`<fieldset${invalid && html` aria-describedby="method-error"`}><legend>${view.t("chooseMethod")}</legend>
${problemText(view, "method")}
<div class="methods">${savedChoices(view)}${methods.map((entry) => method(view, entry))}</div></fieldset>`
}
