import { Webhook } from "standardwebhooks"
import { fakeTelemetry } from "../../src/modules/gateway/kernel/__tests__/fake-telemetry"
import { runTask } from "../../src/modules/gateway/worker/tasks"
import { verifyWebhook } from "../../src/webhooks"
import { brief, fields, gatewayOf, newMerchant, type Answer, type ApiMerchant } from "../support/api"
import { blocked } from "../support/locks"
import { useReceiver } from "../support/receiver"
import { useStore } from "../support/store"

const store = useStore({ production: true })
const receiver = useReceiver()

const MINUTE = 60
const HOUR = 3_600

interface Endpoint {
  id: number
  uuid: string
  endpoint_url: string
  event_types: string[]
  secret: string
  is_active: boolean
  disabled_reason: string | null
  signature_format: string
  created_at: string
}

interface Delivery {
  id: number
  event_id: string
  url: string
  status: string
  attempts: number
  endpoint_id: number | null
  status_code: number | null
  error: string | null
  next_attempt_at: string | null
  created_at: string
  delivered_at: string | null
  log: {
    attempt: number
    url: string
    attempted_at: string
    status_code: number | null
    response: string | null
    error: string | null
    duration_ms: number
  }[]
}

const dataOf = <T>(answer: Answer) => answer.body.data as unknown as T

async function register(merchant: ApiMerchant, changes: Record<string, unknown> = {}): Promise<Endpoint> {
  const answer = await merchant.call("POST", "/merchants/webhooks", {
    endpoint_url: `${receiver.url}/hook`,
    event_types: ["*"],
    ...changes,
  })
  expect(answer.status).toBe(201)
  return dataOf<Endpoint>(answer)
}

async function advance(merchant: ApiMerchant, seconds: number): Promise<number> {
  const answer = await merchant.call("POST", "/sandbox/clock", { advance_seconds: seconds })
  expect(answer.status).toBe(200)
  return answer.body.data.processed.webhook_deliveries
}

async function paid(merchant: ApiMerchant, changes: Record<string, unknown> = {}) {
  const session = await merchant.open(changes)
  await merchant.pay(session.session_id)
  return session
}

async function deliveries(merchant: ApiMerchant, query = ""): Promise<Delivery[]> {
  return dataOf<Delivery[]>(await merchant.call("GET", `/webhooks/deliveries${query}`))
}

