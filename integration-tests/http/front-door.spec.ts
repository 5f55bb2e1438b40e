import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { openFrontDoor } from "../../src/front-door"
import { newMerchant, order, type ApiMerchant } from "../support/api"
import { CARD } from "../support/pages"
import { asking, comparable, dataOf, locationOf, PageReader, type Ask } from "../support/recorded"
import { useStore } from "../support/store"
import { METRICS_TOKEN } from "../support/store-options"

/*
 * docs/decisions/29: what the front door answers, Express answers behind it to the byte, where the door could not be
 * taken. Everything else about these answers is proven by the other files, at the door.
 */

const store = useStore({
  env: {
    GATEWAY_RATE_LIMIT: "0",
    GATEWAY_PUBLIC_URL: "https://pay.example.com",
    GATEWAY_METRICS_TOKEN: METRICS_TOKEN,
  },
})

let warned: jest.SpyInstance
beforeAll(() => {
  warned = jest.spyOn(store.container.resolve(ContainerRegistrationKeys.LOGGER), "warn")
})
afterAll(() => warned.mockRestore())

const closedDoor = { takes: () => false, settled: () => Promise.resolve() }

/** Asks the same at the door and behind Express, and compares the answers. */
async function expectSame(ask: (api: Ask, pages: PageReader, merchant: ApiMerchant) => Promise<void>): Promise<void> {
  const { connectionGuard } = store.gateway
  const answered: object[][] = []
  for (const isOpen of [true, false]) {
    if (!isOpen) {
      connectionGuard.openDoor(closedDoor)
    }
    try {
      const merchant = await newMerchant(store)
      const [ofApi, pages] = [[] as Awaited<ReturnType<Ask>>[], new PageReader(store.url)]
      await ask(asking(store.url, merchant.key, ofApi), pages, merchant)
      answered.push([...ofApi, ...pages.kept].map(comparable))
    } finally {
      openFrontDoor(store.container)
    }
  }
  expect(answered[0].length).toBeGreaterThan(0)
  expect(answered[1]).toEqual(answered[0])
}

describe("docs/decisions/29 — behind Express the answers are the same", () => {
  it("methods, targets and bodies of /api/v2", async () => {
    await expectSame(async (ask) => {
      for (const method of ["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE", "PROPFIND"]) {
        for (const path of ["", "/", "/payments", "/payments/checkout", "/nothing"]) {
          await ask(method, path)
        }
      }
      for (const path of [
        "/payments/verify/%ff",
        "/payments//verify",
        "//payments",
        "/payments#x",
        "/docs",
        "/docsx",
      ]) {
        await ask("GET", path)
      }
      await ask("GET", `/payments?q=${"x".repeat(9_000)}`)
      for (const path of ["/sandbox/api/v2/payments", "/API/v2/payments", `${store.url}/api/v2/payments`]) {
        await ask("GET", "", undefined, { path })
      }
      for (const content of ["{", "[]", '{"order_id":"\\u0000"}', JSON.stringify({ a: "x".repeat(2_000_000) })]) {
        await ask("POST", "/payments/checkout", undefined, { content })
      }
      await ask("POST", "/payments/checkout", undefined, { content: "a=1", headers: { "Content-Type": "text/plain" } })
      await ask("GET", "/payments", undefined, { headers: { "X-Request-Id": "caller-12345" } })
    })
  })

  it("a payment from its checkout to its refund", async () => {
    await expectSame(async (ask) => {
      const { session_id } = dataOf(await ask("POST", "/payments/checkout", order()))
      const { transaction_id } = dataOf(
        await ask("POST", `/sandbox/sessions/${session_id}/pay`, { payment_method: "card" })
      )
      await ask("GET", `/payments/verify/${transaction_id}`)
      await ask("POST", "/payments/refund", { transaction_id, refund_amount: "10.00", refund_reason: "Damaged" })
      await ask("GET", "/openapi.json", undefined, { headers: { "Accept-Encoding": "br" } })
    })
  })

  it("the payment page, its files, the portal, acquirers' addresses, metrics, health", async () => {
    await expectSame(async (_ask, pages, merchant) => {
      const page = `/pay/${(await merchant.open()).session_id}`
      const { body } = await pages.ask("GET", page, { headers: { "Accept-Encoding": "br" } })
      const [file] = /\/pay\/assets\/[A-Za-z0-9._-]+/.exec(body) ?? []
      await pages.ask("GET", String(file), { headers: { "Accept-Encoding": "gzip" } })
      expect(locationOf(await pages.submit(page, CARD))).toContain("status=SUCCESS")
      for (const path of [`${page}/`, `${page}/none`, "/pay", "/pay/%ff", "/portal", "/portal/x", "/gateway/return"]) {
        await pages.ask("GET", path)
        await pages.ask("DELETE", path)
        await pages.ask("POST", path, { content: "a=b" })
      }
      await pages.ask("POST", "/gateway/acquirers/stripe/notify/x", { content: "{" })
      await pages.ask("POST", "/gateway/csp-reports", { content: "{", headers: { "Content-Type": "application/json" } })
      await pages.ask("GET", "/gateway/reference/none.js")
      await pages.ask("GET", "/gateway/metrics")
      for (const path of ["/health/live", "/health/ready", "/HEALTH/READY?probe=1", "/health/live/more"]) {
        await pages.ask("GET", path)
        await pages.ask("HEAD", path)
        await pages.ask("POST", path)
      }
    })
  })

  it("the log says once that the door could not be taken", async () => {
    store.gateway.connectionGuard.openDoor(closedDoor)
    try {
      await fetch(`${store.url}/health/live`)
      await fetch(`${store.url}/api/v2/sandbox`)
    } finally {
      openFrontDoor(store.container)
    }
    expect(warned.mock.calls.flat().filter((line) => String(line).includes("front door"))).toHaveLength(1)
  })
})
