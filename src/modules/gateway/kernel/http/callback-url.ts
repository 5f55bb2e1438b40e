import ipaddr from "ipaddr.js"
import { messageOf, type Message } from "../../../../i18n/message"

/**
 * Names that never exist in the public DNS: special-use names (RFC 6761, 6762, 7686, 8375, 9476; all of `arpa` belongs
 * to the DNS itself), names that ICANN never delegates, and names that clusters and routers use internally. `example`
 * is not listed: documentation uses it, and nothing answers there.
 */
const RESERVED_SUFFIXES = new Set([
  ...["localhost", "local", "test", "invalid", "onion", "alt", "arpa"],
  ...["internal", "home", "corp", "mail"],
  ...["localdomain", "lan", "intranet", "intra", "private", "workgroup", "svc", "cluster", "consul", "docker"],
])

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

/** Ports below this belong to system services; the web uses two of them. */
const FIRST_UNPRIVILEGED = 1024
const WEB_PORTS = [80, 443]

/** The unprivileged ports among the Fetch standard's "bad ports", which no browser connects to. */
const BAD_PORTS = [
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]

/** Ports of databases, caches, queues, proxies and machine control: no receiver of callbacks listens there. */
const SERVICE_PORTS = [
  1080, 1194, 1433, 1434, 1521, 1883, 2181, 2375, 2376, 2377, 2379, 2380, 3128, 3268, 3269, 3306, 3389, 4369, 4505,
  4506, 5432, 5555, 5671, 5672, 5900, 5984, 5985, 5986, 6379, 6380, 6432, 6443, 7000, 7001, 7474, 7687, 8009, 8086,
  8125, 8200, 8300, 8301, 8302, 8500, 8501, 8529, 8600, 8883, 8983, 9042, 9092, 9160, 9200, 9300, 10250, 10255, 10256,
  11211, 15672, 16379, 26257, 26379, 27017, 27018, 27019, 28015, 61616,
]

const REFUSED_PORTS = new Set([...BAD_PORTS, ...SERVICE_PORTS])

/**
 * Whether a callback may go to the port: 80, 443, and every unprivileged port where no other service is known to
 * listen. Otherwise a merchant could make the gateway talk to services that execute what they receive.
 */
export function isWebPort(port: number): boolean {
  return port < FIRST_UNPRIVILEGED ? WEB_PORTS.includes(port) : !REFUSED_PORTS.has(port)
}

type UrlRules = { allowPrivate: boolean; maxChars?: number }

/**
 * Why a callback, IPN or webhook URL is refused, as a rule of the field; null when it is fine. Checks the text only:
 * the code that connects checks the addresses behind the name (decisions: Callback URLs).
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
  if (RESERVED_SUFFIXES.has(host.slice(host.lastIndexOf(".") + 1))) {
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
