import { randomBytes } from "node:crypto"
import type { EventType } from "../modules/gateway/kernel/database/events"
import type { Api } from "./api"

/**
 * Makes an event occur in the sandbox, and returns the id that the event contains: of the transaction, the refund or the
 * subscription.
 */
type Scenario = (api: Api) => Promise<string>

type Session = { session_id: string; transaction_id: string }

/** Test cards of the sandbox (decisions: Sandbox). */
const CARD = {
  succeeds: "4242424242424242",
  declined: "4000000000000002",
  refundedAtOnce: "4000000000007726",
  refundFails: "4000000000005126",
}
const AMOUNT = "1250.50"
const CUSTOMER = { name: "Farhana Rahman", email: "farhana@example.com", phone: "01712345678" }
const ADDRESS = { address: "House 12, Road 5", city: "Dhaka", postcode: "1209", country: "Bangladesh" }

/** Events for which the sandbox has a way; the others depend on a bank, on the store, or on much later days. */
export const SCENARIOS: Readonly<Partial<Record<EventType, Scenario>>> = {
  "payment.succeeded": async (api) => (await paid(api, CARD.succeeds)).transaction_id,
  "payment.failed": async (api) => (await paid(api, CARD.declined)).transaction_id,
  "payment.cancelled": async (api) => {
    const { session_id, transaction_id } = await opened(api)
    await api.post(`/sandbox/sessions/${session_id}/cancel`)
    return transaction_id
  },
  "payment.expired": async (api) => {
    const { session_id, transaction_id } = await opened(api)
    await api.post(`/payments/checkout/${session_id}/expire`)
    return transaction_id
  },
  "payment.authorized": async (api) => (await reserved(api)).transaction_id,
  "payment.captured": async (api) => {
    const { transaction_id } = await reserved(api)
    await api.post(`/payments/${transaction_id}/capture`)
    return transaction_id
  },
  "payment.voided": async (api) => {
    const { transaction_id } = await reserved(api)
    await api.post(`/payments/${transaction_id}/void`)
    return transaction_id
  },
  "refund.initiated": (api) => refunded(api, CARD.refundedAtOnce),
  "refund.processing": (api) => refunded(api, CARD.refundedAtOnce),
  "refund.completed": (api) => refunded(api, CARD.refundedAtOnce),
  "refund.failed": (api) => refunded(api, CARD.refundFails),
  "refund.cancelled": async (api) => {
    // Items of a batch wait for a few seconds of the sandbox's clock, and can be cancelled until then.
    const { transaction_id } = await paid(api, CARD.refundedAtOnce)
    const refunds = [{ transaction_id, refund_reason: "trigger" }]
    const { data } = await api.post<{ refunds: { refund_id: string }[] }>("/payments/refunds/batch", { refunds })
    await api.post(`/payments/refund/${data.refunds[0].refund_id}/cancel`)
    return data.refunds[0].refund_id
  },
  "subscription.created": (api) => subscribed(api),
  "subscription.trial_started": (api) => subscribed(api, { trial_period_days: 14 }),
  // A trial that ends within three days is announced at once.
  "subscription.trial_ending": (api) => subscribed(api, { trial_period_days: 2 }),
  "subscription.activated": (api) => activeSubscription(api),
  "subscription.payment_succeeded": (api) => activeSubscription(api),
  "subscription.paused": (api) => changed(api, "pause"),
  "subscription.resumed": async (api) => {
    const id = await changed(api, "pause")
    await api.post(`/payments/subscriptions/${id}/resume`)
    return id
  },
  "subscription.cancelled": (api) => changed(api, "cancel"),
  "subscription.changed": async (api) => {
    const id = await activeSubscription(api)
    await api.post(`/payments/subscriptions/${id}/change`, { amount: "1400.00", when: "period_end" })
    return id
  },
  "subscription.uncancelled": async (api) => {
    const id = await changed(api, "cancel", { cancel_at_period_end: true })
    await api.post(`/payments/subscriptions/${id}/uncancel`)
    return id
  },
  "subscription.expired": async (api) => {
    const id = await changed(api, "cancel")
    // What is cancelled at once expires with the next billing run, which a move of the clock does before it answers.
    await api.post("/sandbox/clock", { advance_seconds: 1 })
    return id
  },
  "invoice.created": async (api) => {
    const id = await activeSubscription(api)
    await api.post(`/payments/subscriptions/${id}/generate-invoice`)
    return id
  },
}

async function reserved(api: Api): Promise<Session> {
  const session = await opened(api, { payment_info: { capture: "manual" } })
  await pay(api, session.session_id, CARD.succeeds)
  return session
}

async function opened(api: Api, more: Record<string, unknown> = {}): Promise<Session> {
  const { data } = await api.post<Session>("/payments/checkout", {
    order_id: `trigger-${randomBytes(8).toString("hex")}`,
    currency: "BDT",
    order_amount: AMOUNT,
    success_url: "https://example.com/paid",
    fail_url: "https://example.com/failed",
    cancel_url: "https://example.com/cancelled",
    customer: { ...CUSTOMER, ...ADDRESS },
    ...more,
  })
  return data
}

async function pay(api: Api, session_id: string, card_number: string): Promise<void> {
  await api.post(`/sandbox/sessions/${session_id}/pay`, { payment_method: "card", card_number })
}

async function paid(api: Api, card: string): Promise<Session> {
  const session = await opened(api)
  await pay(api, session.session_id, card)
  return session
}

async function refunded(api: Api, card: string): Promise<string> {
  const { transaction_id } = await paid(api, card)
  const { data } = await api.post<{ refund_id: string }>("/payments/refund", {
    transaction_id,
    refund_reason: "trigger",
  })
  return data.refund_id
}

async function subscribed(api: Api, terms: Record<string, unknown> = {}): Promise<string> {
  const { body } = await api.post("/payments/subscriptions", {
    customer: CUSTOMER,
    amount: AMOUNT,
    interval_count: 1,
    interval_unit: "MONTH",
    ...terms,
  })
  return String(body.uuid)
}

async function activeSubscription(api: Api): Promise<string> {
  const id = await subscribed(api)
  const { data } = await api.post<Session>(`/payments/subscriptions/${id}/checkout`, {})
  await pay(api, data.session_id, CARD.succeeds)
  return id
}

async function changed(api: Api, change: "pause" | "cancel", how?: Record<string, unknown>): Promise<string> {
  const id = await activeSubscription(api)
  await api.post(`/payments/subscriptions/${id}/${change}`, how)
  return id
}
