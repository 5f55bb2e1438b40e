import { Database } from "../../src/modules/gateway/kernel/database/database"
import type { Cradle } from "../../src/modules/gateway/kernel/types"
import type { Refused, Trouble } from "../../src/modules/gateway/acquirers/port"
import { ClockService } from "../../src/modules/gateway/worker/sandbox-clock"
import { done, kept, refused, ScriptedAcquirer, servicesWith, unknown, type Moved } from "../support/acquirer"
import { brief, gatewayOf, type ApiMerchant } from "../support/api"
import {
  dueSubscriptionsOf,
  onlyOf,
  runUntilDone,
  scripted,
  statuses,
  stopCharges,
  type Services,
} from "../support/due-subscriptions"
import { expectLoggedErrors } from "../support/logged-errors"
import { DAY, type Subscriber } from "../support/subscriptions"
import { useStore } from "../support/store"

expectLoggedErrors(
  /cannot be charged: (The acquirer scripted is not configured|.* is encrypted with the key "lost"|Busy)/
)

const store = useStore({ production: true })
const { clockOnly, dueWith, rowOf, endLeases } = dueSubscriptionsOf(store)

/** A run of a deployment that no longer has the account that the cards are kept at. */
async function runWithoutAccount(merchant: ApiMerchant, until = onlyOf(merchant).until): Promise<void> {
  const another = new ScriptedAcquirer("inline", [kept], undefined, undefined, "another")
  await servicesWith(store, "sandbox", another).billing.run(50, { merchant_id: merchant.id, until })
}

/** A run of a process that is about to end. */
const runWhileStopping = (merchant: ApiMerchant, { billing }: Services) =>
  billing.run(50, onlyOf(merchant), AbortSignal.abort())

/** A subscription whose charge the acquirer has, while the worker that sent it is gone; `bury` lets that worker end. */
async function withDeadWorker(acquirer: ScriptedAcquirer) {
  const {
    merchant,
    services,
    subscribers: [subscriber],
  } = await dueWith(acquirer, 1)
  const stuck = stopCharges(acquirer)
  const dead = services.billing.run(50, onlyOf(merchant))
  await stuck.begun
  await endLeases()
  const bury = async () => {
    stuck.open()
    await dead
  }
  return { merchant, services, subscriber, bury }
}

type ClockServices = ConstructorParameters<typeof ClockService>[0]

/** The clock of a process whose charges go to a test's acquirer. */
function clockOf({ billing }: Services): ClockService {
  const gateway = gatewayOf(store)
  const cradle: Omit<ClockServices, Exclude<keyof Cradle, "database">> = {
    database: new Database(store.db),
    sessionExpiryService: gateway.sessionExpiry,
    reconciliationService: gateway.reconciliation,
    refundBatchService: gateway.refundBatches,
    refundReconciliationService: gateway.refundReconciliation,
    releaseService: gateway.releases,
    disputeDeadlineService: gateway.disputeDeadlines,
    invoiceMailService: gateway.invoiceMails,
    receiptService: gateway.receipts,
    cancellationMailService: gateway.cancellationMails,
    webhookDispatchService: gateway.webhookDispatch,
    billingService: billing,
    storeRenewalService: billing.renewals,
  }
  return new ClockService(cradle as ClockServices)
}

/** Asks the acquirer what became of payments that are open; no call of theirs is under way any more. */
async function reconcile({ id: merchant_id }: ApiMerchant, { reconciliation }: Services): Promise<void> {
  await store
    .db("gateway_payment_attempt")
    .where({ merchant_id, state: "STARTED" })
    .update({ started_at: new Date(0) })
  const until = await reconciliation.nextDue(merchant_id)
  if (until !== null) {
    await reconciliation.run(10, { merchant_id, until })
  }
}

const recordOf = async (subscriber: Subscriber) =>
  store
    .db("gateway_billing_record")
    .where({ subscription_id: (await rowOf(subscriber)).id, period: 2 })
    .first("status", "attempts", "error_code")

const onceFree = (subscriber: Subscriber) =>
  store.db("gateway_subscription").where({ uuid: subscriber.uuid }).update({ locked_until: null })

