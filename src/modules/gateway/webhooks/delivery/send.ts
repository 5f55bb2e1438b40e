import { request, type Dispatcher } from "undici"

/** The deadline for connecting, answering and the body together (contract 6.3, 2). */
const DEADLINE_MS = 30_000
const BODY_CAP_BYTES = 65_536
const KEPT_BYTES = 1_024

export type SendResult = {
  status_code: number | null
  /** The first kilobyte of the response, as text that PostgreSQL can store. */
  response: string | null
  error: string | null
  duration_ms: number
  retry_after_seconds: number
}

/**
 * One POST. It never throws: whatever goes wrong is a result in words. Redirects are answers like any other.
 * `deadlineMs` is for the tests' sake.
 */
export async function send(
  agent: Dispatcher,
  target: { url: string; headers: Record<string, string>; body: string },
  deadlineMs = DEADLINE_MS
): Promise<SendResult> {
  const started = performance.now()
  const elapsed = () => Math.round(performance.now() - started)
  try {
    const { statusCode, headers, body } = await request(target.url, {
      method: "POST",
      dispatcher: agent,
      headers: { "content-type": "application/json", "user-agent": "medusa-payment-gateway/1", ...target.headers },
      body: target.body,
      signal: AbortSignal.timeout(deadlineMs),
    })
    const response = await firstKilobyte(body)
    const retry_after_seconds = retryAfter(headers["retry-after"])
    return {
      status_code: statusCode,
      response,
      error: statusCode === 200 ? null : `The receiver answered ${statusCode} instead of 200`,
      duration_ms: elapsed(),
      retry_after_seconds,
    }
  } catch (error) {
    return {
      status_code: null,
      response: null,
      error: inWords(error, deadlineMs),
      duration_ms: elapsed(),
      retry_after_seconds: 0,
    }
  }
}

/** Reads at most 64 KiB, so that an endless response costs nothing, and keeps the first kilobyte. */
async function firstKilobyte(body: AsyncIterable<Buffer>): Promise<string> {
  const kept: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    if (size < KEPT_BYTES) {
      kept.push(chunk)
    }
    size += chunk.length
    if (size >= BODY_CAP_BYTES) {
      break
    }
  }
  return storable(Buffer.concat(kept).subarray(0, KEPT_BYTES).toString("utf8"))
}

/** PostgreSQL's text accepts everything but NUL; a NUL would make it impossible to record the attempt. */
function storable(text: string): string {
  return text.replaceAll("\0", "\ufffd")
}

function retryAfter(value: string | string[] | undefined): number {
  const text = (Array.isArray(value) ? value[0] : value)?.trim()
  return text !== undefined && /^[0-9]{1,6}$/.test(text) ? Number(text) : 0
}

/** What went wrong, by its code. Messages of errors are never shown: they name addresses, the gateway's own included. */
const WORDS: Readonly<Record<string, string>> = {
  FORBIDDEN_ADDRESS: "The receiver is not on a public address",
  NO_ADDRESS: "The host name has no address",
  ERR_INVALID_URL: "The URL is invalid",
  ECONNREFUSED: "The connection was refused",
  ECONNRESET: "The connection was reset",
  EPIPE: "The connection was reset",
  EHOSTUNREACH: "The receiver cannot be reached",
  ENETUNREACH: "The receiver cannot be reached",
  ETIMEDOUT: "The connection took too long",
  ENOTFOUND: "The host name is unknown",
  EAI_AGAIN: "The host name could not be looked up",
  UND_ERR_CONNECT_TIMEOUT: "The connection took too long",
  UND_ERR_SOCKET: "The connection broke",
  CERT_NOT_YET_VALID: "The TLS certificate is not valid yet",
  CERT_HAS_EXPIRED: "The TLS certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The TLS certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "The TLS certificate is self-signed",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The TLS certificate cannot be verified",
  ERR_TLS_CERT_ALTNAME_INVALID: "The TLS certificate is for another host",
}

function inWords(error: unknown, deadlineMs: number): string {
  const { name, code = "" } = error as Partial<NodeJS.ErrnoException>
  if (name === "TimeoutError") {
    return `The receiver did not answer within ${deadlineMs / 1000} seconds`
  }
  if (code.startsWith("HPE_")) {
    return "The answer was not HTTP"
  }
  return WORDS[code] ?? (/^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? `The delivery failed (${code})` : "The delivery failed")
}
