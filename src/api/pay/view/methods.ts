import { textGroup } from "../../../i18n/translate"
import { asksForDetails, DEMO_BANKS, serviceField } from "../form/instrument"
import { SANDBOX_OTP, SANDBOX_PIN } from "../../../modules/gateway/acquirers/sandbox-rules"
import type { PaymentMethod } from "../../../modules/gateway/merchants/payment-services"
import type { PageMethod, PageService } from "../../../modules/gateway/checkout/page"
import { emiChoice } from "./emi"
import { CARD_MARKS, type FormView, ICONS, description, problemText, textField } from "./parts"
import { html, type Markup, type Renderable } from "../../../modules/gateway/kernel/text/html"
import { chosenSaved, hasSaved, saveConsent, savedChoices } from "./saved"

/**
 * The shopper's earlier choice, otherwise the merchant's preselection, otherwise the card or the first; null when a saved
 * method is chosen.
 */
function chosenMethod(view: FormView): PaymentMethod | null {
  const { page, entered } = view
  if (chosenSaved(view) !== null) {
    return null
  }
  const kinds = page.methods.map(({ kind }) => kind)
  const wanted = [entered.get("method"), page.preselected?.kind ?? (page.emi?.chosen ? "card" : undefined)]
  return (
    kinds.find((kind) => kind === wanted[0]) ??
    kinds.find((kind) => kind === wanted[1]) ??
    kinds.find((kind) => kind === "card") ??
    kinds[0] ??
    null
  )
}

/** The wallet that is chosen; the only one is, with its method. */
function chosenService(view: FormView, { kind, services }: PageMethod): string | null {
  if (chosenMethod(view) !== kind) {
    return null
  }
  const { page, entered } = view
  const wanted =
    services.length === 1 ? services[0].code : (entered.get(serviceField(kind)) ?? page.preselected?.service_code)
  return services.find(({ code }) => code === wanted)?.code ?? null
}

/** Each wallet is a way to pay of its own, by its own name and mark: nobody looks for bKash behind a generic word. */
function walletTile(view: FormView, method: PageMethod, service: PageService): Markup {
  const { code } = service
  const name = textGroup("pay", "services", view.language)[code] ?? service.name
  const checked = chosenService(view, method) === code
  const where = asksForDetails(view.page, [service]) ? html` data-here` : html` data-away`
  return html`<label class="tile"><input type="radio" id="method_${code}" name="method" value="${code}"${checked && html` checked`}${where}><span class="mark mark-${code.toLowerCase()}">${name}</span></label>`
}

function wallets(view: FormView, entry: PageMethod): Markup {
  const invalid = view.problems.has("service")
  return html`<div class="wallets" data-method="${entry.kind}"><div class="tiles"${invalid && html` role="group" aria-describedby="service-error"`}>${entry.services.map((service) => walletTile(view, entry, service))}</div>
${problemText(view, "service")}
${methodBody(view, entry)}</div>`
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
${textField(view, { name: "otp", label: t("otp"), hint: t("otpHint", { otp: SANDBOX_OTP }), autocomplete: "one-time-code", inputmode: "numeric", maxlength: 10, secret: true, half: true })}
${textField(view, { name: "pin", label: t("pin"), hint: t("pinHint", { pin: SANDBOX_PIN }), autocomplete: "off", type: "password", inputmode: "numeric", maxlength: 10, secret: true, half: true })}`
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
 * Wallets share the fields for their details. Where some are paid on their own page, the fields wait until one is chosen
 * that is paid here: nobody may type the PIN of a wallet into the page of another. Without the script the page with the
 * details follows when the form is sent; the stylesheet hides them again when the choice changes.
 */
function walletDetails(view: FormView, method: PageMethod): Renderable {
  const { kind, services } = method
  const asks = (some: readonly PageService[]) => asksForDetails(view.page, some)
  if (!asks(services)) {
    return leaveNote(view)
  }
  if (services.every((service) => asks([service]))) {
    return details(view, kind)
  }
  const isHere = asks(services.filter(({ code }) => code === chosenService(view, method)))
  return html`<fieldset class="here" data-details${!isHere && html` disabled`}><div class="fields">${details(view, kind)}</div></fieldset>
<p class="field note leave away">${view.t("redirectText")}</p>`
}

function methodDetails(view: FormView, method: PageMethod): Renderable {
  if (method.kind === "mobile_banking") {
    return walletDetails(view, method)
  }
  return asksForDetails(view.page, method.services) ? details(view, method.kind) : leaveNote(view)
}

function methodBody(view: FormView, method: PageMethod): Markup | null {
  const emi = method.kind === "card" ? emiChoice(view) : null
  const fields = methodDetails(view, method)
  const save = saveConsent(view, method)
  if (emi === null && fields === null && save === null) {
    return null
  }
  const name = view.t(`methods.${method.kind}`)
  return html`<fieldset class="method-body" data-body aria-label="${name}"><div class="fields">${emi}${fields}${save}</div></fieldset>`
}

function method(view: FormView, entry: PageMethod): Markup {
  const { kind } = entry
  if (kind === "mobile_banking") {
    return wallets(view, entry)
  }
  const checked = chosenMethod(view) === kind
  return html`<div class="method" data-method="${kind}">
<label class="method-label"><input type="radio" id="method_${kind}" name="method" value="${kind}"${checked && html` checked`}>${view.t(`methods.${kind}`)}${kind === "card" ? CARD_MARKS : ICONS[kind]}</label>
${methodBody(view, entry)}
</div>`
}

/** Only the methods that the order allows; a single one shows its fields without a choice. */
export function methodChoice(view: FormView): Markup {
  const { methods } = view.page
  const [only] = methods
  if (methods.length === 1 && !hasSaved(view) && only.services.length === 1) {
    return html`<h2 class="heading">${view.t(`methods.${only.kind}`)}</h2>
<input type="hidden" id="method_${only.kind}" name="method" value="${only.kind}">
${problemText(view, "method")}
<div class="method single" data-method="${only.kind}">${methodBody(view, only)}</div>`
  }
  const invalid = view.problems.has("method")
  const first = methods.filter(({ kind }) => kind === "mobile_banking")
  const rest = methods.filter(({ kind }) => kind !== "mobile_banking")
  return html`<fieldset${invalid && html` aria-describedby="method-error"`}><legend>${view.t("chooseMethod")}</legend>
${problemText(view, "method")}
<div class="methods">${savedChoices(view)}${[...first, ...rest].map((entry) => method(view, entry))}</div></fieldset>`
}
