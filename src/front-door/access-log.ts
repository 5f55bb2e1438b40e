import type { IncomingMessage, ServerResponse } from "node:http"
import type { Logger } from "@medusajs/framework/types"
import { clientAddress } from "../modules/gateway/kernel/http/ip"
import { headerText } from "../modules/gateway/kernel/text/text"
import { redactTarget } from "../modules/gateway/kernel/http/request-target"

type Log = Pick<Logger, "http" | "shouldLog">

/**
 * Writes a line for each request when it is over, with the members of Medusa's access log, so that one program reads
 * both. Addresses of payment pages and the like are redacted; the client's address is the one behind TRUSTED_PROXIES.
 */
export class AccessLog {
  private readonly written: boolean
  /** As Medusa: short lines for people in development, JSON otherwise, none in tests. */
  private readonly isShort: boolean

  constructor(
    private readonly logger: Log,
    private readonly trustedProxies: readonly string[],
    nodeEnv = process.env.NODE_ENV || "development",
    private readonly print: (line: string) => void = together((lines) => void process.stdout.write(lines))
  ) {
    this.isShort = nodeEnv.startsWith("dev")
    this.written = nodeEnv !== "test" && logger.shouldLog("http")
  }

  follow(request: IncomingMessage, response: ServerResponse, requestId: string): void {
    if (!this.written) {
      return
    }
    const startedAt = performance.now()
    const { method = "", headers, httpVersion, socket } = request
    const target = redactTarget(request.url ?? "")
    // Read now: a connection that breaks no longer has an address.
    const client_ip = clientAddress(socket.remoteAddress, headerText(headers["x-forwarded-for"]), this.trustedProxies)
    response.once("close", () => {
      const duration = Number((performance.now() - startedAt).toFixed(3))
      const status = response.headersSent ? response.statusCode : null
      const referrer = headers.referer ? redactTarget(headers.referer) : "-"
      if (this.isShort) {
        this.logger.http(`${method} ${target} ← ${referrer} (${status ?? "-"}) - ${duration} ms`)
        return
      }
      const line = {
        level: "http",
        client_ip: client_ip || "-",
        request_id: requestId,
        http_version: httpVersion,
        method,
        path: target,
        status,
        response_size: response.getHeader("content-length") ?? 0,
        request_size: headers["content-length"] ?? 0,
        duration,
        referrer,
        user_agent: headers["user-agent"],
        timestamp: new Date().toISOString(),
      }
      this.print(JSON.stringify(line))
    })
  }
}

/**
 * Writes the lines of one turn of the event loop at once, and what is left when the process exits: each write of a file
 * or pipe is a call of the system, which the request would wait for.
 */
export function together(write: (lines: string) => void): (line: string) => void {
  let lines = ""
  const flush = () => {
    if (lines !== "") {
      write(lines)
      lines = ""
    }
  }
  process.once("exit", flush)
  return (line) => {
    if (lines === "") {
      setImmediate(flush)
    }
    lines += `${line}\n`
  }
}
