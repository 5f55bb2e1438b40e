import { createServer, type Server } from "node:http"
import type { AddressInfo, Server as NetServer } from "node:net"

/**
 * An internal server that the gateway must never reach. It listens on every address of the machine, IPv4 and IPv6, so
 * that any spelling that gets through arrives here.
 */
export class Canary {
  requests = 0
  connections = 0
  port = 0
  #server?: Server

  async listen(): Promise<void> {
    this.#server = createServer((_request, response) => {
      this.requests += 1
      response.end("heard")
    })
    ;(this.#server as NetServer).on("connection", () => (this.connections += 1))
    await new Promise<void>((done) => this.#server?.listen(0, done))
    this.port = (this.#server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections()
    await new Promise((done) => (this.#server ? this.#server.close(done) : done(undefined)))
  }
}
