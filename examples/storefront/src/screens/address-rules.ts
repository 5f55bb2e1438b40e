import { divisionOf } from "../lib/districts"
import { latinDigits, parsePhone } from "../lib/phone"
import type { Address, Place } from "../store/cart"
import { t } from "../text"

/** The fields of a form, in their order on the page; the first one with a problem gets the focus. */
export const FIELDS = ["name", "phone", "email", "street", "area", "district", "postcode"] as const
export type FieldName = (typeof FIELDS)[number]
/** Of an address in the account, whose e-mail address is the account's. */
export const PLACE_FIELDS = FIELDS.filter((name) => name !== "email")

type ValueOf = (name: FieldName) => string

/**
 * Converts the typed values to the address that Medusa stores. `problems` is by field; while it is not empty, `address`
 * must not be saved. Neither Medusa nor the gateway needs an e-mail address or a postcode: the courier calls the phone.
 */
export function readAddress(valueOf: ValueOf): { address: Address; problems: Map<FieldName, string> } {
  const { place, problems } = readPlace(valueOf)
  const email = valueOf("email").trim()
  if (email !== "" && !isEmail(email)) {
    problems.set("email", t.address.emailWrong)
  }
  return { problems, address: { ...place, email: email === "" ? null : email } }
}

/** The same without an e-mail address. */
export function readPlace(valueOf: ValueOf): { place: Place; problems: Map<FieldName, string> } {
  const value = (name: FieldName) => valueOf(name).trim().replace(/\s+/g, " ")
  const problems = new Map<FieldName, string>()
  const complain = (name: FieldName, when: boolean, problem: string) => when && problems.set(name, problem)

  const phone = parsePhone(value("phone"))
  const district = value("district")
  const postcode = latinDigits(value("postcode"))

  complain("name", value("name") === "", t.address.nameMissing)
  if ("problem" in phone) {
    problems.set("phone", phone.problem)
  }
  complain("street", value("street") === "", t.address.streetMissing)
  complain("district", divisionOf(district) === undefined, t.address.districtMissing)
  complain("postcode", postcode !== "" && !/^[1-9]\d{3}$/.test(postcode), t.address.postcodeWrong)

  return {
    problems,
    place: {
      ...splitName(value("name")),
      phone: "phone" in phone ? phone.phone : "",
      address_1: value("street"),
      address_2: value("area"),
      city: district,
      province: divisionOf(district) ?? "",
      postal_code: postcode,
    },
  }
}

export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/.test(text)

/** Medusa stores two names, people have any number: the last word is the last name, a single word the first. */
export function splitName(name: string): { first_name: string; last_name: string } {
  const lastSpace = name.lastIndexOf(" ")
  return lastSpace < 0
    ? { first_name: name, last_name: "" }
    : { first_name: name.slice(0, lastSpace), last_name: name.slice(lastSpace + 1) }
}
