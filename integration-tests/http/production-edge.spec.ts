import { resolve } from "node:path"
import { newMerchant, order, type ApiMerchant } from "../support/api"
import { importModule } from "../support/import-module.cjs"
import { freePort } from "../support/ports"
import { ROOT, useStore } from "../support/store"
import { storeEnvironment } from "../support/store-options"
import { until } from "../support/until"

interface Request {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string
}

type Kind = { name: string }
type Family = () => Request

interface Broken {
  KINDS: Kind[]
  SLOW: Record<"head" | "body" | "chunks", Kind>
  breakConnections(input: {
    port: number
    kind: Kind
    request: Family
    random: object
    count?: number
  }): Promise<{ answer: string; wrong?: string }[]>
  bytesOf(request: Request, lines?: string[]): string
  requestFamilies(key: string, order: () => string): Record<string, Family>
  Connection: { open(to: { port: number }): Promise<Connection> }
}

interface Connection {
  socket: { write(bytes: string): void }
  text(): string
  mustEnd(): Promise<string | undefined>
  finish(): Promise<string | undefined>
}

interface ProductionStore {
  url: string
  port: number
  pid: number
  output(): string
  accessLog(): { path: string; status: number | null; client_ip: string }[]
  isRunning(): boolean
  kill(signal?: NodeJS.Signals): Promise<void>
}

const script = <Module>(name: string) => importModule<Module>(resolve(ROOT, "scripts/lib", name))
const BATTERY_MS = 240_000
const SEED = 20_260
const MEGABYTE = 1_000_000

let merchant: ApiMerchant
let production: ProductionStore
let broken: Broken
let random: object
let heap: { env: NodeJS.ProcessEnv; held(pid: number): Promise<number>; remove(): void }
let state: { clientSockets(pid: number, port: number): number; openHandles(pid: number): number }
let families: Record<string, Family>

const store = useStore({
  prepare: async (booted) => {
    merchant = await newMerchant(booted)
  },
})

/** The same database once more, behind the store as it is deployed: what breaks a connection is sent there. */
beforeAll(async () => {
  broken = await script("broken-connections/index.mjs")
  const { Random } = await script<{ Random: new (seed: number) => object }>("random.mjs")
  random = new Random(SEED)
  state = await script("process-state.mjs")
  heap = (await script<{ heapProbe(): typeof heap }>("heap.mjs")).heapProbe()
  const { startProductionStore } = await script<{ startProductionStore(options: object): Promise<ProductionStore> }>(
    "production-store.mjs"
  )
  const port = await freePort()
  const env = {
    ...storeEnvironment(store.databaseUrl, port),
    LOG_LEVEL: "http",
    GATEWAY_HEADERS_TIMEOUT: "1",
    GATEWAY_BODY_TIMEOUT: "1",
    GATEWAY_REQUEST_TIMEOUT: "2",
    ...heap.env,
  }
  production = await startProductionStore({ databaseUrl: store.databaseUrl, port, env })
  families = broken.requestFamilies(merchant.key, () => JSON.stringify(order()))
}, BATTERY_MS)

afterAll(async () => {
  await production?.kill()
  heap?.remove()
})

/** Written once a minute where many requests come without a valid key, as they do here. */
const MANY_WITHOUT_KEY = /requests to \/api\/v2 without a valid key within a minute/

/** Every line that is no log entry of Medusa's, and every entry about an error: a trace, a warning, a last word. */
function complaints(): string[] {
  const started = production.output().indexOf("Server is ready")
  const lines = production.output().slice(started).split("\n").slice(1)
  return lines
    .filter((line) => line !== "" && (!/^\{.*\}$/.test(line) || /"level":"(error|warn)"/.test(line)))
    .filter((line) => !MANY_WITHOUT_KEY.test(line))
}

async function answerToCheckout(): Promise<string> {
  const connection = await broken.Connection.open(production)
  connection.socket.write(broken.bytesOf(families["a checkout"](), ["Connection: close"]))
  expect(await connection.mustEnd()).toBeUndefined()
  expect(await connection.finish()).toBeUndefined()
  return connection.text()
}

