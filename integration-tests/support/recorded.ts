import { request as httpRequest } from "node:http"
import { brotliDecompressSync, gunzipSync } from "node:zlib"

/*
 * What a server says to a request, to the byte, for tests that hold two servers side by side.
 */

interface Sent {
  method: string
  path: string
  headers?: Record<string, string | string[]>
  content?: string | Buffer
}

interface Recorded {
  asked: string
  status: number
  /** As they came: in their order and spelling, without Date. */
  headers: [string, string][]
  body: string
}

/** One request on a connection of its own. A Content-Length that is not the body's fails the test. */
function record(origin: string, { method, path, headers = {}, content = "" }: Sent): Promise<Recorded> {
  const { hostname, port } = new URL(origin)
  return new Promise((done, failed) => {
    const request = httpRequest({ hostname, port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("error", failed)
      response.on("end", () => {
        const bytes = Buffer.concat(chunks)
        const length = response.headers["content-length"]
        if (method !== "HEAD" && length !== undefined && Number(length) !== bytes.length) {
          failed(new Error(`${method} ${path}: ${length} bytes announced, ${bytes.length} sent`))
          return
        }
        const { rawHeaders } = response
        const pairs = rawHeaders.flatMap((name, index): [string, string][] =>
          index % 2 === 0 && name !== "Date" ? [[name, rawHeaders[index + 1]]] : []
        )
        const body =
          bytes.length === 0
            ? ""
            : decoded(bytes, response.headers["content-encoding"], response.headers["content-type"])
        done({ asked: `${method} ${path}`, status: response.statusCode ?? 0, headers: pairs, body })
      })
    })
    request.on("error", failed)
    request.end(content)
  })
}

function decoded(bytes: Buffer, encoding: string | undefined, type = ""): string {
  const plain = encoding === "br" ? brotliDecompressSync(bytes) : encoding === "gzip" ? gunzipSync(bytes) : bytes
  // A PDF contains its time of making: its kind is what can be compared.
  return type === "application/pdf" ? plain.subarray(0, 5).toString("latin1") : plain.toString("utf8")
}

/** What differs between two merchants, two processes and two moments, by what stands in its place. */
const VARYING: readonly [RegExp, string][] = [
  [/(csrf_token" value="|gateway_(?:csrf|portal)=)[A-Za-z0-9_-]+/g, "$1<secret>"],
  [/\b(order_)?01[0-9A-HJKMNP-TV-Z]{24}\b/g, "$1<ulid>"],
  [/karim-[0-9a-f]{12}@/g, "<someone>@"],
  [/(<p class="order">.{0,20}<bdi>)[0-9A-Z]{8}</g, "$1<number><"],
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<uuid>"],
  [/20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:.]+(?:Z|\+00:00)/g, "<time>"],
  // As pages show it, to the minute.
  [/[0-9০-৯]{1,2} [^\s<>,]{3,12} [0-9০-৯]{4}(?:, [0-9০-৯]{2}:[0-9০-৯]{2})?/g, "<date>"],
  [/\b(txn|[a-z]{2,4}_|evt_|whsec_)[A-Za-z0-9+/=_-]{16,}/g, "<$1>"],
  [/(?<=\/(?:subscriptions|subscription-plans|customers|webhooks)\/)[0-9]+/g, "<number>"],
  [/\bINV-[0-9-]+/g, "<invoice>"],
  [/\b(localhost|127\.0\.0\.1):[0-9]+/g, "<host>"],
  [/T-[0-9a-f]{20}/g, "<order>"],
  // Seconds that have passed between the two answers.
  [/(?<=data-seconds=")[0-9]+/g, "<seconds>"],
  [/<b title="[0-9০-৯:]+">[^<]*<\/b>/g, "<time left>"],
  [/[0-9০-৯]+ (?=seconds?\.|সেকেন্ড )/g, "<seconds> "],
  [/"((?:[a-z_]*_)?id|offset_seconds|duration_ms|payment_reference_id|reference)":"?[A-Za-z0-9-]+"?/g, '"$1":<varies>'],
]

const VARYING_HEADERS: Readonly<Record<string, RegExp>> = {
  "X-Request-Id": /^[0-9a-f-]{36}$/,
  "X-RateLimit-Reset": /^[0-9]{10}$/,
  "Retry-After": /^[0-9]{1,2}$/,
  // Of the body as it was sent: the length of an id may differ.
  "Content-Length": /^[0-9]+$/,
}

/** The same for two answers that differ in nothing but ids and times. */
export function comparable({ asked, status, headers, body }: Recorded): object {
  return {
    asked: plain(asked),
    status,
    headers: headers.map(([name, value]) => [name, VARYING_HEADERS[name]?.test(value) ? `<${name}>` : plain(value)]),
    body: plain(body),
  }
}

function plain(text: string): string {
  return VARYING.reduce((so, [pattern, placeholder]) => so.replace(pattern, placeholder), text)
}

export type Ask = (method: string, path: string, json?: unknown, more?: Partial<Sent>) => Promise<Recorded>

/** Asks `/api/v2` with a merchant's key, and keeps what was answered. */
export function asking(origin: string, key: string, kept: Recorded[]): Ask {
  return async (method, path, json, more = {}) => {
    const content = more.content ?? (json === undefined ? "" : JSON.stringify(json))
    const answer = await record(origin, {
      method,
      path: `/api/v2${path}`,
      ...more,
      content,
      headers: {
        // The same for both: without GATEWAY_PUBLIC_URL it is in what they answer.
        Host: "gateway.example.com",
        "X-Merchant-API-Key": key,
        ...(content === "" ? {} : { "Content-Type": "application/json", "Content-Length": String(content.length) }),
        ...more.headers,
      },
    })
    kept.push(answer)
    return answer
  }
}

export const dataOf = ({ body }: Recorded) => (JSON.parse(body) as { data: Record<string, string> }).data

/** Asks for pages as a browser without JavaScript does, and keeps what was answered. */
export class PageReader {
  readonly kept: Recorded[] = []
  #cookies = new Map<string, string>()

  constructor(private readonly origin: string) {}

  async ask(method: string, path: string, more: Partial<Sent> = {}): Promise<Recorded> {
    const { content = "" } = more
    const length = Buffer.byteLength(content)
    const answer = await record(this.origin, {
      method,
      path,
      ...more,
      headers: {
        Host: "gateway.example.com",
        "Accept-Language": "en",
        ...(length === 0 ? {} : { "Content-Type": FORM, "Content-Length": String(length) }),
        ...(this.#cookies.size === 0 ? {} : { Cookie: [...this.#cookies.values()].join("; ") }),
        ...more.headers,
      },
    })
    for (const [name, value] of answer.headers) {
      if (name.toLowerCase() === "set-cookie") {
        this.#cookies.set(value.split("=")[0], value.split(";")[0])
      }
    }
    this.kept.push(answer)
    return answer
  }

  /** Opens a page and posts its form, there or to another path. */
  async submit(page: string, fields: Record<string, string>, path = page, more: Partial<Sent> = {}): Promise<Recorded> {
    const csrf_token = /name="csrf_token" value="([^"]+)"/.exec((await this.ask("GET", page)).body)?.[1] ?? ""
    const content = new URLSearchParams({ csrf_token, ...fields }).toString()
    return this.ask("POST", path, { content, ...more, headers: { "Sec-Fetch-Site": "same-origin", ...more.headers } })
  }
}

const FORM = "application/x-www-form-urlencoded"

export const locationOf = ({ headers }: Recorded) => headers.find(([name]) => name === "Location")?.[1] ?? ""
