import { isIPv4 } from "node:net"
import ipaddr from "ipaddr.js"

/** How a server that listens by IPv6 sees a peer that came by IPv4. */
const MAPPED = "::ffff:"

/** The canonical text of an address, with IPv4-mapped IPv6 as IPv4; null when the text is not an address. */
export function canonicalAddress(text: string): string | null {
  // Nearly every peer: Node takes for IPv4 only what is canonical already. Parsing it takes several times as long.
  const plain = text.startsWith(MAPPED) ? text.slice(MAPPED.length) : text
  if (isIPv4(plain)) {
    return plain
  }
  const bare = text
    .trim()
    .replace(/^\[|\]$/g, "")
    .replace(/%.*$/, "")
  if (!ipaddr.isValid(bare) || (!bare.includes(":") && !ipaddr.IPv4.isValidFourPartDecimal(bare))) {
    return null
  }
  return ipaddr.process(bare).toString()
}

/** Providers give every customer a whole /64: a limit per full address could be evaded with 2^64 of them. */
const COUNTED_IPV6_BITS = 64

/** The key by which callers are rate limited: IPv4 as it is, IPv6 by its /64 network. */
export function countedNetwork(address: string): string {
  const canonical = canonicalAddress(address)
  if (canonical === null || !canonical.includes(":")) {
    return canonical ?? address
  }
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${canonical}/${COUNTED_IPV6_BITS}`)
  return `${network.toString()}/${COUNTED_IPV6_BITS}`
}

/** The canonical CIDR text of a network or a single address; null when the text is neither. Host bits may be set. */
export function canonicalNetwork(text: string): string | null {
  const [address, prefix, ...rest] = text.trim().split("/")
  const canonical = canonicalAddress(address)
  if (canonical === null || rest.length > 0) {
    return null
  }
  const bits = ipaddr.parse(canonical).kind() === "ipv4" ? 32 : 128
  if (prefix === undefined) {
    return `${canonical}/${bits}`
  }
  const mapped = bits === 32 && address.includes(":")
  const length = /^[0-9]{1,3}$/.test(prefix) ? Number(prefix) - (mapped ? 96 : 0) : -1
  return length >= 0 && length <= bits ? `${canonical}/${length}` : null
}

type Network = [base: ipaddr.IPv4 | ipaddr.IPv6, length: number]

/** Networks as they are compared, by their text: a deployment has few, and each request asks for the same ones. */
const networksRead = new Map<string, Network | null>()
const READ_MAX = 10_000

/** Null when the text is no network. */
function readNetwork(text: string): Network | null {
  let network = networksRead.get(text)
  if (network === undefined) {
    const canonical = canonicalNetwork(text)
    network = canonical === null ? null : ipaddr.parseCIDR(canonical)
    if (networksRead.size >= READ_MAX) {
      networksRead.clear()
    }
    networksRead.set(text, network)
  }
  return network
}

/** Whether one of the networks (CIDR texts) contains the address. Source: contract 5.5. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  const canonical = canonicalAddress(address)
  if (canonical === null) {
    return false
  }
  const parsed = ipaddr.parse(canonical)
  return networks.some((text) => {
    const network = readNetwork(text)
    if (network === null) {
      return false
    }
    const [base, length] = network
    return base.kind() === parsed.kind() && parsed.match(base, length)
  })
}

/** The site an address belongs to, as CIDR: /24 of IPv4, /48 of IPv6. */
export function networkOf(address: string): string {
  const canonical = canonicalAddress(address) ?? "0.0.0.0"
  const [type, bits] = canonical.includes(":") ? [ipaddr.IPv6, 48] : [ipaddr.IPv4, 24]
  return `${type.networkAddressFromCIDR(`${canonical}/${bits}`).toString()}/${bits}`
}

/**
 * The client's address. That is the socket's peer, unless the peer is a trusted proxy; then X-Forwarded-For is read
 * from right to left up to the first address that is not a trusted proxy. The header of an untrusted peer is ignored:
 * anybody can send one (design: facts about Medusa, `trust proxy`).
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: readonly string[]
): string {
  let address = canonicalAddress(peer ?? "") ?? "0.0.0.0"
  if (trustedProxies.length === 0 || forwardedFor === undefined) {
    return address
  }
  const hops = forwardedFor.split(",").reverse()
  for (const hop of hops) {
    if (!isInNetworks(address, trustedProxies)) {
      return address
    }
    const next = canonicalAddress(hop)
    if (next === null) {
      return address
    }
    address = next
  }
  return address
}
