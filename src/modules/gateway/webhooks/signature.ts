import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"

const SECRET_BYTES = 32
const SECRET_PREFIX = "whsec_"

export type SignatureFormat = "hex" | "prefixed"

/** `whsec_` and 32 random bytes in base64 (decisions: Webhooks). */
export function newWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("base64")
}

/**
 * The contract's signature (5.7): lowercase hex HMAC-SHA256 of the raw body, keyed with the whole secret text. Test
 * vectors are in docs/webhooks.md.
 */
export function hexSignature(secret: string, rawBody: string | Buffer): string {
  return createHmac("sha256", secret).update(rawBody).digest("hex")
}

/**
 * One signature of the Standard Webhooks scheme: `v1,` and base64 HMAC-SHA256 of `id.timestamp.body`. No package is
 * used, because it is one HMAC over the bytes that are sent; the tests verify it with the package `standardwebhooks`.
 */
export function standardSignature(secret: string, id: string, timestamp: number, rawBody: string | Buffer): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64")
  const digest = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(rawBody).digest("base64")
  return `v1,${digest}`
}

/**
 * The signature headers of a delivery. The current secret comes first; the previous one of a recent rotation is added
 * in the Standard Webhooks header, which may hold several signatures. `x-webhook-signature` can hold only one.
 */
export function signatureHeaders(input: {
  secrets: readonly [string, ...string[]]
  format: SignatureFormat
  id: string
  timestamp: number
  body: string
}): Record<string, string> {
  const { secrets, id, timestamp, body } = input
  const hex = hexSignature(secrets[0], body)
  return {
    "x-webhook-signature": input.format === "prefixed" ? `sha256=${hex}` : hex,
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": secrets.map((secret) => standardSignature(secret, id, timestamp, body)).join(" "),
  }
}

/** An empty or truncated setting must not become a guessable key. */
const SECRET = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/

type Headers = Readonly<Record<string, string | string[] | undefined>>

export type VerifyOptions = {
  /** How far `webhook-timestamp` may be off, in seconds. Default 300. */
  toleranceSeconds?: number
  now?: Date
  /**
   * Also accepts a request that lacks one of the Standard Webhooks headers and has a right `x-webhook-signature`. That
   * signature covers no time: whoever has seen one delivery can send it again at any time, and only your record of
   * `event_id` finds that. For receivers behind something that drops the other headers. Default false.
   */
  allowWithoutTimestamp?: boolean
}

const TOLERANCE_SECONDS = 300

/**
 * For receivers: whether a delivery is genuine. Signature and time of the Standard Webhooks headers, which every delivery
 * has, must be right: that prevents replays, also by a sender who leaves these headers out. With `allowWithoutTimestamp`
 * the contract's signature (bare or `sha256=`) is enough where they are missing. Comparisons take constant time. With an
 * invalid `secret`, such as an empty one, nothing is genuine. A number as `options` is `toleranceSeconds`. Source:
 * contract 5.7, decisions: Webhooks.
 */
export function verifyWebhook(
  rawBody: string | Buffer,
  headers: Headers,
  secret: string,
  options: number | VerifyOptions = {}
): boolean {
  const given = typeof options === "number" ? { toleranceSeconds: options } : options
  const { toleranceSeconds = TOLERANCE_SECONDS, now = new Date(), allowWithoutTimestamp = false }: VerifyOptions = given
  if (!SECRET.test(secret)) {
    return false
  }
  const get = headerReader(headers)
  const id = get("webhook-id")
  const timestamp = get("webhook-timestamp")
  const signatures = get("webhook-signature")
  if (id !== null && timestamp !== null && signatures !== null) {
    const seconds = /^[0-9]{1,12}$/.test(timestamp) ? Number(timestamp) : NaN
    const fresh = Math.abs(now.getTime() / 1000 - seconds) <= toleranceSeconds
    const expected = standardSignature(secret, id, seconds, rawBody)
    return fresh && signatures.split(" ").some((signature) => equal(signature, expected))
  }
  const hex = get("x-webhook-signature")?.replace(/^sha256=/, "")
  return allowWithoutTimestamp && hex !== undefined && equal(hex, hexSignature(secret, rawBody))
}

function headerReader(headers: Headers): (name: string) => string | null {
  const lower = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return (name) => {
    const value = lower.get(name)
    return typeof value === "string" ? value : null
  }
}

function equal(left: string, right: string): boolean {
  const a = Buffer.from(left)
  const b = Buffer.from(right)
  return a.length === b.length && timingSafeEqual(a, b)
}