/** Not the card's fault: nothing was sent. */
const busy = (trouble: Trouble) => (): Refused => ({ ...refused("NETWORK_ERROR"), message: "Busy", trouble })

type Between = (merchant: ApiMerchant, services: Services) => Promise<unknown>
const BETWEEN: [string, Between][] = [
  ["at once", () => Promise.resolve()],
  ["after a run without the acquirer's account", (merchant) => runWithoutAccount(merchant)],
  ["after a run that was asked to stop", runWhileStopping],
]
const OUTCOMES: [string, () => Moved | { result: "absent" }, string][] = [
  ["it had been charged", done, "SUCCESS"],
  ["it had never been charged", () => ({ result: "absent" }), "FAILED"],
]

describe("design: killing a worker loses nothing and doubles nothing — the subscription changes before another one takes over", () => {
  it.each(BETWEEN.flatMap(([when, between]) => OUTCOMES.map((outcome) => [when, ...outcome, between] as const)))(
    "it is cancelled, %s: no charge; %s",
    async (_when, _name, answer, status, between) => {
      const acquirer = new ScriptedAcquirer("inline", [kept], [answer])
      const { merchant, services, subscriber, bury } = await withDeadWorker(acquirer)
      await between(merchant, services)
      expect((await subscriber.call("POST", "/cancel")).status).toBe(200)
      await services.billing.run(50, onlyOf(merchant))
      await bury()
      expect([await subscriber.status(), await statuses(subscriber)]).toEqual(["CANCELLED", ["SUCCESS", "PROCESSING"]])
      await reconcile(merchant, services)
      await services.billing.run(50, { merchant_id: merchant.id, until: new Date("2028-03-01T00:00:00Z") })
      expect([await subscriber.status(), await statuses(subscriber)]).toEqual(["EXPIRED", ["SUCCESS", status]])
      expect(acquirer.charged).toHaveLength(1)
    }
  )

  it.each(BETWEEN)(
    "its customer changes the payment method, %s: refused until the charge is settled, under one key and with one card",
    async (_when, between) => {
      const acquirer = new ScriptedAcquirer("inline", [kept], [done])
      const { merchant, services, subscriber, bury } = await withDeadWorker(acquirer)
      await between(merchant, services)
      const scope = { merchant_id: merchant.id, environment: "sandbox", now: new Date("2028-02-29T12:00:00Z") } as const
      const { session_id } = await gatewayOf(store).methodChanges.open(
        scope,
        subscriber.uuid,
        {},
        { publicUrl: store.url }
      )
      const change = () => merchant.pay(session_id, { payment_method: "card", card_number: "5555555555554444" })
      expect(brief(await change())).toBe("409 INVALID_STATE_TRANSITION")
      acquirer.onCharge = done
      await runUntilDone(services, merchant)
      await bury()
      await reconcile(merchant, services)
      expect(await statuses(subscriber)).toEqual(["SUCCESS", "SUCCESS"])
      expect((await change()).status).toBe(200)
      expect(new Set(acquirer.charged.map(({ key, token }) => `${key} ${token}`)).size).toBe(1)
    }
  )

  it("an acquirer that no longer charges cards is asked what became of the charge", async () => {
    const acquirer = new ScriptedAcquirer("inline", [kept], [done])
    const { merchant, services, subscriber, bury } = await withDeadWorker(acquirer)
    const another = Object.assign(new ScriptedAcquirer("inline", [kept]), { charge: undefined })
    await runUntilDone(servicesWith(store, "sandbox", another), merchant)
    await bury()
    expect([await subscriber.status(), await statuses(subscriber)]).toEqual(["ACTIVE", ["SUCCESS", "PROCESSING"]])
    await reconcile(merchant, services)
    expect(await statuses(subscriber)).toEqual(["SUCCESS", "SUCCESS"])
    expect(acquirer.charged).toHaveLength(1)
  })

  it("what stops the repetition of a charge says nothing about that charge: the acquirer is asked", async () => {
    const acquirer = new ScriptedAcquirer("inline", [kept], [done])
    const { merchant, services, subscriber, bury } = await withDeadWorker(acquirer)
    acquirer.onCharge = busy("credentials")
    await runUntilDone(services, merchant)
    await bury()
    expect([await subscriber.status(), await statuses(subscriber)]).toEqual(["ACTIVE", ["SUCCESS", "PROCESSING"]])
    await reconcile(merchant, services)
    expect(await statuses(subscriber)).toEqual(["SUCCESS", "SUCCESS"])
    expect(new Set(acquirer.charged.map(({ key }) => key)).size).toBe(1)
  })
})

