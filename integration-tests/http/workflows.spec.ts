import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { MedusaContainer } from "@medusajs/framework/types"
import type { WorkflowData } from "@medusajs/framework/workflows-sdk"
import { createStep, createWorkflow, WorkflowResponse } from "@medusajs/framework/workflows-sdk"
import { said } from "../../src/i18n/message"
import type { HookName } from "../../src/modules/gateway/kernel/database/hook-calls"
import type { Tenant } from "../../src/modules/gateway/kernel/types"
import { runHooks } from "../../src/store/hooks"
import { processReturns } from "../../src/store/returns/propose"
import * as workflows from "../../src/workflows"
import {
  cancelGatewaySubscriptionWorkflow,
  confirmGatewayRefundProposalWorkflow,
  dismissGatewayRefundProposalWorkflow,
  gatewayRenewalOrderCreatedWorkflow,
  gatewayReturnRefundProposedWorkflow,
  gatewaySubscriptionCancelledWorkflow,
  pauseGatewaySubscriptionWorkflow,
  refundGatewayPaymentWorkflow,
  resumeGatewaySubscriptionWorkflow,
  retryGatewaySubscriptionPaymentWorkflow,
  updateGatewaySubscriptionWorkflow,
  type SubscriptionInput,
  type UpdateSubscriptionInput,
} from "../../src/workflows"
import { CartShop } from "../support/carts"
import { expectLoggedErrors } from "../support/logged-errors"
import { StoreSubscriber } from "../support/renewals"
import { fulfill, receiveReturn, requestReturn } from "../support/returns"
import { monthly, sellMonthly } from "../support/sold-plans"
import { ROOT, useStore } from "../support/store"

