import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { Webhook } from "standardwebhooks"
import { verifyWebhook } from "../../src/modules/gateway/domain/signature"
import type GatewayModuleService from "../../src/modules/gateway/service"
import { useStore } from "../support/store"

const store = useStore()
it("smoke", async () => {
  const got: { url: string; headers: IncomingMessage["headers"]; body: string }[] = []
  const server: Server = createServer(async (q, r) => { let b = ""; for await (const c of q) b += c; got.push({ url: q.url!, headers: q.headers, body: b }); r.end("ok") })
  await new Promise<void>((d) => server.listen(0, "localhost", d))
  const hook = `http://localhost:${(server.address() as AddressInfo).port}`
  const gw = store.container.resolve("gateway") as unknown as GatewayModuleService
  const m = await gw.merchants.create({ name: "M" })
  const k = await gw.apiKeys.create({ merchant_id: m.id, environment: "sandbox", name: "k" })
  const order = { order_id: "A1", currency: "BDT", order_amount: 100, ipn_url: hook + "/ipn?x=1", success_url: "https://shop.example.com/s?x=1", fail_url: "https://shop.example.com/f", cancel_url: "https://shop.example.com/c", customer: { name: "A", email: "a@b.co", address: "x", city: "Dhaka", postcode: "1200", country: "Bangladesh", phone: "01712345678" } }
  const call = async (method: string, path: string, body?: unknown, headers = {}) => {
    const r = await fetch(store.url + "/api/v2" + path, { method, headers: { "X-Merchant-API-Key": k.key, ...(body ? { "content-type": "application/json" } : {}), ...headers }, body: body ? JSON.stringify(body) : undefined })
    const t = await r.text(); console.log(method, path, r.status, t); return JSON.parse(t)
  }
  const w = await call("POST", "/merchants/webhooks", { endpoint_url: hook + "/hook", event_types: ["*"] })
  await call("GET", "/merchants/webhooks")
  await call("PATCH", "/merchants/webhooks/" + w.data.id, { signature_format: "prefixed" })
  const c = await call("POST", "/payments/checkout", order)
  await call("POST", "/sandbox/sessions/" + c.data.session_id + "/pay", { payment_method: "card" })
  await call("POST", "/sandbox/clock", { advance_seconds: 1 })
  console.log(got)
  const h = got.find((g) => g.url === "/hook")!
  expect(verifyWebhook(h.body, h.headers, w.data.secret)).toBe(true)
  new Webhook(w.data.secret).verify(h.body, h.headers as Record<string, string>)
  await call("GET", "/webhooks/deliveries")
  await call("GET", "/events")
  await call("POST", "/webhooks/test", { event: "payment.succeeded", url: hook })
  await call("POST", "/webhooks/deliveries/" + 1 + "/redeliver")
  await call("POST", "/webhooks/deliveries/redeliver-failed", { since: "2020-01-01T00:00:00Z" })
  await call("DELETE", "/merchants/webhooks/" + w.data.uuid)
  await new Promise((d) => server.close(d))
})
