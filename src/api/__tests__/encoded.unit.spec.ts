import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { EncodedText, acceptsEncoding, sendEncoded } from "../compress"

describe("Accept-Encoding of the reference's files", () => {
  it.each([
    ["gzip", true],
    ["br, GZIP;q=0.5", true],
    ["*", true],
    ["gzip;q=0, *", false],
    ["gzip; q=0.000", false],
    ["identity", false],
    ["", false],
    [undefined, false],
  ])("%p: %p", (header, expected) => expect(acceptsEncoding("gzip", header)).toBe(expected))
})

describe("docs/decisions/27: a text that is the same for everybody", () => {
  const LONG = "payment ".repeat(1_000)

  it("is compressed once for all who ask, until it changes", async () => {
    const [text, made] = [new EncodedText(), [] as string[]]
    const ask = (key: string) => text.of(key, () => (made.push(key), LONG))
    const all = await Promise.all([ask("one"), ask("one"), ask("two"), ask("two")])
    expect([made, all[0] === all[1], all[2] === all[3]]).toEqual([["one", "two"], true, true])
    expect(all[0].br?.length).toBeLessThan(LONG.length / 10)
  })

  it.each([
    ["br, gzip", "br", LONG],
    ["gzip", "gzip", LONG],
    ["identity", null, LONG],
    ["br, gzip", null, "short"],
  ])("accepted %p, sent %p", async (accepted, sent, content) => {
    const encoded = await new EncodedText().of("", () => content)
    const server = createServer((_request, response) => sendEncoded(response, "text/plain", encoded))
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const answer = await fetch(url, { headers: { "Accept-Encoding": accepted } })
      expect([answer.headers.get("content-encoding"), await answer.text()]).toEqual([sent, content])
      const head = await fetch(url, { method: "HEAD", headers: { "Accept-Encoding": accepted } })
      expect(head.headers.get("content-length")).toBe(answer.headers.get("content-length"))
    } finally {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    }
  })
})
