import { resolve } from "node:path"
import { newMerchant, order, type ApiMerchant } from "../support/api"
import { importModule } from "../support/import-module.cjs"
import { freePort } from "../support/ports"
import { ROOT, storeEnvironment, useStore } from "../support/store"

interface Request {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string
}

type Kind = (socket: unknown, request: Request) => void

interface Broken {
  BROKEN: Record<string, Kind>
  SLOW: Record<string, Kind>
  breakConnections(input: { port: number; kind: Kind; request: Request; count: number }): Promise<string[]>
  bytesOf(request: Request): string
  open(port: number): { socket: { end(bytes: string): void; write(bytes: string): void }; answer: Promise<string> }
}

interface ProductionStore {
  url: string
  port: number
  pid: number
  output(): string
  accessLog(): { path: string; status: number | null; client_ip: string }[]
  alive(): boolean
  kill(signal?: NodeJS.Signals): Promise<void>
}

const script = <Module>(name: string) => importModule<Module>(resolve(ROOT, "scripts/lib", name))
const BATTERY_MS = 240_000
const JSON_BODY = { "Content-Type": "application/json" }
const MEGABYTE = 1_000_000

let merchant: ApiMerchant
let production: ProductionStore
let broken: Broken
let heapOf: (store: ProductionStore) => Promise<{ heap_used: number }>
let state: { clientSockets(pid: number, port: number): number; openHandles(pid: number): number }
/** One request of each family of paths, anonymous ones and one with a valid key. */
let requests: Record<string, Request>

const store = useStore({
  prepare: async (booted) => {
    merchant = await newMerchant(booted)
  },
})

/** The same database once more, behind the store as it is deployed: what breaks a connection is sent there. */
beforeAll(async () => {
  broken = await script("broken-connections.mjs")
  state = await script("process-state.mjs")
  const { WITH_HEAP_PROBE, ...heap } = await script<{ WITH_HEAP_PROBE: string; heapOf: typeof heapOf }>("heap.mjs")
  heapOf = heap.heapOf
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
    NODE_OPTIONS: WITH_HEAP_PROBE,
  }
  production = await startProductionStore({ databaseUrl: store.databaseUrl, port, env })
  requests = familiesOf(merchant.key)
}, BATTERY_MS)

afterAll(() => production?.kill())

function familiesOf(key: string): Record<string, Request> {
  const withKey = { ...JSON_BODY, "X-Merchant-API-Key": key }
  const session = `/pay/ses_${"0".repeat(32)}`
  return {
    "an operation, with a key": { method: "POST", path: "/api/v2/payments/checkout", headers: withKey, body: "{}" },
    "an operation, without a key": {
      method: "POST",
      path: "/api/v2/payments/checkout",
      headers: JSON_BODY,
      body: "{}",
    },
    "a reading operation": { method: "GET", path: `/api/v2/payments/verify/txn${"0".repeat(32)}`, headers: withKey },
    "an unknown operation": { method: "POST", path: "/api/v2/nothing", headers: JSON_BODY, body: "{}" },
    "the sandbox's base URL": {
      method: "POST",
      path: "/sandbox/api/v2/payments/checkout",
      headers: JSON_BODY,
      body: "{}",
    },
    "a payment page": { method: "GET", path: session },
    "a payment form": {
      method: "POST",
      path: session,
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: "method=card",
    },
    "an invoice's PDF": { method: "GET", path: `/pay/invoice/${"0".repeat(32)}/pdf` },
    "a return from the page": { method: "GET", path: "/gateway/return?transaction_id=x" },
    "the admin's API": { method: "POST", path: "/admin/gateway/merchants", headers: JSON_BODY, body: "{}" },
    "the shop's API": { method: "POST", path: "/store/gateway/emi", headers: JSON_BODY, body: "{}" },
    "a provider's webhook": { method: "POST", path: "/hooks/payment/gateway_default", headers: JSON_BODY, body: "{}" },
  }
}

/** Every line that is no log entry of Medusa's, and every entry about an error: a trace, a warning, a last word. */
function complaints(): string[] {
  const started = production.output().indexOf("Server is ready")
  const lines = production.output().slice(started).split("\n").slice(1)
  return lines.filter((line) => line !== "" && (!/^\{.*\}$/.test(line) || /"level":"(error|warn)"/.test(line)))
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) {
    await new Promise((done) => setTimeout(done, 50))
  }
}

async function expectUnharmed(): Promise<void> {
  await until(() => state.clientSockets(production.pid, production.port) === 0)
  const { socket, answer } = broken.open(production.port)
  const headers = { ...JSON_BODY, "X-Merchant-API-Key": merchant.key, Connection: "close" }
  socket.write(
    broken.bytesOf({ method: "POST", path: "/api/v2/payments/checkout", headers, body: JSON.stringify(order()) })
  )
  expect(await answer).toMatch(/^HTTP\/1\.1 200 /)
  expect(production.alive()).toBe(true)
  expect(complaints()).toEqual([])
}

