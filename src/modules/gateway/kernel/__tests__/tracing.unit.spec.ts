import { SpanKind, SpanStatusCode } from "@medusajs/framework/opentelemetry/api"
import { eventRows, type OutgoingEvent } from "../database/outbox"
import { currentTraceparent, inSpan, telemetry } from "../http/tracing"
import { fakeTelemetry } from "./fake-telemetry"

const EVENT: OutgoingEvent = {
  merchant_id: "mer_1",
  environment: "sandbox",
  event_type: "payment.succeeded",
  resource_id: "txn1",
  data: {},
  occurred_at: new Date(0),
}
const CAUSE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"

const storedWith = () => (JSON.parse(eventRows([EVENT])) as { traceparent?: string }[])[0].traceparent

describe("docs/decisions/30: nobody traces", () => {
  it("there is no API to call, and nothing to store", () => {
    expect(telemetry()).toBeUndefined()
    expect(currentTraceparent()).toBeNull()
    expect(storedWith()).toBeUndefined()
  })

  it("an SDK that has ended is none", () => {
    fakeTelemetry().unregister()
    expect(telemetry()).toBeUndefined()
  })
})

describe("docs/decisions/30: somebody traces", () => {
  let fake: ReturnType<typeof fakeTelemetry>
  beforeEach(() => (fake = fakeTelemetry()))
  afterEach(() => fake.unregister())

  const spanOf = (name: string, work: () => Promise<unknown>, cause?: string | null) => {
    const api = telemetry()
    if (api === undefined) {
      throw new Error("the provider is not found: this version of the API registers it elsewhere")
    }
    return inSpan(api, { name, kind: "CLIENT", attributes: { "gateway.task": name }, cause }, work)
  }

  it("an event carries the trace that its change was made in", async () => {
    let stored: string | undefined
    await spanOf("outer", () =>
      spanOf("inner", async () => {
        await new Promise((done) => setImmediate(done))
        stored = storedWith()
      })
    )
    const [outer, inner] = fake.spans
    expect(inner).toMatchObject({ parent: outer.spanId, traceId: outer.traceId, ended: true })
    expect(inner).toMatchObject({ kind: SpanKind.CLIENT, attributes: { "gateway.task": "inner" } })
    expect(stored).toBe(`00-${inner.traceId}-${inner.spanId}-01`)
    expect(storedWith()).toBeUndefined()
  })

  it("work goes on in the trace that was stored with it, recorded or not as that was", async () => {
    let within: string | null = null
    await spanOf("delivery", async () => void (within = currentTraceparent()), CAUSE)
    const [span] = fake.spans
    expect(span).toMatchObject({ traceId: "0af7651916cd43dd8448eb211c80319c", parent: "b7ad6b7169203331" })
    expect(within).toBe(`00-${span.traceId}-${span.spanId}-00`)
  })

  it.each([null, "", "00-short-b7ad6b7169203331-01", `${CAUSE}\r\nx: y`])(
    "a trace of its own without one that can be read: %j",
    async (cause) => {
      await spanOf("timer", () => spanOf("delivery", () => Promise.resolve(), cause))
      const [timer, delivery] = fake.spans
      expect(delivery.parent).toBeUndefined()
      expect(delivery.traceId).not.toBe(timer.traceId)
    }
  )

  it("an error is thrown on, and the span has its name without its message", async () => {
    const error = new TypeError("INSERT … ('4242424242424242')")
    await expect(spanOf("broken", () => Promise.reject(error))).rejects.toBe(error)
    expect(fake.spans[0]).toMatchObject({ status: SpanStatusCode.ERROR, ended: true })
    expect(fake.spans[0].attributes).toEqual({ "gateway.task": "broken", "error.type": "TypeError" })
  })
})
