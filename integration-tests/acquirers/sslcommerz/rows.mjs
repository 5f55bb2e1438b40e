import { randomBytes } from "node:crypto"
import { decimal, namesIn, poisha } from "./requests.mjs"

const VISA = {
  card_type: "VISA-Demo Bank",
  card_no: "411111XXXXXX1111",
  card_issuer: "Demo Bank Limited",
  card_brand: "VISA",
  card_sub_brand: "Classic",
  card_issuer_country: "Bangladesh",
  card_issuer_country_code: "BD",
}
const WALLET = {
  ...VISA,
  card_no: "01711111111",
  card_issuer: "Demo Wallet",
  card_brand: "MOBILEBANKING",
  card_sub_brand: "",
}
const WAYS = {
  visacard: VISA,
  mastercard: { ...VISA, card_type: "MASTER-Demo Bank", card_no: "511111XXXXXX1111", card_brand: "MASTERCARD" },
  amexcard: { ...VISA, card_type: "AMEX-Demo Bank", card_no: "371111XXXXX1111", card_brand: "AMEX" },
  bkash: { ...WALLET, card_type: "BKASH-BKash" },
  nagad: { ...WALLET, card_type: "NAGAD-Nagad" },
  dbblmobilebanking: { ...WALLET, card_type: "DBBLMOBILEB-Dbbl Mobile Banking" },
  upay: { ...WALLET, card_type: "UPAY-Upay" },
  mobilebank: { ...WALLET, card_type: "TAPNPAY-Tap N Pay" },
  internetbank: { ...WALLET, card_type: "CITYTOUCH-City Touch", card_no: "CT-9988", card_brand: "IB" },
}

export function waysOf(form) {
  const names = namesIn(form.multi_card_name).filter((name) => name in WAYS)
  return names.length > 0 ? names : Object.keys(WAYS)
}

/** 2.5 % stay with SSLCommerz and the bank. */
function storeAmount(total_amount) {
  return decimal((poisha(total_amount) * 975n) / 1_000n)
}

function dhakaTime(at = new Date()) {
  return new Date(at.getTime() + 6 * 3_600_000).toISOString().slice(0, 19).replace("T", " ")
}

const id = (bytes) => dhakaTime().replace(/\D/g, "").slice(2) + randomBytes(bytes).toString("hex")

/** A transaction of a session: one try of the shopper. Only a paid one has a val_id, and only a tried one a bank's id. */
export function newRow({ form }, status, { way = waysOf(form)[0], risk_level = "0", error = "", ...changes } = {}) {
  const paid = status === "VALID"
  const tried = paid || status === "FAILED"
  const amount = decimal(poisha(form.total_amount))
  const emi = form.emi_option === "1"
  return {
    status,
    tran_date: dhakaTime(),
    tran_id: form.tran_id,
    val_id: paid ? id(10) : "",
    amount,
    store_amount: paid ? storeAmount(form.total_amount) : "0.00",
    currency: "BDT",
    bank_tran_id: tried ? id(8) : "",
    ...(tried ? WAYS[way] : { card_type: "", card_no: "", card_issuer: "", card_brand: "" }),
    currency_type: form.currency,
    currency_amount: amount,
    currency_rate: "1.0000",
    base_fair: "0.00",
    value_a: form.value_a ?? "",
    value_b: form.value_b ?? "",
    value_c: form.value_c ?? "",
    value_d: form.value_d ?? "",
    emi_instalment: emi && paid ? form.emi_selected_inst : "0",
    emi_amount: emi && paid ? "125.00" : "0.00",
    emi_description: "",
    emi_issuer: emi && paid ? "Demo Bank Limited" : "",
    discount_percentage: "0",
    discount_remarks: "",
    discount_amount: "0",
    risk_level,
    risk_title: risk_level === "1" ? "High risk" : "Safe",
    error,
    validated_on: "",
    gw_version: "",
    ...changes,
  }
}

const IPN_FIELDS = [
  ..."status tran_id amount store_amount currency bank_tran_id tran_date error currency_type currency_amount".split(
    " "
  ),
  ..."currency_rate base_fair value_a value_b value_c value_d".split(" "),
]
const IPN_PAID = [
  ..."val_id card_type card_no card_issuer card_brand card_sub_brand card_issuer_country".split(" "),
  ..."card_issuer_country_code risk_level risk_title".split(" "),
]

/** What a notification and the browser's form carry, unsigned. Of a payment that failed there is less. */
export function ipnFields(row, store_id) {
  const names = row.status === "VALID" ? [...IPN_FIELDS, ...IPN_PAID] : IPN_FIELDS
  return { ...Object.fromEntries(names.map((name) => [name, row[name] ?? ""])), store_id }
}
