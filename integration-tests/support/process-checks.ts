import { decodablePath, storableQuery } from "../../src/modules/gateway/kernel/http/request-target"
import type { Asked, RequestCounter } from "./requests"
import type { AccessLine, ServerProcess } from "./server-process"
import { until } from "./until"

/**
 * Requests that the access log leaves out: health checks, and paths that it takes for files of its admin's
 * bundler.
 */
const UNLOGGED = [
  /^[A-Z]+ \/health(\?|$)/,
  /^[A-Z]+ \/health\/(live|ready)(\?|$)/i,
  /@fs|@id|@vite|@react|node_modules/,
]
const ARRIVAL_LIMIT_MS = 10_000

/** Credentials in a path, which a log may redact: with or without them it is the same request. */
const CREDENTIALS =
  /((?:ses|inp|plk|ptl|whsec|[sr]k_(?:test|live))_)(?:[A-Za-z0-9_+=-]{12,}|\[hidden\])|(\/pay\/(?:(?:invoice|link)\/)?|\/portal\/(?!mer_))[^/?#]+/g

/** What must never appear in a process's output. Merchants' tests keep their keys in logs for years. */
const SECRETS: readonly { name: string; pattern: RegExp; isSecret?: (text: string) => boolean }[] = [
  { name: "an API key", pattern: /\b[sr]k_(?:test|live)_[A-Za-z0-9_-]{30,}/g },
  { name: "a webhook's or IPN secret", pattern: /\bwhsec_[A-Za-z0-9+/_-]{20,}/g },
  {
    name: "a token of a signed-in person",
    pattern: /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g,
  },
  {
    name: "a card number",
    pattern: /(?<![\dA-Za-z_.-])(?:\d{4}[ +-]?){3}\d{3,4}(?![\dA-Za-z_-])/g,
    isSecret: isCardNumber,
  },
  { name: "a one-time password", pattern: /\botp\b["']?\s*[:=]\s*["']?\d{4,8}/gi },
]

/** The check digit of ISO/IEC 7812-1, annex B (Luhn's formula). */
function isCardNumber(text: string): boolean {
  const digits = [...text.replace(/\D/g, "")].reverse().map(Number)
  const sum = digits.reduce(
    (total, digit, index) => total + (index % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2),
    0
  )
  return sum % 10 === 0
}

/** Secrets in a text: the kind of each, and its line. */
export function secretsIn(text: string): string[] {
  return SECRETS.flatMap(({ name, pattern, isSecret }) =>
    [...text.matchAll(pattern)]
      .filter(([found]) => isSecret?.(found) ?? true)
      .map(({ index }) => `${name}: ${text.slice(text.lastIndexOf("\n", index) + 1, index)}…`)
  )
}

/**
 * Uncaught exceptions and rejections, as Node, Medusa and the worker's library print them. What ioredis calls an
 * unhandled error is a line that it prints while Redis is away, for clients of Medusa's modules; nothing is thrown.
 */
export function uncaughtIn(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => /unhandled|uncaught/i.test(line) && !line.startsWith("[ioredis] Unhandled error event"))
}

/** Responses of 500 and more that no test has declared, and declarations without a response. */
export function serverErrors(lines: readonly AccessLine[], declared: readonly (string | RegExp)[]): string[] {
  const failed = lines
    .filter(({ status }) => status >= 500)
    .map(({ method, path, status }) => `${status} ${method} ${path}`)
  const isOf = (line: string) => (wanted: string | RegExp) =>
    typeof wanted === "string" ? line.endsWith(` ${wanted}`) : wanted.test(line)
  const missed = declared.filter((wanted) => !failed.some((line) => isOf(line)(wanted)))
  return [
    ...failed.filter((line) => !declared.some(isOf(line))),
    ...missed.map((wanted) => `declared, but it did not come: ${String(wanted)}`),
  ]
}

/**
 * Requests whose number of lines in the access log is wrong: one for each answered request. A request that was aborted
 * before its answer may have a line or not.
 */
export function unlogged(counter: RequestCounter, lines: readonly AccessLine[]): string[] {
  const found = new Map<string, number>()
  for (const { method, path } of lines) {
    const key = withoutCredentials(`${method} ${path}`)
    found.set(key, (found.get(key) ?? 0) + 1)
  }
  const asked = new Map<string, Asked>()
  for (const [request, { started, answered }] of counter.counts) {
    const key = withoutCredentials(request)
    const before = asked.get(key) ?? { started: 0, answered: 0 }
    asked.set(key, { started: before.started + started, answered: before.answered + answered })
  }
  return [...asked]
    .filter(([key]) => !UNLOGGED.some((pattern) => pattern.test(key)))
    .map(([key, { started, answered }]) => ({ key, started, answered, logged: found.get(key) ?? 0 }))
    .filter(({ started, answered, logged }) => logged < answered || logged > started)
    .map(
      ({ key, started, answered, logged }) =>
        `${key}: ${started} sent, ${answered} answered, ${logged} in the access log`
    )
}

function withoutCredentials(request: string): string {
  const [asked, query = ""] = request.split(/(?=\?)/)
  const isDecodedByMedusa = / \/(gateway|admin|store|auth|hooks)\//.test(asked)
  const target = isDecodedByMedusa ? `${decodablePath(asked)}${storableQuery(query)}` : request
  const plain = target.replace(/%([0-9a-f]{2})/gi, (escape, hex: string) => {
    const character = String.fromCharCode(parseInt(hex, 16))
    return /[A-Za-z0-9_~.-]/.test(character) ? character : escape
  })
  return plain.replace(CREDENTIALS, "$1$2*").replace(/(\/return\/)[^/?]+/, "$1*")
}

/**
 * Fails unless a process that a test file has used fulfils what a deployment must (`unlogged` and the others above).
 */
export async function checkProcess(
  server: ServerProcess,
  counter: RequestCounter,
  declared: readonly (string | RegExp)[]
): Promise<void> {
  expect(server.isRunning()).toBe(true)
  // The last lines may still be on their way through the pipe.
  const isAllLogged = () => unlogged(counter, server.accessLog()).length === 0
  await until("all is logged", isAllLogged, { everyMs: 50, limitMs: ARRIVAL_LIMIT_MS }).catch(() => undefined)
  expect(unlogged(counter, server.accessLog())).toEqual([])
  expect(serverErrors(server.accessLog(), declared)).toEqual([])
  checkOutput(server)
}

const POOL_WITHOUT_HANDLERS = /pool doesn't have .*error handlers/
/** pg says it once in a process, and Medusa's own transactions cause it too: it shows ours in a worker without a store. */
const QUERY_DURING_QUERY = /client\.query\(\) when the client is already executing/

const linesLike = (text: string, ...patterns: RegExp[]) =>
  text.split("\n").filter((line) => patterns.some((pattern) => pattern.test(line)))

/** Warnings of pg and graphile-worker about how the gateway's worker uses its connections. */
export const connectionWarningsIn = (text: string): string[] =>
  linesLike(text, POOL_WITHOUT_HANDLERS, QUERY_DURING_QUERY)

/** The checks that hold for a killed process as well. */
export function checkOutput(server: ServerProcess): void {
  expect(linesLike(server.output(), POOL_WITHOUT_HANDLERS)).toEqual([])
  expect(uncaughtIn(server.output())).toEqual([])
  expect(secretsIn(server.output())).toEqual([])
}
