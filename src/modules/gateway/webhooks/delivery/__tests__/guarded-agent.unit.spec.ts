import type { LookupAddress } from "node:dns"
import { isIP } from "node:net"
import type { Agent } from "undici"
import { translate } from "../../../../../i18n/translate"
import { messageOf } from "../../../../../i18n/message"
import { isPublicAddress, refusalOfUrl } from "../../../kernel/http/callback-url"
import { guardedAgent } from "../guarded-agent"
import { send } from "../send"
import { ANSWERS, FORMS, LITERALS, NAMES, PUBLIC_HOSTS, REFUSED_PORTS, WEB_PORTS } from "./addresses"
import { Canary } from "./canary"

type Resolve = NonNullable<Parameters<typeof guardedAgent>[0]["resolve"]>

/** All that a merchant learns: the address that was found would reveal the gateway's own network. */
const NOT_PUBLIC = "The receiver is not on a public address"
const STRICT = { allowPrivate: false }
const canary = new Canary()
const agents: Agent[] = []

beforeAll(() => canary.listen())
afterAll(async () => {
  await Promise.all(agents.map((agent) => agent.destroy()))
  await canary.close()
})
beforeEach(() => {
  canary.requests = 0
  canary.connections = 0
})

function agentWith(options: { allowPrivate?: boolean; resolve?: Resolve } = {}): Agent {
  const agent = guardedAgent({ allowPrivate: false, ...options })
  agents.push(agent)
  return agent
}

/** With what went wrong in words, as a merchant reads it. */
const post = async (agent: Agent, url: string) => {
  const result = await send(agent, { url, headers: {}, body: "{}" }, 3_000)
  return { ...result, error: result.error && translate(result.error) }
}

function answers(...addresses: string[]): Resolve {
  return (_hostname, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: isIP(address) || 4 }))
    )
}

const describeTable = <T extends { is: string }>(rows: readonly T[], what: (row: T) => string) =>
  rows.map((row): [string, T] => [`${row.is}: ${JSON.stringify(what(row))}`, row])

it("docs/decisions/25: an idle connection is kept for ten seconds, also when its receiver asks for ten minutes", () => {
  const undici = require("undici") as typeof import("undici")
  const { Agent } = undici
  const made = jest.spyOn(undici, "Agent").mockImplementation((options) => new Agent(options))
  agentWith()
  expect(made.mock.calls[0][0]).toMatchObject({ keepAliveTimeout: 10_000, keepAliveMaxTimeout: 10_000 })
  made.mockRestore()
})

it("holds at least 250 vectors, none twice", () => {
  const all = [
    ...[...LITERALS, ...NAMES].map(({ host }) => host),
    ...FORMS.map(({ url }) => url),
    ...ANSWERS.map(({ addresses }) => `answers: ${addresses.join()}`),
    ...REFUSED_PORTS.map(({ port }) => `port ${port}`),
  ]
  expect(new Set(all).size).toBe(all.length)
  expect(all.length).toBeGreaterThanOrEqual(250)
})

describe("decisions: Callback URLs — as text", () => {
  it.each(describeTable([...LITERALS, ...NAMES], ({ host }) => host))("%s", (_name, { host }) => {
    for (const url of [`https://${host}/`, `https://${host}:8443/hook?a=1`, `HTTPS://${host}`]) {
      expect([url, refusalOfUrl(url, STRICT)]).toEqual([
        url,
        expect.objectContaining({ kind: expect.stringMatching(/^rule\./) }),
      ])
    }
  })

  it.each(describeTable(FORMS, ({ url }) => url))("%s", (_name, { url }) => {
    expect(refusalOfUrl(url, STRICT)).toEqual({ kind: expect.stringMatching(/^rule\./) })
  })

  it.each(describeTable(REFUSED_PORTS, ({ port }) => String(port)))("port of %s", (_name, { port }) => {
    for (const host of ["shop.example.com", "8.8.8.8", "[2606:4700:4700::1111]"]) {
      for (const spelling of [`${port}`, `00${port}`]) {
        expect(refusalOfUrl(`https://${host}:${spelling}/hook`, STRICT)).toEqual(messageOf("rule.web_port"))
      }
    }
  })

  it.each(WEB_PORTS)("port %s is let through", (port) => {
    expect(refusalOfUrl(`https://shop.example.com:${port}/`, STRICT)).toBeNull()
  })

  it.each(PUBLIC_HOSTS)("%s is let through", (host) => {
    expect(refusalOfUrl(`https://${host}/`, STRICT)).toBeNull()
  })
})

