import { isUtf8 } from "node:buffer"
import type { IncomingMessage } from "node:http"
import { messageOf } from "../../i18n/message"
import { GatewayError, fault, validationError } from "../../modules/gateway/kernel/errors"
import { LIMITS } from "../../modules/gateway/kernel/limits"
import type { BodyRule } from "./types"

export type JsonObject = { [key: string]: unknown }

/** A body as raw bytes (for fingerprints and signatures) and as an object. */
type RequestBody = { raw: Buffer; value: JsonObject }

const MAX_DEPTH = 32

/**
 * Reads and parses the body, which must arrive within `seconds`. Medusa's parser is not used: it runs before any
 * middleware, and its errors reach only the store's own error handler. Errors: PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT,
 * UNSUPPORTED_MEDIA_TYPE, INVALID_REQUEST, VALIDATION_ERROR for text that PostgreSQL cannot store (NUL, lone
 * surrogates).
 */
export async function readBody(request: IncomingMessage, rule: BodyRule, seconds: number): Promise<RequestBody> {
  const raw = await readBytes(request, { maxBytes: LIMITS.bodyMaxBytes, seconds }).catch((error: unknown) => {
    throw refusalOf(error)
  })
  if (raw.length === 0) {
    if (rule === "required") {
      throw new GatewayError("INVALID_REQUEST", messageOf("refusal.body_required"))
    }
    return { raw, value: {} }
  }
  const [type] = (request.headers["content-type"] ?? "").split(";")
  const encoding = request.headers["content-encoding"] ?? "identity"
  if (type.trim().toLowerCase() !== "application/json" || encoding !== "identity") {
    throw new GatewayError("UNSUPPORTED_MEDIA_TYPE")
  }
  return { raw, value: parse(raw, rule) }
}

/** A client that disconnected reads no response; this is no fault of ours to log. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof BodyError)) {
    return error
  }
  switch (error.problem) {
    case "too_large":
      return new GatewayError("PAYLOAD_TOO_LARGE")
    case "too_slow":
      return new GatewayError("REQUEST_TIMEOUT", undefined, { headers: { Connection: "close" } })
    case "cut_short":
      return new GatewayError("INVALID_REQUEST", messageOf("refusal.body_cut_short"))
  }
}

function parse(raw: Buffer, rule: BodyRule): JsonObject {
  // Made only when it is thrown: a stack costs more than parsing a usual body.
  const malformed = () => new GatewayError("INVALID_REQUEST", messageOf("refusal.body_no_object"))
  if (!isUtf8(raw)) {
    throw malformed()
  }
  // Some programs on Windows write a byte order mark first, and JSON has none.
  const text = raw.toString("utf8").replace(/^\ufeff/, "")
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw malformed()
  }
  // PHP writes an empty array as a list: an operation that needs no body takes it for none.
  if (rule !== "required" && Array.isArray(value) && value.length === 0) {
    return {}
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw malformed()
  }
  refuseDeep(value, 0)
  // In valid UTF-8 JSON only an escape can produce a NUL or a lone surrogate.
  if (text.includes("\\u")) {
    refuseUnstorable(value, "")
  }
  return value as JsonObject
}

/**
 * A body that Medusa has parsed, as an object: for the admin's and the shoppers' routes. Errors: INVALID_REQUEST for
 * one that is nested too deep, VALIDATION_ERROR for text that PostgreSQL cannot store.
 */
export function parsedBody(body: unknown): JsonObject {
  if (typeof body !== "object" || body === null) {
    return {}
  }
  refuseDeep(body, 0)
  refuseUnstorable(body, "")
  return body as JsonObject
}

/** JSON.parse accepts any depth, but later walks of the value (and PostgreSQL) would run out of stack. */
function refuseDeep(value: object, depth: number): void {
  if (depth > MAX_DEPTH) {
    throw new GatewayError("INVALID_REQUEST", messageOf("refusal.body_too_deep", { levels: MAX_DEPTH }))
  }
  // No list of the values is made: every body is walked.
  for (const name in value) {
    const child = (value as JsonObject)[name]
    if (typeof child === "object" && child !== null) {
      refuseDeep(child, depth + 1)
    }
  }
}

function refuseUnstorable(value: unknown, path: string): void {
  if (typeof value === "string" && (value.includes("\0") || !isWellFormed(value))) {
    throw validationError([fault(path, messageOf("rule.storable"))])
  }
  if (typeof value !== "object" || value === null) {
    return
  }
  for (const [key, child] of Object.entries(value)) {
    const field = Array.isArray(value) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`
    refuseUnstorable(key, path)
    refuseUnstorable(child, field)
  }
}

function isWellFormed(text: string): boolean {
  return !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text)
}

type BodyProblem = "too_large" | "too_slow" | "cut_short"

/** The body was refused; the connection is intact, so that the request can be answered. */
export class BodyError extends Error {
  constructor(readonly problem: BodyProblem) {
    super(`the body is ${problem}`)
  }
}

/**
 * Reads a body of at most `maxBytes` that arrives within `seconds`. Errors: BodyError. It listens to stream events and
 * never leaves a `for await` early: that detaches the socket from the request, and reading the request's address
 * afterwards throws (Medusa's access log reads it). A refused body is paused; its rest is discarded after the response
 * (modules/gateway/http-server/connections.ts).
 */
export function readBytes(
  request: IncomingMessage,
  { maxBytes, seconds }: { maxBytes: number; seconds: number }
): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) {
    return Promise.reject(new BodyError("too_large"))
  }
  // A small body has often arrived completely: reading it is far cheaper than waiting for its parts.
  if (request.complete && request.readableLength <= maxBytes) {
    return Promise.resolve((request.read() as Buffer | null) ?? Buffer.alloc(0))
  }
  return request.destroyed ? Promise.reject(new BodyError("cut_short")) : collect(request, maxBytes, seconds)
}

function collect(request: IncomingMessage, maxBytes: number, seconds: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const release = () => {
      clearTimeout(timer)
      request.off("data", take).off("end", finish).off("close", breakOff).off("error", breakOff)
    }
    const refuse = (problem: BodyProblem) => {
      release()
      request.pause()
      reject(new BodyError(problem))
    }
    const take = (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size > maxBytes) {
        refuse("too_large")
      }
    }
    const finish = () => {
      release()
      resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, size))
    }
    const breakOff = () => refuse("cut_short")
    const timer = setTimeout(() => refuse("too_slow"), seconds * 1_000).unref()
    request.on("data", take).on("end", finish).on("close", breakOff).on("error", breakOff)
  })
}
