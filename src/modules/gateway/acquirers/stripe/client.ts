import { setTimeout as sleep } from "node:timers/promises"
import Stripe from "stripe"
import { httpCall, jsonObject, NoAnswer, type HttpAnswer } from "../http-call"
import { textOf } from "../../kernel/text/text"

/** The version whose objects this adapter reads. Stripe answers in it whatever the account's own version is. */
const API_VERSION = "2026-07-29.dahlia"

/** A POST is repeated only if the first try was lost so early that both fit into the core's limit of 30 seconds. */
const REPEAT_WITHIN_MS = 4_000
const REPEAT_PAUSE_MS = 300

/**
 * Stripe's package over the same bounded call as every adapter's. Its own transport waits for ever for an answer that
 * breaks off in its body. It also repeats requests; here `postOnce` decides whether to repeat one. Telemetry is off: it
 * would report the machine's name and the times of earlier requests.
 */
export function stripeClient(secret_key: string, base_url?: string): Stripe {
  return new Stripe(secret_key, {
    apiVersion: API_VERSION,
    typescript: true,
    telemetry: false,
    maxNetworkRetries: 0,
    appInfo: { name: "medusa-payment-gateway" },
    httpClient: { getClientName: () => "bounded", makeRequest: send },
    ...addressOf(base_url),
  })
}

/** Throws TypeError when `base_url` is no address. */
function addressOf(base_url?: string): Pick<Stripe.StripeConfig, "host" | "port" | "protocol"> {
  if (base_url === undefined) {
    return {}
  }
  const { hostname, port, protocol } = new URL(base_url)
  const isPlain = protocol === "http:"
  return { host: hostname, port: port || (isPlain ? 80 : 443), protocol: isPlain ? "http" : "https" }
}

async function send(...request: Parameters<Stripe.HttpClient["makeRequest"]>): Promise<Answer> {
  const [host, port, path, method, headers, body, protocol] = request
  const answer = await httpCall({
    method: method as "GET" | "POST",
    url: `${protocol}://${host}:${port}${path}`,
    headers: textHeaders(headers),
    body: method === "GET" ? undefined : body,
  })
  return new Answer(answer)
}

/** Without the length: the call below counts it itself. */
function textHeaders(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(headers).filter(([name]) => name.toLowerCase() !== "content-length")
  return Object.fromEntries(entries.map(([name, value]) => [name, textOf(value)]))
}

class Answer implements Stripe.HttpClientResponse {
  constructor(private readonly answer: HttpAnswer) {}

  getStatusCode(): number {
    return this.answer.status
  }

  getHeaders(): Record<string, string> {
    return {}
  }

  getRawResponse(): unknown {
    return { statusCode: this.answer.status }
  }

  toStream(): never {
    throw new TypeError("Nothing here is streamed")
  }

  /** The package takes every object without an `error` for a success, whatever its status: a proxy's page too. */
  async toJSON(): Promise<Record<string, unknown>> {
    const body = jsonObject(this.answer.text)
    if (body === null || (this.answer.status !== 200 && !isError(body.error))) {
      throw new Error(`HTTP ${this.answer.status} without an object of Stripe`)
    }
    return body
  }
}

function isError(error: unknown): boolean {
  return typeof error === "object" && error !== null
}

/** The request was sent, and no whole answer came back. */
export function isLost(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeConnectionError && (error.detail as unknown) instanceof NoAnswer
}

/**
 * Sends a POST that carries an idempotency key, and once more with the same key when its answer was lost: Stripe then
 * repeats the saved answer. Only an object or a decline is believed of the repetition. Any other refusal may concern the
 * repetition alone, and says nothing about what the first request did; the first error is thrown then.
 */
export async function postOnce<T>(post: () => Promise<T>): Promise<T> {
  const started = performance.now()
  try {
    return await post()
  } catch (first) {
    if (!isLost(first) || performance.now() - started > REPEAT_WITHIN_MS) {
      throw first
    }
    await sleep(REPEAT_PAUSE_MS)
    try {
      return await post()
    } catch (second) {
      throw second instanceof Stripe.errors.StripeCardError ? second : first
    }
  }
}
