import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { Server, type IncomingMessage, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { decodablePath } from "../kernel/decodable-path"
import type { ServerSettings } from "../kernel/server-settings"

/** Published by Node's net module for each accepted connection. */
const CONNECTED = "net.server.socket"
/** Published by Node's http module for each request, before anybody answers it. */
const REQUESTED = "http.server.request.start"
/** How long a client may go on sending a body after its request has been answered. */
const DISCARD_MS = 2_000
const CHECKS_MS = 5_000
/** Node's own defaults: a server whose limits somebody has chosen keeps them. */
const NODE_HEADERS_MS = 60_000
const NODE_REQUEST_MS = 300_000
const NODE_KEEP_ALIVE_MS = 5_000

/** The gateway's paths whose bodies Medusa's parsers read, which wait for ever. The others have a reader of ours. */
const READ_BY_MEDUSA = /^\/(gateway|admin\/gateway|store\/gateway|hooks\/payment)(\/|\?|$)/i
/** The gateway's paths whose ids Medusa's matchers decode before ours: origin and path, then the query. */
const OWN_TARGET = /^((?:https?:\/\/[^/?]*)?)(\/(?:gateway|admin\/gateway|store\/gateway)(?:\/[^?]*)?)((?:\?.*)?)$/is
const ORIGIN = /^https?:\/\/[^/?]*/i
const TOO_SLOW = '{"type":"invalid_data","message":"The request did not arrive in time"}'

type Asked = { request: IncomingMessage; response: ServerResponse; socket: Socket }

/**
 * Guards the process's http servers against clients that are slow, hang up or send what nobody asked for. Medusa makes
 * its server inside `start`, where a module cannot reach it; Node's diagnostics channels bring it here with its first
 * connection. What the gateway's own readers and pages refuse is theirs; this is what lies below them.
 */
export class ConnectionGuard {
  private readonly known = new WeakSet<Server>()

  constructor(private readonly settings: ServerSettings) {}

  start(): void {
    subscribe(CONNECTED, this.connected)
    subscribe(REQUESTED, this.requested)
  }

  stop(): void {
    unsubscribe(CONNECTED, this.connected)
    unsubscribe(REQUESTED, this.requested)
  }

  private readonly connected = (message: unknown): void => {
    const { socket } = message as { socket: Socket & { server?: unknown } }
    keepPeer(socket)
    const { server } = socket
    if (server instanceof Server && !this.known.has(server)) {
      this.known.add(server)
      limit(server, this.settings)
    }
  }

  private readonly requested = (message: unknown): void => {
    const asked = message as Asked
    const { request, response } = asked
    request.url = decodableTarget(parsableTarget(request.url ?? ""))
    response.once("prefinish", () => expectReader(asked, this.settings))
    if (request.complete || !hasBody(request)) {
      return
    }
    response.once("finish", () => discardRest(asked))
    if (READ_BY_MEDUSA.test((request.url ?? "").replace(ORIGIN, ""))) {
      this.expectBody(asked)
    }
  }

  /** A body that does not arrive in time: 408, and the connection is closed, as Node does when `requestTimeout` is over. */
  private expectBody({ request, response, socket }: Asked): void {
    const late = () => {
      if (request.complete || response.headersSent) {
        return
      }
      // Another answer may still be on its way on this connection; then nothing may be written in between.
      if (response.socket === socket && socket.writable) {
        socket.write(
          "HTTP/1.1 408 Request Timeout\r\nContent-Type: application/json; charset=utf-8\r\n" +
            `Content-Length: ${TOO_SLOW.length}\r\nConnection: close\r\n\r\n${TOO_SLOW}`
        )
      }
      socket.destroySoon()
    }
    const timer = setTimeout(late, this.settings.bodySeconds * 1_000).unref()
    request.once("close", () => clearTimeout(timer))
  }
}

/**
 * Express parses a target that is a whole URL with Node's old parser, which warns of one with an impossible host or port
 * and is to throw in later versions: of such a target the path alone is kept. The host has no say in what is answered.
 */
function parsableTarget(target: string): string {
  return target.startsWith("/") || URL.canParse(target) ? target : target.replace(ORIGIN, "") || "/"
}

/**
 * Medusa's first matcher is `/admin*`, for which Express decodes the path before any middleware of ours: what cannot be
 * decoded is taken out here. `/api/v2` and `/pay` look after their own.
 */
function decodableTarget(target: string): string {
  const [, before, path, query] = target.includes("%") ? (OWN_TARGET.exec(target) ?? []) : []
  return path === undefined ? target : `${before}${decodablePath(path)}${query}`
}

/** Node asks the system for the address when it is first read, and a reset connection has none: then it is kept from now on. */
function keepPeer(socket: Socket): string | undefined {
  return socket.remoteAddress
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0
}

/**
 * The answer is ready; what the client does not take is kept in memory. Node closes a connection on which nothing moves
 * for this long, and sets its own time once the answer is out.
 */
function expectReader({ response, socket }: Asked, { answerSeconds }: ServerSettings): void {
  if (response.socket === socket) {
    socket.setTimeout(answerSeconds * 1_000)
  }
}

/**
 * After the answer, what is left of the body is read and thrown away for a short while: closing at once would reset the
 * connection, and the client could lose the answer that it has not read yet. Endless bodies end here.
 */
function discardRest({ request, socket }: Asked): void {
  if (request.complete || socket.destroyed) {
    return
  }
  const timer = setTimeout(() => {
    if (!request.complete) {
      socket.destroy()
    }
  }, DISCARD_MS).unref()
  // The request's, not the socket's: many requests of a connection would leave their listeners there.
  request.once("close", () => clearTimeout(timer))
  request.resume()
}

function limit(server: Server, { headersSeconds, requestSeconds, keepAliveSeconds }: ServerSettings): void {
  if (server.headersTimeout === NODE_HEADERS_MS) {
    server.headersTimeout = headersSeconds * 1_000
  }
  if (server.requestTimeout === NODE_REQUEST_MS) {
    server.requestTimeout = requestSeconds * 1_000
  }
  if (server.keepAliveTimeout === NODE_KEEP_ALIVE_MS) {
    server.keepAliveTimeout = keepAliveSeconds * 1_000
  }
  checkOften(server, Math.min(CHECKS_MS, headersSeconds * 500))
}

/**
 * Node looks for late connections every 30 seconds, an interval that only the server's maker can choose. Its listener
 * for "listening" starts that interval anew; where a version of Node has no such listener, the 30 seconds stay.
 */
function checkOften(server: Server, interval: number): void {
  const again = server.listeners("listening").find(({ name }) => name === "setupConnectionsTracking")
  if (again !== undefined) {
    Object.assign(server, { connectionsCheckingInterval: interval })
    again.call(server)
  }
}