describe("design: killing a worker loses nothing and doubles nothing — it dies while it moves a sandbox's clock", () => {
  it("the next worker charges all that it had begun, although nobody moves the clock again", async () => {
    const acquirer = scripted()
    const { merchant, services, subscribers } = await dueWith(acquirer, 2)
    const { id, due_at } = await rowOf(subscribers[1])
    const later = new Date(due_at.getTime() + 6 * 3_600_000)
    await store.db("gateway_subscription").where({ id }).update({ due_at: later, current_period_end: later })
    await clockOnly(merchant, "2028-02-28T00:00:00Z")
    const stuck = stopCharges(acquirer)
    const tenant = { merchant_id: merchant.id, environment: "sandbox", actor: { type: "user", id: "tests" } } as const
    const dead = clockOf(services).move(tenant, { now: onlyOf(merchant).until })
    await stuck.begun
    acquirer.onCharge = done
    await endLeases()
    while ((await services.billing.run(50)) > 0);
    const states = await Promise.all(subscribers.map(statuses))
    stuck.open()
    await dead
    expect(states).toEqual([
      ["SUCCESS", "SUCCESS"],
      ["SUCCESS", "SUCCESS"],
    ])
    expect(new Set(acquirer.charged.map(({ key }) => key)).size).toBe(2)
  })
})

describe("docs/decisions/11 — what cannot be charged for now is not reserved", () => {
  const REASONS: [string, (subscriber: Subscriber, merchant: ApiMerchant, services: Services) => Promise<unknown>][] = [
    ["the acquirer's account is gone", (_subscriber, merchant) => runWithoutAccount(merchant)],
    [
      "its token cannot be decrypted",
      async (subscriber, merchant, services) => {
        const { instrument_id: id } = await rowOf(subscriber)
        await store.db("gateway_instrument").where({ id }).update({ token: "enc:v1:lost:AAAA" })
        await runUntilDone(services, merchant)
      },
    ],
  ]

  it.each(REASONS)("%s: its customer can pay the period", async (_name, run) => {
    const acquirer = scripted()
    const {
      merchant,
      services,
      subscribers: [subscriber],
    } = await dueWith(acquirer, 1)
    await run(subscriber, merchant, services)
    expect(await statuses(subscriber)).toEqual(["SUCCESS"])
    expect((await merchant.pay((await subscriber.checkout()).session_id)).body.data.status).toBe("SUCCESS")
    expect([await subscriber.status(), await statuses(subscriber)]).toEqual(["ACTIVE", ["SUCCESS", "SUCCESS"]])
    expect(acquirer.charged).toEqual([])
  })

  it("a retry of a past due payment neither: the failure stays as it is, and its customer can pay", async () => {
    const acquirer = scripted()
    const {
      merchant,
      services,
      subscribers: [subscriber],
    } = await dueWith(acquirer, 1)
    acquirer.onCharge = () => refused()
    await runUntilDone(services, merchant)
    const retryAt = "2028-03-02T00:00:00Z"
    await clockOnly(merchant, retryAt)
    await runWithoutAccount(merchant, new Date(retryAt))
    expect(await subscriber.get()).toMatchObject({ status: "PAST_DUE", failed_payment_count: 1 })
    expect(await recordOf(subscriber)).toEqual({ status: "FAILED", attempts: 1, error_code: "CARD_DECLINED" })
    expect((await merchant.pay((await subscriber.checkout()).session_id)).body.data.status).toBe("SUCCESS")
    expect([await subscriber.status(), await statuses(subscriber)]).toEqual(["ACTIVE", ["SUCCESS", "SUCCESS"]])
  })

  it("a process that is about to end gives back what it has not begun: it is paid by its customer, or charged once", async () => {
    const acquirer = scripted()
    const { merchant, services, subscribers } = await dueWith(acquirer, 2)
    await runWhileStopping(merchant, services)
    const [paid, charged] = subscribers
    expect([acquirer.charged, await recordOf(paid), (await rowOf(paid)).lock_token]).toEqual([
      [],
      { status: "PENDING", attempts: 0, error_code: null },
      null,
    ])
    expect((await merchant.pay((await paid.checkout()).session_id)).body.data.status).toBe("SUCCESS")
    await runUntilDone(services, merchant)
    expect(await Promise.all([paid, charged].map(statuses))).toEqual([
      ["SUCCESS", "SUCCESS"],
      ["SUCCESS", "SUCCESS"],
    ])
    expect([acquirer.charged.length, (await recordOf(charged)).attempts]).toEqual([1, 1])
  })
})

