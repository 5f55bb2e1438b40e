import { setTimeout as sleep } from "node:timers/promises"
import { knex } from "@medusajs/framework/mikro-orm/knex"
import type { ChargeRequest } from "../../src/modules/gateway/acquirers/port"
import { done, kept, moved, ScriptedAcquirer, servicesWith, unknown, type Moved } from "../support/acquirer"
import { brief, gatewayOf, type ApiMerchant } from "../support/api"
import { dueSubscriptionsOf, onlyOf, runUntilDone, scripted, statuses, stopCharges } from "../support/due-subscriptions"
import { blocked, keepsTrying, latch, rowLock } from "../support/locks"
import { expectLoggedErrors } from "../support/logged-errors"
import { day, Subscriber, subscriptionOf } from "../support/subscriptions"
import { tokenOf } from "../support/secrets"
import { useStore } from "../support/store"

expectLoggedErrors(
  /subscription \S+ could not be billed: error: a poisoned row/,
  /cannot be charged: (The acquirer gone is not configured|.* is encrypted with the key "lost")/,
  /the acquirer reports .* instead of 500\.00 BDT for the payment .*; it stays open/
)

const store = useStore({ production: true })
const { merchantAt, keyOf, clockOnly, dueWith, rowOf, endLeases } = dueSubscriptionsOf(store)

describe("decisions: Plans and subscriptions — a run that comes late bills every missed period once, in order", () => {
  it("no worker ran for three months: each month is charged, in order, and the schedule stays on its anchor", async () => {
    const merchant = await merchantAt("2028-01-31T00:00:00Z")
    const subscriber = await Subscriber.create(merchant)
    await subscriber.pay()
    await clockOnly(merchant, "2028-05-05T00:00:00Z")
    const { billing } = gatewayOf(store)
    while ((await billing.run(100)) > 0);
    expect((await subscriber.history()).map(({ billing_date, status }) => `${day(billing_date)} ${status}`)).toEqual(
      ["2028-01-31", "2028-02-29", "2028-03-31", "2028-04-30"].map((date) => `${date} SUCCESS`)
    )
    expect(await subscriber.get()).toMatchObject({
      status: "ACTIVE",
      billing_cycle_count: 4,
      next_billing_date: expect.stringMatching(/^2028-05-31/),
    })
    expect((await subscriber.events()).filter((event) => event === "payment_succeeded")).toHaveLength(4)
  })
})

