import { createHash, timingSafeEqual } from "node:crypto"

/** Fields of a form post, URL-decoded. Of a field that comes twice the last counts, as in PHP. */
export type Fields = ReadonlyMap<string, string>

/** Without these under the signature a notification says nothing that can be relied on. */
const REQUIRED = ["tran_id", "status", "amount", "store_id"]

/**
 * The signed fields of a notification; a text says why it is forged. Both signatures have to match:
 * `verify_sign` with MD5 and `verify_sign_sha2` with SHA-256. Each is the digest of the fields named in `verify_key`
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
  return isEqual(signatureOf(signed, password, "sha256"), fields.get("verify_sign_sha2"))
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
