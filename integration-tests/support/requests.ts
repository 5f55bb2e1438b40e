import { subscribe, unsubscribe } from "node:diagnostics_channel"
import type { ClientRequest, IncomingMessage } from "node:http"

type UndiciRequest = { origin: string | URL; method: string; path: string }

/** How often a request was sent, and how often a response came. */
export interface Asked {
  started: number
  answered: number
}

/**
 * Counts the requests that this process sends to one server, by `METHOD path`: with fetch and with node:http. It does
 * not see raw sockets of tests.
 */
export class RequestCounter {
  readonly counts = new Map<string, Asked>()
  readonly #handlers: readonly [string, (message: unknown) => void][]

  constructor(url: string) {
    const { host, port } = new URL(url)
    const fetched = (count: keyof Asked) => (message: unknown) => {
      const { origin, method, path } = (message as { request: UndiciRequest }).request
      if (new URL(String(origin)).host === host) {
        this.add(method, path, count)
      }
    }
    const started = new WeakSet<ClientRequest>()
    const ports = new WeakMap<ClientRequest, number | undefined>()
    // While the connection lasts: the server may have closed it when the response is read.
    const notePort = (request: ClientRequest) => {
      const note = () => ports.set(request, request.socket?.remotePort)
      if (request.socket?.connecting) {
        request.socket.once("connect", note)
      } else {
        note()
      }
    }
    this.#handlers = [
      ["undici:request:create", fetched("started")],
      ["undici:request:headers", fetched("answered")],
      // A request that the client aborts has no response, but a line in the log.
      [
        "http.client.request.start",
        (message) => {
          const { request } = message as { request: ClientRequest }
          if (request.getHeader("host") === host) {
            started.add(request)
            this.add(request.method, request.path, "started")
          } else {
            notePort(request)
          }
        },
      ],
      // A request with another Host header is recognised by its socket's port.
      [
        "http.client.response.finish",
        (message) => {
          const { request, response } = message as { request: ClientRequest; response: IncomingMessage }
          if (started.has(request)) {
            this.add(request.method, request.path, "answered")
          } else if (String(ports.get(request) ?? response.socket.remotePort) === port) {
            this.add(request.method, request.path, "started")
            this.add(request.method, request.path, "answered")
          }
        },
      ],
    ]
    this.#handlers.forEach(([channel, handler]) => subscribe(channel, handler))
  }

  stop(): void {
    this.#handlers.forEach(([channel, handler]) => unsubscribe(channel, handler))
  }

  private add(method: string, path: string, count: keyof Asked): void {
    const key = `${method} ${path}`
    const asked = this.counts.get(key) ?? { started: 0, answered: 0 }
    asked[count] += 1
    this.counts.set(key, asked)
  }
}
