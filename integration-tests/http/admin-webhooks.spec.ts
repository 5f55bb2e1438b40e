import { gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import { Admin, prepareAdmin, ids, useAdminOf } from "../support/admin"
import { useReceiver, type Receiver } from "../support/receiver"
import { useStore } from "../support/store"
import { clockTo, someone, PLAN } from "../support/subscriptions"

const store = useStore({ production: true, prepare: prepareAdmin })
const adminOf = useAdminOf(store)
const receiver = useReceiver()
let merchant: ApiMerchant
let admin: Admin

beforeEach(async () => {
  merchant = await newMerchant(store)
  admin = adminOf(merchant)
})

describe("webhooks", () => {
  const create = (changes = {}) =>
    admin.post("/webhooks", { endpoint_url: `${receiver.url}/hook`, event_types: ["payment.succeeded"], ...changes })

  it("are made, changed, switched off and on, rotated and deleted, and every step is in the audit log without secrets", async () => {
    const { body } = await create()
    const { id } = body.webhook
    expect(body.secret).toMatch(/^whsec_/)
    expect((await admin.get("/webhooks")).text).not.toContain("whsec_")
    await admin.post(`/webhooks/${id}`, { event_types: ["*"], signature_format: "prefixed" })
    await admin.post(`/webhooks/${id}`, { is_active: false })
    await admin.post(`/webhooks/${id}`, { is_active: true })
    const rotated = await admin.post(`/webhooks/${id}/rotate-secret`)
    expect(rotated.body.secret).toMatch(/^whsec_/)
    expect(rotated.body.secret).not.toBe(body.secret)
    expect((await admin.get(`/webhooks/${id}`)).body.webhook).toMatchObject({
      event_types: ["*"],
      signature_format: "prefixed",
      is_active: true,
    })
    await admin.delete(`/webhooks/${id}`)
    expect((await admin.get(`/webhooks/${id}`)).status).toBe(404)

    const changes = (await admin.get("/audit?action=webhook_endpoint.")).body.audit_entries
    expect(changes.map(({ action }) => action.split(".")[1])).toEqual([
      "deleted",
      "secret_rotated",
      "updated",
      "updated",
      "updated",
      "created",
    ])
    expect(changes[4].changes).toEqual({
      event_types: { from: ["payment.succeeded"], to: ["*"] },
      signature_format: { from: "hex", to: "prefixed" },
    })
    expect(JSON.stringify(changes)).not.toContain("whsec_")
  })

  it("what a merchant's key changes over /api/v2 is in the audit log too, under the key's name", async () => {
    const answer = await merchant.call("POST", "/merchants/webhooks", {
      endpoint_url: `${receiver.url}/own`,
      event_types: ["*"],
    })
    const { id } = answer.body.data as unknown as { id: number }
    await merchant.call("PATCH", `/merchants/webhooks/${id}`, { event_types: ["payment.failed"] })
    await merchant.call("POST", "/merchants/ipn-secret/rotate")
    await merchant.advance(60)
    const changes = await admin.changes()
    expect(changes.map(({ action, actor }) => [action, actor.type])).toEqual([
      ["sandbox_clock.moved", "merchant_key"],
      ["ipn_secret.rotated", "merchant_key"],
      ["webhook_endpoint.updated", "merchant_key"],
      ["webhook_endpoint.created", "merchant_key"],
      ["api_key.created", "system"],
      ["merchant.created", "system"],
    ])
    expect(changes[0].actor.name).toBe(`tests (sk_test_…${merchant.key.slice(-4)})`)
  })

  it("a refused URL, an unknown event and a change of nothing", async () => {
    expect(await create({ endpoint_url: "ftp://example.com" })).toMatchObject({
      status: 400,
      body: { code: "INVALID_CALLBACK_URL", field: "endpoint_url" },
    })
    expect(await create({ event_types: ["payment.maybe"] })).toMatchObject({
      status: 422,
      body: { field: "event_types[0]" },
    })
    const { body } = await create()
    const before = await admin.changes(body.webhook.id)
    await admin.post(`/webhooks/${body.webhook.id}`, { event_types: ["payment.succeeded"] })
    expect(await admin.changes()).toHaveLength(3)
    expect(before).toEqual([])
  })

  it("docs/decisions/25: the 17th of an environment is refused, in the admin's language, with the limit and the way out", async () => {
    await Promise.all(Array.from({ length: 16 }, () => create()))
    const refused = await create()
    expect([refused.status, refused.body.code]).toEqual([400, "INVALID_REQUEST"])
    expect(refused.body.message).toMatch(/^An environment has at most 16 webhook endpoints.* delete one/)
    const bangla = new Admin(store, { ...admin.headers, "Accept-Language": "bn" }, merchant.id)
    const { body } = await bangla.post("/webhooks", { endpoint_url: `${receiver.url}/hook`, event_types: ["*"] })
    expect(body.message).toMatch(/^ওয়েবহুকের এন্ডপয়েন্ট ১৬টি হয়ে গেছে.* মুছুন/)
    expect((await admin.get("/webhooks")).body.count).toBe(16)
  })

  it("a sample goes to an endpoint, signed as its deliveries are, and says how the receiver took it", async () => {
    const { body } = await create({ signature_format: "prefixed" })
    const sent = await admin.post("/test-deliveries", { event: "payment.succeeded", webhook_id: body.webhook.id })
    expect(sent.body.test_delivery).toMatchObject({ delivered: true, status_code: 200, url: `${receiver.url}/hook` })
    expect(receiver.at("/hook")[0].headers["x-webhook-signature"]).toMatch(/^sha256=[0-9a-f]{64}$/)
    receiver.answer = (response) => response.writeHead(503).end("busy")
    const failed = await admin.post("/test-deliveries", { event: "refund.completed", url: `${receiver.url}/any` })
    expect(failed.body.test_delivery).toMatchObject({ delivered: false, status_code: 503, response: "busy" })
    expect(await admin.post("/test-deliveries", { event: "refund.completed" })).toMatchObject({
      status: 422,
      body: { field: "webhook_id" },
    })
    expect(
      await admin
        .at(merchant.id, "production")
        .post("/test-deliveries", { event: "refund.completed", url: `${receiver.url}/any` })
    ).toMatchObject({
      status: 403,
      body: { code: "INVALID_ENVIRONMENT" },
    })
  })

  it("the IPN secret is shown and rotated", async () => {
    const { secret } = (await admin.get("/ipn-secret")).body.ipn_secret
    expect((await admin.get("/ipn-secret")).body.ipn_secret.secret).toBe(secret)
    const rotated = (await admin.post("/ipn-secret/rotate")).body.ipn_secret
    expect(rotated.secret).not.toBe(secret)
    expect(Date.parse(rotated.previous_secret_until ?? "")).toBeGreaterThan(Date.now())
  })
})

describe("events and deliveries", () => {
  /** A paid checkout with one endpoint and its own ipn_url; the endpoint fails. */
  async function deliver(listener: Receiver): Promise<string> {
    listener.answer = (response, { url }) => response.writeHead(url.startsWith("/hook") ? 500 : 200).end("no")
    await admin.post("/webhooks", { endpoint_url: `${listener.url}/hook`, event_types: ["*"] })
    const { session_id, transaction_id } = await merchant.open({ ipn_url: `${listener.url}/ipn` })
    await merchant.pay(session_id)
    await gatewayOf(store).webhookDispatch.drain(merchant.id)
    return transaction_id
  }

  it("are listed by what they are about, kind and status, and shown with bodies and attempts", async () => {
    const transaction_id = await deliver(receiver)
    const { events } = (await admin.get(`/events?q=${transaction_id}`)).body
    expect(events).toMatchObject([{ event_type: "payment.succeeded", resource_id: transaction_id }])
    expect((await admin.get(`/events/${events[0].id}`)).body.event.body).toMatchObject({
      event_id: events[0].id,
      data: { transaction_id },
    })
    expect((await admin.get("/events?event_type=refund.failed")).body).toMatchObject({
      events: [],
      count: 0,
      count_is_exact: true,
    })

    const about = await admin.get(`/deliveries?q=${transaction_id}`)
    expect(about.body.deliveries.map(({ kind, status, status_code }) => [kind, status, status_code]).sort()).toEqual([
      ["ipn", "delivered", 200],
      ["webhook", "pending", 500],
    ])
    expect((await admin.get("/deliveries?kind=ipn&status=delivered")).body.count).toBe(1)
    const [pending] = (await admin.get("/deliveries?status=pending")).body.deliveries
    const { delivery } = (await admin.get(`/deliveries/${pending.id}`)).body
    expect(delivery.log).toMatchObject([{ attempt: 1, status_code: 500, response: "no" }])
    expect(JSON.parse(receiver.at("/hook")[0].raw)).toEqual(delivery.body)
  })

  it("with a clock that is months ahead, every time is the merchant's clock's, and so are the filters by date", async () => {
    await clockTo(merchant, "2028-05-01T00:00:00Z")
    const transaction_id = await deliver(receiver)
    const paidAt = "2028-05-01T00:"
    const listed = (await admin.get(`/deliveries?q=${transaction_id}`)).body.deliveries
    const [retried] = listed.filter(({ status }) => status === "pending")
    const [ipn] = listed.filter(({ status }) => status === "delivered")
    for (const time of [retried.created_at, retried.next_attempt_at, ipn.created_at, ipn.delivered_at]) {
      expect(time).toContain(paidAt)
    }
    const { delivery } = (await admin.get(`/deliveries/${retried.id}`)).body
    expect([delivery.created_at, delivery.next_attempt_at]).toEqual([retried.created_at, retried.next_attempt_at])
    expect(String(delivery.log[0].attempted_at) > String(delivery.created_at)).toBe(true)
    expect((await admin.post(`/deliveries/${retried.id}/redeliver`)).body.delivery.next_attempt_at).toContain(paidAt)

    const { payment } = (await admin.get(`/payments/${transaction_id}`)).body
    const times = payment.timeline.flatMap(({ at, deliveries = [] }) => [
      at,
      ...deliveries.flatMap((one) => [one.created_at, one.next_attempt_at, one.delivered_at]),
    ])
    for (const time of [payment.created_at, ...times.filter((one) => one !== null)]) {
      expect(time).toContain(paidAt)
    }

    const later = "2028-06-15T00:00:00Z"
    await clockTo(merchant, later)
    const { plan } = (await admin.post("/plans", PLAN)).body
    const { subscription } = (
      await admin.post("/subscriptions", { customer: someone(), subscription_plan_id: plan.number })
    ).body
    const { invoice } = (await admin.post("/invoices", { subscription_id: subscription.id })).body
    const { transaction_id: second } = await merchant.open()
    const counts = async (query: string) =>
      Promise.all(
        ["deliveries", "events", "payments", "plans", "subscriptions", "invoices"].map(
          async (list) => (await admin.get(`/${list}?${query}`)).body.count
        )
      )
    const all = await counts("")
    const [before, after] = [await counts(`from=2028-04-30T23:59:00Z&to=${later}`), await counts(`from=${later}`)]
    expect(before.slice(0, 3)).toEqual([2, 1, 1])
    expect(after.slice(2)).toEqual([1, 1, 1, 1])
    expect(before.map((count, list) => count + after[list])).toEqual(all)
    expect(await counts("to=2028-04-30T00:00:00Z")).toEqual([0, 0, 0, 0, 0, 0])
    expect(ids((await admin.get(`/payments?from=${later}`)).body.payments)).toEqual([second])
    expect(
      (await admin.get(`/events?from=${later}`)).body.events.every(
        ({ occurred_at }) => String(occurred_at) >= "2028-06-15"
      )
    ).toBe(true)
    expect(ids((await admin.get(`/invoices?from=${later}`)).body.invoices)).toEqual([invoice.id])
  })

  it("are sent again one by one, or all that have failed", async () => {
    await deliver(receiver)
    const [pending] = (await admin.get("/deliveries?status=pending")).body.deliveries
    await store.db("gateway_webhook_delivery").where({ id: pending.id }).update({ state: "failed" })
    const since = new Date(Date.now() - 60_000).toISOString()
    expect((await admin.post("/deliveries/redeliver-failed", { since })).body.redelivered).toBe(1)
    expect((await admin.post("/deliveries/redeliver-failed", {})).body).toMatchObject({
      code: "MISSING_REQUIRED_FIELD",
      field: "since",
    })
    receiver.answer = (response) => response.writeHead(200).end()
    await gatewayOf(store).webhookDispatch.drain(merchant.id)
    expect((await admin.get(`/deliveries/${pending.id}`)).body.delivery).toMatchObject({
      status: "delivered",
      attempts: 2,
    })
    expect((await admin.post(`/deliveries/${pending.id}/redeliver`)).body.delivery).toMatchObject({ status: "pending" })
    expect((await admin.get("/audit?action=webhook_delivery.")).body.audit_entries.map(({ action }) => action)).toEqual(
      ["webhook_delivery.redelivered", "webhook_delivery.all_redelivered"]
    )
  })
})
