import { lookup, type LookupAddress } from "node:dns"
import { isIP, type Socket } from "node:net"
import { Agent, buildConnector } from "undici"
import { isPublicAddress } from "../../kernel/callback-url"
import { isWebPort } from "../../kernel/ports"

const CONNECT_TIMEOUT_MS = 10_000

/**
 * The receiver is not on a public address, or its port is none of the web; nothing was sent. It does not say which
 * address was found: merchants read why a delivery failed, and would learn what the gateway's own network looks like.
 */
export class ForbiddenAddressError extends Error {
  readonly code = "FORBIDDEN_ADDRESS"

  constructor() {
    super("The receiver is not on a public address")
  }
}

/** The name leads nowhere. */
class NoAddressError extends Error {
  readonly code = "NO_ADDRESS"
}

type Resolve = (hostname: string, callback: (error: Error | null, addresses: LookupAddress[]) => void) => void

const resolveAll: Resolve = (hostname, callback) =>
  lookup(hostname, { all: true, verbatim: true }, (error, addresses) => callback(error, addresses ?? []))

/**
 * Connections to merchants' receivers. A literal address never reaches a lookup function, a name may have private
 * answers among public ones, and what was looked up before may differ from what is connected to now: so the
 * literal, every answer of the lookup that this very connection uses, and the connected peer are all checked
 * (decisions: Callback URLs; design: facts about Medusa, SSRF). TLS certificates are verified; nothing follows
 * redirects. `resolve` is an argument for the tests' sake of names that lie.
 */
export function guardedAgent(options: { allowPrivate: boolean; resolve?: Resolve; ca?: string }): Agent {
  const resolve = options.resolve ?? resolveAll
  const connector = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    ca: options.ca,
    lookup: (hostname, settings, callback) => {
      resolve(hostname, (error, addresses) => answerLookup(error, addresses, settings, options.allowPrivate, callback))
    },
  })
  const connect: buildConnector.connector = (target, callback) => {
    const literal = target.hostname.replace(/^\[|\]$/g, "")
    const isPublic = isIP(literal) === 0 || isPublicAddress(literal)
    if (!options.allowPrivate && !(isPublic && isWebPort(portOf(target)))) {
      callback(new ForbiddenAddressError(), null)
      return
    }
    connector(target, (...[error, socket]) => {
      if (error !== null) {
        callback(error, null)
      } else if (!options.allowPrivate && !isPublicAddress((socket as Socket).remoteAddress ?? "")) {
        socket.destroy()
        callback(new ForbiddenAddressError(), null)
      } else {
        callback(null, socket)
      }
    })
  }
  // Connections are not limited by host: many merchants may use one, and one that hangs must not hold the others
  // back. Whoever sends limits what is in flight.
  return new Agent({ connect, pipelining: 1, keepAliveTimeout: 10_000 })
}

/** A URL's default port is not written in it. */
function portOf({ port, protocol }: buildConnector.Options): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port)
}

type LookupCallback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void

function answerLookup(
  error: Error | null,
  addresses: LookupAddress[],
  settings: { all?: boolean },
  allowPrivate: boolean,
  callback: LookupCallback
): void {
  const refused = addresses.find(({ address }) => !isPublicAddress(address))
  if (error !== null || addresses.length === 0) {
    callback(error ?? new NoAddressError(), [])
  } else if (refused !== undefined && !allowPrivate) {
    callback(new ForbiddenAddressError(), [])
  } else if (settings.all === true) {
    callback(null, addresses)
  } else {
    callback(null, addresses[0].address, addresses[0].family)
  }
}
