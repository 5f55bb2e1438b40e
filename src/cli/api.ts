import { requireUrl, textOf, type Given } from "./command"
import type { Context } from "./context"
import { Failure } from "./failure"
import { adviceOn } from "./words/faults"

const SANDBOX_KEY = /^[sr]k_test_/
const TIMEOUT_MS = 60_000
/** What a header can hold. fetch would repeat any other key in its error. */
const KEY = /^[\x21-\x7e]+$/
/** What a proxy answers for a gateway that it does not reach. */
const PROXY_STATUSES = [502, 503, 504]
/** A refused rate is waited for, but not longer than this. */
const LONGEST_WAIT_SECONDS = 60

type Json = Record<string, unknown>

/** A successful answer of `/api/v2`. `data` is read only where the contract has it, and not of a bare object. */
type ApiAnswer<Data> = { body: Json; readonly data: Data; meta: { total?: number; has_more?: boolean } }

type PostOptions = { idempotencyKey?: string; timeoutMs?: number }
type Call = PostOptions & { method: string; path: string; body?: Json }
type Received = { status: number; headers: Headers; text: string }

/** Calls `/api/v2` of a running gateway with the key of the environment. */
export class Api {
  constructor(
    readonly url: string,
    private readonly key: string,
    private readonly stop: AbortSignal
  ) {}

  get<Data>(path: string, query: Readonly<Record<string, string | number | undefined>> = {}): Promise<ApiAnswer<Data>> {
    const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
    const search = new URLSearchParams(given).toString()
    return this.call({ method: "GET", path: search === "" ? path : `${path}?${search}` })
  }

  post<Data>(path: string, body?: Json, options: PostOptions = {}): Promise<ApiAnswer<Data>> {
    return this.call({ method: "POST", path, body, ...options })
  }

  /**
   * Throws API_REFUSED with the gateway's code, GATEWAY_UNREACHABLE, or GATEWAY_NOT_THERE for an answer that is not the
   * gateway's. Waits as long as a refused rate asks for, once.
   */
  private async call<Data>(call: Call, waited = false): Promise<ApiAnswer<Data>> {
    const received = await this.send(call)
    const { status, headers } = received
    if (status === 429 && !waited) {
      await this.wait(Number(headers.get("retry-after")) || 1)
      return this.call(call, true)
    }
    const answer = objectIn(received.text)
    if (answer !== null && status >= 200 && status < 300) {
      return this.answerOf(answer, status)
    }
    throw this.refusalOf(answer, status)
  }

  private answerOf<Data>(body: Json, status: number): ApiAnswer<Data> {
    const notThere = () => this.notThere(status)
    return {
      body,
      get data() {
        if (body.data === undefined) {
          throw notThere()
        }
        return body.data as Data
      },
      meta: (body.meta ?? {}) as { total?: number; has_more?: boolean },
    }
  }

  private refusalOf(answer: Json | null, status: number): Failure {
    const { code, message, request_id } = (answer?.error ?? {}) as Json
    if (typeof code === "string") {
      const text = typeof message === "string" ? message : code
      const request = typeof request_id === "string" ? request_id : "unknown"
      const advice = adviceOn(code)
      return new Failure("API_REFUSED", { api_code: code, status, message: text, request_id: request, advice })
    }
    return PROXY_STATUSES.includes(status)
      ? new Failure("GATEWAY_UNREACHABLE", { url: this.url, reason: `a proxy answers ${status}` })
      : this.notThere(status)
  }

  private notThere(status: number): Failure {
    return new Failure("GATEWAY_NOT_THERE", { url: this.url, status })
  }

  /** Reads the whole answer: a connection can break off, or the time be up, inside it. */
  private async send({ method, path, body, idempotencyKey, timeoutMs = TIMEOUT_MS }: Call): Promise<Received> {
    try {
      const response = await fetch(`${this.url}/api/v2${path}`, {
        method,
        headers: {
          "X-Merchant-API-Key": this.key,
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          ...(idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        redirect: "manual",
        signal: AbortSignal.any([this.stop, AbortSignal.timeout(timeoutMs)]),
      })
      return { status: response.status, headers: response.headers, text: await response.text() }
    } catch (error) {
      throw new Failure("GATEWAY_UNREACHABLE", { url: this.url, reason: reasonOf(error) })
    }
  }

  private async wait(seconds: number): Promise<void> {
    await pause(Math.min(Math.max(seconds, 1), LONGEST_WAIT_SECONDS) * 1_000, this.stop)
  }
}

/** The gateway that the options and variables name. `sandbox`: only a key of the sandbox will do. */
export function apiOf(context: Context, given: Given, { sandbox = false } = {}): Api {
  const { env } = context
  const named = textOf(given, "url") ?? env.GATEWAY_PUBLIC_URL
  if (named === undefined || named === "") {
    throw new Failure("URL_UNSET")
  }
  const url = requireUrl(textOf(given, "url") === undefined ? "GATEWAY_PUBLIC_URL" : "--url", named)
  const key = env.GATEWAY_API_KEY?.trim() ?? ""
  if (key === "") {
    throw new Failure("API_KEY_UNSET")
  }
  if (!KEY.test(key)) {
    throw new Failure("API_KEY_WRONG")
  }
  if (sandbox && !SANDBOX_KEY.test(key)) {
    throw new Failure("API_KEY_NOT_SANDBOX")
  }
  return new Api(url.href.replace(/\/(api\/v2\/?)?$/, ""), key, context.stop)
}

function objectIn(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : null
  } catch {
    return null
  }
}

/** The reason of a failed request: fetch hides it in `cause`. */
export function reasonOf(error: unknown): string {
  const { message, cause, name } = error as Error & { cause?: { message?: string; code?: string } }
  if (name === "TimeoutError") {
    return "no answer in time"
  }
  return cause?.code ?? cause?.message ?? message
}

/** Resolves after the time, or as soon as the command is asked to stop. */
export async function pause(ms: number, stop: AbortSignal): Promise<void> {
  if (stop.aborted) {
    return
  }
  await new Promise<void>((done) => {
    const ended = () => {
      clearTimeout(timer)
      stop.removeEventListener("abort", ended)
      done()
    }
    const timer = setTimeout(ended, ms)
    stop.addEventListener("abort", ended, { once: true })
  })
}