describe("design: any number of workers", () => {
  it("six workers at once over thirty subscriptions that are three months behind: one charge for each and every period", async () => {
    const merchant = await merchantAt("2028-01-31T00:00:00Z")
    const subscribers = await Promise.all(Array.from({ length: 30 }, () => Subscriber.create(merchant)))
    for (const subscriber of subscribers) {
      await subscriber.pay()
    }
    await clockOnly(merchant, "2028-05-05T00:00:00Z")
    const { billing } = gatewayOf(store)
    const worker = async () => {
      while ((await billing.run(7)) > 0);
    }
    await Promise.all(Array.from({ length: 6 }, worker))
    while ((await billing.run(100)) > 0);
    const counts = await Promise.all(
      subscribers.map(async (subscriber) => [(await subscriber.charges()).length, (await statuses(subscriber)).join()])
    )
    expect(counts).toEqual(subscribers.map(() => [4, "SUCCESS,SUCCESS,SUCCESS,SUCCESS"]))
    const numbers: { number: number }[] = await store
      .db("gateway_invoice")
      .where({ merchant_id: merchant.id })
      .orderBy("number")
      .select("number")
    expect(numbers.map(({ number }) => number)).toEqual(Array.from({ length: 120 }, (_none, index) => index + 1))
  })

  it("one that cannot be written does not hold up the others", async () => {
    const { merchant, services, subscribers } = await dueWith(scripted(), 5)
    const { id } = await rowOf(subscribers[2])
    await store.db.raw(
      `CREATE FUNCTION refuse_${id}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'a poisoned row'; END $$`
    )
    await store.db.raw(
      `CREATE TRIGGER refuse_${id} BEFORE UPDATE ON gateway_billing_record FOR EACH ROW WHEN (NEW.subscription_id = '${id}' AND NEW.status = 'SUCCESS') EXECUTE FUNCTION refuse_${id}()`
    )
    await services.billing.run(50, onlyOf(merchant))
    expect(await Promise.all(subscribers.map(statuses))).toEqual(
      subscribers.map((_one, index) => ["SUCCESS", index === 2 ? "PROCESSING" : "SUCCESS"])
    )
    await store.db.raw(`DROP TRIGGER refuse_${id} ON gateway_billing_record`)
    await endLeases()
    await runUntilDone(services, merchant)
    expect(await statuses(subscribers[2])).toEqual(["SUCCESS", "SUCCESS"])
  })

  it("where the acquirer is gone from the configuration nothing is lost: it is charged once the acquirer is back", async () => {
    const acquirer = scripted()
    const { merchant, services, subscribers } = await dueWith(acquirer, 2)
    await store
      .db("gateway_instrument")
      .where({ id: (await rowOf(subscribers[0])).instrument_id })
      .update({ acquirer: "gone" })
    await runUntilDone(services, merchant)
    expect([await subscribers[0].status(), await statuses(subscribers[1])]).toEqual(["ACTIVE", ["SUCCESS", "SUCCESS"]])
    expect(await services.billing.nextDue(merchant.id)).not.toEqual((await rowOf(subscribers[0])).due_at)
    await store.db("gateway_instrument").where({ acquirer: "gone" }).update({ acquirer: "scripted" })
    await store.db("gateway_subscription").where({ uuid: subscribers[0].uuid }).update({ locked_until: null })
    await runUntilDone(services, merchant)
    expect(await statuses(subscribers[0])).toEqual(["SUCCESS", "SUCCESS"])
    expect(acquirer.charged).toHaveLength(2)
  })

  it("an instrument whose token cannot be decrypted waits too, and is charged with the very token once the key is back", async () => {
    const acquirer = scripted()
    const { merchant, services, subscribers } = await dueWith(acquirer, 1)
    const { instrument_id } = await rowOf(subscribers[0])
    const [{ token }] = await store.db("gateway_instrument").where({ id: instrument_id }).select("token")
    await store.db("gateway_instrument").where({ id: instrument_id }).update({ token: "enc:v1:lost:AAAA" })
    await runUntilDone(services, merchant)
    expect([await subscribers[0].status(), acquirer.charged.length]).toEqual(["ACTIVE", 0])
    await store.db("gateway_instrument").where({ id: instrument_id }).update({ token })
    await store.db("gateway_subscription").where({ uuid: subscribers[0].uuid }).update({ locked_until: null })
    await runUntilDone(services, merchant)
    expect(await statuses(subscribers[0])).toEqual(["SUCCESS", "SUCCESS"])
    expect(acquirer.charged.map((request) => request.token)).toEqual([
      tokenOf(store, { id: String(instrument_id), token }),
    ])
  })
})

