import { requireUrl, textOf, type Given } from "./command"
import type { Context } from "./context"
import { Failure } from "./failure"
import { adviceOn } from "./words/advice"

const SANDBOX_KEY = "sk_test_"
const TIMEOUT_MS = 60_000
/** A refused rate is waited for, but not longer than this. */
const LONGEST_WAIT_SECONDS = 60

type Json = Record<string, unknown>

/** A successful answer of `/api/v2`: `data` is absent where the contract answers a bare object. */
export type ApiAnswer<Data> = { body: Json; data: Data; meta: { total?: number } }

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
    return this.call("GET", search === "" ? path : `${path}?${search}`)
  }

  post<Data>(path: string, body?: Json): Promise<ApiAnswer<Data>> {
    return this.call("POST", path, body)
  }

  /**
   * Throws API_REFUSED with the gateway's code, GATEWAY_UNREACHABLE, or GATEWAY_NOT_THERE for an answer that is not the
   * gateway's. Waits as long as a refused rate asks for, once.
   */
  private async call<Data>(method: string, path: string, body?: Json, waited = false): Promise<ApiAnswer<Data>> {
    const { status, headers, answer } = await this.send(method, path, body)
    if (status === 429 && !waited) {
      await this.wait(Number(headers.get("retry-after")))
      return this.call(method, path, body, true)
    }
    if (status >= 200 && status < 300) {
      return { body: answer, data: answer.data as Data, meta: (answer.meta ?? {}) as { total?: number } }
    }
    const { code, message, request_id } = (answer.error ?? {}) as Record<string, string | undefined>
    if (code === undefined) {
      throw new Failure("GATEWAY_NOT_THERE", { url: this.url, status })
    }
    throw new Failure("API_REFUSED", {
      api_code: code,
      status,
      message: message ?? code,
      request_id: request_id ?? "unknown",
      advice: adviceOn(code),
    })
  }

  private async send(
    method: string,
    path: string,
    body?: Json
  ): Promise<{ status: number; headers: Headers; answer: Json }> {
    const response = await this.reach(method, path, body)
    const text = await response.text()
    try {
      return { status: response.status, headers: response.headers, answer: JSON.parse(text) as Json }
    } catch {
      throw new Failure("GATEWAY_NOT_THERE", { url: this.url, status: response.status })
    }
  }

  private async reach(method: string, path: string, body?: Json): Promise<Response> {
    try {
      return await fetch(`${this.url}/api/v2${path}`, {
        method,
        headers: {
          "X-Merchant-API-Key": this.key,
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        redirect: "manual",
        signal: AbortSignal.any([this.stop, AbortSignal.timeout(TIMEOUT_MS)]),
      })
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
  const key = env.GATEWAY_API_KEY ?? ""
  if (key === "") {
    throw new Failure("API_KEY_UNSET")
  }
  if (sandbox && !key.startsWith(SANDBOX_KEY)) {
    throw new Failure("API_KEY_NOT_SANDBOX")
  }
  return new Api(url.href.replace(/\/(api\/v2\/?)?$/, ""), key, context.stop)
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
