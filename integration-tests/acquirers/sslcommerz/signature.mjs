import { createHash } from "node:crypto"

/**
 * Signs a notification as SSLCommerz does, with MD5 and with SHA-256: the fields that `verify_key` names, and the
 * password's digest as `store_passwd`, sorted by name and joined like a query without any escaping. Written apart from
 * the adapter, so that a mistake of one is not a mistake of both.
 */
export function signed(fields, password) {
  const verify_key = Object.keys(fields).sort().join(",")
  return {
    ...fields,
    verify_sign: digestOf("md5", fields, password),
    verify_key,
    verify_sign_sha2: digestOf("sha256", fields, password),
  }
}

function digestOf(algorithm, fields, password) {
  const hash = (value) => createHash(algorithm).update(value).digest("hex")
  const entries = Object.entries({ ...fields, store_passwd: hash(password) })
  entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return hash(entries.map(([name, value]) => name + "=" + value).join("&"))
}
