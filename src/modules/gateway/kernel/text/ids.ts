import { createHash, randomBytes } from "node:crypto"
import type { Environment } from "../money/clock"

const POOL_BYTES = 4_096
let pool = Buffer.alloc(0)

/** Random bytes, each used once. One call of the system's generator costs far more than the bytes it returns. */
function freshBytes(count: number): Buffer {
  if (pool.length < count) {
    pool = randomBytes(POOL_BYTES)
  }
  const bytes = pool.subarray(0, count)
  pool = pool.subarray(count)
  return bytes
}

/** `txn` and 32 lowercase hex digits (decisions: Checkout). */
export function newTransactionId(): string {
  return `txn${freshBytes(16).toString("hex")}`
}

/**
 * The key of one try to pay at an acquirer: 30 lower-case letters and digits, because that is the longest number that
 * SSLCommerz takes. It stands in the address to which the acquirer sends the shopper back, so it must be unguessable.
 */
export function newAttemptId(): string {
  return `pay${freshBytes(14).toString("hex").slice(1)}`
}

export const ATTEMPT_ID = /^pay[0-9a-f]{27}$/

/** `ses_` and 192 random bits: the checkout_url is the shopper's only credential, so it must be unguessable. */
export function newSessionId(): string {
  return `ses_${freshBytes(24).toString("base64url")}`
}

/**
 * The id by which the acquirer knows the refund. Refunds created at the same moment are listed in the order of their
 * ids.
 */
export function newRefundId(): string {
  return newOrderedId("rfd")
}

/** The key of one capture at an acquirer. */
export function newCaptureId(): string {
  return newOrderedId("cap")
}

export function newRefundBatchId(): string {
  return newOrderedId("rfb")
}

export function newPayoutId(): string {
  return newOrderedId("gpo")
}

/** One request that sends a delivery to its receiver; nothing else knows it. */
export function newDeliveryAttemptId(): string {
  return newId("gwa")
}

export const TRANSACTION_ID = /^txn[0-9a-f]{32}$/
export const SESSION_ID = /^ses_[A-Za-z0-9_-]{32}$/

/**
 * The end of an invoice's public address. The database makes it from 122 random bits: it is the reader's only
 * credential.
 */
export const INVOICE_TOKEN = /^inp_[0-9a-f]{32}$/

export const LINK_ID = /^lnk_[0-9a-f]{28}$/

/** The end of a payment link's public address, and its only credential: 128 random bits. */
export function newLinkToken(): string {
  return `plk_${freshBytes(16).toString("hex")}`
}

export const LINK_TOKEN = /^plk_[0-9a-f]{32}$/

/**
 * The end of a link to the portal: 192 random bits. Whoever has it acts as its customer, so only its hash is stored.
 */
export function newPortalToken(): string {
  return `ptl_${freshBytes(24).toString("base64url")}`
}

export const PORTAL_TOKEN = /^ptl_[A-Za-z0-9_-]{32}$/

/** SHA-256 is enough for a random secret of 192 bits. */
export function hashPortalToken(token: string): string {
  return createHash("sha256").update(token).digest("hex")
}

/** A merchant's id, as the address of its portal has it. */
export const MERCHANT_ID = /^mer_[0-9a-f]{26}$/

/** The order_id of a checkout that pays a link. */
export function newLinkOrderId(): string {
  return `lnk_${freshBytes(13).toString("hex")}`
}

export type ApiKeyType = "secret" | "restricted"

const KEY_SECRET_BYTES = 32
const API_KEY = /^[sr]k_(test|live)_[A-Za-z0-9_-]{43}$/

/** Shown once; only its hash is stored (decisions: Environments). */
export function newApiKey(environment: Environment, type: ApiKeyType): string {
  const kind = type === "restricted" ? "rk" : "sk"
  const mode = environment === "production" ? "live" : "test"
  return `${kind}_${mode}_${randomBytes(KEY_SECRET_BYTES).toString("base64url")}`
}

/** The environment of a well-formed key, from its prefix alone; null when the key is malformed. */
export function environmentOfKey(key: string): Environment | null {
  const match = API_KEY.exec(key)
  if (match === null) {
    return null
  }
  return match[1] === "test" ? "sandbox" : "production"
}

/** SHA-256 is enough for a 256-bit random secret: nobody can guess one (decisions: Environments). */
export function hashApiKey(key: string): string {
  return createHash("sha256").update(key).digest("hex")
}

/**
 * The id under which the sandbox acquirer keeps a token's data. It stores only the hash: a token has 144 random bits
 * and cannot be guessed.
 */