describe("design: unknown is not failed — a charge with an unknown outcome", () => {
  it("stays open, is not charged again, and is settled when the acquirer knows", async () => {
    const acquirer = new ScriptedAcquirer("inline", [kept], [unknown, done])
    acquirer.onCharge = unknown
    const {
      merchant,
      services,
      subscribers: [subscriber],
    } = await dueWith(acquirer, 1)
    await runUntilDone(services, merchant)
    expect([await subscriber.status(), await statuses(subscriber)]).toEqual(["ACTIVE", ["SUCCESS", "PROCESSING"]])
    const [, open] = await subscriber.history()
    expect(await merchant.verified(open.transaction_id)).toMatchObject({ status: "PENDING", verified: false })
    expect(brief(await merchant.pay((await subscriber.checkout()).session_id))).toBe("409 INVALID_STATE_TRANSITION")
    const due = async () => ({
      merchant_id: merchant.id,
      until: (await services.reconciliation.nextDue(merchant.id)) as Date,
    })
    await services.reconciliation.run(10, await due())
    expect(await statuses(subscriber)).toEqual(["SUCCESS", "PROCESSING"])
    await services.reconciliation.run(10, await due())
    expect([
      await subscriber.status(),
      await statuses(subscriber),
      (await subscriber.get()).billing_cycle_count,
    ]).toEqual(["ACTIVE", ["SUCCESS", "SUCCESS"], 2])
    expect(acquirer.charged.map(({ key }) => key)).toEqual([await keyOf(open)])
    expect((await subscriber.events()).at(-1)).toBe("payment_succeeded")
    expect((await subscriber.invoices()).map(({ status }) => status)).toEqual(["PAID", "PAID"])
    expect(day((await subscriber.get()).next_billing_date)).toBe("2028-03-31")
  })

  it("and when the acquirer has refused it, that is the first failure: PAST_DUE, tried again with another key", async () => {
    const acquirer = new ScriptedAcquirer(
      "inline",
      [kept],
      [() => ({ result: "refused", code: "INSUFFICIENT_FUNDS", message: "No" })]
    )
    acquirer.onCharge = unknown
    const {
      merchant,
      services,
      subscribers: [subscriber],
    } = await dueWith(acquirer, 1)
    await runUntilDone(services, merchant)
    await services.reconciliation.run(10, {
      merchant_id: merchant.id,
      until: (await services.reconciliation.nextDue(merchant.id)) as Date,
    })
    expect(await subscriber.get()).toMatchObject({ status: "PAST_DUE", failed_payment_count: 1 })
    acquirer.onCharge = done
    await clockOnly(merchant, "2028-03-02T00:00:00Z")
    await services.billing.run(10, { merchant_id: merchant.id, until: new Date("2028-03-02T00:00:00Z") })
    expect(await subscriber.status()).toBe("ACTIVE")
    expect(new Set(acquirer.charged.map(({ key }) => key)).size).toBe(2)
    expect(await statuses(subscriber)).toEqual(["SUCCESS", "SUCCESS"])
  })

  it("an acquirer that throws leaves the outcome unknown", async () => {
    const acquirer = scripted()
    acquirer.onCharge = () => Promise.reject(new Error("socket hang up"))
    const {
      merchant,
      services,
      subscribers: [subscriber],
    } = await dueWith(acquirer, 1)
    await runUntilDone(services, merchant)
    expect(await statuses(subscriber)).toEqual(["SUCCESS", "PROCESSING"])
  })
})

describe("acquirers — a charge of which the acquirer reports another amount", () => {
  it("is neither paid nor declined: no retry, no dunning, one alarm, and the period is paid when the acquirer has corrected it", async () => {
    const acquirer = new ScriptedAcquirer("inline", [kept], [() => moved(1_00n), done])
    const {
      merchant,
      services,
      subscribers: [subscriber],
    } = await dueWith(acquirer, 1)
    acquirer.onCharge = () => moved(50_000n, "USD")
    await runUntilDone(services, merchant)
    await runUntilDone(services, merchant)
    expect([acquirer.charged.length, await statuses(subscriber), await subscriber.status()]).toEqual([
      1,
      ["SUCCESS", "PROCESSING"],
      "ACTIVE",
    ])
    expect(await subscriber.get()).toMatchObject({ failed_payment_count: 0 })
    const { transaction_id: id } = (await subscriber.history())[1]
    const alarms = () =>
      store.db("gateway_audit_entry").where({ resource_id: id, action: "payment.amount_mismatched" }).orderBy("number")
    expect(await alarms()).toMatchObject([
      { merchant_id: merchant.id, changes: { currency: { from: "BDT", to: "USD" } } },
    ])
    const reconcile = async () =>
      services.reconciliation.run(10, {
        merchant_id: merchant.id,
        until: (await services.reconciliation.nextDue(merchant.id)) as Date,
      })
    await reconcile()
    expect([await statuses(subscriber), (await alarms()).length]).toEqual([["SUCCESS", "PROCESSING"], 2])
    await reconcile()
    expect([await statuses(subscriber), (await subscriber.invoices()).map(({ status }) => status)]).toEqual([
      ["SUCCESS", "SUCCESS"],
      ["PAID", "PAID"],
    ])
    expect(acquirer.charged).toHaveLength(1)
  })
})

