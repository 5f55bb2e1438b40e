import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Logger } from "@medusajs/framework/types"
import type { Facade } from "../container"
import { answerLive, answerReady } from "../kernel/http/health"

const NOT_FOUND = JSON.stringify({ type: "not_found", message: "Not found" })
const FAULT = JSON.stringify({ type: "unknown_error", message: "An unknown error occurred." })
const JSON_TYPE = "application/json; charset=utf-8"

/**
 * Answers `/gateway/metrics`, `/health/live` and `/health/ready` of a process that is only a worker. Medusa loads no
 * routes there, and what workers alone count, such as alerts about the money, could otherwise be read by nobody.
 */
export class WorkerPort {
  private server: Server | null = null

  constructor(
    private readonly gateway: Pick<Facade, "metrics" | "readiness">,
    private readonly logger: Pick<Logger, "error">,
    /** Absent: nothing is opened. */
    private readonly port: number | undefined
  ) {}

  /**
   * Never throws, but logs: Medusa swallows what a module's start throws, and the worker after it would not start. A
   * worker that nobody can watch is better than none.
   */
  async open(): Promise<void> {
    const { port } = this
    if (port === undefined) {
      return
    }
    const server = createServer((request, response) => void this.answer(request, response))
    this.server = server
    await new Promise<void>((done) => {
      server.on("error", ({ message }) => {
        this.logger.error(
          `gateway: port ${port} cannot answer metrics and health checks: ${message}. End what uses the port, or set ` +
            "GATEWAY_WORKER_PORT to a free one, and start the worker again. It works meanwhile."
        )
        done()
      })
      server.listen(port, done)
    })
  }

  async close(): Promise<void> {
    const { server } = this
    this.server = null
    await new Promise<void>((done) => {
      if (server === null) {
        done()
      } else {
        server.close(() => done())
        server.closeAllConnections()
      }
    })
  }

  /** Never throws. */
  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { metrics, readiness } = this.gateway
    const path = (request.url ?? "").replace(/\?.*$/s, "")
    const isRead = request.method === "GET" || request.method === "HEAD"
    try {
      if (isRead && path === "/health/live") {
        answerLive(response)
      } else if (isRead && path === "/health/ready") {
        await answerReady(request, response, readiness)
      } else if (isRead && path === "/gateway/metrics" && metrics.admits(request.headers.authorization)) {
        const { type, text } = await metrics.render()
        send(response, 200, type, text)
      } else {
        send(response, 404, JSON_TYPE, NOT_FOUND)
      }
    } catch (error) {
      const { stack, message } = error as Error
      this.logger.error(`gateway: the metrics could not be read: ${stack ?? message}`)
      send(response, 503, JSON_TYPE, FAULT)
    }
  }
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { "Content-Type": type, "Content-Length": Buffer.byteLength(text) })
  response.end(text)
}