async function expectUnharmed(): Promise<void> {
  await until("every client is gone", () => state.clientSockets(production.pid, production.port) === 0)
  let answer: string
  do {
    answer = await answerToCheckout()
    // This store allows a request two seconds: on a busy machine one may time out.
  } while (answer.startsWith("HTTP/1.1 408 "))
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  expect(production.isRunning()).toBe(true)
  expect(complaints()).toEqual([])
}

const kindOf = (name: string) => broken.KINDS.find((kind) => kind.name === name) as Kind

const breakSome = (kind: Kind, request: Family, count = 1) =>
  broken.breakConnections({ port: production.port, kind, request, random, count })

/** What one connection of the kind was answered; nothing may be wrong with it. */
async function answerTo(kind: Kind, request: Family): Promise<string> {
  const [{ answer, wrong }] = await breakSome(kind, request)
  expect(wrong).toBeUndefined()
  return answer
}

describe("No broken connection harms the process", () => {
  const KINDS = [
    "closed at once",
    "reset at once",
    "half-closed in the head",
    "reset in the head",
    "a slow head, then closed",
    "reset after the head",
    "half-closed after the head",
    "half-closed in the body",
    "closed in the body",
    "reset in the body",
    "a slow body, then reset",
    "half-closed in a chunk",
    "reset in a chunk",
    "half-closed after the request",
    "closed before the answer",
    "reset before the answer",
    "reset at the answer",
    "many requests at once, then half-closed",
    "many requests at once, then reset",
    "many requests at once, and no answer read, then reset",
    "the head in single bytes",
    "the body in single bytes",
    "chunks beyond every limit",
    "chunks beyond every limit, then reset",
    "endless chunks",
    "large chunks",
    "a length beyond every limit, and nothing sent",
    "a length beyond every limit, and all of it sent",
    "chunk sizes that are none",
    "chunk extensions and trailers",
    "a length and chunks at once",
    "Expect: 100-continue, then reset",
    "Expect: something else",
    "garbage after a request",
    "garbage",
    "a TLS greeting",
    "smuggling: a length and chunks",
    "smuggling: two lengths",
    "smuggling: odd transfer encodings",
    "smuggling: line feeds and folded headers",
    "upgrades",
    "an upgrade, then reset",
    "CONNECT",
    "CONNECT, then reset",
    "HTTP/1.0",
    "HTTP/0.9, 2.0 and 9.9",
    "absolute targets",
    "very long targets",
    "very many and very long headers",
    "no Host, two Hosts",
  ]
  let handles: number

  beforeAll(async () => {
    // The database's connections are open afterwards, and Medusa's caches warm.
    await Promise.all(Object.values(families).map((request) => breakSome(kindOf("reset at the answer"), request, 20)))
    await expectUnharmed()
    handles = state.openHandles(production.pid)
  }, BATTERY_MS)

  it("every kind of them is here", () => {
    expect(broken.KINDS.map(({ name }) => name)).toEqual(KINDS)
  })

  it.each(KINDS)(
    "%s, on every family of paths: the process answers on, complains of nothing and keeps no socket",
    async (name) => {
      const breakFamily = async ([family, request]: [string, Family]) => {
        const endings = await breakSome(kindOf(name), request, 3)
        return endings.flatMap(({ wrong }) => (wrong === undefined ? [] : [`${family}: ${wrong}`]))
      }
      expect((await Promise.all(Object.entries(families).map(breakFamily))).flat()).toEqual([])
      await expectUnharmed()
    },
    BATTERY_MS
  )

  it(
    "no handle is left open by any of them",
    async () => {
      await until("every handle is closed", () => state.openHandles(production.pid) <= handles)
      expect(state.openHandles(production.pid)).toBeLessThanOrEqual(handles)
    },
    BATTERY_MS
  )

  it("the access log has a line for a body that was refused, with the client's address", async () => {
    const path = "/api/v2/payments/checkout?refused"
    await answerTo(kindOf("chunks beyond every limit"), () => ({ ...families["an operation, with a key"](), path }))
    const line = () => production.accessLog().find((entry) => entry.path === path)
    await until("the request is logged", () => line() !== undefined)
    expect(line()).toMatchObject({ status: 413, client_ip: expect.stringMatching(/^(127\.0\.0\.1|::1)$/) })
  })
})

