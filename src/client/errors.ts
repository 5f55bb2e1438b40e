import type { GatewayErrorCode } from "./types"

export type FieldError = { field: string; message: string }

export type ApiErrorParts = {
  status: number
  code: GatewayErrorCode | null
  message: string
  fieldErrors: FieldError[]
  requestId: string | null
  retryAfterSeconds: number | null
}

/** Codes that decide nothing: the first request with the key still runs, or the request did not arrive as a whole. */
const UNDECIDED: readonly (string | null)[] = ["IDEMPOTENCY_KEY_IN_USE", "REQUEST_TIMEOUT"]

/** An answer came, and it is no success: a refusal, or nothing that says what became of the request. */
export class GatewayApiError extends Error {
  /** The HTTP status. */
  readonly status: number
  /** Null when what answered was not the gateway, such as a proxy. */
  readonly code: GatewayErrorCode | null
  /** One entry for each wrong member of the request, of the first 20; empty for other errors. */
  readonly fieldErrors: readonly FieldError[]
  /** Quote it when you ask for help. */
  readonly requestId: string | null
  /** What the gateway asks to wait before the next request. */
  readonly retryAfterSeconds: number | null
  /** The key that was sent. A repeated call with it is not done twice. */
  readonly idempotencyKey: string | null
  /**
   * Whether the request may have been done, or may still be: a fault of the gateway or of a proxy (500 and above), an
   * answer that cannot be read, a time-out, a first request with the same key that still runs. Do not take it for
   * refused: repeat the call with `idempotencyKey`, or read what became of it.
   */
  readonly outcomeUnknown: boolean

  constructor(parts: ApiErrorParts, idempotencyKey: string | null) {
    super(parts.message)
    this.name = "GatewayApiError"
    this.status = parts.status
    this.code = parts.code
    this.fieldErrors = parts.fieldErrors
    this.requestId = parts.requestId
    this.retryAfterSeconds = parts.retryAfterSeconds
    this.idempotencyKey = idempotencyKey
    this.outcomeUnknown = isUndecided(parts)
  }
}

/** A 408 without a code is a proxy's; the gateway's own 408 of an expired checkout is a refusal. */
function isUndecided({ status, code }: ApiErrorParts): boolean {
  return status >= 500 || status < 300 || UNDECIDED.includes(code) || (status === 408 && code === null)
}

/**
 * No complete answer came: the connection broke, or the time was up. The request may have been done. Repeat the call with
 * `idempotencyKey`, or read what became of it; do not take it for failed. `cause` is what `fetch` threw.
 */
export class GatewayConnectionError extends Error {
  readonly timedOut: boolean
  readonly idempotencyKey: string | null

  constructor(message: string, options: { cause: unknown; timedOut: boolean; idempotencyKey: string | null }) {
    super(message, { cause: options.cause })
    this.name = "GatewayConnectionError"
    this.timedOut = options.timedOut
    this.idempotencyKey = options.idempotencyKey
  }
}

type Answer = { status: number; headers: Headers; text: string }

/**
 * Reads both shapes of an error: `{ error: { code, message, field, details, request_id } }`, and `{ detail, code }` of
 * plans and subscriptions, which carry the first shape as well (contract 7).
 */
export function readError({ status, headers, text }: Answer): ApiErrorParts {
  const body = objectOf(parsed(text))
  const error = body.error === undefined ? body : objectOf(body.error)
  const message = textOf(error.message) ?? textOf(body.message) ?? textOf(body.detail)
  const code = textOf(error.code)
  return {
    status,
    // A code that a newer gateway sends is not in the type; callers have a branch for all others anyway.
    code: code as GatewayErrorCode | null,
    message: message ?? `An answer of ${status} is none of the gateway's. Does baseUrl name the right address?`,
    fieldErrors: fieldErrorsOf(error, message ?? ""),
    requestId: textOf(error.request_id) ?? headers.get("x-request-id"),
    retryAfterSeconds: retryAfterSeconds(headers),
  }
}

function fieldErrorsOf(error: Record<string, unknown>, message: string): FieldError[] {
  if (Array.isArray(error.details)) {
    return error.details.map(objectOf).flatMap((detail) => {
      const field = textOf(detail.field)
      return field === null ? [] : [{ field, message: textOf(detail.message) ?? message }]
    })
  }
  const field = textOf(error.field)
  return field === null ? [] : [{ field, message }]
}

/** The header in seconds or as a date (RFC 9110, 10.2.3); null when it is absent or means nothing. */
export function retryAfterSeconds(headers: Headers): number | null {
  const value = headers.get("retry-after")?.trim() ?? ""
  if (/^[0-9]{1,9}$/.test(value)) {
    return Number(value)
  }
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null
}
