import type { Logger } from "@medusajs/framework/types"
import { SpanKind, SpanStatusCode } from "@medusajs/framework/opentelemetry/api"
import { fakeTelemetry } from "../kernel/__tests__/fake-telemetry"
import type { Acquirer, AttemptRequest, PaymentRequest } from "../acquirers/port"
import { TroubleReports, watched } from "../acquirers/watched"
import type { SendResult } from "../webhooks/delivery/send"
import type { ClaimedDelivery } from "../webhooks/delivery/statements"
import { inDeliverySpan, named } from "../webhooks/delivery/trace"
import { runTask } from "../worker/tasks"

const CAUSE = {
  traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`,
  traceId: "a".repeat(32),
  spanId: "b".repeat(16),
}

const HEALTH = { note: async () => undefined }
const REPORTS = new TroubleReports(
  { error: () => undefined } as unknown as Logger,
  { acquirer: "bank", environment: "sandbox" },
  "the account of mer_1"
)

let fake: ReturnType<typeof fakeTelemetry>
beforeEach(() => (fake = fakeTelemetry()))
afterEach(() => fake.unregister())

describe("docs/decisions/30: spans of background work", () => {
  it("a task has a trace of its own, and what it asks an acquirer is below it", async () => {
    const refused = { result: "refused", code: "CARD_DECLINED", message: "4242 4242 4242 4242 declined" }
    const inner = { id: "bank", flow: "redirect", query: () => Promise.resolve(refused) } as unknown as Acquirer
    const acquirer = watched(inner, HEALTH, REPORTS)
    await runTask("reconcile-payments", async () => void (await acquirer.query({ token: "secret" } as never)))
    const [task, call] = fake.spans
    expect(task).toMatchObject({ name: "task reconcile-payments", kind: SpanKind.CONSUMER, parent: undefined })
    expect(call).toMatchObject({ name: "acquirer bank query", kind: SpanKind.CLIENT, parent: task.spanId, ended: true })
    expect(call.attributes).toEqual({
      "gateway.acquirer": "bank",
      "gateway.acquirer.call": "query",
      "gateway.acquirer.result": "refused",
    })
  })

  it("an acquirer that throws marks the span, and counts as not reached", async () => {
    const start = () => Promise.reject(new Error("password=hunter2"))
    const found: unknown[] = []
    const health = { note: async (cause: unknown) => void found.push(cause) }
    const acquirer = watched({ id: "bank", start } as unknown as Acquirer, health, REPORTS)
    await expect(acquirer.start({} as PaymentRequest)).rejects.toThrow()
    expect(found).toEqual(["network"])
    expect(fake.spans).toHaveLength(1)
    expect(fake.spans[0]).toMatchObject({ status: SpanStatusCode.ERROR, attributes: { "error.type": "Error" } })
    expect(JSON.stringify(fake.spans)).not.toContain("hunter2")
  })
})

describe("docs/decisions/30: the span of a delivery", () => {
  const claimed = {
    id: "gwd_1",
    event_id: "4f1c",
    event_type: "payment.succeeded",
    merchant_id: "mer_1",
    environment: "sandbox",
    attempts: 2,
    url: "https://merchant.example/hook?token=secret",
    secret: "whsec_secret",
    traceparent: CAUSE.traceparent,
  } as unknown as ClaimedDelivery
  const answered = (status_code: number | null) => ({ status_code, response: "secret" }) as SendResult

  it("is in the trace of the change that the event reports, and names neither address nor secret", async () => {
    const result = answered(200)
    expect(await inDeliverySpan(claimed, () => Promise.resolve(result))).toBe(result)
    const [span] = fake.spans
    expect(span).toMatchObject({
      name: "deliver payment.succeeded",
      kind: SpanKind.CLIENT,
      traceId: CAUSE.traceId,
      parent: CAUSE.spanId,
      status: SpanStatusCode.UNSET,
      ended: true,
    })
    expect(span.attributes).toEqual({
      "gateway.event_type": "payment.succeeded",
      "gateway.event_id": "4f1c",
      "gateway.delivery_id": "gwd_1",
      "gateway.delivery.attempt": 3,
      "gateway.merchant_id": "mer_1",
      "gateway.environment": "sandbox",
      "http.response.status_code": 200,
    })
    expect(JSON.stringify(span)).not.toContain("secret")
  })

  it.each([500, null])("is marked when the receiver does not acknowledge: %p", async (status) => {
    await inDeliverySpan(claimed, () => Promise.resolve(answered(status)))
    expect(fake.spans[0].status).toBe(SpanStatusCode.ERROR)
    expect(fake.spans[0].attributes["http.response.status_code"]).toBe(status ?? undefined)
  })
})

describe("docs/decisions/30: a delivery in the log", () => {
  it("has the trace of what caused it, when that was traced", () => {
    expect(named({ id: "gwd_1", traceparent: CAUSE.traceparent })).toBe(`delivery gwd_1 (trace ${CAUSE.traceId})`)
    expect(named({ id: "gwd_1", traceparent: null })).toBe("delivery gwd_1")
  })
})

describe("docs/decisions/30: nobody traces", () => {
  it("everything runs as it is", async () => {
    fake.unregister()
    const result = { status_code: 200 } as SendResult
    expect(await inDeliverySpan({} as ClaimedDelivery, () => Promise.resolve(result))).toBe(result)
    const done: string[] = []
    await runTask("fold-counters", async () => void done.push("folded"))
    const query = () => Promise.resolve({ result: "done" })
    const acquirer = watched({ id: "bank", query } as unknown as Acquirer, HEALTH, REPORTS)
    expect(await acquirer.query({} as AttemptRequest)).toEqual({ result: "done" })
    expect([done, fake.spans]).toEqual([["folded"], []])
  })
})
