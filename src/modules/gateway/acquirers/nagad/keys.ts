import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from "node:crypto"
import { messageOf, type Message } from "../../../../i18n/message"

/** Shorter keys are no longer safe, and one block of theirs cannot hold a request. */
const MODULUS_MIN_BITS = 2_048
/** A key of 4,096 bits as PEM has about 3,300 characters. */
export const KEY_MAX_CHARS = 6_000

/** PEM's first and last line. A form field loses the line breaks between them. */
const ARMOR = /-----(?:BEGIN|END) [A-Z0-9 ]+-----/g
/** Line breaks, and how environment files write them. */
const SPACE = /\\[rn]|\s/g
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const TEST = Buffer.from("test")

/** Nagad gives keys out as base64 without PEM's lines; programs that make keys write PEM. Both are read. */
function derOf(text: string): Buffer | null {
  const base64 = text.replace(ARMOR, "").replace(SPACE, "")
  return BASE64.test(base64) ? Buffer.from(base64, "base64") : null
}

function firstOf(readings: readonly (() => KeyObject)[]): KeyObject | null {
  for (const read of readings) {
    try {
      const key = read()
      return key.asymmetricKeyType === "rsa" ? key : null
    } catch {
      // It has another shape.
    }
  }
  return null
}

/** An RSA private key as PKCS#8 or PKCS#1, PEM or base64; null for anything else, such as a public key. */
export function privateKeyOf(text: string): KeyObject | null {
  const key = derOf(text)
  return (
    key && firstOf((["pkcs8", "pkcs1"] as const).map((type) => () => createPrivateKey({ key, format: "der", type })))
  )
}

/** An RSA public key as SubjectPublicKeyInfo or PKCS#1, PEM or base64; null for anything else. */
export function publicKeyOf(text: string): KeyObject | null {
  // Node takes a private key for the public one inside it.
  const key = privateKeyOf(text) === null ? derOf(text) : null
  return key && firstOf((["spki", "pkcs1"] as const).map((type) => () => createPublicKey({ key, format: "der", type })))
}

/** The bits of a key's modulus. */
export function bitsOf(key: KeyObject): number {
  return key.asymmetricKeyDetails?.modulusLength ?? 0
}

/** What is wrong with a private key; null: nothing. */
export function privateKeyRule(text: string): Message | null {
  const key = privateKeyOf(text)
  if (key === null) {
    return messageOf(publicKeyOf(text) === null ? "rule.provider_format" : "rule.private_key")
  }
  return shortKey(key) ?? (signs(key) ? null : messageOf("rule.provider_format"))
}

/** What is wrong with the acquirer's public key; null: nothing. */
export function publicKeyRule(text: string): Message | null {
  const key = publicKeyOf(text)
  if (key === null) {
    return messageOf(privateKeyOf(text) === null ? "rule.provider_format" : "rule.public_key")
  }
  return shortKey(key)
}

function shortKey(key: KeyObject): Message | null {
  return bitsOf(key) < MODULUS_MIN_BITS ? messageOf("rule.key_bits", { min: MODULUS_MIN_BITS }) : null
}

function signs(key: KeyObject): boolean {
  try {
    return verify("sha256", TEST, createPublicKey(key), sign("sha256", TEST, key))
  } catch {
    return false
  }
}