describe("registration", () => {
  it("contract 4.7, decisions: Webhooks — 201 with the secret, which is shown here only", async () => {
    const merchant = await newMerchant(store)
    const endpoint = await register(merchant, { event_types: ["payment.succeeded"] })
    expect(endpoint).toMatchObject({
      endpoint_url: `${receiver.url}/hook`,
      event_types: ["payment.succeeded"],
      is_active: true,
      signature_format: "hex",
    })
    expect(endpoint.secret).toMatch(/^whsec_/)
    expect(Buffer.from(endpoint.secret.slice(6), "base64")).toHaveLength(32)
    for (const id of [endpoint.id, endpoint.uuid]) {
      const answer = await merchant.call("GET", `/merchants/webhooks/${id}`)
      expect(answer.status).toBe(200)
      expect(answer.text).not.toContain(endpoint.secret)
    }
    const listed = await merchant.call("GET", "/merchants/webhooks?per_page=1")
    expect(listed.body.meta).toEqual({ total: 1, page: 1, per_page: 1 })
    expect(listed.text).not.toContain("whsec_")
  })

  it("decisions: Webhooks — unknown events are refused, * means all, and both at once are all", async () => {
    const merchant = await newMerchant(store)
    const url = `${receiver.url}/hook`
    const unknown = await merchant.call("POST", "/merchants/webhooks", {
      endpoint_url: url,
      event_types: ["payment.nope"],
    })
    expect([unknown.status, unknown.body.error.code, unknown.body.error.field]).toEqual([
      422,
      "VALIDATION_ERROR",
      "event_types[0]",
    ])
    const none = await merchant.call("POST", "/merchants/webhooks", { endpoint_url: url, event_types: [] })
    expect([none.status, none.body.error.field]).toEqual([422, "event_types"])
    expect((await register(merchant, { event_types: ["payment.failed", "*"] })).event_types).toEqual(["*"])
  })

  it("decisions: Webhooks — a refused endpoint_url is 400 INVALID_CALLBACK_URL, field endpoint_url", async () => {
    const merchant = await newMerchant(store)
    for (const endpoint_url of [
      "ftp://shop.example.com/x",
      "https://user:pw@shop.example.com/",
      "https://shop.example.com/#x",
      "https://shop.example.com/\u0001",
      `https://shop.example.com/${"x".repeat(5_000)}`,
      "nonsense",
    ]) {
      const created = await merchant.call("POST", "/merchants/webhooks", { endpoint_url, event_types: ["*"] })
      const tested = await merchant.call("POST", "/webhooks/test", { url: endpoint_url, event: "payment.failed" })
      const errors = [created, tested].map(({ status, body: { error } }) => [status, error.code, error.field])
      expect([endpoint_url, ...errors]).toEqual([
        endpoint_url,
        [400, "INVALID_CALLBACK_URL", "endpoint_url"],
        [400, "INVALID_CALLBACK_URL", "url"],
      ])
    }
  })

  it("docs/decisions/25: 16 endpoints in an environment, however many come at once; a deleted one makes room", async () => {
    const merchant = await newMerchant(store)
    const body = { endpoint_url: `${receiver.url}/hook`, event_types: ["*" as const] }
    const create = () => merchant.call("POST", "/merchants/webhooks", body)
    const answers = await Promise.all(Array.from({ length: 20 }, create))
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused.map(({ status, body: { error } }) => [status, error.code])).toEqual(
      Array(4).fill([400, "INVALID_REQUEST"])
    )
    expect(refused[0].body.message).toBe(
      "An environment has at most 16 webhook endpoints: delete one that is not needed any more, or let one receive more events"
    )
    const { id } = dataOf<Endpoint>(answers.find(({ status }) => status === 201) as Answer)
    await merchant.call("PATCH", `/merchants/webhooks/${id}`, { is_active: false })
    expect((await create()).status).toBe(400)
    await merchant.call("DELETE", `/merchants/webhooks/${id}`)
    expect([(await create()).status, (await create()).status]).toEqual([201, 400])
    const production = { merchant_id: merchant.id, environment: "production" as const }
    expect((await gatewayOf(store).webhookEndpoints.create(production, body)).is_active).toBe(true)
  })

  it("decisions: Requests — a refused endpoint_url beside an ordinary failure: VALIDATION_ERROR lists both", async () => {
    const merchant = await newMerchant(store)
    const { id } = await register(merchant)
    const [unreachable, events] = [{ endpoint_url: "ftp://shop.example.com/x" }, { event_types: ["payment.nope"] }]
    const answers = [
      await merchant.call("POST", "/merchants/webhooks", { ...unreachable, ...events }),
      await merchant.call("PATCH", `/merchants/webhooks/${id}`, { ...unreachable, ...events }),
      await merchant.call("POST", "/webhooks/test", { url: unreachable.endpoint_url, event: "payment.nope" }),
    ]
    expect(answers.map((answer) => [brief(answer), fields(answer)])).toEqual([
      ["422 VALIDATION_ERROR event_types[0]", ["event_types[0]", "endpoint_url"]],
      ["422 VALIDATION_ERROR event_types[0]", ["event_types[0]", "endpoint_url"]],
      ["422 VALIDATION_ERROR event", ["event", "url"]],
    ])
    expect(brief(await merchant.call("PATCH", `/merchants/webhooks/${id}`, unreachable))).toBe(
      "400 INVALID_CALLBACK_URL endpoint_url"
    )
  })

  it("decisions: Webhooks — PATCH changes, DELETE removes, another merchant's endpoint is unknown", async () => {
    const [merchant, other] = [await newMerchant(store), await newMerchant(store)]
    const endpoint = await register(merchant)
    const changed = await merchant.call("PATCH", `/merchants/webhooks/${endpoint.id}`, {
      event_types: ["payment.failed"],
      is_active: false,
    })
    expect(dataOf<Endpoint>(changed)).toMatchObject({ event_types: ["payment.failed"], is_active: false })
    for (const [method, path] of [
      ["GET", ""],
      ["DELETE", ""],
      ["POST", "/rotate-secret"],
    ]) {
      const answer = await other.call(method, `/merchants/webhooks/${endpoint.uuid}${path}`)
      expect([answer.status, answer.body.error.code]).toEqual([404, "WEBHOOK_NOT_FOUND"])
    }
    expect((await other.call("PATCH", `/merchants/webhooks/${endpoint.id}`, { is_active: true })).status).toBe(404)
    expect((await merchant.call("DELETE", `/merchants/webhooks/${endpoint.id}`)).status).toBe(200)
    expect((await merchant.call("GET", `/merchants/webhooks/${endpoint.id}`)).status).toBe(404)
    await paid(merchant)
    expect(await deliveries(merchant)).toHaveLength(0)
  })
})

