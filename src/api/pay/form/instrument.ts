import type { Instrument } from "../../../modules/gateway/acquirers/port"
import type { EmiOffer } from "../../../modules/gateway/emi/rules"
import { isBangladeshiMobile, normalisePhone } from "../../../modules/gateway/kernel/text/phone"
import type { CheckoutPage, PageMethod, PageService } from "../../../modules/gateway/checkout/page"
import { asciiDigits } from "../../../i18n/typed"
import { type FieldName, type FieldProblem, type FormFields, type Problem } from "./fields"
import { type Expiry, cvcLength, isCardNumber, isExpiryUsable, parseExpiry } from "./card-rules"

/**
 * An instrument as `payCheckout` takes it, or the problems with it. The card's code and holder go no further than here.
 */
type ReadInstrument =
  { instrument: Instrument; problems: readonly [] } | { instrument: null; problems: readonly Problem[] }

export const DEMO_BANKS = ["demo_one", "demo_two", "demo_three"] as const
export const serviceField = (kind: string): string => `${kind}_service`

const HOLDER_NAME = /^[\p{L}\p{M}][\p{L}\p{M}\p{Zs}.'\u2019-]{1,79}$/u
const DHAKA_OFFSET_MS = 6 * 60 * 60 * 1000

/** The current month in Bangladesh by the merchant's clock, which decides whether a card has expired. */
export function monthOf(now: Date): Expiry {
  const local = new Date(now.getTime() + DHAKA_OFFSET_MS)
  return { month: local.getUTCMonth() + 1, year: local.getUTCFullYear() }
}

/**
 * Whether shoppers enter details on this page for one of these services. The production page has no field for any
 * secret: the acquirer's own page asks for them.
 */
export function asksForDetails(page: CheckoutPage, services: readonly PageService[]): boolean {
  return page.environment === "sandbox" && services.some(({ flow }) => flow === "inline")
}

/** A wallet is chosen by its own code in place of its method and a service. */
export function withMethodOfService(page: CheckoutPage, fields: FormFields): FormFields {
  const code = fields.get("method")
  const method = page.methods.find(({ services }) => services.some((service) => service.code === code))
  return code === undefined || method === undefined
    ? fields
    : new Map([...fields, ["method", method.kind], [serviceField(method.kind), code]])
}

const CARD_DETAILS: readonly FieldName[] = ["card_number", "card_expiry", "card_cvc", "card_name"]
const DETAILS: ReadonlySet<string> = new Set<FieldName>([...CARD_DETAILS, "mobile_number", "otp", "pin", "bank"])

/**
 * What was posted, without the details of a service with a page of its own: a PIN that somebody typed, or that a script
 * sends along, is not read, checked, shown again or passed on. Only a service that is paid here has details.
 */
export function withoutForeignDetails(page: CheckoutPage, fields: FormFields): FormFields {
  const kind = chosenKind(page, fields)
  const services = page.methods.find((method) => method.kind === kind)?.services ?? []
  const chosen = services.find(({ code }) => code === fields.get(serviceField(kind)))
  const possible = chosen === undefined ? services : [chosen]
  const isHere = possible.length > 0 && possible.every((service) => asksForDetails(page, [service]))
  return isHere ? fields : new Map([...fields].filter(([name]) => !DETAILS.has(name)))
}

function chosenKind(page: CheckoutPage, fields: FormFields): string {
  return fields.get("method") ?? (page.methods.length === 1 ? page.methods[0].kind : "")
}

/** Parses and validates what was posted; with problems there is no instrument, and no payment is attempted. */
export function readInstrument(page: CheckoutPage, fields: FormFields): ReadInstrument {
  const posted = chosenKind(page, fields)
  const method = page.methods.find(({ kind }) => kind === posted)
  if (method === undefined) {
    return refuse({ field: "method", problem: posted === "" ? "method_required" : "method_not_allowed" })
  }
  const problems: Problem[] = []
  const service = readService(method, fields, problems)
  const instrument: Instrument = { method: method.kind, payment_service: service?.code ?? null }
  readEmi(instrument, page, fields, problems)
  if (service !== null && asksForDetails(page, [service])) {
    readDetails(instrument, page, fields, problems)
  }
  return problems.length === 0 ? { instrument, problems: [] } : refuse(...problems)
}

function refuse(...problems: Problem[]): ReadInstrument {
  return { instrument: null, problems }
}

function readService(method: PageMethod, fields: FormFields, problems: Problem[]): PageService | null {
  const [first, second] = method.services
  if (second === undefined) {
    return first ?? null
  }
  const code = fields.get(serviceField(method.kind)) ?? ""
  const service = method.services.find((candidate) => candidate.code === code)
  if (service === undefined) {
    problems.push({ field: "service", problem: code === "" ? "service_required" : "method_not_allowed" })
    return null
  }
  return service
}

/** The posted value for paying in full; for an offer it is the configuration and the mark of the figures shown. */
export const PAY_IN_FULL = "full"
export const emiValue = ({ configuration, mark }: EmiOffer): string => `${configuration.uuid}.${mark}`

/** EMI needs a card; under another method the choice is ignored. */
function readEmi(instrument: Instrument, page: CheckoutPage, fields: FormFields, problems: Problem[]): void {
  const value = fields.get("emi") ?? ""
  if (instrument.method !== "card") {
    return
  }
  if (value === "" || value === PAY_IN_FULL) {
    if (page.emi?.required) {
      problems.push({ field: "emi", problem: "emi_required" })
    }
    return
  }
  const [uuid] = value.split(".")
  const offer = page.emi?.offers.find(({ configuration }) => configuration.uuid === uuid)
  if (offer === undefined || emiValue(offer) !== value) {
    problems.push({ field: "emi", problem: offer === undefined ? "emi_gone" : "emi_changed" })
    return
  }
  instrument.emi_configuration_id = uuid
  instrument.emi_mark = offer.mark
}

function readDetails(instrument: Instrument, page: CheckoutPage, fields: FormFields, problems: Problem[]): void {
  switch (instrument.method) {
    case "card":
      instrument.card = readCard(page.now, fields, problems)
      return
    case "mobile_banking":
      instrument.mobile = readMobile(fields, problems)
      return
    case "internet_banking":
      if (!DEMO_BANKS.some((bank) => bank === fields.get("bank"))) {
        problems.push({ field: "bank", problem: "bank_required" })
      }
      return
    case "wallet":
      return
  }
}

/** Adds a problem for a field that is empty or not `valid`. */
function check(problems: Problem[], field: FieldName, value: string, valid: boolean, problem: FieldProblem): void {
  if (value === "") {
    problems.push({ field, problem: `${field}_required` as const })
  } else if (!valid) {
    problems.push({ field, problem })
  }
}

function readCard(now: Date, fields: FormFields, problems: Problem[]): Instrument["card"] {
  const number = digitsOf(fields.get("card_number"))
  const expiryText = asciiDigits(fields.get("card_expiry") ?? "").trim()
  const cvc = digitsOf(fields.get("card_cvc"))
  const name = (fields.get("card_name") ?? "").trim()
  const expiry = parseExpiry(expiryText)
  const past = expiry !== null && !isExpiryUsable(expiry, monthOf(now))
  const cvcDigits = cvcLength(number)

  check(problems, "card_number", number, isCardNumber(number), "card_number_invalid")
  check(
    problems,
    "card_expiry",
    expiryText,
    expiry !== null && !past,
    past ? "card_expiry_past" : "card_expiry_invalid"
  )
  check(
    problems,
    "card_cvc",
    cvc,
    /^[0-9]+$/.test(cvc) && cvc.length === cvcDigits,
    cvcDigits === 4 ? "card_cvc_invalid_amex" : "card_cvc_invalid"
  )
  check(problems, "card_name", name, HOLDER_NAME.test(name), "card_name_invalid")
  return { number, expiry_month: expiry?.month, expiry_year: expiry?.year }
}

function readMobile(fields: FormFields, problems: Problem[]): { number: string; otp: string; pin: string } {
  const entered = asciiDigits(fields.get("mobile_number") ?? "").trim()
  const otp = digitsOf(fields.get("otp"))
  const pin = digitsOf(fields.get("pin"))
  const number = normalisePhone(entered) ?? ""
  check(problems, "mobile_number", entered, isBangladeshiMobile(number), "mobile_number_invalid")
  check(problems, "otp", otp, /^[0-9]{6}$/.test(otp), "otp_invalid")
  check(problems, "pin", pin, /^[0-9]{4,6}$/.test(pin), "pin_invalid")
  return { number, otp, pin }
}

/** The posted number, when it has enough digits to be meant as a card number; else null. */
export function enteredCard(fields: FormFields): string | null {
  const digits = digitsOf(fields.get("card_number"))
  return /^[0-9]{12,}$/.test(digits) ? digits : null
}

/** People type digits in groups, with spaces or dashes, in Latin or Bangla numerals. */
function digitsOf(value: string | undefined): string {
  return asciiDigits(value ?? "").replace(/[\s-]/g, "")
}
