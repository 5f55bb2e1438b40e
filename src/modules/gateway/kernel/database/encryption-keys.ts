import { createHash, createSecretKey, type KeyObject } from "node:crypto"

export type EncryptionKey = { id: string; key: KeyObject }

const KEY_BYTES = 32
const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/
const DEVELOPMENT_KEY_ID = "development"

/**
 * Parses `GATEWAY_ENCRYPTION_KEYS`: `id:base64,id:base64`, each 32 bytes. The first key encrypts, all decrypt. Throws
 * an Error whose message never contains any part of a key.
 */
export function parseEncryptionKeys(text: string): EncryptionKey[] {
  const keys = text.split(",").map((part, index) => parseKey(part.trim(), index + 1))
  const repeated = keys.find(({ id }, index) => keys.findIndex((other) => other.id === id) !== index)
  if (repeated !== undefined) {
    throw new Error(`two keys have the id "${repeated.id}": a new key needs an id that no key has had before`)
  }
  return keys
}

function parseKey(text: string, number: number): EncryptionKey {
  const at = text.indexOf(":")
  const id = text.slice(0, Math.max(at, 0))
  if (!KEY_ID.test(id) || id === DEVELOPMENT_KEY_ID) {
    throw new Error(
      `key ${number} needs an id and a colon before it: 1 to 32 letters, digits, "-" or "_", as in k1:<base64>`
    )
  }
  const bytes = decode(text.slice(at + 1))
  if (bytes === null) {
    throw new Error(
      `key ${number} ("${id}") must be ${KEY_BYTES} bytes in base64; make one with: openssl rand -base64 32`
    )
  }
  return { id, key: createSecretKey(bytes) }
}

/** Node's decoder skips what is not base64: a truncated or mistyped key must not silently become another key. */
function decode(text: string): Buffer | null {
  const bytes = Buffer.from(text, "base64")
  const spellings = [bytes.toString("base64"), bytes.toString("base64url")]
  const bare = text.replace(/=+$/, "")
  return bytes.length === KEY_BYTES && spellings.some((spelling) => spelling.replace(/=+$/, "") === bare) ? bytes : null
}

/** A key that anybody can derive: only for a sandbox on a developer's machine. */
export function developmentKey(): EncryptionKey {
  const bytes = createHash("sha256").update("medusa-payment-gateway: this key protects nothing").digest()
  return { id: DEVELOPMENT_KEY_ID, key: createSecretKey(bytes) }
}
