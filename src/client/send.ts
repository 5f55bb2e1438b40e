import { GatewayApiError, GatewayConnectionError, readError, type ApiErrorParts } from "./errors"
import type { Fetch } from "./types"

/** Answers that another attempt may change: a limit, and a server or a proxy that is not there. */
const REPEATED_STATUSES = [429, 502, 503, 504]
/**
 * The first attempt with the key is still running, as after a time-out: soon its answer can be read. Or the body was too
 * slow on its way; another 408 is a checkout that has expired, which no attempt changes.
 */
const REPEATED_CODES: readonly (string | null)[] = ["IDEMPOTENCY_KEY_IN_USE", "REQUEST_TIMEOUT"]

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 8_000
/** Who is asked to wait longer decides for themselves: the window of the rate limit is a minute. */
const LONGEST_RETRY_AFTER_SECONDS = 60

export type Outgoing = {
  method: string
  url: string
  headers: Headers
  body: string | null
  idempotencyKey: string | null
  /** Whether another attempt does no harm. */
  isRepeatable: boolean
  timeoutMs: number
  maxRetries: number
  signal: AbortSignal | undefined
}

export type Received = { status: number; headers: Headers; bytes: ArrayBuffer }

type Outcome =
  | ({ kind: "success" } & Received)
  | { kind: "refused"; error: ApiErrorParts }
  | { kind: "broken"; timedOut: boolean; cause: unknown }

/**
 * Sends a request, again where that is safe, and returns the answer of a success. Errors: GatewayApiError,
 * GatewayConnectionError, the reason of `signal`.
 */
export async function send(request: Outgoing, fetch: Fetch): Promise<Received> {
  for (let attempt = 0; ; attempt += 1) {
    request.signal?.throwIfAborted()
    const outcome = await once(request, fetch)
    if (outcome.kind === "success") {
      return outcome
    }
    const wait = request.isRepeatable && attempt < request.maxRetries ? waitMs(outcome, attempt) : null
    if (wait === null) {
      throw errorOf(outcome, request)
    }
    await pause(wait, request.signal)
  }
}

async function once(request: Outgoing, fetch: Fetch): Promise<Outcome> {
  const { method, url, headers, body, signal, timeoutMs } = request
  const limit = new AbortController()
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    limit.abort()
  }, timeoutMs)
  const stop = () => limit.abort()
  signal?.addEventListener("abort", stop)
  try {
    // A redirect is not followed: it would take the key to another address, and make a POST a GET.
    const response = await fetch(url, { method, headers, body, redirect: "manual", signal: limit.signal })
    const bytes = await response.arrayBuffer()
    if (response.ok) {
      return { kind: "success", status: response.status, headers: response.headers, bytes }
    }
    const text = new TextDecoder().decode(bytes)
    return { kind: "refused", error: readError({ status: response.status, headers: response.headers, text }) }
  } catch (cause) {
    signal?.throwIfAborted()
    return { kind: "broken", timedOut, cause }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener("abort", stop)
  }
}

/** Milliseconds before the next attempt; null when there is to be none. */
function waitMs(outcome: Exclude<Outcome, { kind: "success" }>, attempt: number): number | null {
  // At random between half and all of it, so that callers that failed together do not come back together.
  const backoff = Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS) * (0.5 + Math.random() / 2)
  if (outcome.kind === "broken") {
    return backoff
  }
  const { status, code, retryAfterSeconds } = outcome.error
  if (!REPEATED_STATUSES.includes(status) && !REPEATED_CODES.includes(code)) {
    return null
  }
  if (retryAfterSeconds === null) {
    return backoff
  }
  return retryAfterSeconds <= LONGEST_RETRY_AFTER_SECONDS ? Math.max(retryAfterSeconds * 1000, backoff) : null
}

function errorOf(outcome: Exclude<Outcome, { kind: "success" }>, request: Outgoing): Error {
  const { idempotencyKey, timeoutMs } = request
  if (outcome.kind === "refused") {
    return new GatewayApiError(outcome.error, idempotencyKey)
  }
  const { timedOut, cause } = outcome
  const message = timedOut
    ? `The gateway did not answer within ${timeoutMs} ms; the request may have been done`
    : "The connection to the gateway broke; the request may have been done"
  return new GatewayConnectionError(message, { cause, timedOut, idempotencyKey })
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener("abort", stop, { once: true })
  })
}
