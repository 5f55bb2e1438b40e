import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

interface Received {
  url: string
  headers: IncomingHttpHeaders
  raw: string
  body: Record<string, unknown>
}

/** A merchant's system: it keeps what it receives, and answers as a test sets it. */
export class Receiver {
  readonly received: Received[] = []
  /** By default 200; tests set a failure, a delay or nonsense here. */
  answer: (response: ServerResponse, received: Received) => void = (response) => response.writeHead(200).end("ok")
  url = ""
  #server?: Server

  async listen(): Promise<void> {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) {
        chunks.push(chunk as Buffer)
      }
      const raw = Buffer.concat(chunks).toString("utf8")
      const received = {
        url: request.url ?? "",
        headers: request.headers,
        raw,
        body: JSON.parse(raw) as Received["body"],
      }
      this.received.push(received)
      this.answer(response, received)
    })
    await new Promise<void>((done) => this.#server?.listen(0, "localhost", done))
    this.url = `http://localhost:${(this.#server.address() as AddressInfo).port}`
  }

  at(path: string): Received[] {
    return this.received.filter(({ url }) => url.split("?")[0] === path)
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections()
    await new Promise((done) => (this.#server ? this.#server.close(done) : done(undefined)))
  }
}

/** One receiver for the test file; its records and its answer are reset before every test. */
export function useReceiver(): Receiver {
  const receiver = new Receiver()
  const { answer } = receiver
  beforeAll(() => receiver.listen())
  beforeEach(() => {
    receiver.received.length = 0
    receiver.answer = answer
  })
  afterAll(() => receiver.close())
  return receiver
}
