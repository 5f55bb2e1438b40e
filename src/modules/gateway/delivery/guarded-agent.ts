import { lookup, type LookupAddress } from "node:dns"
import { isIP, type Socket } from "node:net"
import { Agent, buildConnector } from "undici"
import { isPublicAddress } from "../domain/callback-url"

const CONNECT_TIMEOUT_MS = 10_000

/** The receiver is not on a public address; nothing was sent. */
export class ForbiddenAddressError extends Error {
  readonly code = "FORBIDDEN_ADDRESS"
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
    if (!options.allowPrivate && isIP(literal) !== 0 && !isPublicAddress(literal)) {
      callback(new ForbiddenAddressError(`${literal} is not a public address`), null)
      return
    }
    connector(target, (...[error, socket]) => {
      if (error !== null) {
        callback(error, null)
      } else if (!options.allowPrivate && !isPublicAddress((socket as Socket).remoteAddress ?? "")) {
        socket.destroy()
        callback(new ForbiddenAddressError("The connection led to an address that is not public"), null)
      } else {
        callback(null, socket)
      }
    })
  }
  // Connections are not limited by host: many merchants may use one, and one that hangs must not hold the others
  // back. Whoever sends limits what is in flight.
  return new Agent({ connect, pipelining: 1, keepAliveTimeout: 10_000 })
}

type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number
) => void

function answerLookup(
  error: Error | null,
  addresses: LookupAddress[],
  settings: { all?: boolean },
  allowPrivate: boolean,
  callback: LookupCallback
): void {
  const refused = addresses.find(({ address }) => !isPublicAddress(address))
  if (error !== null || addresses.length === 0) {
    callback(error ?? new Error("The name has no address"), [])
  } else if (refused !== undefined && !allowPrivate) {
    callback(new ForbiddenAddressError(`The name leads to ${refused.address}, which is not a public address`), [])
  } else if (settings.all === true) {
    callback(null, addresses)
  } else {
    callback(null, addresses[0].address, addresses[0].family)
  }
}