export function sandboxVaultId(token: string): string {
  return `sbt_${createHash("sha256").update(token).digest("hex")}`
}

const NUMBER = /^[1-9][0-9]{0,9}$/
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const INTEGER_MAX = 2_147_483_647

/**
 * How a path names a plan, subscription or customer: by the contract's integer id or by uuid; null for anything else.
 */
type PublicId = { column: "number"; value: number } | { column: "uuid"; value: string }

export function publicId(text: string): PublicId | null {
  if (NUMBER.test(text) && Number(text) <= INTEGER_MAX) {
    return { column: "number", value: Number(text) }
  }
  const value = text.toLowerCase()
  return UUID.test(value) ? { column: "uuid", value } : null
}

/** A number as long as that of any row: it always fits into the 64 bits of a bigserial. */
const ROW_NUMBER = /^[1-9][0-9]{0,17}$/

/** Whether a path names a row by its number. Decided here, a statement compares one column, along that column's index. */
export function isRowNumber(text: string): boolean {
  return ROW_NUMBER.test(text)
}

/** An id of our own: a prefix and 104 random bits. */
export function newId(prefix: string): string {
  return `${prefix}_${freshBytes(13).toString("hex")}`
}

/** The order_id of a subscription's checkout. For the same idempotency record it is always the same. */
export function subscriptionOrderId(idempotencyId?: string): string {
  const digest = idempotencyId === undefined ? freshBytes(13) : createHash("sha256").update(idempotencyId).digest()
  return `sub_${digest.toString("hex").slice(0, 26)}`
}

/**
 * What people read as the number of an order that has none: the last eight characters of its random id, in capitals.
 * Two orders may share it.
 */
export function orderNumberOf(id: string): string {
  return id.slice(-8).toUpperCase()
}

/** The order_id of a payment that only verifies a subscription's new payment method. */
export function verificationOrderId(): string {
  return `vrf_${freshBytes(13).toString("hex")}`
}

/** The milliseconds with which an ordered id begins. */
const MOMENT = /^[a-z]+_([0-9a-f]{12})/

/**
 * The attempt's, transaction's and order's ids of one automatic charge. They depend only on the billing record and the attempt number.
 * So a worker that takes the attempt over after a crash asks the acquirer with the same key, and money moves once. Each
 * begins with the time at which its record was made: rows that are written together then lie close together in a dozen
 * indexes, which random ids would each scatter over all their pages.
 */
export function attemptIds(
  recordId: string,
  attempt: number
): { attempt_id: string; transaction_id: string; order_id: string } {
  const [, moment = ""] = MOMENT.exec(recordId) ?? []
  // Long enough that no id has a part of another: an order's id must not reveal the key at the acquirer.
  const digest = createHash("sha512").update(`${recordId} ${attempt}`).digest("hex")
  return {
    attempt_id: `pay${(moment + digest.slice(0, 27)).slice(0, 27)}`,
    transaction_id: `txn${(moment + digest.slice(27, 59)).slice(0, 32)}`,
    order_id: `sub_${(moment + digest.slice(59, 85)).slice(0, 26)}`,
  }
}

let latest = { ms: 0, count: 0 }

/**
 * An id that sorts after every earlier one of this process: rows written together keep their order and lie close
 * together.
 */
export function newOrderedId(prefix: string): string {
  const ms = Math.max(Date.now(), latest.ms)
  latest = { ms, count: ms === latest.ms ? latest.count + 1 : 0 }
  const order = ms.toString(16).padStart(12, "0") + latest.count.toString(16).padStart(6, "0")
  return `${prefix}_${order}${freshBytes(5).toString("hex")}`
}

/**
 * A uuid of version 7, which begins with the time. It says when it was made, and is otherwise random: for what shows its
 * time anyway.
 */
export function newOrderedUuid(): string {
  const moment = Date.now().toString(16).padStart(12, "0")
  const bytes = freshBytes(10)
  bytes[0] = (bytes[0] & 0x0f) | 0x70
  bytes[2] = (bytes[2] & 0x3f) | 0x80
  const rest = bytes.toString("hex")
  return `${moment.slice(0, 8)}-${moment.slice(8)}-${rest.slice(0, 4)}-${rest.slice(4, 8)}-${rest.slice(8)}`
}

/** A lower bound: no ordered id made at this moment or later sorts before it. */
export function orderedIdBound(prefix: string, moment: Date): string {
  return `${prefix}_${moment.getTime().toString(16).padStart(12, "0")}`
}
