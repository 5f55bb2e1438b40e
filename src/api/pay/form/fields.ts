/** The form's fields as they are posted, and their possible problems. */

export const MAX_FORM_BYTES = 64 * 1024
const MAX_FIELDS = 40
const MAX_VALUE_LENGTH = 1000

export type FormFields = ReadonlyMap<string, string>

export type FieldName =
  | "method"
  | "service"
  | "emi"
  | "card_number"
  | "card_expiry"
  | "card_cvc"
  | "card_name"
  | "mobile_number"
  | "otp"
  | "pin"
  | "bank"

export type FieldProblem =
  | "method_required"
  | "service_required"
  | "saved_gone"
  | "method_not_allowed"
  | "card_number_required"
  | "card_number_invalid"
  | "card_number_not_test"
  | "card_expiry_required"
  | "card_expiry_invalid"
  | "card_expiry_past"
  | "card_cvc_required"
  | "card_cvc_invalid"
  | "card_cvc_invalid_amex"
  | "card_name_required"
  | "card_name_invalid"
  | "mobile_number_required"
  | "mobile_number_invalid"
  | "otp_required"
  | "otp_invalid"
  | "pin_required"
  | "pin_invalid"
  | "bank_required"
  | "emi_required"
  | "emi_changed"
  | "emi_gone"
  | "emi_card"
  | "unreachable"
  | "refused"

export type Problem = { field: FieldName; problem: FieldProblem }

/** The body is not a form that this page could send. */
export class MalformedForm extends Error {}

const FIELD_NAME = /^[a-z][a-z_]{0,39}$/
// Everything below the space, the delete character and C1 controls; tabs and line ends have no place in our fields.
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f-\u009f]/

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, " "))
  } catch {
    throw new MalformedForm("a percent escape is not valid UTF-8")
  }
}

/**
 * Parses `application/x-www-form-urlencoded` strictly: valid UTF-8, plain names (so neither `a[b]` nor `__proto__`),
 * each at most once, no control characters. Throws MalformedForm otherwise.
 */
export function parseForm(body: Buffer): FormFields {
  let text: string
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(body)
  } catch {
    throw new MalformedForm("the body is not UTF-8")
  }
  const fields = new Map<string, string>()
  const pairs = text === "" ? [] : text.split("&")
  if (pairs.length > MAX_FIELDS) {
    throw new MalformedForm("too many fields")
  }
  for (const pair of pairs) {
    const separator = pair.indexOf("=")
    const name = decode(separator === -1 ? pair : pair.slice(0, separator))
    const value = separator === -1 ? "" : decode(pair.slice(separator + 1))
    if (!FIELD_NAME.test(name) || fields.has(name)) {
      throw new MalformedForm("a field's name is not valid, or given twice")
    }
    if (value.length > MAX_VALUE_LENGTH || CONTROL_CHARACTER.test(value)) {
      throw new MalformedForm("a field's value is not valid")
    }
    fields.set(name, value)
  }
  return fields
}
