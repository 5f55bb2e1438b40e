import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { Server, type IncomingMessage, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { decodablePath, storableQuery } from "../kernel/http/request-target"
import type { ServerSettings } from "../kernel/http/server-settings"
import { answerInTurn, type Door } from "./turns"

/** Published by Node's net module for each accepted connection. */
const CONNECTED = "net.server.socket"
/** Published by Node's http module for each request, before anything answers it. */
const REQUESTED = "http.server.request.start"
/** How long a client may keep sending a body after its request has been answered. */
const DISCARD_MS = 2_000
const CHECKS_MS = 5_000
/** In bytes a second. A client that takes a ready response more slowly gets `answerSeconds` on top, and no more. */
const SLOWEST_READER = 32_768
/** Node's defaults. A server with other values was configured on purpose and keeps them. */
const NODE_HEADERS_MS = 60_000
const NODE_REQUEST_MS = 300_000
const NODE_KEEP_ALIVE_MS = 5_000

/**
 * The gateway's paths whose bodies Medusa's parsers may read, without a time limit. The paths that are not here have a
 * reader of ours with a limit of its own; so have uploads of evidence and of settlement files, which may take longer.
 */
const READ_BY_MEDUSA =
  /^\/(gateway|admin\/gateway(?!\/(?:disputes\/[^/?]+\/files|settlements\/imports)\/?(?:\?|$))|store\/gateway|hooks\/payment)(\/|\?|$)/i
/** Paths that Medusa's matchers decode: origin and path, then the query. */
const DECODED_BY_MEDUSA = /^((?:https?:\/\/[^/?]*)?)(\/(?:gateway|admin|store|auth|hooks)(?:\/[^?]*)?)((?:\?.*)?)$/is
const ORIGIN = /^https?:\/\/[^/?]*/i
const TOO_SLOW = '{"type":"invalid_data","message":"The request did not arrive in time"}'

type Asked = { request: IncomingMessage; response: ServerResponse; socket: Socket }

/**
 * Guards the process's http servers against clients that are slow, disconnect or send unrequested data. Medusa makes
 * its server inside `start`, where a module cannot reach it; Node's diagnostics channels deliver it with its first
 * connection. This is the layer below the gateway's own readers and pages, which refuse for themselves.
 */
export class ConnectionGuard {
  private readonly known = new WeakSet<Server>()
  private door: Door | null = null

  constructor(private readonly settings: ServerSettings) {}

  start(): void {
    subscribe(CONNECTED, this.connected)
    subscribe(REQUESTED, this.requested)
  }

  stop(): void {
    unsubscribe(CONNECTED, this.connected)
    unsubscribe(REQUESTED, this.requested)
  }

  /** What the door takes, the application of the server is not asked for. */
  openDoor(door: Door): void {
    this.door = door
  }

  /** Resolves when nothing that the door has taken is under way any more. */
  async settled(): Promise<void> {
    await this.door?.settled()
  }

  private readonly connected = (message: unknown): void => {
    const { socket } = message as { socket: Socket & { server?: unknown } }
    rememberPeer(socket)
    const { server } = socket
    if (server instanceof Server && !this.known.has(server)) {
      this.known.add(server)
      limit(server, this.settings)
      answerInTurn(server, (request, response) => this.door?.takes(request, response) ?? false)
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

  /** Answers 408 when a body does not arrive in time and closes the connection, as Node does after `requestTimeout`. */
  private expectBody({ request, response, socket }: Asked): void {
    const late = () => {
      if (request.complete || response.headersSent) {
        return
      }
      // Another response may still be under way on this connection; nothing may be written into it.
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
 * Express decodes the path for Medusa's matchers before any middleware of ours, and Medusa answers 500 when it cannot,
 * on its own routes as well as on ours: so what cannot be decoded is taken out here, and NULs of the query, which
 * PostgreSQL refuses. `/api/v2` and `/pay` look after their own.
 */
function decodableTarget(target: string): string {
  const [, before, path, query] = target.includes("%") ? (DECODED_BY_MEDUSA.exec(target) ?? []) : []
  return path === undefined ? target : `${before}${decodablePath(path)}${storableQuery(query)}`
}

/**
 * Reads the peer's address early: Node asks the system when it is first read, and a reset connection has none. Node
 * then keeps it.
 */
function rememberPeer(socket: Socket): string | undefined {
  return socket.remoteAddress
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0
}

/**
 * Closes the connection of a client that does not take a ready response, which is kept in memory meanwhile. Node closes
 * a connection without progress after this long, and sets its own time again once the response is out. What the client
 * sends counts as progress there, so the whole response has a deadline as well.
 */
function expectReader({ response, socket }: Asked, { answerSeconds }: ServerSettings): void {
  if (response.socket !== socket) {
    return
  }
  socket.setTimeout(answerSeconds * 1_000)
  if (socket.writableLength > 0) {
    const seconds = answerSeconds + socket.writableLength / SLOWEST_READER
    const timer = setTimeout(() => socket.destroy(), seconds * 1_000).unref()
    response.once("close", () => clearTimeout(timer))
  }
}

/**
 * Reads and discards the rest of a body for a short while after the response. Closing at once would reset the
 * connection, and the client could lose a response that it has not read yet. An endless body is cut off.
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
  // On the request, not on the socket: the requests of one connection would pile up listeners there.
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
 * Node checks for late connections every 30 seconds, an interval that only the server's creator can set. Node's own
 * listener for "listening" starts that interval, so it is called again; a Node version without it keeps the 30 seconds.
 */
function checkOften(server: Server, interval: number): void {
  const again = server.listeners("listening").find(({ name }) => name === "setupConnectionsTracking")
  if (again !== undefined) {
    Object.assign(server, { connectionsCheckingInterval: interval })
    again.call(server)
  }
}
