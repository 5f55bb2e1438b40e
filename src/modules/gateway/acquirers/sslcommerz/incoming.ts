import { createHash, timingSafeEqual } from "node:crypto"
import type { Hint, Incoming, Notification } from "../port"

/** Fields of a form post, URL-decoded. Of a field that comes twice the last counts, as in PHP. */
export type Fields = ReadonlyMap<string, string>

/** Without these under the signature a notification says nothing that can be relied on. */
const REQUIRED = ["tran_id", "status", "amount", "store_id"]

/**
 * The signed fields of a notification; a text says why it is forged. Both signatures have to match: `verify_sign` with
 * MD5 and `verify_sign_sha2` with SHA-256, which some notifications lack. MD5 alone is enough for what a notification
 * may do: it makes the gateway ask SSLCommerz. Each is the digest of the fields named in `verify_key`
 * together with `store_passwd`, which is the digest of the password: sorted by name, joined as `name=value` with `&`.
 *
 * With the password demo_pass, `amount=150.00&bank_tran_id=B1&currency=BDT&status=VALID&store_id=demo_store&`
 * `store_passwd=b667d776996277105e794d71b42f929d&tran_id=T1001&val_id=V1&value_a=` has the MD5
 * 00932e5be2a7db3ad438561cc71f8a2f.
 */
export function verified(fields: Fields, password: string): Fields | string {
  const names = (fields.get("verify_key") ?? "").split(",").filter((name) => fields.has(name))
  const signed = new Map(names.map((name) => [name, fields.get(name)!]))
  const missing = REQUIRED.filter((name) => !signed.has(name))
  if (missing.length > 0) {
    return `verify_key does not cover ${missing.join(", ")}`
  }
  if (!isEqual(signatureOf(signed, password, "md5"), fields.get("verify_sign"))) {
    return "verify_sign does not match"
  }
  const sha2 = fields.get("verify_sign_sha2") ?? ""
  return sha2 === "" || isEqual(signatureOf(signed, password, "sha256"), sha2)
    ? signed
    : "verify_sign_sha2 does not match"
}

export function signatureOf(signed: Fields, password: string, algorithm: "md5" | "sha256"): string {
  const digest = (value: string) => createHash(algorithm).update(value, "utf8").digest("hex")
  const all = new Map([...signed, ["store_passwd", digest(password)]])
  const names = [...all.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  return digest(names.map((name) => `${name}=${all.get(name)}`).join("&"))
}

function isEqual(expected: string, received = ""): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(received)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const KEY = /^[a-z0-9]{30}$/
const VAL_ID = /^[A-Za-z0-9_-]{1,50}$/

const CLAIMS: ReadonlyMap<string, Hint["claims"]> = new Map([
  ["VALID", "paid"],
  ["VALIDATED", "paid"],
  ["FAILED", "not_paid"],
  ["UNATTEMPTED", "not_paid"],
  ["EXPIRED", "not_paid"],
  ["CANCELLED", "cancelled"],
])

/**
 * What the shopper's browser brings back: a form that SSLCommerz's page posts across sites, or a plain GET. It has the
 * fields of a notification, but anybody can write them.
 */
export function readReturn(incoming: Incoming): Hint | null {
  const posted = fieldsOf(incoming.body.toString("utf8"))
  return hintOf(posted.size > 0 ? posted : fieldsOf(incoming.target.split("?").slice(1).join("?")))
}

export function readNotification(
  incoming: Incoming,
  account: { store_id: string; store_passwd: string }
): Notification {
  const signed = verified(fieldsOf(incoming.body.toString("utf8")), account.store_passwd)
  if (typeof signed === "string") {
    return { result: "forged", why: signed }
  }
  // A store of SSLCommerz may serve other shops too, whose payments are none of ours.
  const hint = signed.get("store_id") === account.store_id ? hintOf(signed) : null
  return hint === null ? { result: "irrelevant" } : { result: "hint", hint }
}

/** `value_a` is the key once more, for the case that `tran_id` comes back changed. */
function hintOf(fields: Fields): Hint | null {
  const key = [fields.get("tran_id"), fields.get("value_a")].find((value) => KEY.test(value ?? ""))
  if (key === undefined) {
    return null
  }
  const val_id = fields.get("val_id") ?? ""
  return {
    about: "payment",
    key,
    ...(VAL_ID.test(val_id) ? { references: { val_id } } : {}),
    claims: CLAIMS.get(fields.get("status") ?? "") ?? "unclear",
  }
}

function fieldsOf(form: string): Fields {
  return new Map(new URLSearchParams(form))
}
