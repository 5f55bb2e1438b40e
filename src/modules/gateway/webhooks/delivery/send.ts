import type { Dispatcher } from "undici"
import { messageOf, type Message } from "../../../../i18n/message"
import { LIMITS } from "../../kernel/limits"

/** The deadline for connecting, answering and the body together (contract 6.3, 2). */
const DEADLINE_MS = LIMITS.webhookResponseSeconds * 1_000
const BODY_CAP_BYTES = 65_536
const KEPT_BYTES = 1_024

export type SendResult = {
  status_code: number | null
  /** The first kilobyte of the response, as text that PostgreSQL can store. */
  response: string | null
  error: Message | null
  duration_ms: number
  retry_after_seconds: number
}

/**
 * One POST. It never throws: whatever goes wrong is a result. Redirects are answers like any other.
 * `deadlineMs` is for the tests' sake.
 */
export async function send(
  agent: Dispatcher,
  target: { url: string; headers: Record<string, string>; body: string },
  deadlineMs = DEADLINE_MS
): Promise<SendResult> {
  const { request } = require("undici") as typeof import("undici")
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
      error: statusCode === 200 ? null : messageOf("delivery.status", { status: statusCode }),
      duration_ms: elapsed(),
      retry_after_seconds,
    }
  } catch (error) {
    return {
      status_code: null,
      response: null,
      error: reasonFor(error, deadlineMs),
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
const REASONS: Readonly<Record<string, Message>> = {
  FORBIDDEN_ADDRESS: messageOf("delivery.address_not_public"),
  NO_ADDRESS: messageOf("delivery.host_without_address"),
  ERR_INVALID_URL: messageOf("delivery.url_invalid"),
  ECONNREFUSED: messageOf("delivery.connection_refused"),
  ECONNRESET: messageOf("delivery.connection_reset"),
  EPIPE: messageOf("delivery.connection_reset"),
  EHOSTUNREACH: messageOf("delivery.unreachable"),
  ENETUNREACH: messageOf("delivery.unreachable"),
  ETIMEDOUT: messageOf("delivery.connection_timeout"),
  ENOTFOUND: messageOf("delivery.host_unknown"),
  ENODATA: messageOf("delivery.host_without_address"),
  EAI_AGAIN: messageOf("delivery.host_lookup_failed"),
  LOOKUP_FAILED: messageOf("delivery.host_lookup_failed"),
  UND_ERR_CONNECT_TIMEOUT: messageOf("delivery.connection_timeout"),
  UND_ERR_SOCKET: messageOf("delivery.connection_broken"),
  CERT_NOT_YET_VALID: messageOf("delivery.tls_not_yet_valid"),
  CERT_HAS_EXPIRED: messageOf("delivery.tls_expired"),
  DEPTH_ZERO_SELF_SIGNED_CERT: messageOf("delivery.tls_self_signed"),
  SELF_SIGNED_CERT_IN_CHAIN: messageOf("delivery.tls_self_signed"),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: messageOf("delivery.tls_unverified"),
  ERR_TLS_CERT_ALTNAME_INVALID: messageOf("delivery.tls_other_host"),
}
const CODE = /^[A-Z][A-Z0-9_]{2,60}$/

function reasonFor(error: unknown, deadlineMs: number): Message {
  const { name, code = "" } = error as Partial<NodeJS.ErrnoException>
  if (name === "TimeoutError") {
    return messageOf("delivery.timeout", { seconds: deadlineMs / 1000 })
  }
  if (code.startsWith("HPE_")) {
    return messageOf("delivery.not_http")
  }
  const known = REASONS[code]
  if (known !== undefined) {
    return known
  }
  return CODE.test(code) ? messageOf("delivery.failed_with", { code }) : messageOf("delivery.failed")
}
