import { createServer, get, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import compression from "compression"
import { type Parts, sendCsv } from "../csv"

const PART = "1250.50,BDT\n".repeat(5_000)
const COUNT = 40

const logged: string[] = []
const scope = { resolve: () => ({ error: (line: string) => logged.push(line) }) }
let server: Server
let parts: Parts
let thrown: unknown[] = []
let drains = 0

beforeAll(async () => {
  const compress = compression() as unknown as (request: unknown, response: unknown, next: () => void) => void
  server = createServer((request, response) => {
    const sent = Object.assign(response, {
      set: (name: string, value: string) => (response.setHeader(name, value), response),
    })
    compress(request, response, () => {
      // The compression's own: it passes listeners of "drain" on to a stream, and removes none of them.
      const on = response.on.bind(response)
      Object.assign(response, {
        on: (name: string, listener: () => void) => {
          drains += name === "drain" ? 1 : 0
          return on(name, listener)
        },
      })
      const asked = Object.assign(request, { scope }) as unknown as MedusaRequest
      sendCsv(asked, sent as unknown as MedusaResponse, "payments.csv", parts).catch((error: unknown) => {
        thrown.push(error)
        response.writeHead(500).end()
      })
    })
  })
  await new Promise<void>((done) => server.listen(0, "localhost", done))
})
afterAll(() => new Promise((done) => server.close(done)))
beforeEach(() => {
  logged.length = 0
  thrown = []
  drains = 0
})

function ask(encoding: string): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo
  return new Promise((done) => get({ port, host: "localhost", headers: { "accept-encoding": encoding } }, done))
}

describe("docs/decisions/20 — a list of any length as CSV", () => {
  it.each(["identity", "gzip", "br"])("leaves no listener behind with each part: %s", async (encoding) => {
    parts = async function* () {
      for (let part = 0; part < COUNT; part++) {
        yield PART
      }
    }
    let bytes = 0
    for await (const chunk of await ask(encoding)) {
      bytes += (chunk as Buffer).length
    }
    expect(drains).toBeLessThanOrEqual(1)
    // The byte order mark is three bytes.
    const whole = COUNT * PART.length + 3
    expect(encoding === "identity" ? bytes === whole : bytes > 0 && bytes < whole).toBe(true)
  })

  it("an error before the first part is thrown; a later one cuts the connection and is logged", async () => {
    parts = async function* () {
      throw new Error("no first part")
    }
    expect((await ask("gzip")).statusCode).toBe(500)
    expect(thrown).toMatchObject([{ message: "no first part" }])
    parts = async function* () {
      yield PART
      throw new Error("the database is away")
    }
    const cut = await ask("identity")
    await expect(cut.toArray()).rejects.toThrow("aborted")
    expect(logged).toEqual(["gateway: the export payments.csv broke off: the database is away"])
  })

  it("a client that leaves ends what is under way, and is no error", async () => {
    let left: () => void = () => {}
    const aborted = new Promise<void>((done) => (left = done))
    parts = async function* (signal) {
      yield PART
      await new Promise<void>((_, reject) =>
        signal.addEventListener("abort", () => {
          left()
          reject(new Error("cancelled"))
        })
      )
    }
    const answer = await ask("identity")
    answer.destroy()
    await aborted
    expect([logged, thrown]).toEqual([[], []])
  })
})
