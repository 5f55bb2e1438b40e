/** A refusal by bKash: its code and its sentence. */
export class Refusal extends Error {
  constructor(code, sentence) {
    super(sentence)
    this.code = code
  }
}

/** Sentences as merchants report them, for the codes that the stand-in answers. */
export const SENTENCES = {
  2001: "Invalid App Key",
  2002: "Invalid Payment ID",
  2003: "Process failed",
  2006: "Invalid Amount",
  2007: "Invalid Currency",
  2008: "Invalid Intent",
  2015: "Wrong PIN count exceeded",
  2020: "Exception Occurred",
  2023: "Insufficient Balance",
  2024: "Exception occurred",
  2025: "Invalid request body",
  2029: "Duplicate for all transactions",
  2031: "Invalid merchant invoice number",
  2033: "Transaction not found",
  2037: "The account of the debit party is in a state which prohibits execution of this transaction",
  2048: "Invalid Payer Reference",
  2049: "Invalid Merchant Callback URL",
  2051: "Invalid Agreement ID",
  2053: "Agreement has already been cancelled",
  2060: "Payment execution pre-requisite hasn't been met",
  2063: "Mode is not valid as per request data",
  2065: "Mandatory field missing",
  2069: "Transaction has already been cancelled",
  2071: "The refund window is over",
  2072: "Invalid refund amount",
  2073: "Invalid SKU",
  2075: "SKU is too long",
  2076: "Reason is too long",
  2077: "Invalid trxId",
  2078: "Invalid reason",
  2079: "Invalid App Token",
  2081: "The refund is not permitted",
  2116: "Agreement execution already been called before",
  2117: "Payment execution already been called before",
  503: "System is undergoing maintenance. Please try again later",
}

export const refuse = (code) => {
  throw new Refusal(String(code), SENTENCES[code] ?? `Code ${code}`)
}

/** @returns {Record<string, any>} the body's object; text that is none is 2025 */
export function parseBody(raw) {
  let body
  try {
    body = JSON.parse(raw)
  } catch {
    refuse(2025)
  }
  return typeof body === "object" && body !== null && !Array.isArray(body) ? body : refuse(2025)
}

/** Every field is text, none is missing, and none is there that bKash does not document: field names have a case. */
export function requireFields(body, required, optional = []) {
  for (const [name, value] of Object.entries(body)) {
    if (![...required, ...optional].includes(name) || typeof value !== "string") {
      refuse(name === "amount" || name === "refundAmount" ? 2006 : 2025)
    }
  }
  if (required.some((name) => !body[name])) {
    refuse(2065)
  }
}

/** Decimal text with at most two decimals, at least one taka. @returns poisha */
export function requireAmount(text, code = 2006) {
  if (!/^(0|[1-9][0-9]{0,8})(\.[0-9]{1,2})?$/.test(text)) {
    refuse(code)
  }
  const [taka, poisha = ""] = text.split(".")
  const minor = BigInt(taka) * 100n + BigInt(poisha.padEnd(2, "0"))
  return minor >= 100n ? minor : refuse(code)
}

export const formatAmount = (minor) => `${minor / 100n}.${(minor % 100n).toString().padStart(2, "0")}`

const CREATE_FIELDS = ["mode", "payerReference", "callbackURL", "currency", "intent", "merchantInvoiceNumber"]

/** @returns {bigint | null} the amount; an agreement may have none */
export function checkCreate(body) {
  const isAgreement = body.mode === "0000"
  if (!["0000", "0001", "0011"].includes(body.mode)) {
    refuse(body.mode === undefined ? 2065 : 2063)
  }
  const required = [
    ...CREATE_FIELDS,
    ...(isAgreement ? [] : ["amount"]),
    ...(body.mode === "0001" ? ["agreementID"] : []),
  ]
  if (body.mode !== "0001" && body.agreementID !== undefined) {
    refuse(2063)
  }
  requireFields(body, required, ["merchantAssociationInfo", ...(isAgreement ? ["amount"] : [])])
  const checks = [
    [2007, body.currency === "BDT"],
    [2008, body.intent === "sale" || body.intent === "authorization"],
    [2031, /^[A-Za-z0-9_-]{1,50}$/.test(body.merchantInvoiceNumber)],
    [2048, body.payerReference.length <= 255 && !/[<>&]/.test(body.payerReference)],
    [2049, /^https?:\/\//.test(body.callbackURL) && URL.canParse(body.callbackURL) && body.callbackURL.length <= 255],
  ]
  const failed = checks.find(([, isRight]) => !isRight)
  if (failed) {
    refuse(failed[0])
  }
  return body.amount === undefined ? null : requireAmount(body.amount)
}

/** `2019-08-07T11:12:34:978 GMT+0600`, in Dhaka's time as bKash writes it. */
export function bkashTime(date) {
  const dhaka = new Date(date.getTime() + 6 * 3_600_000).toISOString()
  return `${dhaka.slice(0, 19)}:${dhaka.slice(20, 23)} GMT+0600`
}