describe("docs/decisions/03 — a charge that the acquirer flags as risky", () => {
  it("is held: no retry, no dunning; accepted, its period is paid; given back, it has failed", async () => {
    const acquirer = new ScriptedAcquirer("inline", [kept])
    const { merchant, services, subscribers } = await dueWith(acquirer, 2)
    await store.db("gateway_merchant_environment").where({ merchant_id: merchant.id }).update({ hold_risky: true })
    acquirer.onCharge = () => ({ ...done(), risk: "High risk" })
    await runUntilDone(services, merchant)
    await runUntilDone(services, merchant)
    expect(acquirer.charged).toHaveLength(2)
    const held = await Promise.all(subscribers.map(async (one) => (await one.history())[1]))
    expect(held.map(({ status }) => status)).toEqual(["PROCESSING", "PROCESSING"])
    for (const { transaction_id: id } of held) {
      expect(await store.db("gateway_transaction").where({ id }).first()).toMatchObject({ state: "HELD" })
    }
    const decision = { merchant_id: merchant.id, environment: "sandbox", note: null } as const
    await services.heldPayments.accept(decision, held[0].transaction_id)
    await services.heldPayments.giveBack(decision, held[1].transaction_id)
    expect(await Promise.all(subscribers.map(statuses))).toEqual([
      ["SUCCESS", "SUCCESS"],
      ["SUCCESS", "FAILED"],
    ])
    expect(await Promise.all(subscribers.map((one) => one.status()))).toEqual(["ACTIVE", "PAST_DUE"])
    expect(await store.brokenInvariants()).toEqual([])
  })
})