describe("an endpoint that changes while a delivery to it is being recorded", () => {
  it.each([
    ["deleted", "DELETE", undefined],
    ["switched off", "PATCH", { is_active: false }],
  ])("%s: neither waits for the other in a circle", async (_change, method, body) => {
    const merchant = await newMerchant(store)
    const endpoint = await register(merchant)
    await merchant.open()
    const { session_id } = await merchant.open()
    await merchant.call("POST", `/sandbox/sessions/${session_id}/cancel`)
    const { id: endpoint_id } = await store.db("gateway_webhook_endpoint").where({ uuid: endpoint.uuid }).first()
    const { id } = await store.db("gateway_webhook_delivery").where({ endpoint_id }).first()
    // The dispatcher's order (webhooks/delivery/statements.ts, RECORD): the delivery, then its endpoint.
    const recording = await store.db.transaction()
    try {
      await recording("gateway_webhook_delivery").where({ id }).update({ attempts: 1 })
      const changing = merchant.call(method, `/merchants/webhooks/${endpoint.id}`, body)
      await Promise.race([changing, blocked(store, 1)])
      await recording("gateway_webhook_endpoint").where({ id: endpoint_id }).update({ failing_since: new Date() })
      await recording.commit()
      expect((await changing).status).toBe(200)
    } finally {
      await recording.rollback()
    }
    await advance(merchant, HOUR)
    expect(await store.db("gateway_webhook_delivery").where({ endpoint_id, state: "pending" })).toEqual([])
  })
})

