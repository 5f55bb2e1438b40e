import { GatewayApiError, readError } from "./errors"
import { OPERATIONS, type GatewayOperations } from "./generated/operations"
import { send, type Outgoing, type Received } from "./send"
import type { CallOptions, GatewayOptions, Operation } from "./types"

const API_PATH = "/api/v2"
const TIMEOUT_MS = 30_000
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
  const base = new URL(options.baseUrl)
  const path = base.pathname.replace(/\/+$/, "")
  if (!/^https?:$/.test(base.protocol) || !path.endsWith(API_PATH)) {
    throw new TypeError(`baseUrl must be an http address that ends with ${API_PATH}`)
  }
  if (!options.apiKey) {
    throw new TypeError("apiKey is missing")
  }
  return {
    baseUrl: base.origin + path,
    apiKey: options.apiKey,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    maxRetries: options.maxRetries ?? MAX_RETRIES,
    // Workers refuse a call of fetch that has another object as `this`.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
  }
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
    timeoutMs: options.timeoutMs ?? settings.timeoutMs,
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
  bytes: ({ bytes }) => new Uint8Array(bytes),
  text: ({ bytes }) => new TextDecoder().decode(bytes),
  json: jsonOf,
}

function jsonOf({ status, headers, bytes }: Received, { idempotencyKey }: Outgoing): unknown {
  const text = new TextDecoder().decode(bytes)
  try {
    return JSON.parse(text)
  } catch {
    throw new GatewayApiError(readError({ status, headers, text }), idempotencyKey)
  }
}