describe("decisions: Callback URLs — on the connection", () => {
  it("the canary hears those who are allowed to reach it", async () => {
    const agent = agentWith({ allowPrivate: true })
    for (const host of ["127.0.0.1", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "localhost"]) {
      expect([host, (await post(agent, `http://${host}:${canary.port}/`)).status_code]).toEqual([host, 200])
    }
    expect(canary.requests).toBe(6)
  })

  it.each(describeTable(LITERALS, ({ host }) => host))("%s", async (_name, { host }) => {
    // Names that lead to an address do so through the lookup: the worst answer is loopback.
    const agent = agentWith({ resolve: answers("127.0.0.1") })
    for (const scheme of ["http", "https"]) {
      const result = await post(agent, `${scheme}://${host}:${canary.port}/`)
      expect([host, result.status_code]).toEqual([host, null])
      expect([NOT_PUBLIC, "The URL is invalid"]).toContain(result.error)
    }
    expect([canary.connections, canary.requests]).toEqual([0, 0])
  })

  it.each(describeTable(ANSWERS, ({ addresses }) => addresses.join()))("%s", async (_name, { addresses }) => {
    const result = await post(agentWith({ resolve: answers(...addresses) }), `http://shop.example.com:${canary.port}/`)
    expect(result).toMatchObject({ status_code: null, error: NOT_PUBLIC })
    expect(canary.connections).toBe(0)
  })

  it.each(describeTable(REFUSED_PORTS, ({ port }) => String(port)))(
    "port of %s, of a URL that was taken before it was refused",
    async (_name, { port }) => {
      const agent = agentWith({ resolve: answers("192.88.98.1") })
      expect((await post(agent, `http://shop.example.com:${port}/`)).error).toBe(NOT_PUBLIC)
      expect((await post(agent, `https://8.8.8.8:${port}/`)).error).toBe(NOT_PUBLIC)
    }
  )

  it("the system's own lookup of localhost", async () => {
    const result = await post(agentWith(), `http://localhost:${canary.port}/`)
    expect(result).toMatchObject({ status_code: null, error: NOT_PUBLIC })
    expect(canary.connections).toBe(0)
  })

  it("names without an answer, and lookups that fail, are failures in words", async () => {
    const none = await post(agentWith({ resolve: answers() }), "http://shop.example.com/")
    expect(none).toMatchObject({ status_code: null, error: "The host name has no address" })
    const unknown = Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" })
    const failed = await post(
      agentWith({ resolve: (_name, callback) => callback(unknown, []) }),
      "http://shop.example.com/"
    )
    expect(failed).toMatchObject({ status_code: null, error: "The host name is unknown" })
  })

  it.each([
    ["EHOSTUNREACH", "The receiver cannot be reached"],
    ["ECONNREFUSED", "The connection was refused"],
    ["EADDRNOTAVAIL", "The delivery failed (EADDRNOTAVAIL)"],
    ["HPE_INVALID_CONSTANT", "The answer was not HTTP"],
    [undefined, "The delivery failed"],
    ["10.0.0.5", "The delivery failed"],
  ])(
    "an error (%s) that names addresses, the gateway's own included, is reported without them",
    async (code, words) => {
      const error = Object.assign(new Error(`connect ${code} 10.0.0.5:443 - Local (172.17.0.2:40112)`), { code })
      const failed = await post(
        agentWith({ resolve: (_name, callback) => callback(error, []) }),
        "http://shop.example.com/"
      )
      expect(failed).toMatchObject({ status_code: null, error: words })
    }
  )
})

describe("rebinding", () => {
  it("between registration and delivery: the lookup of this very connection counts", async () => {
    const url = "https://rebind.example.com/hook"
    expect(refusalOfUrl(url, STRICT)).toBeNull()
    let lookups = 0
    const resolve: Resolve = (name, callback) => {
      lookups += 1
      answers(lookups === 1 ? "192.88.98.1" : "127.0.0.1")(name, callback)
    }
    const agent = agentWith({ resolve })
    // The first answer is public and unreachable; by the second lookup the name points inside.
    await send(agent, { url: `http://rebind.example.com:${canary.port}/`, headers: {}, body: "{}" }, 200)
    const second = await post(agent, `http://rebind.example.com:${canary.port}/`)
    expect(lookups).toBeGreaterThanOrEqual(2)
    expect(second).toMatchObject({ status_code: null, error: NOT_PUBLIC })
    expect(canary.connections).toBe(0)
  })

  it.each(["http", "https"])(
    "between lookup and connect (%s): the connected peer is checked, and hears no byte of the event",
    async (scheme) => {
      let readings = 0
      const turncoat: LookupAddress = {
        get address() {
          readings += 1
          return readings === 1 ? "8.8.8.8" : "127.0.0.1"
        },
        family: 4,
      }
      const agent = agentWith({ resolve: (_name, callback) => callback(null, [turncoat]) })
      const result = await post(agent, `${scheme}://rebind.example.com:${canary.port}/`)
      expect(readings).toBeGreaterThan(1)
      expect(canary.connections).toBe(1)
      expect(canary.requests).toBe(0)
      expect(result.status_code).toBeNull()
      if (scheme === "http") {
        expect(result.error).toBe(NOT_PUBLIC)
      }
    }
  )
})

describe("isPublicAddress", () => {
  it.each([
    "",
    " ",
    "localhost",
    "8.8.8.8/8",
    "8.8.8.8:80",
    "[2606:4700::1]",
    "fe80::1%eth0",
    "::ffff:10.0.0.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "8.8.8.8 ",
    "\u0000",
  ])("%j is none", (text) => {
    expect(isPublicAddress(text)).toBe(false)
  })

  it.each(["8.8.8.8", "::ffff:8.8.8.8", "2606:4700:4700::1111", "2a00:1450::1"])("%s is one", (text) => {
    expect(isPublicAddress(text)).toBe(true)
  })
})