describe("A refused body is answered, and what is left of it ends soon", () => {
  it.each([
    ["an operation, with a key", "chunks beyond every limit", 413],
    ["an operation, with a key", "a length beyond every limit, and nothing sent", 413],
    ["an operation, with a key", "endless chunks", 413],
    ["an operation, without a key", "endless chunks", 401],
    ["an unknown operation", "endless chunks", 404],
    ["a payment form", "chunks beyond every limit", 413],
    ["a payment form", "endless chunks", 413],
    ["a payment page", "endless chunks", 404],
  ])(
    "%s, %s: %i and the end of the connection",
    async (family, kind, status) => {
      expect(await answerTo(kindOf(kind), families[family])).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    },
    BATTERY_MS
  )
})

describe("A slow request is 408, and the connection is closed", () => {
  it(
    "a head that does not arrive",
    async () => {
      expect(await answerTo(broken.SLOW.head, families["a payment page"])).toMatch(/^HTTP\/1\.1 408 /)
    },
    BATTERY_MS
  )

  it.each([
    ["an operation, with a key", '"code":"REQUEST_TIMEOUT"'],
    ["a payment form", "<html"],
    ["the admin's API", '"type":"invalid_data"'],
    ["the shop's API", '"type":"invalid_data"'],
    ["a provider's webhook", '"type":"invalid_data"'],
  ])(
    "the body of %s, with a length or in chunks",
    async (family, content) => {
      for (const kind of [broken.SLOW.body, broken.SLOW.chunks]) {
        const answer = await answerTo(kind, () => ({ ...families[family](), method: "POST" }))
        expect(answer).toMatch(/^HTTP\/1\.1 408 /)
        expect(answer).toMatch(/Connection: close/i)
        expect(answer).toContain(content)
      }
      await expectUnharmed()
    },
    BATTERY_MS
  )
})

describe("A path longer than any of ours is 414", () => {
  const long = (prefix: string) => `${prefix}/${"a".repeat(2_048)}`

  it.each([
    ["/api/v2", '"code":"URI_TOO_LONG"'],
    ["/pay", "<html"],
    ["/gateway", '"code":"URI_TOO_LONG"'],
  ])("%s", async (prefix, content) => {
    const response = await fetch(`${production.url}${long(prefix)}`)
    expect(response.status).toBe(414)
    expect(await response.text()).toContain(content)
  })

  it("a query may be long: it names many ids", async () => {
    expect((await fetch(`${production.url}/api/v2/payments/emi-options?x=${"a".repeat(4_000)}`)).status).toBe(401)
    expect((await fetch(`${production.url}/api/v2/payments/emi-options?x=${"a".repeat(9_000)}`)).status).toBe(414)
  })
})

describe("What strangers ask for is not kept in memory", () => {
  it(
    "1,500 distinct paths of 15 kB and 300 short ones",
    async () => {
      const ask = async (pathOf: (index: number) => string, batches: number) => {
        for (let batch = 0; batch < batches; batch++) {
          const connection = await broken.Connection.open(production)
          const paths = Array.from({ length: 100 }, (_, index) => pathOf(batch * 100 + index))
          const last = broken.bytesOf({ method: "GET", path: "/api/v2/x" }, ["Connection: close"])
          connection.socket.write(paths.map((path) => broken.bytesOf({ method: "GET", path })).join("") + last)
          expect(await connection.mustEnd()).toBeUndefined()
          expect(connection.text().match(/HTTP\/1\.1 4/g)?.length).toBe(101)
          await connection.finish()
        }
      }
      await ask((index) => `/api/v2/warm/${index}`, 3)
      const before = await heap.held(production.pid)
      await ask((index) => `/api/v2/${"a".repeat(15_000)}/${index}`, 15)
      await ask((index) => `/api/v2/payments/verify/txn${index}`, 3)
      const after = await heap.held(production.pid)
      // Kept, they would take 45 MB.
      expect(after - before).toBeLessThan(20 * MEGABYTE)
    },
    BATTERY_MS
  )
})