describe("delivery", () => {
  it("contract 6.1, 5.7 — the event's shape, and signatures that independent verifiers accept", async () => {
    const merchant = await newMerchant(store)
    const { secret } = await register(merchant)
    const session = await paid(merchant, { order_amount: "1250.50" })
    expect(await advance(merchant, 1)).toBe(1)
    const [got] = receiver.at("/hook")
    expect(Object.keys(got.body).sort()).toEqual(["data", "event_id", "event_type", "merchant_id", "occurred_at"])
    expect(got.body).toMatchObject({ event_type: "payment.succeeded", merchant_id: expect.any(Number) })
    expect(got.body.data).toEqual({
      transaction_id: session.transaction_id,
      order_id: expect.any(String),
      session_id: session.session_id,
      status: "SUCCESS",
      amount: "1250.50",
      currency: "BDT",
      charge_amount: "31.26",
      payment_method: "CARD",
      error_code: null,
    })
    expect(got.headers["x-webhook-signature"]).toMatch(/^[0-9a-f]{64}$/)
    expect(got.headers["webhook-id"]).toBe(got.body.event_id)
    expect(new Webhook(secret).verify(got.raw, got.headers as Record<string, string>)).toEqual(got.body)
    expect(verifyWebhook(got.raw, got.headers, secret)).toBe(true)
    const plain = { "x-webhook-signature": got.headers["x-webhook-signature"] }
    expect(verifyWebhook(got.raw, plain, secret)).toBe(false)
    expect(verifyWebhook(got.raw, plain, secret, { allowWithoutTimestamp: true })).toBe(true)
    expect(verifyWebhook(`${got.raw} `, plain, secret, { allowWithoutTimestamp: true })).toBe(false)
  })

  it("decisions: Webhooks — signature_format prefixed writes sha256=", async () => {
    const merchant = await newMerchant(store)
    const { secret } = await register(merchant, { signature_format: "prefixed" })
    await paid(merchant)
    await advance(merchant, 1)
    const [got] = receiver.at("/hook")
    expect(got.headers["x-webhook-signature"]).toMatch(/^sha256=[0-9a-f]{64}$/)
    const plain = { "x-webhook-signature": got.headers["x-webhook-signature"] }
    expect(verifyWebhook(got.raw, plain, secret, { allowWithoutTimestamp: true })).toBe(true)
  })

  it("decisions: Webhooks — a rotated secret also signs for 24 hours by the clock, then no more", async () => {
    const merchant = await newMerchant(store)
    const { id, secret: old } = await register(merchant)
    const { secret } = dataOf<Endpoint>(await merchant.call("POST", `/merchants/webhooks/${id}/rotate-secret`))
    expect(secret).not.toBe(old)
    await paid(merchant)
    await advance(merchant, 23 * HOUR)
    await paid(merchant)
    await advance(merchant, 2 * HOUR)
    await paid(merchant)
    await advance(merchant, 1)
    const verdicts = receiver
      .at("/hook")
      .map(({ raw, headers }) => [verifyWebhook(raw, headers, secret), verifyWebhook(raw, headers, old)])
    expect(verdicts).toEqual([
      [true, true],
      [true, true],
      [true, false],
    ])
  })

  it("decisions: Webhooks — of several rotations within a day, every old secret also signs for its own 24 hours", async () => {
    const merchant = await newMerchant(store)
    const { id, secret } = await register(merchant)
    const secretOf = (answer: Answer) => dataOf<{ secret: string }>(answer).secret
    const secrets = [secret]
    const ipn = [secretOf(await merchant.call("GET", "/merchants/ipn-secret"))]
    const rotate = async () => {
      secrets.push(secretOf(await merchant.call("POST", `/merchants/webhooks/${id}/rotate-secret`)))
      ipn.push(secretOf(await merchant.call("POST", "/merchants/ipn-secret/rotate")))
    }
    await rotate()
    await advance(merchant, 12 * HOUR)
    await rotate()
    for (const hours of [13, 12, 1]) {
      await paid(merchant, { ipn_url: `${receiver.url}/ipn` })
      await advance(merchant, hours * HOUR)
    }
    const verdicts = (path: string, keys: string[]) =>
      receiver.at(path).map(({ raw, headers }) => keys.map((key) => verifyWebhook(raw, headers, key)))
    const expected = [
      [true, true, true],
      [false, true, true],
      [false, false, true],
    ]
    expect([verdicts("/hook", secrets), verdicts("/ipn", ipn)]).toEqual([expected, expected])
  })

  it("docs/decisions/25: eight old secrets sign along; the next rotation is 409 until the first of them has ended", async () => {
    const merchant = await newMerchant(store)
    const { id, secret } = await register(merchant)
    await merchant.call("GET", "/merchants/ipn-secret")
    const rotations = [`/merchants/webhooks/${id}/rotate-secret`, "/merchants/ipn-secret/rotate"]
    const rotate = () => Promise.all(rotations.map((path) => merchant.call("POST", path)))
    for (let rotation = 0; rotation < 8; rotation++) {
      expect((await rotate()).map(({ status }) => status)).toEqual([200, 200])
    }
    for (const { status, body } of await rotate()) {
      expect([status, body.error.code]).toEqual([409, "INVALID_STATE_TRANSITION"])
      expect(body.message).toContain("8 earlier secrets still sign along")
      expect(body.message).toContain("in 24 h,")
    }
    await paid(merchant)
    await advance(merchant, 24 * HOUR)
    const [got] = receiver.at("/hook")
    expect(verifyWebhook(got.raw, got.headers, secret)).toBe(true)
    expect((await rotate()).map(({ status }) => status)).toEqual([200, 200])
  })

  it("decisions: Webhooks — only the endpoint's event types, each endpoint for itself, other tenants hear nothing", async () => {
    const [merchant, other] = [await newMerchant(store), await newMerchant(store)]
    await register(merchant, { endpoint_url: `${receiver.url}/failed`, event_types: ["payment.failed"] })
    await register(merchant, { endpoint_url: `${receiver.url}/all` })
    await register(other, { endpoint_url: `${receiver.url}/other` })
    await paid(merchant)
    await paid(merchant, { order_amount: 300 })
    const cancelled = await merchant.open()
    await merchant.call("POST", `/sandbox/sessions/${cancelled.session_id}/cancel`)
    await merchant.open()
    await advance(merchant, 31 * MINUTE)
    await advance(other, 31 * MINUTE)
    const types = (path: string) => receiver.at(path).map(({ body }) => body.event_type)
    expect(types("/failed")).toEqual(["payment.failed"])
    expect(types("/all").sort()).toEqual([
      "payment.cancelled",
      "payment.expired",
      "payment.failed",
      "payment.succeeded",
    ])
    expect(types("/other")).toEqual([])
  })

  it("contract 6.3 rules 1 and 4, decisions: Webhooks — the retry schedule, then failed for good, always under the same event_id", async () => {
    receiver.answer = (response) => response.writeHead(500).end("broken")
    const merchant = await newMerchant(store)
    const { id } = await register(merchant)
    await paid(merchant)
    await advance(merchant, 1)
    const waits = [1 * MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]
    for (const [index, wait] of waits.entries()) {
      // An overshoot of the clock shortens the next wait, so the steps keep away from both ends.
      expect([index, await advance(merchant, wait / 2)]).toEqual([index, 0])
      expect([index, await advance(merchant, Math.ceil(wait * 0.65))]).toEqual([index, 1])
    }
    const [delivery] = await deliveries(merchant, `?endpoint_id=${id}`)
    expect(delivery).toMatchObject({ status: "failed", attempts: 10, status_code: 500, next_attempt_at: null })
    expect(delivery.log).toHaveLength(10)
    // All times are on the merchant's clock, future ones too: the first failure and the last are days apart.
    const times = [delivery.created_at, ...delivery.log.map(({ attempted_at }) => attempted_at)]
    expect(times).toEqual([...times].sort())
    expect(times.filter((time) => new Date(time).toISOString() !== time)).toEqual([])
    expect(Date.parse(times[10]) - Date.parse(times[0])).toBeGreaterThan(
      waits.reduce((sum, wait) => sum + wait) * 1_000
    )
    expect(delivery.log[0]).toMatchObject({
      attempt: 1,
      status_code: 500,
      response: "broken",
      error: expect.stringContaining("500"),
    })
    expect(new Set(receiver.received.map(({ body }) => body.event_id)).size).toBe(1)
    expect(new Set(receiver.received.map(({ raw }) => raw)).size).toBe(1)
  })

  it.each([201, 204, 302])("contract 6.3 rule 1: %i does not acknowledge a delivery, only 200 does", async (status) => {
    receiver.answer = (response) => response.writeHead(status).end()
    const merchant = await newMerchant(store)
    await register(merchant)
    await paid(merchant)
    await advance(merchant, 1)
    expect(await deliveries(merchant)).toMatchObject([{ status: "pending", attempts: 1, status_code: status }])
  })

  it("decisions: Webhooks — redeliver one, and all that failed since a time; nothing to an endpoint that is off", async () => {
    const merchant = await newMerchant(store)
    const endpoint = await register(merchant)
    receiver.answer = (response) => response.writeHead(410).end()
    await paid(merchant)
    await advance(merchant, 1)
    const [{ id, status }] = await deliveries(merchant)
    expect(status).toBe("failed")
    receiver.answer = (response) => response.writeHead(200).end()
    const redeliver = () => merchant.call("POST", `/webhooks/deliveries/${id}/redeliver`)
    const redeliverFailed = (since: string) => merchant.call("POST", "/webhooks/deliveries/redeliver-failed", { since })
    const off = await redeliver()
    expect([off.status, off.body.error.code]).toEqual([409, "INVALID_STATE_TRANSITION"])
    expect((await redeliverFailed("2020-01-01T00:00:00Z")).body.data).toEqual({ redelivered: 0 })
    expect(await advance(merchant, 1)).toBe(0)
    await merchant.call("PATCH", `/merchants/webhooks/${endpoint.id}`, { is_active: true })
    await advance(merchant, 24 * HOUR)
    expect((await redeliver()).status).toBe(200)
    await advance(merchant, 1)
    const [delivered] = await deliveries(merchant, "?status=delivered")
    expect(delivered).toMatchObject({ id, attempts: 2, delivered_at: delivered.log[1].attempted_at })
    expect(Date.parse(delivered.log[1].attempted_at) - Date.parse(delivered.created_at)).toBeGreaterThan(
      24 * HOUR * 1_000
    )
    const other = await newMerchant(store)
    expect((await other.call("POST", `/webhooks/deliveries/${id}/redeliver`)).status).toBe(404)
    for (const unknown of ["0", `0${id}`, `${id}.0`, "9223372036854775807", "9223372036854775808", "gwd_nobody"]) {
      const answer = await merchant.call("POST", `/webhooks/deliveries/${unknown}/redeliver`)
      expect([unknown, answer.status]).toEqual([unknown, 404])
    }
    expect(dataOf(await redeliver())).toMatchObject({ status: "pending", attempts: 2, delivered_at: null })
    await store.db("gateway_webhook_delivery").where({ number: id }).update({ state: "failed" })
    expect((await redeliverFailed("2020-01-01T00:00:00Z")).body.data).toEqual({ redelivered: 1 })
    expect(await advance(merchant, 1)).toBe(1)
    const bad = await redeliverFailed("yesterday")
    expect([bad.status, bad.body.error.field]).toEqual([422, "since"])
  })

  it("decisions: Webhooks — 410 disables an endpoint at once, five days without a success too; switching on forgives", async () => {
    const merchant = await newMerchant(store)
    const gone = await register(merchant, { endpoint_url: `${receiver.url}/gone` })
    const broken = await register(merchant, { endpoint_url: `${receiver.url}/broken` })
    receiver.answer = (response, { url }) => response.writeHead(url === "/gone" ? 410 : 500).end()
    await paid(merchant)
    await advance(merchant, 1)
    const state = async (id: number) => dataOf<Endpoint>(await merchant.call("GET", `/merchants/webhooks/${id}`))
    expect(await state(gone.id)).toMatchObject({ is_active: false, disabled_reason: expect.stringContaining("410") })
    expect(await state(broken.id)).toMatchObject({ is_active: true })
    await advance(merchant, 4 * 24 * HOUR)
    await paid(merchant)
    await advance(merchant, 49 * HOUR)
    expect(await state(broken.id)).toMatchObject({
      is_active: false,
      disabled_reason: expect.stringContaining("5 days"),
    })
    const [givenUp] = await deliveries(merchant, `?endpoint_id=${broken.id}`)
    expect(givenUp).toMatchObject({ status: "failed", error: "The endpoint is switched off" })
    await merchant.call("PATCH", `/merchants/webhooks/${broken.id}`, { is_active: true })
    expect(await state(broken.id)).toMatchObject({ is_active: true, disabled_reason: null })
  })

  it("delivery — Retry-After is honoured, an endless answer is cut off, a redirect is not followed", async () => {
    const merchant = await newMerchant(store)
    await register(merchant)
    receiver.answer = (response) => response.writeHead(503, { "Retry-After": "600" }).end()
    await paid(merchant)
    await advance(merchant, 1)
    expect(await advance(merchant, 9 * MINUTE)).toBe(0)
    receiver.answer = (response) => {
      response.writeHead(200)
      const pour = () => {
        while (!response.destroyed && response.write("x".repeat(16_384)));
      }
      response.on("drain", pour)
      pour()
    }
    expect(await advance(merchant, 90)).toBe(1)
    const [delivered] = await deliveries(merchant)
    expect(delivered.status).toBe("delivered")
    expect(delivered.log[1].response).toHaveLength(1_024)
    receiver.answer = (response) => response.writeHead(307, { Location: `${receiver.url}/elsewhere` }).end()
    await paid(merchant)
    await advance(merchant, 1)
    expect(receiver.at("/elsewhere")).toHaveLength(0)
    expect((await deliveries(merchant))[0]).toMatchObject({ status: "pending", status_code: 307 })
  })
})

