import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { SpanKind } from "@medusajs/framework/opentelemetry/api"
import { fakeTelemetry } from "../../../modules/gateway/kernel/__tests__/fake-telemetry"
import { AREAS } from "../../areas"

describe("docs/decisions/30: the span of a request to a page", () => {
  let fake: ReturnType<typeof fakeTelemetry>
  beforeEach(() => (fake = fakeTelemetry()))
  afterEach(() => fake.unregister())

  async function ask(root: string, path: string): Promise<number> {
    const area = AREAS.find((one) => one.root === root)
    const services = { gateway: { options: { environment: "sandbox" } }, logger: console } as never
    const server = createServer((request, response) => {
      void area?.answer({ services, request, response, target: request.url ?? "", requestId: "req-12345678" })
    })
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    try {
      return (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)).status
    } finally {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    }
  }

  it("has the path of the route and the request's id", async () => {
    expect(await ask("/health/live", "/health/live?probe=secret")).toBe(200)
    expect(fake.spans).toMatchObject([{ name: "GET /health/live", kind: SpanKind.SERVER, ended: true }])
    expect(fake.spans[0].attributes).toEqual({
      "http.request.method": "GET",
      "http.route": "/health/live",
      "http.response.status_code": 200,
      "gateway.environment": "sandbox",
      "gateway.request_id": "req-12345678",
    })
  })

  it("is none where there is no such page", async () => {
    expect([await ask("/health/live", "/health/live/more"), fake.spans]).toEqual([404, []])
  })
})
