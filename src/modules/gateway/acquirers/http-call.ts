import { networkInterfaces } from "node:os"
import type { Dispatcher } from "undici"
import { textOf } from "../kernel/text/text"
import type { AcquirerContext, Trouble, Unknown } from "./port"

/** Below the core's own limit of 30 seconds, so that the adapter still says what it knows. */
const ANSWER_MS = 25_000
/** A hundred of Stripe's balance transactions have half a megabyte, and more where a merchant's programs keep metadata. */
const ANSWER_MAX_BYTES = 4_194_304
/** Shorter secrets are not looked for in answers: they would match ordinary words and numbers. */
const SECRET_MIN_CHARS = 6

export type HttpCall = {
  method: "GET" | "POST"
  url: string
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array
  /** What goes with the request and must not come back in a message: replaced in the text of the answer. */
  secrets?: readonly string[]
}

export type HttpAnswer = { status: number; text: string }

/** The request never reached the acquirer: nothing can have moved. `mayRepeat`: it may be sent again at once. */
export class NotReached extends Error {
  constructor(
    message: string,
    readonly trouble: Trouble = "network",
    readonly mayRepeat = true
  ) {
    super(message)
  }
}

/** The request was sent, and no whole answer came back: money may have moved. */
export class NoAnswer extends Error {}

/** Errors of a connection that was never made. */
const BEFORE_SENDING = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
])

/**
 * Sends one request to an acquirer, follows no redirect, and never sends it twice. The messages of its errors hold the
 * path without its query, because some acquirers want their secrets there. Throws `NotReached` or `NoAnswer`.
 */
export async function httpCall({ method, url, headers, body, secrets = [] }: HttpCall): Promise<HttpAnswer> {
  const { request } = require("undici") as typeof import("undici")
  const signal = AbortSignal.timeout(ANSWER_MS)
  const { pathname } = new URL(url)
  try {
    const answer = await request(url, { method, headers, body, signal })
    return { status: answer.statusCode, text: withoutSecrets(await readText(answer.body), secrets) }
  } catch (error) {
    const code = textOf((error as { code?: unknown }).code ?? (error as Error).name)
    const message = `${method} ${pathname}: ${code}`
    throw BEFORE_SENDING.has(code) ? new NotReached(message) : new NoAnswer(message)
  }
}

/** An error text that repeats our request must not carry a secret into a row or a log, however it is written there. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= SECRET_MIN_CHARS)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
    .reduce((rest, spelling) => rest.replaceAll(spelling, "[hidden]"), text)
}

/** For a question: unknown, because no answer came. Rethrows other errors. */
export function unanswered(error: unknown): Unknown & { trouble: Trouble } {
  if (error instanceof NoAnswer || error instanceof NotReached) {
    const trouble = error instanceof NotReached ? error.trouble : "network"
    return { result: "unknown", message: error.message, trouble }
  }
  throw error
}

async function readText(body: Dispatcher.ResponseData["body"]): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > ANSWER_MAX_BYTES) {
      throw Object.assign(new Error("the answer is too large"), { code: "ANSWER_TOO_LARGE" })
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}

/** A JSON object; null for anything else, such as the HTML of a proxy. */
export function jsonObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

/**
 * Whether shoppers may be sent to a page over plain http: to a stand-in's (`*_BASE_URL`), as in tests and demos. Never
 * where a live process takes real money: whoever is on the line would read what the shopper types.
 */
export function allowsPlainHttp(
  { environment, base_url }: Pick<AcquirerContext, "environment" | "base_url">,
  nodeEnv = process.env.NODE_ENV
): boolean {
  return base_url !== undefined && !(environment === "production" && nodeEnv === "production")
}

/** Whether a shopper's browser may be sent to an address that an acquirer has answered. */
export function isPageAddress(address: unknown, { plainHttp }: { plainHttp: boolean }): address is string {
  const protocol = typeof address === "string" && URL.canParse(address) ? new URL(address).protocol : null
  return protocol === "https:" || (plainHttp && protocol === "http:")
}

type Addressed = Pick<AcquirerContext, "environment" | "base_url">

/** The same for an acquirer whose pages are known (`isOwn`). With a stand-in: only for the stand-in's pages. */
export function isOwnPage(address: string, context: Addressed, isOwn: (page: URL) => boolean): boolean {
  if (!URL.canParse(address)) {
    return false
  }
  const page = new URL(address)
  return context.base_url === undefined
    ? isOwn(page)
    : page.origin === new URL(context.base_url).origin && (page.protocol === "https:" || allowsPlainHttp(context))
}

/** The first IPv4 address of this machine that is not its own loop, for acquirers that want one. */
export function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return all.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "127.0.0.1"
}