describe("decisions: Found by real clients — times and addresses of webhooks", () => {
  it("an endpoint's created_at follows the merchant's clock, the signature's timestamp does not", async () => {
    const merchant = await newMerchant(store)
    await advance(merchant, 90 * 24 * HOUR)
    const before = Date.now()
    const endpoint = await register(merchant)
    const ahead = Date.parse(endpoint.created_at) - 90 * 24 * HOUR * 1_000
    expect(ahead).toBeGreaterThanOrEqual(before - 1_000)
    expect(ahead).toBeLessThan(Date.now() + 60_000)
    expect(dataOf<Endpoint>(await merchant.call("GET", `/merchants/webhooks/${endpoint.id}`)).created_at).toBe(
      endpoint.created_at
    )
    await paid(merchant)
    await advance(merchant, 1)
    const [got] = receiver.at("/hook")
    expect(Number(got.headers["webhook-timestamp"]) * 1_000).toBeLessThan(Date.now() + 60_000)
    expect(Date.parse(String(got.body.occurred_at))).toBeGreaterThan(before + 89 * 24 * HOUR * 1_000)
  })

  it("the log shows the URL that was called: an IPN's with its query, an endpoint's as it was then", async () => {
    const merchant = await newMerchant(store)
    const endpoint = await register(merchant, { endpoint_url: `${receiver.url}/old` })
    const session = await paid(merchant, { ipn_url: `${receiver.url}/ipn?shop=1` })
    await advance(merchant, 1)
    const endpoint_url = `${receiver.url}/new`
    await merchant.call("PATCH", `/merchants/webhooks/${endpoint.id}`, { endpoint_url })
    const logged = await deliveries(merchant)
    const { order_id } = await merchant.verified(session.transaction_id)
    const ipn = `${receiver.url}/ipn?shop=1&transaction_id=${session.transaction_id}&order_id=${order_id}`
    expect(logged.map(({ url, log }) => [url, log.map((attempt) => attempt.url)]).sort()).toEqual(
      [
        [ipn, [ipn]],
        [`${receiver.url}/old`, [`${receiver.url}/old`]],
      ].sort()
    )
    const sent = logged.find(({ endpoint_id }) => endpoint_id === endpoint.id)
    await merchant.call("POST", `/webhooks/deliveries/${sent?.id}/redeliver`)
    await advance(merchant, 1)
    const [again] = await deliveries(merchant, `?endpoint_id=${endpoint.id}`)
    expect([again.url, again.log.map(({ url }) => url)]).toEqual([endpoint_url, [`${receiver.url}/old`, endpoint_url]])
  })
})

