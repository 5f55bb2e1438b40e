import { GatewayApiError, readError } from "./errors"
import { OPERATIONS, type GatewayOperations } from "./generated/operations"
import { send, type Outgoing, type Received } from "./send"
import type { CallOptions, GatewayOptions, Operation } from "./types"

const API_PATH = "/api/v2"
const TIMEOUT_MS = 30_000
/** What a timer can hold. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1
const MAX_RETRIES = 2

type Settings = Required<GatewayOptions>

/**
 * A client of the merchant API: one method for each operation. A method takes the id of the path, then the body or the
 * query, then options. It resolves to the answer's body and rejects with GatewayApiError or GatewayConnectionError.
 * Errors: TypeError at once for options that cannot work.
 */
export function createGateway(options: GatewayOptions): GatewayOperations {
  const settings = settingsOf(options)
  const methods = Object.entries(OPERATIONS).map(([id, operation]) => [id, methodOf(operation, settings)])
  return Object.freeze(Object.fromEntries(methods)) as GatewayOperations
}

function settingsOf(options: GatewayOptions): Settings {
  return {
    baseUrl: baseUrlOf(options.baseUrl),
    apiKey: apiKeyOf(options.apiKey),
    timeoutMs: requireTimeout(options.timeoutMs ?? TIMEOUT_MS),
    maxRetries: options.maxRetries ?? MAX_RETRIES,
    // Workers refuse a call of fetch that has another object as `this`.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
  }
}

/** No message repeats the address, because it may hold a password. */
function baseUrlOf(text: string): string {
  const base = parsedUrl(text)
  const path = base?.pathname.replace(/\/+$/, "") ?? ""
  if (base === null || !/^https?:$/.test(base.protocol) || !path.endsWith(API_PATH)) {
    throw new TypeError(`baseUrl must be an http address that ends with ${API_PATH}`)
  }
  if (base.username !== "" || base.password !== "") {
    throw new TypeError("baseUrl must not hold a user name or a password")
  }
  return base.origin + path
}

function parsedUrl(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

/** A key that no header can have would make fetch repeat it in its error. A line break at its end comes from a file. */
function apiKeyOf(text: unknown): string {
  const key = typeof text === "string" ? text.trim() : ""
  if (key === "") {
    throw new TypeError("apiKey is missing")
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new TypeError("apiKey holds characters that no key has")
  }
  return key
}

/** A timer takes any other number for one millisecond: every attempt would time out at once. */
function requireTimeout(milliseconds: number): number {
  if (!(milliseconds > 0 && milliseconds <= LONGEST_TIMEOUT_MS)) {
    throw new TypeError(`timeoutMs must be a number above 0 and at most ${LONGEST_TIMEOUT_MS}`)
  }
  return milliseconds
}

type Method = (...args: unknown[]) => Promise<unknown>

function methodOf(operation: Operation, settings: Settings): Method {
  const { path, input, reads } = operation
  return async (...args) => {
    const rest = [...args]
    const address = path.replace(/\{(\w+)\}/, (_, name: string) => segmentOf(name, rest.shift()))
    const given = input === null ? undefined : rest.shift()
    const options = (rest.shift() ?? {}) as CallOptions
    const query = input === "query" ? queryOf(given) : ""
    const body = input === "body" && given !== undefined ? JSON.stringify(given) : null
    const url = settings.baseUrl + address + query
    const request = outgoing(operation, { url, body, options, settings })
    const answer = await send(request, settings.fetch)
    return READERS[reads](answer, request)
  }
}

type Call = { url: string; body: string | null; options: CallOptions; settings: Settings }

function outgoing({ method, hasKey }: Operation, { url, body, options, settings }: Call): Outgoing {
  const idempotencyKey = hasKey ? (options.idempotencyKey ?? crypto.randomUUID()) : null
  // Made before the first attempt: a value that no header can have is the caller's mistake, not a broken connection.
  const headers = new Headers({ "X-Merchant-API-Key": settings.apiKey })
  if (body !== null) {
    headers.set("Content-Type", "application/json")
  }
  if (idempotencyKey !== null) {
    headers.set("Idempotency-Key", idempotencyKey)
  }
  return {
    method,
    url,
    headers,
    body,
    idempotencyKey,
    isRepeatable: method === "GET" || idempotencyKey !== null,
    timeoutMs: requireTimeout(options.timeoutMs ?? settings.timeoutMs),
    maxRetries: options.maxRetries ?? settings.maxRetries,
    signal: options.signal,
  }
}

/** An id often comes from a redirect, so from the outside: it must stay one segment of the path. */
function segmentOf(name: string, value: unknown): string {
  const text = typeof value === "string" || typeof value === "number" ? String(value) : ""
  if (text === "" || text === "." || text === "..") {
    throw new TypeError(`${name} must be an id`)
  }
  return encodeURIComponent(text)
}

function queryOf(values: unknown): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values ?? {})) {
    if (value !== undefined && value !== null) {
      query.set(name, String(value))
    }
  }
  const text = query.toString()
  return text && `?${text}`
}

const READERS: Record<Operation["reads"], (answer: Received, request: Outgoing) => unknown> = {
  bytes: (answer, request) => new Uint8Array(ofType("application/pdf", answer, request)),
  text: (answer, request) => new TextDecoder().decode(ofType("text/csv", answer, request)),
  json: jsonOf,
}

/** The bytes of an answer of this type. What a proxy answers instead, such as a page to sign in, is no document. */
function ofType(type: string, answer: Received, request: Outgoing): ArrayBuffer {
  const given = answer.headers.get("content-type")?.toLowerCase() ?? ""
  if (!given.startsWith(type)) {
    throw unreadable(answer, request)
  }
  return answer.bytes
}

function jsonOf(answer: Received, request: Outgoing): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(answer.bytes))
  } catch {
    throw unreadable(answer, request)
  }
}

function unreadable({ status, headers, bytes }: Received, { idempotencyKey }: Outgoing): GatewayApiError {
  const text = new TextDecoder().decode(bytes)
  return new GatewayApiError(readError({ status, headers, text }), idempotencyKey)
}
