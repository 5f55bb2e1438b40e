import type { LookupAddress } from "node:dns"
import { isIP, type Socket } from "node:net"
import type { Agent as UndiciAgent, buildConnector as Connector } from "undici"
import { isPublicAddress, isWebPort } from "../../kernel/http/callback-url"
import { LIMITS } from "../../kernel/limits"
import { withoutInterimAnswers } from "./interim-answers"
import { resolveAsSystem, resolveByNameServers, type Resolve } from "./resolve-name"

/**
 * As long as a whole delivery may take. The sender's own deadline ends a delivery that takes longer; this limit ends a
 * connection that nobody waits for any more (contract 6.3, 2).
 */
const CONNECT_TIMEOUT_MS = LIMITS.webhookResponseSeconds * 1_000
const IDLE_MS = 10_000

/**
 * The receiver's address is not public, or its port is not a web port; nothing was sent. The message does not name the
 * address: merchants read it, and would learn the layout of the gateway's own network.
 */
class ForbiddenAddressError extends Error {
  readonly code = "FORBIDDEN_ADDRESS"

  constructor() {
    super("The receiver is not on a public address")
  }
}

/** The name has no address. */
class NoAddressError extends Error {
  readonly code = "NO_ADDRESS"
}

/**
 * Opens connections to merchants' receivers. Three checks are needed: a literal address never reaches a lookup
 * function, a name may have private addresses among public ones, and the address may change between lookup and connect.
 * So this checks the literal, every answer of the lookup that this very connection uses, and the connected peer
 * (decisions: Callback URLs; design: facts about Medusa, SSRF). TLS certificates are verified; redirects are never
 * followed. `resolve` is an argument so that tests can lie about names.
 */
export function guardedAgent(options: { allowPrivate: boolean; resolve?: Resolve; ca?: string }): UndiciAgent {
  const { Agent, buildConnector } = require("undici") as typeof import("undici")
  const resolve = options.resolve ?? (options.allowPrivate ? resolveAsSystem : resolveByNameServers())
  const connector = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    ca: options.ca,
    lookup: (hostname, settings, callback) => {
      resolve(hostname, (error, addresses) => answerLookup(error, addresses, settings, options.allowPrivate, callback))
    },
  })
  const connect: Connector.connector = (target, callback) => {
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
        callback(null, withoutInterimAnswers(socket as Socket))
      }
    })
  }
  // No limit by host: many merchants may share one, and one that hangs must not block the others. The sender limits
  // what is in flight.
  // An idle connection is kept for ten seconds, also when a receiver's `Keep-Alive` asks for ten minutes: each holds a
  // socket of this process.
  return new Agent({ connect, pipelining: 1, keepAliveTimeout: IDLE_MS, keepAliveMaxTimeout: IDLE_MS })
}

export type AgentOnUse = { get(): UndiciAgent; destroy(): Promise<void> }

/** The same, made for the first delivery: a process without a worker sends none. */
export function agentOnUse(options: { allowPrivate: boolean }): AgentOnUse {
  let made: UndiciAgent | undefined
  return {
    get: () => (made ??= guardedAgent(options)),
    destroy: async () => made?.destroy(),
  }
}

/** A URL's default port is not part of its text. */
function portOf({ port, protocol }: Connector.Options): number {
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