describe("IPN", () => {
  it("decisions: Callback URLs — every final outcome, with the ids in the query after what is there, signed with the IPN secret", async () => {
    const merchant = await newMerchant(store)
    const secret = (await merchant.call("GET", "/merchants/ipn-secret")).body.data as unknown as { secret: string }
    const ipn_url = `${receiver.url}/ipn?shop=1`
    const success = await paid(merchant, { ipn_url })
    const failure = await paid(merchant, { ipn_url, order_amount: 300 })
    const cancelled = await merchant.open({ ipn_url })
    await merchant.call("POST", `/sandbox/sessions/${cancelled.session_id}/cancel`)
    const expired = await merchant.open({ ipn_url })
    await advance(merchant, 31 * MINUTE)
    const byTransaction = new Map(receiver.at("/ipn").map((got) => [got.body.transaction_id, got]))
    expect(
      [success, failure, cancelled, expired].map(({ transaction_id }) => byTransaction.get(transaction_id)?.body.status)
    ).toEqual(["SUCCESS", "FAILED", "CANCELLED", "EXPIRED"])
    const got = byTransaction.get(success.transaction_id)
    expect(Object.keys(got?.body ?? {}).sort()).toEqual([
      "amount",
      "currency",
      "event_id",
      "occurred_at",
      "order_id",
      "payment_method",
      "session_id",
      "status",
      "transaction_id",
    ])
    expect(got?.url).toBe(`/ipn?shop=1&transaction_id=${success.transaction_id}&order_id=${String(got?.body.order_id)}`)
    expect(verifyWebhook(got?.raw ?? "", got?.headers ?? {}, secret.secret)).toBe(true)
  })

  it("decisions: Callback URLs — a full refund sends REFUNDED, and the IPN secret rotates", async () => {
    const merchant = await newMerchant(store)
    const before = ((await merchant.call("GET", "/merchants/ipn-secret")).body.data as unknown as { secret: string })
      .secret
    const rotated = (
      (await merchant.call("POST", "/merchants/ipn-secret/rotate")).body.data as unknown as { secret: string }
    ).secret
    expect(rotated).not.toBe(before)
    const session = await paid(merchant, { ipn_url: `${receiver.url}/ipn` })
    await gatewayOf(store).refunds.create({
      transaction_id: session.transaction_id,
      reason: "test",
      requested_by: "test",
      request_key: "r1",
    })
    await advance(merchant, 1)
    expect(
      receiver
        .at("/ipn")
        .map(({ body }) => body.status)
        .sort()
    ).toEqual(["REFUNDED", "SUCCESS"])
    expect(receiver.at("/ipn").every(({ raw, headers }) => verifyWebhook(raw, headers, rotated))).toBe(true)
  })
})

