import { SpanKind, SpanStatusCode } from "@medusajs/framework/opentelemetry/api"
import { fakeTelemetry } from "../../../modules/gateway/kernel/__tests__/fake-telemetry"
import type { Handler } from "../types"
import { traced } from "../trace"

type Asked = Parameters<Handler>[0]

const KEY = `sk_test_${"A".repeat(43)}`

function requestBy(caller?: { merchant_id: string }): Asked {
  const exchange = {
    requestId: "req-12345678",
    environment: "sandbox",
    target: `/api/v2/payments/verify/txn1?key=${KEY}`,
    route: { method: "GET", path: "/payments/verify/{transaction_id}" },
    caller,
  }
  const headers = { "x-merchant-api-key": KEY, traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` }
  return { method: "GET", headers, gatewayExchange: exchange } as unknown as Asked
}

const answering = (status: number): Handler => {
  return async (_request, response) => {
    await Promise.resolve()
    response.statusCode = status
  }
}

describe("docs/decisions/30: the span of a request to /api/v2", () => {
  let fake: ReturnType<typeof fakeTelemetry>
  beforeEach(() => (fake = fakeTelemetry()))
  afterEach(() => fake.unregister())

  it("has the template of its path, the merchant and the request's id; neither target nor key", async () => {
    await traced(answering(200))(requestBy({ merchant_id: "mer_1" }), {} as never)
    const [span] = fake.spans
    expect(span).toMatchObject({
      name: "GET /api/v2/payments/verify/{transaction_id}",
      kind: SpanKind.SERVER,
      status: SpanStatusCode.UNSET,
      ended: true,
    })
    expect(span.attributes).toEqual({
      "http.request.method": "GET",
      "http.route": "/api/v2/payments/verify/{transaction_id}",
      "http.response.status_code": 200,
      "gateway.environment": "sandbox",
      "gateway.merchant_id": "mer_1",
      "gateway.request_id": "req-12345678",
    })
    expect(JSON.stringify(span)).not.toMatch(/sk_test|txn1/)
  })

  it("does not follow a trace that the caller names", async () => {
    await traced(answering(401))(requestBy(), {} as never)
    expect(fake.spans[0].parent).toBeUndefined()
    expect(fake.spans[0].attributes).not.toHaveProperty("gateway.merchant_id")
  })

  it.each([
    [429, SpanStatusCode.UNSET],
    [500, SpanStatusCode.ERROR],
  ])("%p: status %p", async (status, expected) => {
    await traced(answering(status))(requestBy(), {} as never)
    expect(fake.spans[0].status).toBe(expected)
  })

  it("is none when nobody traces", async () => {
    fake.unregister()
    const response = { statusCode: 0 }
    await traced(answering(204))(requestBy(), response as never)
    expect([response.statusCode, fake.spans]).toEqual([204, []])
  })
})
