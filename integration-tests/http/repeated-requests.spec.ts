import { randomUUID } from "node:crypto"
import { brief, gatewayOf, newMerchant, type Answer, type ApiMerchant } from "../support/api"
import { blocked, holding } from "../support/locks"
import { useStore } from "../support/store"
import { MONTHLY, PLAN, PLANS, someone, Subscriber, SUBSCRIPTIONS, subscriptionOf } from "../support/subscriptions"

/*
 * docs/decisions/02: an answer can be lost after the work is committed: the process ends, or the database is away when
 * the answer is to be stored. The same request with the same Idempotency-Key then finds the work that it has done.
 */

const store = useStore({ production: true })

const WEBHOOKS = "/merchants/webhooks"
const ENDPOINT = { endpoint_url: "https://shop.example.com/hook", event_types: ["*"] }

const keyed = (key: string) => ({ headers: { "Idempotency-Key": key } })
const dataOf = <T>({ body }: Answer) => body.data as unknown as T
const keyRow = (key: string) => store.db("gateway_idempotency_key").where({ key })
/** As a process leaves its key that ended before it stored the answer, after the lease. */
const lose = (key: string) => keyRow(key).update({ status: null, body: null, leased_until: new Date(0) })
const audited = (owner: ApiMerchant, action: string) =>
  store.db("gateway_audit_entry").where({ merchant_id: owner.id, action })

/** The answer that was lost, and the one to the same request afterwards, which ran again. */
async function lostAndRepeated(owner: ApiMerchant, path: string, body?: unknown): Promise<[Answer, Answer]> {
  const key = randomUUID()
  const ask = () => owner.call("POST", path, body, keyed(key))
  const lost = await ask()
  expect(lost.status).toBeLessThan(300)
  await lose(key)
  const repeated = await ask()
  expect(repeated.headers.get("idempotent-replayed")).toBeNull()
  return [lost, repeated]
}