describe("a merchant that may not take payments is not billed", () => {
  const STOPS: [string, (merchant: ApiMerchant) => Promise<unknown>, (merchant: ApiMerchant) => Promise<unknown>][] = [
    [
      "suspended",
      ({ id }) => gatewayOf(store).merchants.update(id, { status: "suspended" }),
      ({ id }) => gatewayOf(store).merchants.update(id, { status: "active" }),
    ],
    [
      "without the service subscriptions",
      ({ id }) =>
        gatewayOf(store).merchants.configure({ merchant_id: id, environment: "sandbox" }, { services: ["checkout"] }),
      ({ id }) =>
        gatewayOf(store).merchants.configure(
          { merchant_id: id, environment: "sandbox" },
          { services: ["checkout", "subscriptions"] }
        ),
    ],
  ]

  it.each(STOPS)(
    "%s: neither the clock nor a worker charges, and afterwards what was missed is billed once",
    async (_name, stop, start) => {
      const acquirer = scripted()
      const {
        merchant,
        services,
        subscribers: [subscriber],
      } = await dueWith(acquirer, 1)
      await stop(merchant)
      expect(await services.billing.nextDue(merchant.id)).toBeNull()
      expect(await services.billing.run(50, onlyOf(merchant))).toBe(0)
      while ((await services.billing.run(50)) > 0);
      // Moving the clock still works: it does not wait for suspended work.
      const tenant = { merchant_id: merchant.id, environment: "sandbox" as const }
      expect((await gatewayOf(store).clock.move(tenant, { advance_seconds: 5 * 86_400 })).processed).toMatchObject({
        subscriptions: 0,
      })
      expect([acquirer.charged, (await rowOf(subscriber)).status]).toEqual([[], "ACTIVE"])
      await start(merchant)
      while (
        (await services.billing.run(50, { merchant_id: merchant.id, until: new Date("2028-03-07T00:00:00Z") })) > 0
      );
      expect([acquirer.charged.length, await statuses(subscriber)]).toEqual([1, ["SUCCESS", "SUCCESS"]])
    }
  )

  it.each(STOPS)("%s between the claim and the charge: nothing is charged", async (_name, stop, start) => {
    const acquirer = scripted()
    const {
      merchant,
      services,
      subscribers: [subscriber],
    } = await dueWith(acquirer, 1)
    const { id } = await rowOf(subscriber)
    // The worker has claimed it, and waits for the subscription's lock to reserve the period.
    const held = await store.db.transaction()
    const claimed = store.db.raw("SELECT 1 FROM gateway_subscription WHERE id = ? AND lock_token IS NOT NULL", [id])
    await held.raw("LOCK TABLE gateway_billing_record IN EXCLUSIVE MODE")
    const running = services.billing.run(50, onlyOf(merchant))
    await blocked(store, 1)
    expect((await claimed).rows).toHaveLength(1)
    await stop(merchant)
    await held.rollback()
    await running
    expect([
      acquirer.charged,
      await store.db("gateway_billing_record").where({ subscription_id: id, status: "PROCESSING" }),
    ]).toEqual([[], []])
    await start(merchant)
    await endLeases()
    await runUntilDone(services, merchant)
    expect(await statuses(subscriber)).toEqual(["SUCCESS", "SUCCESS"])
  })

  it.each<[string, () => Moved | { result: "absent" }, string]>([
    ["it had been charged", done, "SUCCESS"],
    ["it had never been charged", () => ({ result: "absent" }), "FAILED"],
  ])(
    "its worker died while it charged: no second charge, and the acquirer is asked for the outcome; %s",
    async (_name, answer, status) => {
      const acquirer = new ScriptedAcquirer("inline", [kept], [answer])
      const {
        merchant,
        services,
        subscribers: [subscriber],
      } = await dueWith(acquirer, 1)
      const stuck = stopCharges(acquirer)
      const dead = services.billing.run(50, onlyOf(merchant))
      await stuck.begun
      await gatewayOf(store).merchants.update(merchant.id, { status: "suspended" })
      await endLeases()
      await services.abandonedCharges.leaveToReconciler(50)
      stuck.open()
      await dead
      const { id } = await rowOf(subscriber)
      const payment = () =>
        store
          .db("gateway_transaction as t")
          .join("gateway_checkout_session as s", "s.id", "t.session_id")
          .where({ "s.subscription_id": id, "s.source": "billing" })
          .first("t.state")
      expect(await payment()).toEqual({ state: "PROCESSING" })
      await store
        .db("gateway_payment_attempt")
        .where({ merchant_id: merchant.id, state: "STARTED" })
        .update({ started_at: new Date(0) })
      await services.reconciliation.run(10, {
        merchant_id: merchant.id,
        until: (await services.reconciliation.nextDue(merchant.id)) as Date,
      })
      expect(await payment()).toEqual({ state: status })
      expect(
        (await store.db("gateway_billing_record").where({ subscription_id: id }).orderBy("period")).map(
          (record) => record.status
        )
      ).toEqual(["SUCCESS", status])
      while ((await services.billing.run(50)) > 0);
      expect(acquirer.charged).toHaveLength(1)
    }
  )
})

