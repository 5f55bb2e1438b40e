import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { call as callApi } from "./api"
import type { Store } from "./store"

export interface Checkout {
  session_id: string
  transaction_id: string
  /** The hosted page's address on the store under test. */
  page: string
}

export interface Merchant {
  id: string
  /** Creates a checkout over /api/v2 with these members replaced. */
  checkout(changes?: Record<string, unknown>): Promise<Checkout>
  /** The verified status of a transaction. */
  status(transactionId: string): Promise<string>
  /** Moves the merchant's sandbox clock forward and returns its time. */
  advance(seconds: number): Promise<{ now: string }>
  /** Pays like the page's form, as merchants' own tests do: through the sandbox helper. */
  pay(sessionId: string, cardNumber?: string): Promise<void>
}

let orders = 0

/** A merchant of the store under test with a sandbox key; its checkouts lead back to `shopUrl`. */
export async function merchantOf(store: Store, shopUrl: string, name = "Nakshi House"): Promise<Merchant> {
  const { gateway } = store
  const merchant = await gateway.merchants.create({ name })
  const { key } = await gateway.apiKeys.create({ merchant_id: merchant.id, environment: "sandbox", name: "tests" })

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await callApi(store.url, method, path, body, { key })
    if (answer.status >= 300) {
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    }
    return (JSON.parse(answer.text) as { data: T }).data
  }

  return {
    id: merchant.id,
    async checkout(changes = {}) {
      const order = {
        order_id: `ORDER-${(orders += 1)}`,
        currency: "BDT",
        order_amount: "1234.50",
        success_url: `${shopUrl}/success?from=shop`,
        fail_url: `${shopUrl}/fail`,
        cancel_url: `${shopUrl}/cancel`,
        customer: {
          name: "Rahim Uddin",
          email: "rahim@shop.example",
          address: "12 Mirpur Road",
          city: "Dhaka",
          postcode: "1207",
          country: "Bangladesh",
          phone: "01712345678",
        },
        order_items: [{ product_name: "Jamdani scarf", quantity: 2, unit_price: "617.25" }],
        ...changes,
      }
      const created = await call<Omit<Checkout, "page">>("POST", "/payments/checkout", order)
      return { ...created, page: `${store.url}/pay/${created.session_id}` }
    },
    async status(transactionId) {
      return (await call<{ status: string }>("GET", `/payments/verify/${transactionId}`)).status
    },
    async advance(seconds) {
      return call("POST", "/sandbox/clock", { advance_seconds: seconds })
    },
    async pay(sessionId, cardNumber = "4242424242424242") {
      await call("POST", `/sandbox/sessions/${sessionId}/pay`, {
        payment_method: "card",
        card_number: cardNumber,
      })
    },
  }
}

export interface Landing {
  /** The beginning of merchants' return addresses. It is not the host where shoppers arrive. */
  url: string
  close(): Promise<void>
}

/**
 * A merchant's site to which shoppers return. Like many it redirects once more, from the host in the return address to
 * another one, and only then shows a page.
 */
export async function openLanding(): Promise<Landing> {
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo
    if (request.headers.host?.startsWith("127.0.0.1")) {
      response.writeHead(302, { Location: `http://localhost:${port}${request.url}` }).end()
      return
    }
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" })
    response.end(`<!doctype html><html lang="en"><title>Shop</title><h1>Back in the shop</h1></html>`)
  })
  // Without a host: the address and the name must both lead here.
  await new Promise<void>((done) => server.listen(0, done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