describe("docs/decisions/11 — a refusal that is ours or the acquirer's is not the customer's failed payment", () => {
  it.each<Trouble>(["network", "maintenance", "rate_limited", "credentials"])(
    "%s: no dunning; it is charged later, under the same key",
    async (trouble) => {
      const acquirer = scripted()
      const {
        merchant,
        services,
        subscribers: [subscriber],
      } = await dueWith(acquirer, 1)
      acquirer.onCharge = busy(trouble)
      await runUntilDone(services, merchant)
      expect([await subscriber.status(), await recordOf(subscriber)]).toEqual([
        "ACTIVE",
        { status: "PENDING", attempts: 0, error_code: null },
      ])
      expect(await subscriber.events()).not.toContain("payment_failed")
      acquirer.onCharge = done
      await onceFree(subscriber)
      await runUntilDone(services, merchant)
      expect([await subscriber.status(), await statuses(subscriber)]).toEqual(["ACTIVE", ["SUCCESS", "SUCCESS"]])
      expect(acquirer.charged.map(({ key, references }) => [key, references])).toEqual([
        [acquirer.charged[0].key, {}],
        [acquirer.charged[0].key, {}],
      ])
    }
  )

  it("a retry stays the retry that it is, and shows why the one before it failed", async () => {
    const acquirer = scripted()
    const {
      merchant,
      services,
      subscribers: [subscriber],
    } = await dueWith(acquirer, 1)
    acquirer.onCharge = () => refused("INSUFFICIENT_FUNDS")
    await runUntilDone(services, merchant)
    acquirer.onCharge = busy("rate_limited")
    const retryAt = "2028-03-02T00:00:00Z"
    await clockOnly(merchant, retryAt)
    const retry = () => services.billing.run(50, { merchant_id: merchant.id, until: new Date(retryAt) })
    await retry()
    expect(await subscriber.get()).toMatchObject({ status: "PAST_DUE", failed_payment_count: 1 })
    expect(await recordOf(subscriber)).toEqual({ status: "FAILED", attempts: 1, error_code: "INSUFFICIENT_FUNDS" })
    acquirer.onCharge = done
    await onceFree(subscriber)
    await retry()
    expect([await subscriber.status(), await statuses(subscriber)]).toEqual(["ACTIVE", ["SUCCESS", "SUCCESS"]])
    expect(new Set(acquirer.charged.map(({ key }) => key)).size).toBe(2)
  })

  it("an admin's retry that could not be made leaves the subscription as due as before", async () => {
    const acquirer = scripted()
    const {
      merchant,
      services,
      subscribers: [subscriber],
    } = await dueWith(acquirer, 1)
    acquirer.onCharge = () => refused("INSUFFICIENT_FUNDS")
    await runUntilDone(services, merchant)
    const { due_at } = await rowOf(subscriber)
    acquirer.onCharge = busy("maintenance")
    const scope = { merchant_id: merchant.id, environment: "sandbox", now: new Date("2028-02-29T12:00:00Z") } as const
    await expect(services.paymentRetries.retry(scope, subscriber.uuid, 1)).rejects.toMatchObject({
      code: "INVALID_STATE_TRANSITION",
    })
    expect(await rowOf(subscriber)).toMatchObject({ due_at, lock_token: null })
    acquirer.onCharge = done
    await onceFree(subscriber)
    await runUntilDone(services, merchant)
    expect([await subscriber.status(), acquirer.charged.length]).toEqual(["PAST_DUE", 2])
  })

  it.each<[string, Trouble, string[]]>([
    ["a request that the acquirer cannot accept", "bad_request", ["2028-02-29T12:00:00Z"]],
    ["what has lasted for a day", "maintenance", ["2028-02-29T12:00:00Z", "2028-03-01T13:00:00Z"]],
  ])("%s is one, so that the customer is asked to pay in another way", async (_name, trouble, moments) => {
    const acquirer = scripted()
    const {
      merchant,
      services,
      subscribers: [subscriber],
    } = await dueWith(acquirer, 1)
    acquirer.onCharge = busy(trouble)
    for (const moment of moments) {
      await clockOnly(merchant, moment)
      await onceFree(subscriber)
      await services.billing.run(50)
    }
    expect([await subscriber.status(), await recordOf(subscriber)]).toEqual([
      "PAST_DUE",
      { status: "FAILED", attempts: 1, error_code: "NETWORK_ERROR" },
    ])
  })

  it("a charge that is made days too late waits like any other", async () => {
    const acquirer = scripted()
    const {
      merchant,
      services,
      subscribers: [subscriber],
    } = await dueWith(acquirer, 1)
    acquirer.onCharge = busy("rate_limited")
    await clockOnly(merchant, "2028-03-02T12:00:00Z")
    await services.billing.run(50)
    expect([await subscriber.status(), await recordOf(subscriber)]).toEqual([
      "ACTIVE",
      { status: "PENDING", attempts: 0, error_code: null },
    ])
  })
})

