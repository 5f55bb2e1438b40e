import type { Schemas } from "./types"

type Named<Event> = Event extends { event_type: infer Name }
  ? Event & { readonly type: Name }
  : Event extends { event: infer Name }
    ? Event & { readonly type: Name }
    : never

/** An event as it is delivered, with its name in `type`: refund events have it in `event`, all others in `event_type`. */
export type GatewayEvent = Named<Schemas["Event"]>
export type GatewayEventType = GatewayEvent["type"]
export type EventOf<Type extends GatewayEventType> = Extract<GatewayEvent, { type: Type }>

/** The outcome of an order, as it comes to its `ipn_url`. */
export type Ipn = Schemas["Ipn"]

/** The bytes as they came, before any parser of JSON: the signature is over them. */
export type RawBody = string | Uint8Array | ArrayBuffer

/** Headers of fetch (`request.headers`) or of Node (`req.headers`). */
export type DeliveryHeaders =
  { get(name: string): string | null } | Readonly<Record<string, string | string[] | undefined>>

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

/** An empty or truncated setting must not become a guessable key. */
const SECRET = /^whsec_([A-Za-z0-9+/]{32,}={0,2})$/
const TOLERANCE_SECONDS = 300

/**
 * Whether a webhook or an IPN is genuine. Signature and time of the Standard Webhooks headers, which every delivery has,
 * must be right: that prevents replays, also by a sender who leaves these headers out. With `allowWithoutTimestamp`,
 * `x-webhook-signature` (bare or `sha256=`) is enough where they are missing. Comparisons take constant time. With an
 * invalid `secret`, such as an empty one, nothing is genuine (contract 5.7, decisions: Webhooks).
 */
export async function verifyWebhook(
  body: RawBody,
  headers: DeliveryHeaders,
  secret: string,
  { toleranceSeconds = TOLERANCE_SECONDS, now = new Date(), allowWithoutTimestamp = false }: VerifyOptions = {}
): Promise<boolean> {
  const encoded = SECRET.exec(secret)?.[1]
  if (encoded === undefined) {
    return false
  }
  const get = headerReader(headers)
  const bytes = bytesOf(body)
  const id = get("webhook-id")
  const timestamp = get("webhook-timestamp")
  const signatures = get("webhook-signature")
  if (id !== null && timestamp !== null && signatures !== null) {
    const seconds = /^[0-9]{1,12}$/.test(timestamp) ? Number(timestamp) : NaN
    if (!(Math.abs(now.getTime() / 1000 - seconds) <= toleranceSeconds)) {
      return false
    }
    const key = fromBase64(encoded)
    const signed = joined(bytesOf(`${id}.${seconds}.`), bytes)
    const candidates = signatures.split(" ").map((each) => (each.startsWith("v1,") ? fromBase64(each.slice(3)) : null))
    return key !== null && anyMatches(key, candidates, signed)
  }
  if (!allowWithoutTimestamp) {
    return false
  }
  const hex = get("x-webhook-signature")?.replace(/^sha256=/, "") ?? ""
  return anyMatches(bytesOf(secret), [fromHex(hex)], bytes)
}

/**
 * Reads a verified delivery. Switch on `type`, and have a default branch: a newer gateway sends events that this version
 * does not name. Errors: SyntaxError for what is no JSON, TypeError for what is no event.
 */
export function parseEvent(body: RawBody): GatewayEvent {
  const event = objectIn(body)
  const type = event.event_type ?? event.event
  if (typeof event.event_id !== "string" || typeof type !== "string") {
    throw new TypeError("The body is no event of the gateway")
  }
  return { ...event, type } as GatewayEvent
}

/** Reads a verified IPN. Errors: SyntaxError for what is no JSON, TypeError for what is no IPN. */
export function parseIpn(body: RawBody): Ipn {
  const ipn = objectIn(body)
  if (typeof ipn.event_id !== "string" || typeof ipn.transaction_id !== "string" || typeof ipn.status !== "string") {
    throw new TypeError("The body is no IPN of the gateway")
  }
  return ipn as Ipn
}

function objectIn(body: RawBody): Record<string, unknown> {
  const value: unknown = JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body))
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}
}

function headerReader(headers: DeliveryHeaders): (name: string) => string | null {
  if (typeof headers.get === "function") {
    const read = headers.get.bind(headers)
    return (name) => read(name)
  }
  const lower = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return (name) => {
    const value: unknown = lower.get(name)
    return typeof value === "string" ? value : null
  }
}

/** `verify` of WebCrypto compares in constant time. */
async function anyMatches(key: Bytes, signatures: (Bytes | null)[], signed: Bytes): Promise<boolean> {
  const hmac = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["verify"])
  const results = await Promise.all(
    signatures.map((signature) => signature !== null && crypto.subtle.verify("HMAC", hmac, signature, signed))
  )
  return results.includes(true)
}

/** In memory of its own, which is what WebCrypto takes. */
type Bytes = Uint8Array<ArrayBuffer>

function bytesOf(body: RawBody): Bytes {
  return typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body)
}

function joined(first: Bytes, second: Bytes): Bytes {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}

function fromBase64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

function fromHex(text: string): Bytes | null {
  if (!/^[0-9a-f]{64}$/.test(text)) {
    return null
  }
  return Uint8Array.from({ length: text.length / 2 }, (_, index) => parseInt(text.slice(index * 2, index * 2 + 2), 16))
}