describe("design: killing a worker loses nothing and doubles nothing", () => {
  it("it dies while it charges: the next worker asks with the same key, and the dead one's answer comes too late", async () => {
    const acquirer = scripted()
    const {
      merchant,
      services,
      subscribers: [subscriber],
    } = await dueWith(acquirer, 1)
    const stuck = stopCharges(acquirer)
    const dead = services.billing.run(50, onlyOf(merchant))
    await stuck.begun
    expect(await services.billing.run(50, onlyOf(merchant))).toBe(0)
    acquirer.onCharge = done
    await endLeases()
    await runUntilDone(services, merchant)
    const settled = await subscriber.get()
    stuck.open()
    await dead
    expect(new Set(acquirer.charged.map(({ key }) => key)).size).toBe(1)
    expect([await subscriber.get(), await statuses(subscriber)]).toEqual([settled, ["SUCCESS", "SUCCESS"]])
    expect((await subscriber.events()).filter((event) => event === "payment_succeeded")).toHaveLength(2)
    expect((await subscriber.invoices()).map(({ status }) => status)).toEqual(["PAID", "PAID"])
  })

  it("what the adapter saved before money could move reaches whoever takes over, and the dead worker saves nothing more", async () => {
    const acquirer = scripted()
    const {
      merchant,
      services,
      subscribers: [subscriber],
    } = await dueWith(acquirer, 1)
    const stuck = latch()
    let late: unknown = null
    acquirer.onCharge = async ({ save }) => {
      await save?.({ payment: "first", sent: "no" })
      await stuck.wait()
      late = await save?.({ sent: "yes" }).catch((error: unknown) => error)
      return unknown()
    }
    const dead = services.billing.run(50, onlyOf(merchant))
    await stuck.begun
    acquirer.onCharge = async ({ save }) => {
      await save?.({ sent: "again" })
      return done()
    }
    await endLeases()
    await runUntilDone(services, merchant)
    stuck.open()
    await dead
    expect(acquirer.charged.map(({ references }) => references)).toEqual([{}, { payment: "first", sent: "no" }])
    expect(late).toBeInstanceOf(Error)
    const { transaction_id } = (await subscriber.history())[1]
    const [attempt] = await store.db("gateway_payment_attempt").where({ transaction_id })
    expect([attempt.acquirer_ids, await statuses(subscriber)]).toEqual([
      { payment: "first", sent: "again" },
      ["SUCCESS", "SUCCESS"],
    ])
  })

  it("what was saved of a charge goes to the payment that the reconciler asks about, and a further charge starts without it", async () => {
    const acquirer = new ScriptedAcquirer("inline", [kept], [() => ({ result: "absent" })])
    const {
      merchant,
      services,
      subscribers: [subscriber],
    } = await dueWith(acquirer, 1)
    acquirer.onCharge = async ({ save }) => {
      await save?.({ payment: "lost" })
      throw new Error("the line went dead")
    }
    await services.billing.run(50, onlyOf(merchant))
    const openAttempts = () => store.db("gateway_payment_attempt").where({ merchant_id: merchant.id, state: "STARTED" })
    expect((await openAttempts()).map(({ acquirer_ids }) => acquirer_ids)).toEqual([{ payment: "lost" }])
    await openAttempts().update({ started_at: new Date(0) })
    const until = (await services.reconciliation.nextDue(merchant.id)) as Date
    await services.reconciliation.run(10, { merchant_id: merchant.id, until })
    expect([await subscriber.status(), await statuses(subscriber)]).toEqual(["PAST_DUE", ["SUCCESS", "FAILED"]])
    acquirer.onCharge = done
    const retryAt = (await services.billing.nextDue(merchant.id)) as Date
    await services.billing.run(50, { merchant_id: merchant.id, until: retryAt })
    expect(acquirer.charged.map(({ references }) => references)).toEqual([{}, {}])
    expect(await subscriber.status()).toBe("ACTIVE")
  })
})

/** A worker that has begun its claim and read nothing of the subscriptions' rows yet; `claim` lets it go on. */
async function stoppedInClaim(acquirer: ScriptedAcquirer) {
  // Blocks the worker inside its claim query, in the random() by which it orders merchants, while the test holds the
  // lock.
  await store.db.raw(`CREATE FUNCTION public.random() RETURNS double precision LANGUAGE plpgsql VOLATILE AS
    $$ BEGIN PERFORM pg_advisory_xact_lock(60221); RETURN pg_catalog.random(); END $$`)
  const pool = knex({ ...store.db.client.config, searchPath: ["public", "pg_catalog"] })
  const held = await store.db.transaction()
  await held.raw("SELECT pg_advisory_xact_lock(60221)")
  const run = servicesWith(store, "sandbox", acquirer, pool).billing.run(50)
  await blocked(store, 1)
  const claim = async () => {
    await held.rollback()
    await run
    await pool.destroy()
    await store.db.raw("DROP FUNCTION public.random()")
  }
  return { claim }
}

