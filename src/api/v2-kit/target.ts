import type { IncomingMessage } from "node:http"
import type { Gateway } from "../../modules/gateway/container"
import { clientAddress } from "../../modules/gateway/kernel/http/ip"
import { LIMITS } from "../../modules/gateway/kernel/limits"
import { headerText } from "../../modules/gateway/kernel/text/text"
import type { JsonObject } from "./body"

/** A target may be a path or, as for proxies, a whole URL. Medusa's router takes the prefixes in any case, too. */
const ORIGIN = "^(?:https?://[^/?#]*)?"
const LEADING_ORIGIN = new RegExp(ORIGIN, "i")
const CONTRACT = new RegExp(`${ORIGIN}(/sandbox)?/api/v2(?=[/?#]|$)([^?#]*)`, "i")

/** The target as a path, with its query. */
export function withoutOrigin(target: string): string {
  return target.replace(LEADING_ORIGIN, "")
}

/** Where a target is below `/api/v2` or `/sandbox/api/v2`; null when it is elsewhere. The path begins with a slash. */
export function placeInContract(target: string): { isSandbox: boolean; path: string } | null {
  const [found, sandbox, path] = CONTRACT.exec(target) ?? []
  return found === undefined ? null : { isSandbox: sandbox !== undefined, path: path || "/" }
}

/** Whether a request's path, or its whole target, is longer than any of ours. */
export function isTooLong(target: string): boolean {
  const query = target.indexOf("?")
  const path = query === -1 ? target.length : query
  return path > LIMITS.requestPathMaxChars || target.length > LIMITS.requestTargetMaxChars
}

/** More names than any operation has; the rest is dropped, as Express's own reader does. */
const MOST = 1_000

/**
 * The query of a target: text by name. A name that is repeated, or that has brackets as PHP and Rails write lists, has a
 * list, which the schema of a text refuses. Text that does not decode stays as it was sent.
 */
export function readQuery(target: string): JsonObject {
  const start = target.indexOf("?")
  const query: JsonObject = {}
  if (start === -1) {
    return query
  }
  const [text] = target.slice(start + 1).split("#")
  for (const pair of text.split("&", MOST)) {
    const equals = pair.indexOf("=")
    const name = decoded(equals === -1 ? pair : pair.slice(0, equals))
    const value = equals === -1 ? "" : decoded(pair.slice(equals + 1))
    const bracket = name.indexOf("[", 1)
    add(query, bracket === -1 ? name : name.slice(0, bracket), bracket === -1 ? value : [value])
  }
  return query
}

function add(query: JsonObject, name: string, value: string | string[]): void {
  // Assigning it would change the prototype.
  if (name !== "" && name !== "__proto__") {
    const known = Object.hasOwn(query, name) ? query[name] : undefined
    if (Array.isArray(known)) {
      known.push(...[value].flat())
    } else {
      query[name] = known === undefined ? value : [known, value].flat()
    }
  }
}

function decoded(text: string): string {
  const spaced = text.replaceAll("+", " ")
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

/** The caller's address, for allow-lists and rate limits: the one behind TRUSTED_PROXIES, never Express's `ip`. */
export function addressOf({ options }: Pick<Gateway, "options">, request: IncomingMessage): string {
  const forwarded = headerText(request.headers["x-forwarded-for"])
  return clientAddress(request.socket.remoteAddress, forwarded, options.trustedProxies)
}

/** GATEWAY_PUBLIC_URL without a slash at its end, else the request's own origin. */
export function publicUrlOf({ options }: Pick<Gateway, "options">, request: IncomingMessage): string {
  return options.publicUrl?.replace(/\/$/, "") ?? `${protocolOf(request)}://${request.headers.host || "localhost"}`
}

/** How browsers reach this deployment, and whether it is one that people depend on. */
export type Deployment = { publicUrl: string; secure: boolean; production: boolean }

export function deploymentOf(gateway: Pick<Gateway, "options">, request: IncomingMessage): Deployment {
  // Without a configured address the nearest proxy is believed; forging its header only yields cookies that do not work
  // for the forger.
  const publicUrl = publicUrlOf(gateway, request)
  const production = gateway.options.environment === "production" || process.env.NODE_ENV === "production"
  return { publicUrl, secure: publicUrl.startsWith("https://"), production }
}

/** As Express reads it where Medusa has it trust one proxy: of a list in X-Forwarded-Proto the first. */
function protocolOf({ headers, socket }: IncomingMessage): string {
  const [first] = (headerText(headers["x-forwarded-proto"]) ?? "").split(",")
  return first.trim() || ("encrypted" in socket ? "https" : "http")
}