describe("docs/decisions/11 — a charge that fails during a pause leaves a period that has not begun", () => {
  it.each(["charged after the resume", "paid through a checkout"])(
    "new terms hold for its amount as for its length: %s",
    async (way) => {
      const acquirer = new ScriptedAcquirer("inline", [kept], [() => refused("INSUFFICIENT_FUNDS")])
      acquirer.onCharge = unknown
      const {
        merchant,
        services,
        subscribers: [subscriber],
      } = await dueWith(acquirer, 1)
      await runUntilDone(services, merchant)
      expect((await subscriber.call("POST", "/pause")).status).toBe(200)
      await reconcile(merchant, services)
      expect([await subscriber.status(), await statuses(subscriber)]).toEqual(["PAUSED", ["SUCCESS", "FAILED"]])
      expect((await subscriber.call("PATCH", "", { amount: "150.00", interval_unit: "WEEK" })).status).toBe(200)
      const { session_id } = await subscriber.checkout()
      expect(await store.db("gateway_checkout_session").where({ id: session_id }).first()).toMatchObject({
        amount_minor: 15_000,
        interval_unit: "WEEK",
      })
      acquirer.onCharge = done
      if (way === "charged after the resume") {
        expect((await subscriber.call("POST", "/resume")).status).toBe(200)
        await runUntilDone(services, merchant)
        expect(acquirer.charged.map(({ amount }) => amount)).toEqual([50_000n, 15_000n])
      } else {
        await services.payments.pay({
          session_id,
          instrument: { method: "card", card: { number: "4242424242424242" } },
          page_url: "http://pay.test/pay/x",
        })
      }
      const [, week] = await store
        .db("gateway_billing_record")
        .where({ subscription_id: (await rowOf(subscriber)).id })
        .orderBy("period")
      expect(week).toMatchObject({ status: "SUCCESS", amount_minor: 15_000 })
      expect(week.period_end.getTime() - week.period_start.getTime()).toBe(7 * DAY * 1_000)
      expect((await subscriber.invoices()).map(({ amount_minor }) => amount_minor)).toEqual([50_000, 15_000])
    }
  )
})