describe("decisions: Plans — pause, cancel and PATCH raced against billing never bill after their commit", () => {
  it.each([
    ["cancel", "POST", "/cancel", {}],
    ["pause", "POST", "/pause", undefined],
    ["PATCH", "PATCH", "", { amount: "900.00" }],
  ])("%s waits for a charge that is under way, and decides on what came of it", async (_name, method, suffix, body) => {
    const acquirer = scripted()
    const {
      merchant,
      services,
      subscribers: [subscriber],
    } = await dueWith(acquirer, 1)
    const slow = stopCharges(acquirer)
    const run = services.billing.run(50, onlyOf(merchant))
    await slow.begun
    const change = subscriber.call(method, suffix, body)
    const { id } = await rowOf(subscriber)
    expect(await keepsTrying(store, rowLock("gateway_subscription", id), change)).toBe(true)
    slow.open()
    const answer = await change
    await run
    expect([answer.status, subscriptionOf(answer).billing_cycle_count]).toEqual([200, 2])
    expect(await statuses(subscriber)).toEqual(["SUCCESS", "SUCCESS"])
  })

  it.each([
    ["pause", "/pause", "PAUSED"],
    ["cancel", "/cancel", "CANCELLED"],
  ])(
    "%s, when a worker that is reserving at that moment has lost its lease, leaves no period unsettled",
    async (_name, suffix, status) => {
      const acquirer = new ScriptedAcquirer("inline", [kept], [done])
      const {
        merchant,
        services,
        subscribers: [subscriber],
      } = await dueWith(acquirer, 1)
      const [
        {
          id,
          merchant_id,
          environment,
          subscription_id,
          amount_minor,
          currency,
          billing_date,
          period_start,
          period_end,
          opened_at,
        },
      ] = await store.db("gateway_billing_record").where({ subscription_id: (await rowOf(subscriber)).id })
      // Writers of the next period wait for this lock, which locks nothing of the subscription itself.
      const other = await store.db.transaction()
      await other.raw("SET LOCAL session_replication_role = replica")
      await other("gateway_billing_record").insert({
        id: `${id}_x`,
        uuid: `${id}_x`,
        period: 2,
        status: "PENDING",
        merchant_id,
        environment,
        subscription_id,
        amount_minor,
        currency,
        billing_date,
        period_start,
        period_end,
        opened_at,
      })
      const run = services.billing.run(50, onlyOf(merchant))
      await blocked(store, 1)
      await endLeases()
      const change = subscriber.call("POST", suffix)
      await Promise.race([blocked(store, 2), change])
      await other.rollback()
      expect((await change).status).toBe(200)
      await run
      await store
        .db("gateway_payment_attempt")
        .where({ merchant_id: merchant.id, state: "STARTED" })
        .update({ started_at: new Date(0) })
      await services.reconciliation.run(10, { merchant_id: merchant.id, until: new Date("2028-03-01T00:00:00Z") })
      expect([await subscriber.status(), await statuses(subscriber)]).toEqual([status, ["SUCCESS", "SUCCESS"]])
      expect(acquirer.charged.map(({ key }) => key)).toEqual([await keyOf((await subscriber.history())[1])])
    }
  )

  it("what was committed between a worker's question for what is due and its claim holds: ended, paused, at the new amount", async () => {
    const acquirer = scripted()
    const {
      subscribers: [cancelled, paused, changed],
    } = await dueWith(acquirer, 3)
    const { claim } = await stoppedInClaim(acquirer)
    expect((await cancelled.call("POST", "/cancel")).status).toBe(200)
    expect((await paused.call("POST", "/pause")).status).toBe(200)
    expect((await changed.call("PATCH", "", { amount: "900.00" })).status).toBe(200)
    await claim()
    expect(acquirer.charged.map(({ amount }) => String(amount))).toEqual(["90000"])
    expect(await Promise.all([cancelled, paused, changed].map(statuses))).toEqual([
      ["SUCCESS"],
      ["SUCCESS"],
      ["SUCCESS", "SUCCESS"],
    ])
    expect(await Promise.all([cancelled, paused, changed].map((one) => one.status()))).toEqual([
      "CANCELLED",
      "PAUSED",
      "ACTIVE",
    ])
  })

  it("docs/decisions/11: a payment method that was changed in that moment is charged by the next run, and nothing is past due", async () => {
    const acquirer = scripted()
    const {
      merchant,
      services,
      subscribers: [subscriber],
    } = await dueWith(acquirer, 1)
    const scope = { merchant_id: merchant.id, environment: "sandbox" as const, now: new Date("2028-02-29T12:00:00Z") }
    const pages = { publicUrl: "http://pay.test" }
    const { session_id } = await gatewayOf(store).methodChanges.open(scope, subscriber.uuid, {}, pages)
    const before = await rowOf(subscriber)
    const { claim } = await stoppedInClaim(acquirer)
    await services.payments.pay({
      session_id,
      instrument: { method: "card", card: { number: "5555555555554444" } },
      page_url: `http://pay.test/pay/${session_id}`,
    })
    const { instrument_id } = await rowOf(subscriber)
    expect(instrument_id).not.toBe(before.instrument_id)
    await claim()
    expect(acquirer.charged).toEqual([])
    expect(await rowOf(subscriber)).toMatchObject({ status: "ACTIVE", lock_token: null, locked_until: null })
    expect(await statuses(subscriber)).toEqual(["SUCCESS"])
    await runUntilDone(services, merchant)
    expect(acquirer.charged).toHaveLength(1)
    expect([await subscriber.status(), await statuses(subscriber)]).toEqual(["ACTIVE", ["SUCCESS", "SUCCESS"]])
  })

  it("eighty subscriptions are billed while they are cancelled, paused and changed: nothing is charged afterwards, and nothing at the old amount", async () => {
    const acquirer = scripted()
    const charges: { request: ChargeRequest; at: number }[] = []
    acquirer.onCharge = async (request) => {
      charges.push({ request, at: performance.now() })
      await sleep(Math.random() * 8)
      return done()
    }
    const { merchant, services, subscribers } = await dueWith(acquirer, 80)
    const worker = async () => {
      while ((await services.billing.run(9, onlyOf(merchant))) > 0);
    }
    const changed: { subscriber: Subscriber; kind: string; at: number }[] = []
    const changer = async (mine: Subscriber[]) => {
      for (const subscriber of mine) {
        const kind = ["/cancel", "/pause", ""][changed.length % 3]
        const answer = await subscriber.call(
          kind === "" ? "PATCH" : "POST",
          kind,
          kind === "" ? { amount: "900.00" } : undefined
        )
        expect(answer.status).toBe(200)
        changed.push({ subscriber, kind, at: performance.now() })
      }
    }
    const shuffled = [...subscribers].sort(() => Math.random() - 0.5)
    const parts = [0, 1, 2, 3].map((part) => shuffled.filter((_one, index) => index % 4 === part))
    await Promise.all([worker(), worker(), ...parts.map(changer)])
    await worker()
    const keys = new Map(charges.map(({ request, at }) => [request.key, { amount: request.amount, at }]))
    expect(keys.size).toBe(charges.length)
    for (const { subscriber, kind, at } of changed) {
      const history = await subscriber.history()
      const renewals = history.slice(1)
      const made = (await Promise.all(renewals.map(keyOf))).map((key) => keys.get(key))
      expect(made).not.toContain(undefined)
      const late = made.filter((charge) => charge !== undefined && charge.at > at)
      const expected = kind === "" && late.length > 0 ? [90_000n] : []
      expect(late.map((charge) => charge?.amount)).toEqual(expected)
      expect(renewals.every(({ status }) => status === "SUCCESS")).toBe(true)
    }
  })
})
