import { subscribe, unsubscribe } from "node:diagnostics_channel"
import type { ClientRequest, IncomingMessage } from "node:http"

type UndiciRequest = { origin: string | URL; method: string; path: string }

/** How often something was asked for, and how often an answer came. */
export interface Asked {
  started: number
  answered: number
}

/**
 * Counts the requests that this process makes of one server, by `METHOD path`: with fetch and with node:http. What
 * goes through sockets that a test writes into itself is not seen.
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
    this.#handlers = [
      ["undici:request:create", fetched("started")],
      ["undici:request:headers", fetched("answered")],
      // One that the client gives up has no answer, and a line in the log all the same.
      [
        "http.client.request.start",
        (message) => {
          const { request } = message as { request: ClientRequest }
          if (request.getHeader("host") === host) {
            started.add(request)
            this.add(request.method, request.path, "started")
          }
        },
      ],
      // A request that names another host knows its server by the socket, which is there once the answer is.
      [
        "http.client.response.finish",
        (message) => {
          const { request, response } = message as { request: ClientRequest; response: IncomingMessage }
          if (started.has(request)) {
            this.add(request.method, request.path, "answered")
          } else if (String(response.socket.remotePort ?? request.socket?.remotePort) === port) {
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