const answersOf = (kind: Kind, request: Request, count = 1) =>
  broken.breakConnections({ port: production.port, kind, request, count })

describe("No broken connection harms the process", () => {
  const KINDS = [
    "resetAtOnce",
    "resetInHead",
    "resetAfterHead",
    "resetInBody",
    "resetAfterRequest",
    "resetAtAnswer",
    "resetAmongPipelined",
    "closedInHead",
    "closedInBody",
    "closedInChunk",
    "closedAfterRequest",
    "closedAmongPipelined",
    "oversizedChunks",
    "oversizedThenReset",
    "oversizedPromise",
    "endlessChunks",
    "wrongChunk",
    "twoLengths",
    "noHttp",
    "wrongVersion",
    "longHead",
    "expectThenReset",
    "wrongExpectation",
    "upgradeThenReset",
    "connectThenReset",
    "readsNothing",
  ]
  let handles: number

  beforeAll(async () => {
    // The database's connections are open afterwards, and Medusa's caches warm.
    await Promise.all(Object.values(requests).map((request) => answersOf(broken.BROKEN.resetAtAnswer, request, 20)))
    await expectUnharmed()
    handles = state.openHandles(production.pid)
  }, BATTERY_MS)

  it("every kind of them is here", () => {
    expect(Object.keys(broken.BROKEN).sort()).toEqual([...KINDS].sort())
  })

  it.each(KINDS)(
    "%s, on every family of paths: the process answers on, complains of nothing and keeps no socket",
    async (name) => {
      await Promise.all(Object.values(requests).map((request) => answersOf(broken.BROKEN[name], request, 3)))
      await expectUnharmed()
    },
    BATTERY_MS
  )

  it(
    "no handle is left open by any of them",
    async () => {
      await until(() => state.openHandles(production.pid) <= handles)
      expect(state.openHandles(production.pid)).toBeLessThanOrEqual(handles)
    },
    BATTERY_MS
  )

  it("the access log has a line for a body that was refused, with the client's address", async () => {
    const path = "/api/v2/payments/checkout?refused"
    await answersOf(broken.BROKEN.oversizedChunks, { ...requests["an operation, with a key"], path })
    const line = () => production.accessLog().find((entry) => entry.path === path)
    await until(() => line() !== undefined)
    expect(line()).toMatchObject({ status: 413, client_ip: expect.stringMatching(/^(127\.0\.0\.1|::1)$/) })
  })
})

describe("A refused body is answered, and what is left of it ends soon", () => {
  it.each([
    ["an operation, with a key", "oversizedChunks", 413],
    ["an operation, with a key", "oversizedPromise", 413],
    ["an operation, with a key", "endlessChunks", 413],
    ["an operation, without a key", "endlessChunks", 401],
    ["an unknown operation", "endlessChunks", 404],
    ["a payment form", "oversizedChunks", 413],
    ["a payment form", "endlessChunks", 413],
    ["a payment page", "endlessChunks", 404],
  ])(
    "%s, %s: %i and the end of the connection",
    async (family, kind, status) => {
      const [answer] = await answersOf(broken.BROKEN[kind], requests[family])
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    },
    BATTERY_MS
  )
})

describe("A slow request is 408, and the connection is closed", () => {
  it(
    "a head that does not arrive",
    async () => {
      const [answer] = await answersOf(broken.SLOW.slowHead, requests["a payment page"])
      expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    },
    BATTERY_MS
  )

  it.each([
    ["an operation, with a key", '"code":"REQUEST_TIMEOUT"'],
    ["a payment form", "<html"],
    ["a return from the page", '"type":"invalid_data"'],
    ["the admin's API", '"type":"invalid_data"'],
    ["the shop's API", '"type":"invalid_data"'],
    ["a provider's webhook", '"type":"invalid_data"'],
  ])(
    "the body of %s, with a length or in chunks",
    async (family, content) => {
      for (const kind of [broken.SLOW.slowBody, broken.SLOW.slowChunks]) {
        const [answer] = await answersOf(kind, { ...requests[family], method: "POST" })
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
          const { socket, answer } = broken.open(production.port)
          const paths = Array.from({ length: 100 }, (_, index) => pathOf(batch * 100 + index))
          const last = broken.bytesOf({ method: "GET", path: "/api/v2/x", headers: { Connection: "close" } })
          socket.write(paths.map((path) => broken.bytesOf({ method: "GET", path })).join("") + last)
          expect((await answer).match(/HTTP\/1\.1 4/g)?.length).toBe(101)
        }
      }
      await ask((index) => `/api/v2/warm/${index}`, 3)
      const before = await heapOf(production)
      await ask((index) => `/api/v2/${"a".repeat(15_000)}/${index}`, 15)
      await ask((index) => `/api/v2/payments/verify/txn${index}`, 3)
      const after = await heapOf(production)
      // Kept, they would take 45 MB.
      expect(after.heap_used - before.heap_used).toBeLessThan(20 * MEGABYTE)
    },
    BATTERY_MS
  )
})