describe("events and tests", () => {
  it("decisions: Webhooks — GET /events lists in the delivered shape, by type and time, and only one's own", async () => {
    const [merchant, other] = [await newMerchant(store), await newMerchant(store)]
    await paid(merchant)
    await paid(merchant, { order_amount: 300 })
    const all = await merchant.call("GET", "/events")
    expect(all.body.meta.total).toBe(2)
    const failed = dataOf<{ event_id: string; event_type: string }[]>(
      await merchant.call("GET", "/events?event_type=payment.failed")
    )
    expect(failed.map(({ event_type }) => event_type)).toEqual(["payment.failed"])
    expect((await merchant.call("GET", "/events?to=2020-01-01T00:00:00Z")).body.meta.total).toBe(0)
    expect((await merchant.call("GET", `/events/${failed[0].event_id}`)).body.data).toEqual(failed[0])
    expect((await other.call("GET", `/events/${failed[0].event_id}`)).status).toBe(404)
    expect((await merchant.call("GET", "/events?event_type=nope")).status).toBe(422)
    expect((await merchant.call("GET", "/events?per_page=101")).status).toBe(422)
  })

  it.each([
    ["hex", /^[0-9a-f]{64}$/],
    ["prefixed", /^sha256=[0-9a-f]{64}$/],
  ])(
    "decisions: Found by real clients: a sample to a registered endpoint is signed as its deliveries are: %s",
    async (signature_format, format) => {
      const merchant = await newMerchant(store)
      const { secret } = await register(merchant, { signature_format })
      const other = await register(merchant, { endpoint_url: `${receiver.url}/other` })
      const sample = await merchant.call("POST", "/webhooks/test", {
        event: "refund.completed",
        url: `${receiver.url}/hook`,
      })
      expect(sample.body.data).toMatchObject({ delivered: true })
      const [got] = receiver.at("/hook")
      expect(got.headers["x-webhook-signature"]).toMatch(format)
      expect([verifyWebhook(got.raw, got.headers, secret), verifyWebhook(got.raw, got.headers, other.secret)]).toEqual([
        true,
        false,
      ])
      expect(got.body).toMatchObject({
        event: "refund.completed",
        data: { refund_status: "completed", refund_amount: expect.any(String), remaining_amount: expect.any(String) },
      })
    }
  )

  it("decisions: Found by real clients: elsewhere, and after the endpoint is gone, the IPN secret signs a sample", async () => {
    const merchant = await newMerchant(store)
    const stranger = await register(await newMerchant(store))
    const { secret: ipn } = dataOf<{ secret: string }>(await merchant.call("GET", "/merchants/ipn-secret"))
    const send = async () => {
      await merchant.call("POST", "/webhooks/test", { event: "payment.succeeded", url: `${receiver.url}/hook` })
      const got = receiver.at("/hook").at(-1)
      return (secret: string) => verifyWebhook(got?.raw ?? "", got?.headers ?? {}, secret)
    }
    const unregistered = await send()
    expect([unregistered(ipn), unregistered(stranger.secret)]).toEqual([true, false])
    const endpoint = await register(merchant)
    expect((await send())(endpoint.secret)).toBe(true)
    await merchant.call("DELETE", `/merchants/webhooks/${endpoint.id}`)
    expect((await send())(ipn)).toBe(true)
  })

  it("decisions: Found by real clients: a sample has the members of the event that it stands for", async () => {
    const merchant = await newMerchant(store)
    await paid(merchant)
    const [real] = dataOf<{ data: object }[]>(await merchant.call("GET", "/events?event_type=payment.succeeded"))
    await merchant.call("POST", "/webhooks/test", { event: "payment.succeeded", url: `${receiver.url}/try` })
    const [{ body }] = receiver.at("/try")
    expect(Object.keys(body).sort()).toEqual(Object.keys(real).sort())
    expect(Object.keys(body.data as object).sort()).toEqual(Object.keys(real.data).sort())
    const { transaction_id } = body.data as { transaction_id: string }
    expect((await merchant.verify(transaction_id)).status).toBe(404)
  })

  it("contract 4.7 — /webhooks/test delivers a sample at once, and is 200 also when the receiver fails", async () => {
    const merchant = await newMerchant(store)
    const sample = await merchant.call("POST", "/webhooks/test", {
      event: "payment.failed",
      url: `${receiver.url}/try`,
    })
    expect(sample.body.data).toMatchObject({ delivered: true, status_code: 200, duration_ms: expect.any(Number) })
    expect(receiver.at("/try")[0].body).toMatchObject({ event_type: "payment.failed" })
    receiver.answer = (response) => response.writeHead(500).end()
    const failing = await merchant.call("POST", "/webhooks/test", {
      event: "payment.failed",
      url: `${receiver.url}/try`,
    })
    expect([failing.status, failing.body.data]).toMatchObject([
      200,
      { delivered: false, status_code: 500, error: expect.any(String) },
    ])
    const closed = await merchant.call("POST", "/webhooks/test", {
      event: "payment.failed",
      url: "http://localhost:1/",
    })
    expect(closed.body.data).toMatchObject({ delivered: false, status_code: null, error: "The connection was refused" })
  })
})