describe("docs/decisions/02: work that a request finds done under its key's record is answered, not refused", () => {
  /** What is done to a thing of its own: where, and the one entry that the audit log has of it. */
  const operations: [name: string, prepare: (owner: ApiMerchant) => Promise<string>, action: string][] = [
    ["registering an endpoint", async () => WEBHOOKS, "webhook_endpoint.created"],
    [
      "rotating an endpoint's secret",
      async (owner) =>
        `${WEBHOOKS}/${dataOf<{ id: number }>(await owner.call("POST", WEBHOOKS, ENDPOINT)).id}/rotate-secret`,
      "webhook_endpoint.secret_rotated",
    ],
    ["rotating the IPN secret", async () => "/merchants/ipn-secret/rotate", "ipn_secret.rotated"],
    [
      "pausing a subscription",
      async (owner) => `${SUBSCRIPTIONS}/${(await active(owner)).uuid}/pause`,
      "subscription.paused",
    ],
    [
      "resuming a subscription",
      async (owner) => {
        const subscriber = await active(owner)
        await subscriber.call("POST", "/pause")
        return `${SUBSCRIPTIONS}/${subscriber.uuid}/resume`
      },
      "subscription.resumed",
    ],
    [
      "cancelling a subscription",
      async (owner) => `${SUBSCRIPTIONS}/${(await active(owner)).uuid}/cancel`,
      "subscription.cancelled",
    ],
    [
      "undoing a cancellation",
      async (owner) => {
        const subscriber = await active(owner)
        await subscriber.call("POST", "/cancel", { cancel_at_period_end: true })
        return `${SUBSCRIPTIONS}/${subscriber.uuid}/uncancel`
      },
      "subscription.uncancelled",
    ],
    [
      "cancelling a refund",
      async (owner) => `/payments/refund/${await pendingRefund(owner)}/cancel`,
      "refund.cancelled",
    ],
    [
      "voiding an invoice",
      async (owner) => {
        const { uuid } = await (
          await active(owner)
        )
          .call("POST", "/generate-invoice")
          .then(({ body }) => body as unknown as { uuid: string })
        return `/payments/invoices/${uuid}/void`
      },
      "invoice.voided",
    ],
    [
      "disabling a payment link",
      async (owner) => {
        const link = await owner.call("POST", "/payments/links", { amount: "100.00", description: "Tea" })
        return `/payments/links/${dataOf<{ link_id: string }>(link).link_id}/disable`
      },
      "payment_link.disabled",
    ],
  ]

  it.each(operations)("%s", async (_name, prepare, action) => {
    const owner = await newMerchant(store)
    const path = await prepare(owner)
    const [lost, repeated] = await lostAndRepeated(owner, path, path === WEBHOOKS ? ENDPOINT : undefined)
    expect([repeated.status, repeated.body]).toEqual([lost.status, lost.body])
    expect(await audited(owner, action)).toHaveLength(1)
    const again = await owner.call("POST", path, path === WEBHOOKS ? ENDPOINT : undefined, keyed(randomUUID()))
    // A new request to undo a cancellation finds nothing to undo, and is answered alike (docs/decisions/11).
    expect(again.text === lost.text).toBe(action === "subscription.uncancelled")
  })

  it("what was changed again meanwhile stays as it is by now", async () => {
    const owner = await newMerchant(store)
    const subscriber = await active(owner)
    const key = randomUUID()
    const pause = () => subscriber.call("POST", "/pause", undefined, keyed(key))
    await pause()
    await subscriber.call("POST", "/resume")
    await lose(key)
    expect(subscriptionOf(await pause()).status).toBe("ACTIVE")
    expect((await subscriber.events()).filter((type) => type === "paused")).toHaveLength(1)
  })

  it("a charge whose worker died meanwhile is left to the workers, as by any other look at the subscription", async () => {
    const owner = await newMerchant(store)
    const subscriber = await active(owner)
    await subscriber.call("POST", "/pause")
    const key = randomUUID()
    const resume = () => subscriber.call("POST", "/resume", undefined, keyed(key))
    await resume()
    const { subscription_id, remove } = await dieCharging(subscriber)
    await lose(key)
    expect(subscriptionOf(await resume()).status).toBe("ACTIVE")
    expect(await store.db("gateway_checkout_session").where({ subscription_id })).toHaveLength(1)
    await remove()
  })

  it("undoing a cancellation that is not there leaves a dead worker's charge to the reconciler, once", async () => {
    const subscriber = await active(await newMerchant(store))
    const { subscription_id } = await dieCharging(subscriber)
    for (const request of ["first", "second"]) {
      expect([request, subscriptionOf(await subscriber.call("POST", "/uncancel")).status]).toEqual([request, "ACTIVE"])
      const sessions = await store.db("gateway_checkout_session").where({ subscription_id })
      const row = await store.db("gateway_subscription").where({ id: subscription_id }).first()
      expect([sessions.length, row.lock_token, row.awaiting_transaction_id === null]).toEqual([2, null, false])
    }
  })

  it("an endpoint that was rotated meanwhile answers with the secret that it has, one that was deleted with 404", async () => {
    const owner = await newMerchant(store)
    const key = randomUUID()
    const create = () => owner.call("POST", WEBHOOKS, ENDPOINT, keyed(key))
    const { id } = dataOf<{ id: number }>(await create())
    const { secret } = dataOf<{ secret: string }>(await owner.call("POST", `${WEBHOOKS}/${id}/rotate-secret`))
    await lose(key)
    expect(dataOf(await create())).toMatchObject({ id, secret })
    await owner.call("DELETE", `${WEBHOOKS}/${id}`)
    await lose(key)
    expect(brief(await create())).toBe("404 WEBHOOK_NOT_FOUND")
  })

  it("the sandbox clock has moved on by more than a day: a partial refund is not made twice", async () => {
    const owner = await newMerchant(store)
    const { session_id, transaction_id } = await owner.open()
    await owner.pay(session_id)
    const key = randomUUID()
    const body = { transaction_id, refund_amount: "10.00", refund_reason: "Broken" }
    const ask = () => owner.call("POST", "/payments/refund", body, keyed(key))
    const lost = dataOf<{ refund_id: string }>(await ask())
    // Its process ended, and the lease is over since a moment ago.
    await keyRow(key).update({ status: null, body: null, leased_until: new Date(Date.now() - 1_000) })
    await owner.advance(90_000)
    await gatewayOf(store).idempotency.purge()
    expect(dataOf(await ask())).toMatchObject({ refund_id: lost.refund_id })
    expect(await store.db("gateway_refund").where({ transaction_id })).toHaveLength(1)
    const other = await owner.call("POST", "/payments/refund", { ...body, refund_amount: "11.00" }, keyed(key))
    expect(brief(other)).toBe("422 IDEMPOTENCY_KEY_REUSED Idempotency-Key")
    await keyRow(key).update({ status: null, body: null, leased_until: new Date(0), expires_at: new Date(0) })
    expect(await gatewayOf(store).idempotency.purge()).toBeGreaterThanOrEqual(1)
    expect(await keyRow(key)).toEqual([])
  })

  it("a subscription whose plan was archived meanwhile", async () => {
    const owner = await newMerchant(store)
    const { id } = (await owner.call("POST", PLANS, PLAN)).body as unknown as { id: number }
    const key = randomUUID()
    const body = { subscription_plan_id: id, customer: someone() }
    const create = () => owner.call("POST", SUBSCRIPTIONS, body, keyed(key))
    const lost = await create()
    await owner.call("DELETE", `${PLANS}/${id}`)
    await lose(key)
    const repeated = await create()
    expect([repeated.status, repeated.body]).toEqual([201, lost.body])
    expect(brief(await owner.call("POST", SUBSCRIPTIONS, body))).toBe("409 PLAN_INACTIVE subscription_plan_id")
  })
})

