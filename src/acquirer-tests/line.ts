import { createServer, request as forward, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/**
 * What happens to one request on the line:
 * - lost_before: it never arrives, and the connection breaks
 * - lost_after: it is carried out, and the connection breaks before the answer
 * - late: as lost_before for the adapter, but it arrives after all, when `release` lets it through
 * - html, empty, failed: it is carried out, and answered with a proxy's page, with nothing, or with status 500
 * - echo_path, echo_headers, echo_body: it never arrives, and is answered with an error that repeats a part of it
 */
export type Disturbance = "lost_before" | "lost_after" | "late" | "html" | "empty" | "failed" | Echo
type Echo = "echo_path" | "echo_headers" | "echo_body"

/** The kinds after which the sender does not learn what became of its request. */
export const UNANSWERED = ["lost_before", "lost_after", "html", "empty", "failed"] as const

type Sent = { method: string; path: string; headers: IncomingMessage["headers"]; body: Buffer }
type Answer = { status: number; headers: IncomingMessage["headers"]; body: Buffer }

/** Fields in which acquirers put the words of an error. */
const WORDS = ["message", "error", "errorMessage", "statusMessage", "reason", "failedreason", "sp_message", "detail"]
/** Headers that say nothing of an account. */
const USUAL = /^(host|connection|user-agent|(accept|content|sec)(-.*)?)$/
const NONSENSE: Readonly<Record<"html" | "empty" | "failed", Answer>> = {
  html: page(200, "<html><body><h1>502 Bad Gateway</h1></body></html>"),
  empty: page(200, ""),
  failed: page(500, "<h1>Internal Server Error</h1>"),
}

/**
 * Stands between an adapter and the stand-in of its acquirer, on loopback, and disturbs one request of a call. It needs to
 * know neither: whatever an adapter sends is a request, and whatever comes back an answer.
 */
export class Line {
  url = ""
  /** Changes what answers say, as text; null: nothing. */
  rewrite: ((text: string) => string) | null = null
  /** Answers in which `rewrite` has found something to change. */
  rewritten = 0
  private server: Server | null = null
  private nth = 0
  private how: Disturbance | null = null
  private late: (() => Promise<unknown>)[] = []

  /** `target`: the stand-in's address. */
  constructor(private readonly target: string) {}

  async open(): Promise<this> {
    const server = createServer((request, response) => {
      this.receive(request, response).catch(() => response.destroy())
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    this.server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return this
  }

  async close(): Promise<void> {
    this.server?.closeAllConnections()
    await new Promise((resolve) => this.server?.close(resolve))
  }

  /** Disturbs the `nth` of the next requests, counted from 1. */
  disturb(nth: number, how: Disturbance): void {
    this.nth = nth
    this.how = how
  }

  /** Ends the disturbance. Returns whether a request has met it. */
  calm(): boolean {
    const met = this.how !== null && this.nth <= 0
    this.how = null
    return met
  }

  /** Lets the late requests through, oldest first. */
  async release(): Promise<void> {
    for (const send of this.late.splice(0)) {
      await send()
    }
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) {
      chunks.push(chunk as Buffer)
    }
    const { method = "GET", url: path = "/", headers } = request
    const sent: Sent = { method, path, headers, body: Buffer.concat(chunks) }
    const how = this.how !== null && --this.nth === 0 ? this.how : null
    switch (how) {
      case "lost_before":
        return void request.socket.destroy()
      case "late":
        this.late.push(() => this.pass(sent))
        return void request.socket.destroy()
      case "echo_path":
      case "echo_headers":
      case "echo_body":
        return reply(response, echoOf(sent, how))
      case "lost_after":
        await this.pass(sent)
        return void request.socket.destroy()
      case "html":
      case "empty":
      case "failed":
        await this.pass(sent)
        return reply(response, NONSENSE[how])
      case null:
        return reply(response, this.changed(await this.pass(sent)))
    }
  }

  private changed(answer: Answer): Answer {
    const text = answer.body.toString("utf8")
    const rewritten = this.rewrite?.(text) ?? text
    if (rewritten === text) {
      return answer
    }
    this.rewritten += 1
    return { ...answer, body: Buffer.from(rewritten) }
  }

  private pass({ method, path, headers, body }: Sent): Promise<Answer> {
    const { hostname, port } = new URL(this.target)
    const own = { ...headers, host: `${hostname}:${port}`, connection: "close" }
    return new Promise((resolve, reject) => {
      const passed = forward({ hostname, port, method, path, headers: own }, (answer) => {
        const chunks: Buffer[] = []
        answer.on("data", (chunk: Buffer) => chunks.push(chunk))
        answer.on("error", reject)
        answer.on("end", () =>
          resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: Buffer.concat(chunks) })
        )
      })
      passed.on("error", reject)
      passed.end(body)
    })
  }
}

function page(status: number, text: string): Answer {
  return { status, headers: { "content-type": "text/html" }, body: Buffer.from(text) }
}

/** A part alone: adapters keep the beginning of a message only. */
function echoOf({ path, headers, body }: Sent, how: Echo): Answer {
  const own = Object.entries(headers).filter(([name]) => !USUAL.test(name))
  const parts = { echo_path: path, echo_headers: own.flat().join(" "), echo_body: body.toString("utf8") }
  const words = Object.fromEntries(WORDS.map((name) => [name, parts[how]]))
  return { status: 400, headers: { "content-type": "application/json" }, body: Buffer.from(JSON.stringify(words)) }
}

/** What is about the connection, and not about the answer. */
const OF_THE_WAY = new Set(["connection", "keep-alive", "transfer-encoding", "content-length"])

function reply(response: ServerResponse, { status, headers, body }: Answer): void {
  const kept = Object.entries(headers).filter(([name]) => !OF_THE_WAY.has(name))
  response.writeHead(status, { ...Object.fromEntries(kept), "content-length": body.length }).end(body)
}
