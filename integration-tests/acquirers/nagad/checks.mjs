import { decrypt, isSigned } from "./crypto.mjs"

/** A refusal by Nagad: HTTP status, its reason and its sentence. */
export class Refusal extends Error {
  constructor(reason, sentence, status = 400) {
    super(sentence)
    this.reason = reason
    this.status = status
  }
}

export const refuse = (reason, sentence = reason, status) => {
  throw new Refusal(reason, sentence, status)
}

const CLIENT_TYPES = ["PC_WEB", "MOBILE_WEB", "MOBILE_APP", "WALLET_WEB_VIEW", "BILL_KEY"]
const IP_V4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/
const CLOCK_SLACK_MS = 300_000

/** @param needsMerchant about half of the public clients leave X-KM-MC-Id out */
export function checkHeaders(headers, { merchant_id, needsMerchant, isVerify }) {
  const version = headers["x-km-api-version"] === "v-0.2.0"
  const merchant = headers["x-km-mc-id"]
  const others =
    /^application\/json\b/.test(headers["content-type"] ?? "") &&
    IP_V4.test(headers["x-km-ip-v4"] ?? "") &&
    CLIENT_TYPES.includes(headers["x-km-client-type"])
  if (!version || (!isVerify && !others)) {
    refuse("InvalidApiRequest", "A header is missing or malformed")
  }
  if (merchant !== merchant_id && (merchant !== undefined || (needsMerchant && !isVerify))) {
    refuse("InvalidMerchant", "Merchant is not valid")
  }
}

export function parseBody(raw) {
  try {
    const body = JSON.parse(raw)
    return typeof body === "object" && body !== null && !Array.isArray(body) ? body : refuse("InvalidApiRequest")
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal("EncodingError", "The body is no JSON")
  }
}

/** The fields of an envelope, in exactly this order. */
export function openEnvelope({ data, signature }, names, { keys, merchant }) {
  const text = decrypt(keys.privateKey, data)
  if (text === null) {
    refuse("1004", "Order request failed. Decryption failed.")
  }
  if (!isSigned(merchant.publicKey, text, signature)) {
    refuse("SignatureVerificationFailed", "The signature does not match")
  }
  let fields
  try {
    fields = JSON.parse(text)
  } catch {
    refuse("EncodingError", "The data is no JSON")
  }
  const isRight = names.every((name, at) => Object.keys(fields)[at] === name && typeof fields[name] === "string")
  if (!isRight || Object.keys(fields).length !== names.length || JSON.stringify(fields) !== text) {
    refuse("InvalidApiRequest", `The data must hold ${names.join(", ")}, in compact JSON`)
  }
  return fields
}

/** @returns poisha; at most two decimals, more than nothing */
export function requireAmount(text) {
  const [, taka, poisha = ""] =
    /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text) ?? refuse("InvalidPurchaseInformation", "Amount")
  const minor = BigInt(taka) * 100n + BigInt(poisha.padEnd(2, "0"))
  return minor > 0n ? minor : refuse("InvalidPurchaseInformation", "Amount")
}

/** As Nagad answers amounts: whole ones without decimals. */
export const shownAmount = (minor) =>
  minor % 100n === 0n ? String(minor / 100n) : `${minor / 100n}.${String(minor % 100n).padStart(2, "0")}`

/** `2021-11-23 23:48:22.0`, in Dhaka. */
export const shownTime = (date) =>
  `${new Date(date.getTime() + 6 * 3_600_000).toISOString().slice(0, 19).replace("T", " ")}.0`

/** `20211123234822` in Dhaka. */
export const stamp = (date) => shownTime(date).slice(0, 19).replace(/\D/g, "")

export function requireTime(text, now) {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text) ?? []
  const at = Date.UTC(year, month - 1, day, hour - 6, minute, second)
  if (!(Math.abs(at - now.getTime()) <= CLOCK_SLACK_MS)) {
    refuse("1005", "Please verify provided data and try again. Call 16167 for help.")
  }
}

/** https, or this machine: the stand-in's shops are on loopback. */
export function requireCallback(text) {
  const url = URL.canParse(text) ? new URL(text) : refuse("InvalidApiRequest", "merchantCallbackURL")
  if (url.protocol !== "https:" && !["127.0.0.1", "localhost"].includes(url.hostname)) {
    refuse("InvalidApiRequest", "merchantCallbackURL must be https")
  }
}