describe("docs/decisions/30: traces", () => {
  it("a delivery is sent in the trace of the change that caused its event, which the receiver does not see", async () => {
    const merchant = await newMerchant(store)
    await register(merchant, { event_types: ["payment.cancelled"] })
    const { session_id } = await merchant.open()
    const { payments, webhookDispatch } = gatewayOf(store)
    const fake = fakeTelemetry()
    try {
      await runTask("of-the-test", async () => void (await payments.cancel({ session_id, page_url: receiver.url })))
      await webhookDispatch.drain(merchant.id)
    } finally {
      fake.unregister()
    }
    const [cause, ...others] = fake.spans
    expect(others).toMatchObject([
      {
        name: "deliver payment.cancelled",
        traceId: cause.traceId,
        parent: cause.spanId,
        attributes: { "gateway.merchant_id": merchant.id, "http.response.status_code": 200 },
      },
    ])
    const [received] = receiver.at("/hook")
    expect(received.headers).not.toHaveProperty("traceparent")
    expect(await store.db("gateway_event").where({ event_id: received.body.event_id }).pluck("traceparent")).toEqual([
      `00-${cause.traceId}-${cause.spanId}-01`,
    ])
  })

  it("an event of a store that nobody traces has none", async () => {
    const merchant = await newMerchant(store)
    await paid(merchant)
    const stored = await store
      .db("gateway_event")
      .where({ merchant_id: merchant.id })
      .pluck<(string | null)[]>("traceparent")
    expect([...new Set(stored)]).toEqual([null])
  })
})
