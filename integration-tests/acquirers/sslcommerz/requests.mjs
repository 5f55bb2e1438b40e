/** What SSLCommerz checks of a request to start a payment or to refund one. Each check returns a reason, or null. */

const NAMES = [
  ..."brac_visa dbbl_visa city_visa ebl_visa sbl_visa brac_master dbbl_master city_master ebl_master sbl_master".split(
    " "
  ),
  ..."city_amex qcash dbbl_nexus bankasia abbank ibbl mtbl bkash nagad dbblmobilebanking city upay tapnpay".split(" "),
  ..."internetbank mobilebank othercard visacard mastercard amexcard".split(" "),
]
const PROFILES = [
  "general",
  "physical-goods",
  "non-physical-goods",
  "airline-tickets",
  "travel-vertical",
  "telecom-vertical",
]
const REQUIRED = {
  total_amount: 11,
  currency: 3,
  tran_id: 30,
  product_name: 255,
  product_category: 50,
  product_profile: 100,
  success_url: 255,
  fail_url: 255,
  cancel_url: 255,
  cus_name: 50,
  cus_email: 50,
  cus_add1: 50,
  cus_city: 50,
  cus_postcode: 30,
  cus_country: 50,
  cus_phone: 20,
  shipping_method: 50,
  num_of_item: 1,
}
const SHIPPING = { ship_name: 50, ship_add1: 50, ship_city: 50, ship_postcode: 50, ship_country: 50 }
const OPTIONAL = {
  ipn_url: 255,
  multi_card_name: 30,
  allowed_bin: 255,
  cus_add2: 50,
  cus_state: 50,
  cus_fax: 20,
  value_a: 255,
  value_b: 255,
  value_c: 255,
  value_d: 255,
}
const EMI_MIN_POISHA = 500_000n

/** Poisha of `1250`, `1250.5` or `1250.50`; null for anything else. At most 8 digits before the point: decimal(10,2). */
export function poisha(text) {
  const match = /^([0-9]{1,8})(?:\.([0-9]{1,2}))?$/.exec(text ?? "")
  return match === null ? null : BigInt(match[1]) * 100n + BigInt((match[2] ?? "").padEnd(2, "0"))
}

export function decimal(minor) {
  return `${minor / 100n}.${String(minor % 100n).padStart(2, "0")}`
}

export function refuseCreate(fields, takenIds) {
  const ships = fields.shipping_method === "YES" ? SHIPPING : {}
  for (const [name, length] of Object.entries({ ...REQUIRED, ...ships })) {
    if (!fields[name]) {
      return `${name} is required`
    }
    if ([...fields[name]].length > length) {
      return `${name} is longer than ${length}`
    }
  }
  for (const [name, length] of Object.entries(OPTIONAL)) {
    if ([...(fields[name] ?? "")].length > length) {
      return `${name} is longer than ${length}`
    }
  }
  return refuseAmount(fields) ?? refuseText(fields) ?? refuseEmi(fields) ?? refuseId(fields, takenIds)
}

function refuseAmount({ total_amount, currency }) {
  const amount = poisha(total_amount)
  if (amount === null) {
    return "total_amount is no decimal(10,2)"
  }
  if (!/^[A-Z]{3}$/.test(currency)) {
    return "currency is no currency"
  }
  return currency === "BDT" && (amount < 1_000n || amount > 50_000_000n)
    ? "total_amount must be from 10.00 to 500000.00"
    : null
}

function refuseText(fields) {
  const url = ["success_url", "fail_url", "cancel_url", ...(fields.ipn_url ? ["ipn_url"] : [])].find(
    (name) => !/^https?:\/\/[^\s/]+/.test(fields[name])
  )
  if (url !== undefined) {
    return `${url} is no URL`
  }
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(fields.cus_email)) {
    return "cus_email is no e-mail address"
  }
  if (!["YES", "NO", "Courier"].includes(fields.shipping_method)) {
    return "shipping_method must be YES, NO or Courier"
  }
  if (!/^[1-9]$/.test(fields.num_of_item)) {
    return "num_of_item is no number"
  }
  if (!PROFILES.includes(fields.product_profile)) {
    return "product_profile is unknown"
  }
  const unknown = namesIn(fields.multi_card_name).find((name) => !NAMES.includes(name))
  return unknown === undefined ? null : `multi_card_name does not know ${unknown}`
}

/** The ways to pay that the page offers: one code, or several with commas. */
export function namesIn(multi_card_name) {
  return (multi_card_name ?? "").split(",").filter((name) => name !== "")
}

function refuseEmi({
  emi_option = "",
  emi_selected_inst = "",
  emi_max_inst_option = "",
  emi_allow_only = "",
  ...fields
}) {
  if (!["", "0", "1"].includes(emi_option) || !["", "0", "1"].includes(emi_allow_only)) {
    return "emi_option and emi_allow_only must be 0 or 1"
  }
  if (emi_option !== "1") {
    return emi_allow_only === "1" ? "emi_allow_only depends on emi_option" : null
  }
  const months = emi_selected_inst || emi_max_inst_option
  if (!/^[0-9]{1,2}$/.test(months) || Number(months) < 3 || Number(months) > 36) {
    return "EMI is for 3 to 36 months"
  }
  if (emi_allow_only === "1" && emi_selected_inst === "") {
    return "emi_allow_only depends on emi_selected_inst"
  }
  return poisha(fields.total_amount) < EMI_MIN_POISHA ? "EMI is not allowed below 5000.00 BDT" : null
}

/** An id that has been paid is refused for sure; the stand-in refuses every second use, so that none is ever needed. */
function refuseId({ tran_id }, takenIds) {
  return takenIds.has(tran_id) ? "tran_id is not unique" : null
}

/** `refundable`: what is left of the payment, in poisha; null: there is no such paid transaction. */
export function refuseRefund(fields, refundable) {
  if (!fields.bank_tran_id || [...fields.bank_tran_id].length > 80 || refundable === null) {
    return "bank_tran_id is not the id of a paid transaction"
  }
  if (!/^[A-Za-z0-9]{1,30}$/.test(fields.refund_trans_id ?? "")) {
    return "refund_trans_id must be 1 to 30 letters and digits"
  }
  const amount = poisha(fields.refund_amount)
  if (amount === null || amount === 0n || amount > refundable) {
    return "refund_amount is no amount, or more than what is left"
  }
  if (!fields.refund_remarks || [...fields.refund_remarks].length > 255) {
    return "refund_remarks must be 1 to 255 characters"
  }
  return [...(fields.refe_id ?? "")].length > 50 ? "refe_id is longer than 50" : null
}
