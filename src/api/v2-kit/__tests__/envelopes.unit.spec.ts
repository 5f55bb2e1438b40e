import { createServer, request as httpRequest, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { send, type WireAnswer } from "../envelopes"

/** The head of an answer, as a client gets it that accepts gzip. */
function headOf(answer: WireAnswer, before: (response: ServerResponse) => void = () => undefined) {
  const server = createServer((_request, response) => {
    before(response)
    send(response, answer)
  })
  return new Promise<{ headers: IncomingHttpHeaders; names: string[] }>((done, failed) =>
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      const asked = httpRequest({ port, headers: { "accept-encoding": "gzip" } }, (response) => {
        response.resume().once("end", () => server.close())
        done({ headers: response.headers, names: response.rawHeaders.filter((_name, index) => index % 2 === 0) })
      })
      asked.once("error", failed).end()
    })
  )
}

const jsonOf = (length: number) => ({ status: 200, body: JSON.stringify("x".repeat(length - 2)) })

describe("docs/decisions/24: answers of /api/v2 are compressed from 1,024 bytes on", () => {
  it("a smaller one is sent as it is, and still says that it depends on what is accepted", async () => {
    const { headers, names } = await headOf(jsonOf(1_023))
    expect(headers).toMatchObject({ "content-length": "1023", vary: "Accept-Encoding" })
    expect(headers["content-encoding"]).toBeUndefined()
    expect(names.slice(0, 3)).toEqual(["Content-Type", "Content-Length", "Vary"])
  })

  it("a larger one is compressed", async () => {
    const { headers } = await headOf(jsonOf(1_024))
    expect(headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" })
  })

  it("what a host's own middleware says it depends on stays", async () => {
    const { headers } = await headOf(jsonOf(10), (response) => response.setHeader("Vary", "Origin"))
    expect(headers.vary).toBe("Origin, Accept-Encoding")
  })

  it("a file that is no text stays as it is", async () => {
    const file = { name: "a.pdf", type: "application/pdf", bytes: Buffer.alloc(5_000) }
    const { headers } = await headOf({ status: 200, body: "", file })
    expect([headers["content-length"], headers["content-encoding"], headers.vary]).toEqual([
      "5000",
      undefined,
      undefined,
    ])
  })
})