expectLoggedErrors(/hook call .* \(renewalOrderCreated of .*\) failed and is given up: the host's handler is broken/)

/** An amount that the sandbox declines. */
const DECLINED = "300.00"
const SKU = "SARI-COTTON"

/** What the handlers of a host were called with, and whether they throw. */
const handled: Record<HookName, unknown[]> = {
  renewalOrderCreated: [],
  returnRefundProposed: [],
  subscriptionCancelled: [],
}
let isBroken = false

function handler(hook: HookName) {
  return async (input: unknown) => {
    handled[hook].push(input)
    if (isBroken) {
      throw new Error("the host's handler is broken")
    }
  }
}

gatewayRenewalOrderCreatedWorkflow.hooks.renewalOrderCreated(handler("renewalOrderCreated"))
gatewayReturnRefundProposedWorkflow.hooks.returnRefundProposed(handler("returnRefundProposed"))
gatewaySubscriptionCancelledWorkflow.hooks.subscriptionCancelled(handler("subscriptionCancelled"))

const failStep = createStep("fail", async () => {
  throw new Error("the host's own step failed")
})

/** Workflows of a host: the gateway's, and a step of its own that fails. */
const pauseThenFail = createWorkflow("pause-then-fail", (input: WorkflowData<SubscriptionInput>) => {
  const paused = pauseGatewaySubscriptionWorkflow.runAsStep({ input })
  failStep()
  return new WorkflowResponse(paused)
})
const resumeThenFail = createWorkflow("resume-then-fail", (input: WorkflowData<SubscriptionInput>) => {
  const resumed = resumeGatewaySubscriptionWorkflow.runAsStep({ input })
  failStep()
  return new WorkflowResponse(resumed)
})
const updateThenFail = createWorkflow("update-then-fail", (input: WorkflowData<UpdateSubscriptionInput>) => {
  const updated = updateGatewaySubscriptionWorkflow.runAsStep({ input })
  failStep()
  return new WorkflowResponse(updated)
})
/** Somebody else's change, before the host's workflow fails. */
const cheaperStep = createStep("cheaper", async (input: UpdateSubscriptionInput, { container }) => {
  await updateGatewaySubscriptionWorkflow(container).run({ input: { ...input, amount: "550.00" } })
})
const updateThenChangedThenFail = createWorkflow(
  "update-then-changed-then-fail",
  (input: WorkflowData<UpdateSubscriptionInput>) => {
    const updated = updateGatewaySubscriptionWorkflow.runAsStep({ input })
    cheaperStep(input)
    failStep()
    return new WorkflowResponse(updated)
  }
)

let shop: CartShop
let tenant: Tenant
const store = useStore({
  container: true,
  shop: true,
  prepare: async (booted) => {
    shop = new CartShop(booted)
    await shop.open()
    const { id: merchant_id } = await shop.gateway.merchants.storeMerchant("")
    tenant = { merchant_id, environment: "sandbox" }
    await sellMonthly(booted, shop, tenant, SKU, 85_000n)
  },
})

const scope = (): MedusaContainer => store.container
const scopeNow = async () => shop.gateway.merchants.scope(tenant.merchant_id, "sandbox")
/** A plan of 200.00 for each seat. */
const SEATS = monthly("Seats", 20_000n)
const buys = () => StoreSubscriber.buys({ store, shop, tenant }, SKU, 1)
const about = ({ uuid }: StoreSubscriber) => ({ subscription_id: uuid, actor_id: "user_tests" })
const callsOf = (hook: HookName, resource_id: string) => store.db("gateway_hook_call").where({ hook, resource_id })

/** A paid cart's order, its payment's transaction and its lines. */
async function newOrder() {
  const { cart, session } = await shop.checkout({ "CUSHION-40": 2 })
  const { body } = await shop.pay(session.data.session_id)
  const [id] = await shop.ordersOf(cart.id)
  const { rows: lines } = await store.db.raw(
    "SELECT item_id AS id, quantity::int AS quantity FROM order_item WHERE order_id = ?",
    [id]
  )
  return { id, transaction_id: body.data.transaction_id, lines: lines as { id: string; quantity: number }[] }
}

/** An order of which a piece came back, and the proposal that was made for it. */
async function returned() {
  const order = await newOrder()
  await fulfill(scope(), order.id, order.lines)
  const items = [{ id: order.lines[0].id, quantity: 1 }]
  await receiveReturn(scope(), await requestReturn(scope(), order.id, items), { items })
  const proposals = () => shop.gateway.refundProposals.ofOrder(order.id)
  // Medusa's event may have brought the store's own subscriber to it first.
  for (const until = Date.now() + 30_000; (await proposals()).length === 0 && Date.now() < until;) {
    await processReturns(scope())
  }
  const [proposal] = await proposals()
  return { order, proposal }
}

it("ids of workflows cannot collide with a host's, and docs/hosts.md shows each in use", () => {
  const docs = readFileSync(join(ROOT, "docs/hosts.md"), "utf8")
  const exported = Object.entries(workflows).filter(([name]) => name.endsWith("Workflow"))
  expect(exported).toHaveLength(11)
  for (const [name, workflow] of exported) {
    expect((workflow as { getName(): string }).getName()).toMatch(/(^|-)gateway-/)
    expect(docs).toMatch(new RegExp(`${name}(\\.hooks\\.\\w+)?\\(`))
  }
})

describe("docs/hosts.md: refunding a payment", () => {
  it("refunds a part of an order's payment once, however often it runs with the same key", async () => {
    const { id: order_id, transaction_id } = await newOrder()
    const input = { order_id, amount: "100.50", reason: "Late delivery", idempotency_key: order_id, actor_id: "user_1" }
    const { result } = await refundGatewayPaymentWorkflow(scope()).run({ input })
    expect(result).toMatchObject({ transaction_id, state: "completed", amount: "100.50", currency: "BDT" })

    const again = await refundGatewayPaymentWorkflow(scope()).run({ input: { ...input, order_id: order_id } })
    expect(again.result.id).toBe(result.id)
    expect(await shop.gateway.refunds.list(transaction_id)).toEqual([
      expect.objectContaining({ id: result.id, amount_minor: 10_050, reason: "Late delivery", requested_by: "user_1" }),
    ])
  })

  it("names the transaction instead, and all that remains goes back", async () => {
    const { transaction_id } = await newOrder()
    const { amount_minor } = await shop.gateway.transactions.byId(transaction_id)
    const input = { transaction_id, reason: "Cancelled", idempotency_key: "all" }
    const { result } = await refundGatewayPaymentWorkflow(scope()).run({ input })
    expect(result).toMatchObject({ state: "completed", amount: (amount_minor / 100).toFixed(2) })
    const more = refundGatewayPaymentWorkflow(scope()).run({ input: { ...input, idempotency_key: "more" } })
    await expect(more).rejects.toMatchObject({ code: "ALREADY_REFUNDED" })
  })

  it.each([
    [{ transaction_id: "txn_none" }, "TRANSACTION_NOT_FOUND"],
    [{ order_id: "order_none" }, "TRANSACTION_NOT_FOUND"],
    [{ transaction_id: "txn_none", amount: "1e3" }, "VALIDATION_ERROR"],
    [{ transaction_id: "txn_none", amount: "0.00" }, "VALIDATION_ERROR"],
  ])("%j is refused with %s", async (wrong, code) => {
    const input = { ...wrong, reason: "Wrong", idempotency_key: "wrong" }
    await expect(refundGatewayPaymentWorkflow(scope()).run({ input })).rejects.toMatchObject({ code })
  })
})

describe("docs/hosts.md: refund proposals", () => {
  it("confirmed twice, a proposal is refunded once; the hook had it, and a handler that throws changed nothing", async () => {
    isBroken = true
    const { order, proposal } = await returned()
    await runHooks(scope())
    isBroken = false
    const proposed = {
      ...tenant,
      proposal_id: proposal.id,
      kind: "return",
      order_id: order.id,
      return_id: proposal.return_id,
      claim_id: null,
      transaction_id: order.transaction_id,
      amount: (proposal.amount_minor / 100).toFixed(2),
      currency: "BDT",
    }
    expect(handled.returnRefundProposed).toEqual([proposed])
    expect(await callsOf("returnRefundProposed", proposal.id)).toEqual([
      expect.objectContaining({ attempts: 1, last_error: "the host's handler is broken", locked_until: null }),
    ])
    expect(await shop.gateway.refundProposals.retrieve(proposal.id)).toEqual(proposal)

    const input = { proposal_id: proposal.id, actor_id: "user_1" }
    const { result } = await confirmGatewayRefundProposalWorkflow(scope()).run({ input })
    expect(result).toMatchObject({ id: proposal.id, status: "refunded", order_id: order.id, amount: proposed.amount })
    expect((await confirmGatewayRefundProposalWorkflow(scope()).run({ input })).result).toEqual(result)
    expect(await shop.gateway.refunds.list(order.transaction_id)).toEqual([
      expect.objectContaining({ id: result.refund_id, amount_minor: proposal.amount_minor, requested_by: "user_1" }),
    ])

    await callsOf("returnRefundProposed", proposal.id).update({ next_attempt_at: new Date(0) })
    await runHooks(scope())
    expect(handled.returnRefundProposed).toEqual([proposed, proposed])
    expect(await callsOf("returnRefundProposed", proposal.id)).toEqual([])
  })

  it("dismissed twice, a proposal is dismissed once, and cannot be confirmed", async () => {
    const { order, proposal } = await returned()
    const input = { proposal_id: proposal.id }
    const { result } = await dismissGatewayRefundProposalWorkflow(scope()).run({ input })
    expect(result).toMatchObject({ id: proposal.id, status: "dismissed", refund_id: null })
    expect((await dismissGatewayRefundProposalWorkflow(scope()).run({ input })).result).toEqual(result)
    const confirmed = confirmGatewayRefundProposalWorkflow(scope()).run({ input })
    await expect(confirmed).rejects.toMatchObject({ code: "INVALID_STATE_TRANSITION" })
    expect(await shop.gateway.refunds.list(order.transaction_id)).toEqual([])
    const none = dismissGatewayRefundProposalWorkflow(scope()).run({ input: { proposal_id: "grp_none" } })
    await expect(none).rejects.toMatchObject({ code: "NOT_FOUND" })
  })
})

describe("docs/hosts.md: subscriptions", () => {
  it("pauses and resumes, each as often as it is run; a host's workflow that fails takes its own change back", async () => {
    const subscriber = await buys()
    const input = about(subscriber)
    await expect(pauseThenFail(scope()).run({ input })).rejects.toMatchObject({ message: "the host's own step failed" })
    expect(await subscriber.now()).toMatchObject({ status: "ACTIVE" })

    const { result: paused } = await pauseGatewaySubscriptionWorkflow(scope()).run({ input })
    expect(paused).toMatchObject({ id: subscriber.uuid, status: "PAUSED", amount: "920.00", currency: "BDT" })
    expect((await pauseGatewaySubscriptionWorkflow(scope()).run({ input })).result).toEqual(paused)
    // It was paused before the host's workflow ran, so that one has nothing to take back.
    await expect(pauseThenFail(scope()).run({ input })).rejects.toMatchObject({ message: "the host's own step failed" })
    expect(await subscriber.now()).toMatchObject({ status: "PAUSED" })

    await expect(resumeThenFail(scope()).run({ input })).rejects.toMatchObject({
      message: "the host's own step failed",
    })
    expect(await subscriber.now()).toMatchObject({ status: "PAUSED" })
    const { result: resumed } = await resumeGatewaySubscriptionWorkflow(scope()).run({ input })
    expect(resumed).toMatchObject({ status: "ACTIVE" })
    expect((await resumeGatewaySubscriptionWorkflow(scope()).run({ input })).result).toEqual(resumed)
    const entries = await store
      .db("gateway_audit_entry")
      .where({ actor_id: "user_tests", resource_id: subscriber.uuid })
    expect(entries.map(({ action }) => action)).toContain("subscription.paused")
    await subscriber.stop()
  })

  it("changes terms within the bounds of the contract, and takes them back when the host's workflow fails", async () => {
    const subscriber = await buys()
    const terms = { amount: "900.00", interval_count: 3, meta_data: { note: "new" } }
    const failed = updateThenFail(scope()).run({ input: { ...about(subscriber), ...terms } })
    await expect(failed).rejects.toMatchObject({ message: "the host's own step failed" })
    const before = { amount_minor: 92_000, interval_count: 1, interval_unit: "MONTH", meta_data: {} }
    expect(await shop.gateway.subscriptions.retrieve(tenant, subscriber.uuid)).toMatchObject(before)

    const { result } = await updateGatewaySubscriptionWorkflow(scope()).run({
      input: { ...about(subscriber), ...terms },
    })
    expect(result).toMatchObject({ amount: "900.00", interval_count: 3, interval_unit: "MONTH" })
    const cheap = updateGatewaySubscriptionWorkflow(scope()).run({ input: { ...about(subscriber), amount: "9.99" } })
    await expect(cheap).rejects.toMatchObject({ code: "AMOUNT_TOO_LOW" })
    const odd = updateGatewaySubscriptionWorkflow(scope()).run({ input: { ...about(subscriber), interval_count: 0.5 } })
    await expect(odd).rejects.toMatchObject({ code: "VALIDATION_ERROR" })
    await subscriber.stop()
  })

  it("takes an end and a quantity as PATCH of /api/v2 does, and brings the former ones back, the plan's end too", async () => {
    const { uuid: plan_id } = await shop.gateway.plans.create(await scopeNow(), { ...SEATS, billing_cycles: 12 })
    const customer = { name: "Nasima", email: `seats-${randomUUID()}@example.com`, phone: null, phone_e164: null }
    const asked = { plan_id, customer, quantity: 3, amount: null, unit_amount: null, currency: null }
    const { uuid } = await shop.gateway.subscriptions.create(await scopeNow(), {
      ...asked,
      ...{ interval_count: null, interval_unit: null, trial_period_days: 14, meta_data: {} },
    })
    const row = () => shop.gateway.subscriptions.retrieve(tenant, uuid)
    const before = await row()
    expect(before).toMatchObject({ amount_minor: 60_000, quantity: 3, billing_cycles: 12, has_own_end: false })
    const run = (terms: object) =>
      updateGatewaySubscriptionWorkflow(scope()).run({ input: { subscription_id: uuid, ...terms } })
    const failing = (terms: object) => updateThenFail(scope()).run({ input: { subscription_id: uuid, ...terms } })
    const ends_at = new Date(Date.now() + 90 * 86_400_000).toISOString()
    for (const terms of [
      { quantity: 5, billing_cycles: 6 },
      { unit_amount: "90.00", ends_at },
      { billing_cycles: 0 },
    ]) {
      await expect(failing(terms)).rejects.toMatchObject({ message: "the host's own step failed" })
      expect(await row()).toEqual(before)
    }
    const { result } = await run({ quantity: 5, billing_cycles: 6 })
    const seats = { amount: "1000.00", quantity: 5, unit_amount: "200.00" }
    expect(result).toMatchObject({ ...seats, billing_cycles: 6, billing_cycles_paid: 0 })
    expect((await run({ ends_at })).result).toMatchObject({ ...seats, ends_at })
    expect((await run({ billing_cycles: 0 })).result).not.toHaveProperty("ends_at")
    const wrong = [{ quantity: 0 }, { billing_cycles: 1.5 }, { ends_at: "2030-01-01" }, { billing_cycles: 3, ends_at }]
    for (const terms of [...wrong, { amount: "500.00", quantity: 2 }, { unit_amount: "-1" }]) {
      await expect(run(terms)).rejects.toMatchObject({ code: "VALIDATION_ERROR" })
    }
  })

  it("leaves what somebody else has changed since, when the host's workflow fails", async () => {
    const subscriber = await buys()
    const failed = updateThenChangedThenFail(scope()).run({ input: { ...about(subscriber), amount: "600.00" } })
    await expect(failed).rejects.toMatchObject({ message: "the host's own step failed" })
    expect(await shop.gateway.subscriptions.retrieve(tenant, subscriber.uuid)).toMatchObject({ amount_minor: 55_000 })
    await subscriber.stop()
  })

  it("tries a payment that is past due again, once for what the caller has seen", async () => {
    const subscriber = await buys()
    await updateGatewaySubscriptionWorkflow(scope()).run({ input: { ...about(subscriber), amount: DECLINED } })
    await subscriber.fallDue()
    await shop.gateway.billing.run(1)
    expect(await subscriber.now()).toMatchObject({ status: "PAST_DUE" })
    const input = { ...about(subscriber), attempts: 1 }
    const { result } = await retryGatewaySubscriptionPaymentWorkflow(scope()).run({ input })
    expect(result).toMatchObject({ outcome: "declined", subscription: { id: subscriber.uuid, status: "PAST_DUE" } })
    const again = retryGatewaySubscriptionPaymentWorkflow(scope()).run({ input })
    await expect(again).rejects.toMatchObject({ code: "INVALID_STATE_TRANSITION" })
    await subscriber.stop()
  })

  it("refuses a subscription that is not the merchant's", async () => {
    const subscriber = await buys()
    const { id: merchant_id } = await shop.gateway.merchants.create({ name: "Another" })
    const input = { ...about(subscriber), merchant_id }
    const cancelled = cancelGatewaySubscriptionWorkflow(scope()).run({ input })
    await expect(cancelled).rejects.toMatchObject({ code: "SUBSCRIPTION_NOT_FOUND" })
    await subscriber.stop()
  })
})

describe("decisions: Store port and workflows — hooks run after the change, and cannot undo it", () => {
  it("subscriptionCancelled: whoever cancels, and again until the handler succeeds", async () => {
    const [ours, theirs] = [await buys(), await buys()]
    await runHooks(scope())
    handled.subscriptionCancelled = []
    isBroken = true
    const { result } = await cancelGatewaySubscriptionWorkflow(scope()).run({
      input: { ...about(ours), at_period_end: true, reason: "moving" },
    })
    expect(result).toMatchObject({ status: "CANCELLED", cancel_at_period_end: true, next_billing_date: null })
    const repeated = { ...about(ours), at_period_end: true }
    expect((await cancelGatewaySubscriptionWorkflow(scope()).run({ input: repeated })).result).toEqual(result)
    await theirs.stop()
    await runHooks(scope())
    // A run that finds nothing due calls nobody.
    await runHooks(scope())

    const { store_order_id, cancelled_at } = await shop.gateway.subscriptions.retrieve(tenant, ours.uuid)
    const call = {
      ...tenant,
      subscription_id: ours.uuid,
      source: "store",
      order_id: store_order_id,
      reason: "moving",
      cancelled_at: cancelled_at?.toISOString(),
      ends_at: result.current_period_end,
    }
    expect(handled.subscriptionCancelled).toHaveLength(2)
    expect(handled.subscriptionCancelled).toEqual(
      expect.arrayContaining([call, expect.objectContaining({ subscription_id: theirs.uuid, reason: null })])
    )
    expect(await ours.now()).toMatchObject({ status: "CANCELLED" })

    isBroken = false
    await store.db("gateway_hook_call").update({ next_attempt_at: new Date(0) })
    await runHooks(scope())
    expect(handled.subscriptionCancelled).toHaveLength(4)
    expect(await store.db("gateway_hook_call")).toEqual([])
  })

  it("renewalOrderCreated: a paid period's order stays when the handler fails for the last time", async () => {
    const subscriber = await buys()
    await subscriber.letMonthsPass()
    const [order] = await subscriber.orders()
    const [{ transaction_id }] = await subscriber.completions()
    await callsOf("renewalOrderCreated", transaction_id).update({ attempts: 9 })
    handled.renewalOrderCreated = []
    isBroken = true
    await runHooks(scope())
    isBroken = false
    expect(handled.renewalOrderCreated).toEqual([
      { ...tenant, order_id: order.id, transaction_id, subscription_id: subscriber.uuid, period: 2 },
    ])
    expect(await callsOf("renewalOrderCreated", transaction_id)).toEqual([
      expect.objectContaining({ attempts: 10, next_attempt_at: null, last_error: "the host's handler is broken" }),
    ])
    expect(await subscriber.completions()).toEqual([expect.objectContaining({ state: "ordered", order_id: order.id })])
    expect(await subscriber.charges()).toEqual([92_000])
    await subscriber.stop()
  })

  it("a process that died with a call leaves it to another, which alone may write how it ended", async () => {
    const subscriber = await buys()
    await runHooks(scope())
    await subscriber.stop()
    const lease = () => ({ token: randomUUID(), seconds: 300 })
    const [died] = await shop.gateway.hookCalls.claim(1, lease())
    expect(died).toMatchObject({ hook: "subscriptionCancelled", input: { subscription_id: subscriber.uuid } })
    expect(await shop.gateway.hookCalls.claim(1, lease())).toEqual([])
    await callsOf("subscriptionCancelled", subscriber.id).update({ locked_until: new Date(0) })
    const [next] = await shop.gateway.hookCalls.claim(1, lease())
    expect(next.id).toBe(died.id)
    await shop.gateway.hookCalls.succeeded(died)
    expect(await callsOf("subscriptionCancelled", subscriber.id)).toHaveLength(1)
    const late = { reason: said("the handler threw after its lease"), retry_seconds: null }
    await shop.gateway.hookCalls.failed(died, late)
    expect(await callsOf("subscriptionCancelled", subscriber.id)).toEqual([
      expect.objectContaining({ attempts: 0, last_error: null, lock_token: next.lock_token }),
    ])
    await shop.gateway.hookCalls.succeeded(next)
    expect(await callsOf("subscriptionCancelled", subscriber.id)).toEqual([])
  })

  it("a claim takes no more than its limit, whatever plan PostgreSQL chooses (architecture: Due work)", async () => {
    const add = (count: number) =>
      store.db("gateway_hook_call").insert(
        Array.from({ length: count }, () => ({
          id: `ghc_${randomUUID()}`,
          ...tenant,
          hook: "subscriptionCancelled",
          resource_id: randomUUID(),
          input: "{}",
          next_attempt_at: new Date(0),
        }))
      )
    await add(1)
    // With the statistics of one row PostgreSQL joins in a loop, which runs the inner side again for each row.
    await store.db.raw("VACUUM FULL ANALYZE gateway_hook_call")
    await add(11)
    expect(await shop.gateway.hookCalls.claim(1, { token: randomUUID(), seconds: 300 })).toHaveLength(1)
    await store.db("gateway_hook_call").delete()
  })
})