describe("docs/decisions/02: a process that still runs when another has taken its key over", () => {
  /** Both wait for the row: the second took over the key of the first, whose lease had ended. */
  async function both(owner: ApiMerchant, row: [table: string, id: string], path: string, body?: unknown) {
    const key = randomUUID()
    const ask = () => owner.call("POST", path, body, keyed(key))
    const running = await holding(store, ...row, async () => {
      const first = ask()
      await blocked(store, 1)
      await keyRow(key).update({ leased_until: new Date(0) })
      const second = ask()
      await blocked(store, 2)
      return [first, second]
    })
    return Promise.all(running)
  }

  it("one endpoint is registered, and both answer with it", async () => {
    const owner = await newMerchant(store)
    const { id } = await store
      .db("gateway_merchant_environment")
      .where({ merchant_id: owner.id, environment: "sandbox" })
      .first()
    const [first, second] = await both(owner, ["gateway_merchant_environment", id], WEBHOOKS, ENDPOINT)
    expect([first.status, second.text]).toEqual([201, first.text])
    expect((await owner.call("GET", WEBHOOKS)).body.meta.total).toBe(1)
  })

  it("a subscription is cancelled once, and both answer with it", async () => {
    const owner = await newMerchant(store)
    const subscriber = await active(owner)
    const { id } = await store.db("gateway_subscription").where({ uuid: subscriber.uuid }).first()
    const path = `${SUBSCRIPTIONS}/${subscriber.uuid}/cancel`
    const [first, second] = await both(owner, ["gateway_subscription", id], path)
    expect([first.status, second.status, second.body]).toEqual([200, 200, first.body])
    expect((await subscriber.events()).filter((type) => type === "cancelled")).toHaveLength(1)
  })
})

async function active(owner: ApiMerchant): Promise<Subscriber> {
  const subscriber = await Subscriber.create(owner, MONTHLY)
  await subscriber.pay()
  return subscriber
}

/** Its second period is being charged by a worker that has died; `remove` makes it undone. */
async function dieCharging({ uuid }: Subscriber): Promise<{ subscription_id: string; remove: () => Promise<void> }> {
  const { id: subscription_id } = await store.db("gateway_subscription").where({ uuid }).first("id")
  const records = store.db("gateway_billing_record")
  const first = await records.clone().where({ subscription_id }).first()
  const next = { id: `${first.id}_2`, uuid: randomUUID(), period: 2, status: "PROCESSING" }
  await records.clone().insert({ ...first, ...next, transaction_id: null, session_id: null, charge_references: "{}" })
  const lease = (fields: object) => store.db("gateway_subscription").where({ id: subscription_id }).update(fields)
  await lease({ lock_token: "died", locked_until: new Date(0) })
  const remove = async () => {
    await records.clone().where({ id: next.id }).delete()
    await lease({ lock_token: null, locked_until: null })
  }
  return { subscription_id, remove }
}

/** It waits for an admin's approval. */
async function pendingRefund(owner: ApiMerchant): Promise<string> {
  const tenant = { merchant_id: owner.id, environment: "sandbox" as const }
  await gatewayOf(store).merchants.configure(tenant, { refund_approval_threshold_minor: 100 })
  const { session_id, transaction_id } = await owner.open()
  await owner.pay(session_id)
  const refund = await owner.call("POST", "/payments/refund", { transaction_id, refund_reason: "Broken" })
  expect(dataOf(refund)).toMatchObject({ refund_status: "pending" })
  return dataOf<{ refund_id: string }>(refund).refund_id
}
