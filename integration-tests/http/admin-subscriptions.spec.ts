import { gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import { ADMIN, type Admin, prepareAdmin, ids, useAdminOf } from "../support/admin"
import { bankSays } from "../support/secrets"
import { useStore } from "../support/store"
import { clockTo, someone, Subscriber, PLAN } from "../support/subscriptions"

const store = useStore({ production: true, prepare: prepareAdmin })
const adminOf = useAdminOf(store)
let merchant: ApiMerchant
let admin: Admin

beforeEach(async () => {
  merchant = await newMerchant(store)
  admin = adminOf(merchant)
})

describe("subscriptions", () => {
  async function subscribed(changes: Record<string, unknown> = {}) {
    const { subscription } = (
      await admin.post("/subscriptions", {
        customer: someone(),
        amount: "500.00",
        interval_count: 1,
        interval_unit: "MONTH",
        ...changes,
      })
    ).body
    return { subscription, subscriber: new Subscriber(merchant, subscription.id) }
  }
  const kept = async ({ uuid }: Subscriber) => {
    const subscription = store.db("gateway_subscription").where({ uuid }).select("instrument_id")
    return store.db("gateway_instrument").whereIn("id", subscription).first()
  }
  /** How the kept card behaves from now on. */
  async function cardSays(subscriber: Subscriber, outcome: string): Promise<void> {
    await bankSays(store, [await kept(subscriber)], outcome)
  }
  async function pastDue(): Promise<Subscriber> {
    await clockTo(merchant, "2028-01-31T00:00:00Z")
    const { subscriber } = await subscribed()
    await subscriber.pay()
    await cardSays(subscriber, "CARD_DECLINED")
    await clockTo(merchant, "2028-02-29T12:00:00Z")
    expect(await subscriber.get()).toMatchObject({ status: "PAST_DUE", failed_payment_count: 1 })
    return subscriber
  }

  it("are made, paused, resumed, changed and cancelled here; the page shows it, and the audit log who did it", async () => {
    const { plan } = (await admin.post("/plans", PLAN)).body
    const customer = someone()
    const { subscription, subscriber } = await subscribed({ subscription_plan_id: plan.number, customer })
    expect(subscription).toMatchObject({
      status: "PENDING",
      plan: { number: plan.number, plan_name: "Tea club" },
      customer: { email: customer.email },
      source: "api",
    })
    await subscriber.pay()
    const [{ email }, taken] = [someone(), someone()]
    await subscribed({ customer: taken })
    const rename = (change: object) => admin.post(`/subscriptions/${subscription.id}/customer`, change)
    const renamed = { name: "Rahima Begum", email, phone: customer.phone }
    expect((await rename({ name: "Rahima Begum", email })).body.subscription.customer).toMatchObject(renamed)
    expect((await rename({ email: taken.email })).body).toMatchObject({ code: "CUSTOMER_EXISTS", field: "email" })
    expect((await subscriber.get()).customer).toMatchObject(renamed)
    expect((await admin.post(`/subscriptions/${subscription.id}/pause`)).body.subscription.status).toBe("PAUSED")
    expect(await admin.post(`/subscriptions/${subscription.id}/pause`)).toMatchObject({
      status: 409,
      body: { type: "conflict", code: "INVALID_STATE_TRANSITION" },
    })
    await subscriber.call("POST", "/resume")
    expect((await admin.post(`/subscriptions/${subscription.id}`, { amount: "600.00" })).body.subscription.amount).toBe(
      "600.00"
    )
    const cancelled = await admin.post(`/subscriptions/${subscription.number}/cancel`, {
      cancel_at_period_end: true,
      cancellation_reason: "moved away",
    })
    expect(cancelled.body.subscription).toMatchObject({ status: "CANCELLED", cancel_at_period_end: true })
    const page = (await admin.get(`/subscriptions/${subscription.id}`)).body.subscription
    expect(page).toMatchObject({
      status: "CANCELLED",
      cancellation_reason: "moved away",
      payment_under_way: false,
      billing_cycle_count: 1,
      instrument: { method: "card", last_four: "4242" },
    })
    expect(JSON.stringify(page)).not.toContain((await kept(subscriber)).token)
    expect((page.events as { event_type: string }[]).map(({ event_type }) => event_type)[0]).toBe(
      "subscription.cancelled"
    )
    const history = (await admin.get(`/subscriptions/${subscription.id}/billing-history`)).body
    expect(history).toMatchObject({ count: 1, billing_records: [{ period: 1, status: "SUCCESS", amount: "500.00" }] })
    const changes = await admin.changes(subscription.id)
    expect(changes.map(({ action, actor }) => `${action} ${actor.type}`)).toEqual([
      "subscription.cancelled user",
      "subscription.updated user",
      "subscription.resumed merchant_key",
      "subscription.paused user",
      "subscription.created user",
    ])
    expect(changes[1].changes).toEqual({ amount_minor: { from: 50_000, to: 60_000 } })
    expect(changes[0].changes).toMatchObject({
      status: { from: "ACTIVE", to: "CANCELLED" },
      cancellation_reason: { from: null, to: "moved away" },
    })
  })

  it("decisions: Quantity: seats are sold and changed here, and the list, the file and the audit log have them", async () => {
    const { plan } = (await admin.post("/plans", PLAN)).body
    const { subscription, subscriber } = await subscribed({
      subscription_plan_id: plan.number,
      amount: undefined,
      quantity: 3,
    })
    expect(subscription).toMatchObject({ amount: "1500.00", quantity: 3, unit_amount: "500.00" })
    await subscriber.pay()
    const path = `/subscriptions/${subscription.id}`
    const { preview } = (await admin.get(`${path}/change?quantity=5`)).body as unknown as {
      preview: { amount_due: string }
    }
    expect(preview).toMatchObject({ amount_due: "1000.00", new_terms: { quantity: 5, unit_amount: "500.00" } })
    expect((await admin.get(`${path}/change?quantity=many`)).status).toBe(422)
    const wanted = { quantity: 5, when: "now", amount_due: preview.amount_due }
    expect((await admin.post(`${path}/change`, wanted)).body.subscription).toMatchObject({
      amount: "2500.00",
      quantity: 5,
    })
    await admin.post(`${path}/change`, { quantity: 4, when: "period_end" })
    expect((await admin.get(path)).body.subscription).toMatchObject({
      quantity: 5,
      unit_amount: "500.00",
      scheduled_change: { quantity: 4, amount: "2000.00" },
    })
    const [row] = (await admin.get(`/subscriptions?q=${subscription.id}`)).body.subscriptions
    expect(row).toMatchObject({ quantity: 5, unit_amount: "500.00" })
    const [scheduled, changed] = await admin.changes(subscription.id)
    expect(scheduled.changes).toMatchObject({ scheduled_quantity: { to: 4 } })
    expect(changed.changes).toMatchObject({
      quantity: { from: 3, to: 5 },
      amount_minor: { from: 150_000, to: 250_000 },
    })
  })

  it("docs/decisions/11: a cancellation at the period's end is undone until then, by an admin too", async () => {
    const { subscription, subscriber } = await subscribed({ customer: someone() })
    await subscriber.pay()
    const shown = async () => (await admin.get(`/subscriptions/${subscription.id}`)).body.subscription
    expect(await shown()).toMatchObject({
      may_uncancel: false,
      cancellation_reasons: expect.arrayContaining(["too_expensive", "other"]),
    })
    const why = { cancellation_reason: "too_expensive", cancellation_note: "Back in spring" }
    await admin.post(`/subscriptions/${subscription.id}/cancel`, { cancel_at_period_end: true, ...why })
    expect(await shown()).toMatchObject({ status: "CANCELLED", may_uncancel: true, ...why })
    const undone = await admin.post(`/subscriptions/${subscription.id}/uncancel`)
    expect(undone.body.subscription).toMatchObject({ status: "ACTIVE", cancel_at_period_end: false })
    const [entry] = await admin.changes(subscription.id)
    expect([entry.action, entry.changes]).toEqual([
      "subscription.uncancelled",
      expect.objectContaining({ cancellation_note: { from: "Back in spring", to: null } }),
    ])
    await admin.post(`/subscriptions/${subscription.id}/cancel`)
    expect((await admin.post(`/subscriptions/${subscription.id}/uncancel`)).body.code).toBe("INVALID_STATE_TRANSITION")
  })

  it("are found by the beginning of the customer's e-mail address, by id, status, plan and date", async () => {
    const { plan } = (await admin.post("/plans", PLAN)).body
    const first = await subscribed({
      subscription_plan_id: plan.number,
      customer: { name: "Nasrin", email: "Nasrin@example.com" },
    })
    const second = await subscribed({ customer: { name: "Babul", email: "babul@example.com" } })
    const found = async (query: string) => ids((await admin.get(`/subscriptions?${query}`)).body.subscriptions)
    expect(await found("")).toEqual([second.subscription.id, first.subscription.id])
    expect(await found("order=created_at")).toEqual([first.subscription.id, second.subscription.id])
    expect(await found("q=nasRIN@ex")).toEqual([first.subscription.id])
    expect(await found(`q=${second.subscription.number}`)).toEqual([second.subscription.id])
    expect(await found(`q=${second.subscription.id}`)).toEqual([second.subscription.id])
    expect(await found("status=ACTIVE,PAUSED")).toEqual([])
    expect(await found(`plan_id=${plan.id}`)).toEqual([first.subscription.id])
    expect(await found("plan_id=nothing")).toEqual([])
    expect(await found("from=2001-01-01T00:00:00Z&status=PENDING&limit=1")).toEqual([second.subscription.id])
    expect(await found("to=2001-01-01T00:00:00Z")).toEqual([])
  })

  it("while the merchant may not take payments, its past due payments are not tried again", async () => {
    const subscriber = await pastDue()
    const retry = async () => {
      const { status, body } = await admin.post(`/subscriptions/${subscriber.uuid}/retry`, { attempts: 1 })
      return [status, body.code]
    }
    await gatewayOf(store).merchants.update(merchant.id, { status: "suspended" })
    expect(await retry()).toEqual([403, "MERCHANT_SUSPENDED"])
    await gatewayOf(store).merchants.update(merchant.id, { status: "active" })
    await gatewayOf(store).merchants.configure(
      { merchant_id: merchant.id, environment: "sandbox" },
      { services: ["checkout"] }
    )
    expect(await retry()).toEqual([403, "SERVICE_NOT_ENABLED"])
    await gatewayOf(store).merchants.configure(
      { merchant_id: merchant.id, environment: "sandbox" },
      { services: ["subscriptions"] }
    )
    expect((await admin.get(`/subscriptions/${subscriber.uuid}`)).body.subscription).toMatchObject({
      attempts: 1,
      status: "PAST_DUE",
    })
    expect(await retry()).toEqual([200, undefined])
  })

  it("a past due payment is tried again: a decline leaves the schedule of retries as it was", async () => {
    const subscriber = await pastDue()
    const before = (await admin.get(`/subscriptions/${subscriber.uuid}`)).body.subscription
    expect(before).toMatchObject({
      attempts: 1,
      error_code: "CARD_DECLINED",
      amount_due: "500.00",
      retry_at: expect.stringMatching(/^2028-03-01T00:00/),
    })
    const declined = await admin.post(`/subscriptions/${subscriber.uuid}/retry`, { attempts: 1 })
    expect(declined.body).toMatchObject({
      outcome: "declined",
      error_code: "CARD_DECLINED",
      subscription: { status: "PAST_DUE", failed_payment_count: 1 },
    })
    const after = (await admin.get(`/subscriptions/${subscriber.uuid}`)).body.subscription
    expect(after).toMatchObject({ attempts: 2, retry_at: before.retry_at, payment_under_way: false })
    const stale = await admin.post(`/subscriptions/${subscriber.uuid}/retry`, { attempts: 1 })
    expect([stale.status, stale.body.code, stale.body.message]).toEqual([
      409,
      "INVALID_STATE_TRANSITION",
      expect.stringContaining("tries so far: 2, not 1"),
    ])
    expect(await admin.post(`/subscriptions/${subscriber.uuid}/retry`)).toMatchObject({
      status: 422,
      body: { field: "attempts" },
    })
    expect((await subscriber.events()).slice(-2)).toEqual(["payment_failed", "payment_failed"])
    await clockTo(merchant, "2028-03-01T00:10:00Z")
    expect(await subscriber.get()).toMatchObject({ status: "PAST_DUE", failed_payment_count: 2 })
    expect((await admin.changes(subscriber.uuid))[0]).toMatchObject({
      action: "subscription.payment_retried",
      actor: { name: ADMIN.email },
      changes: { amount_minor: { from: null, to: 50_000 }, attempt: { from: null, to: 2 } },
    })
  })

  it("clicked many times at once, beside the worker and a customer who pays: charged once", async () => {
    const subscriber = await pastDue()
    await cardSays(subscriber, "SUCCESS")
    const clicks = Array.from({ length: 5 }, () =>
      admin.post(`/subscriptions/${subscriber.uuid}/retry`, { attempts: 1 })
    )
    const [answers] = await Promise.all([
      Promise.all(clicks),
      gatewayOf(store).billing.run(50),
      clockTo(merchant, "2028-03-01T00:10:00Z"),
    ])
    const paid = answers.filter(({ status }) => status === 200)
    expect(paid.map(({ body }) => body.outcome)).toEqual(Array.from(paid, () => "paid"))
    expect(paid.length).toBeLessThanOrEqual(1)
    expect(
      answers.filter(({ status, body }) => status === 409 && body.code === "INVALID_STATE_TRANSITION")
    ).toHaveLength(5 - paid.length)
    expect(await subscriber.get()).toMatchObject({ status: "ACTIVE", billing_cycle_count: 2, failed_payment_count: 0 })
    expect(await subscriber.charges()).toHaveLength(2)
    expect((await admin.post(`/subscriptions/${subscriber.uuid}/retry`, { attempts: 1 })).body.message).toContain(
      "subscription is ACTIVE"
    )
  })

  it("what an admin's retry began when its process died, a worker ends, with the same charge", async () => {
    const subscriber = await pastDue()
    await cardSays(subscriber, "SUCCESS")
    const due = new Date("2028-02-29T12:00:00Z")
    const lease = { lock_token: "a-process-that-died", locked_until: new Date(Date.now() - 1_000), due_at: due }
    await store.db("gateway_subscription").where({ uuid: subscriber.uuid }).update(lease)
    while (
      (await gatewayOf(store).billing.run(50, { merchant_id: merchant.id, until: new Date(due.getTime() + 60_000) })) >
      0
    );
    expect(await subscriber.get()).toMatchObject({ status: "ACTIVE", billing_cycle_count: 2 })
    expect(await subscriber.charges()).toHaveLength(2)
  })
})
