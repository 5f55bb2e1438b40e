import { createRequire } from "node:module"
import type { LoaderOptions } from "@medusajs/framework/types"
import keepAccessLogTrue from "../loaders/access-log"

const { request: prototype } = createRequire(require.resolve("@medusajs/medusa/package.json"))("express") as {
  request: object
}

type Sent = { peer: string | undefined; forwarded?: string | string[] }

function requestFrom({ peer, forwarded }: Sent) {
  const own = {
    headers: { "x-forwarded-for": forwarded },
    socket: { remoteAddress: peer } as { remoteAddress?: string } | null,
  }
  return Object.defineProperties(Object.create(prototype) as typeof own & { ip?: string }, {
    headers: { value: own.headers },
    socket: { value: own.socket, writable: true },
  })
}

describe("decisions: Origins — what Express calls a request's ip", () => {
  const trust = (trustedProxies: string[]) =>
    keepAccessLogTrue({ container: { resolve: () => ({ trustedProxies }) } } as unknown as LoaderOptions)

  it.each([
    ["without proxies, the socket's", [], { peer: "198.51.100.1", forwarded: "203.0.113.77" }, "198.51.100.1"],
    ["an IPv4 address as such, however the socket spells it", [], { peer: "::ffff:198.51.100.1" }, "198.51.100.1"],
    [
      "of a trusted proxy, what it vouches for",
      ["198.51.100.0/24"],
      { peer: "198.51.100.1", forwarded: "203.0.113.66, 203.0.113.77" },
      "203.0.113.77",
    ],
    [
      "the same when the header came twice",
      ["198.51.100.0/24"],
      { peer: "198.51.100.1", forwarded: ["203.0.113.66", "203.0.113.77"] },
      "203.0.113.77",
    ],
    [
      "of a stranger, the stranger's",
      ["192.0.2.1"],
      { peer: "198.51.100.1", forwarded: "203.0.113.77" },
      "198.51.100.1",
    ],
    [
      "of a proxy that vouches for nonsense, the proxy's",
      ["198.51.100.1"],
      { peer: "198.51.100.1", forwarded: "<script>" },
      "198.51.100.1",
    ],
    ["of a connection that is gone, none", [], { peer: undefined, forwarded: "203.0.113.77" }, undefined],
  ] as const)("%s", async (_what, proxies, sent, expected) => {
    await trust([...proxies])
    expect(requestFrom(sent as Sent).ip).toBe(expected)
  })

  it("what it was is still known once the connection, or the request, is gone", async () => {
    await trust([])
    const request = requestFrom({ peer: "198.51.100.1" })
    expect(request.ip).toBe("198.51.100.1")
    request.socket = {}
    expect(request.ip).toBe("198.51.100.1")
    request.socket = null
    expect(request.ip).toBe("198.51.100.1")
  })

  it("a request that was destroyed before anybody asked has none, and nothing is thrown", async () => {
    await trust([])
    const request = requestFrom({ peer: "198.51.100.1" })
    request.socket = null
    expect(request.ip).toBeUndefined()
  })
})
