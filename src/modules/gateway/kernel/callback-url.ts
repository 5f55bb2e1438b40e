import ipaddr from "ipaddr.js"
import { messageOf, type Message } from "../../../i18n/message"
import { isWebPort } from "./ports"

/**
 * Names that never exist in the public DNS: special-use names (RFC 6761, 6762, 7686, 8375, 9476; all of `arpa` belongs
 * to the DNS itself), names that ICANN never delegates, and names that clusters and routers use internally. `example`
 * is not listed: documentation uses it, and nothing answers there.
 */
const RESERVED_SUFFIXES = [
  ...["localhost", "local", "test", "invalid", "onion", "alt", "arpa"],
  ...["internal", "home", "corp", "mail"],
  ...["localdomain", "lan", "intranet", "intra", "private", "workgroup", "svc", "cluster", "consul", "docker"],
]

/** Ranges that ipaddr.js calls unicast although no public host uses them. */
const EXTRA_REFUSED_V4 = ["168.63.129.16/32", "192.88.99.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.175.48.0/24"]

/**
 * Whether an address belongs to the public internet. IPv6 is public only inside 2000::/3. Excluded there are ranges
 * that embed an IPv4 address (6to4, Teredo) and ranges for documentation or benchmarks.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) {
    return false
  }
  const address = ipaddr.process(text)
  if (address.range() !== "unicast") {
    return false
  }
  if (address.kind() === "ipv4") {
    return !EXTRA_REFUSED_V4.some((network) => address.match(ipaddr.parseCIDR(network)))
  }
  return address.match(ipaddr.parseCIDR("2000::/3"))
}

export type UrlRules = { allowPrivate: boolean; maxChars?: number }

/**
 * Why a callback, IPN or webhook URL is refused, as a rule of the field; null when it is fine.
 * Text only: addresses behind a name are checked again by whoever connects (decisions: Callback URLs).
 */
export function refusalOfUrl(text: string, rules: UrlRules): Message | null {
  if (rules.maxChars !== undefined && text.length > rules.maxChars) {
    return messageOf("rule.max_length", { max: rules.maxChars })
  }
  if (/[\u0000-\u0020\u007f-\u00a0\u2028\u2029\\]/.test(text)) {
    return messageOf("rule.url_characters")
  }
  const url = /^https?:\/\/[^/]/i.test(text) ? parseUrl(text) : null
  if (url === null) {
    return messageOf("rule.absolute_url")
  }
  if (url.username !== "" || url.password !== "") {
    return messageOf("rule.no_credentials")
  }
  if (text.includes("#")) {
    return messageOf("rule.no_fragment")
  }
  if (rules.allowPrivate) {
    return null
  }
  if (url.protocol !== "https:") {
    return messageOf("rule.https")
  }
  if (url.port !== "" && !isWebPort(Number(url.port))) {
    return messageOf("rule.web_port")
  }
  return refusalOfHost(url.hostname)
}

function parseUrl(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

/** The URL parser has already turned decimal, octal and hexadecimal spellings of IPv4 into dotted ones. */
const ADDRESS = /^(\[.*\]|[0-9.]+)$/

function refusalOfHost(hostname: string): Message | null {
  const host = hostname.replace(/\.$/, "").toLowerCase()
  if (ADDRESS.test(host)) {
    return isPublicAddress(host.replace(/^\[|\]$/g, "")) ? null : messageOf("rule.public_address")
  }
  if (!host.includes(".")) {
    return messageOf("rule.public_host")
  }
  if (RESERVED_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`))) {
    return messageOf("rule.public_host")
  }
  return /^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})+$/.test(host) ? null : messageOf("rule.public_host")
}

/**
 * Appends the outcome after the URL's own query and never replaces it: existing receivers parse exactly this
 * (decisions: Callback URLs; contract 4.2, rule 5).
 */
export function withOutcome(
  url: string,
  outcome: { transaction_id: string; status?: string; order_id: string }
): string {
  const parameters = [
    `transaction_id=${encodeURIComponent(outcome.transaction_id)}`,
    ...(outcome.status === undefined ? [] : [`status=${encodeURIComponent(outcome.status)}`]),
    `order_id=${encodeURIComponent(outcome.order_id)}`,
  ].join("&")
  const separator = !url.includes("?") ? "?" : /[?&]$/.test(url) ? "" : "&"
  return `${url}${separator}${parameters}`
}
