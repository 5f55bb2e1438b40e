import { randomBytes } from "node:crypto"
import { DateTime } from "luxon"
import type { Answer, ApiMerchant, CallOptions, Data } from "./api"

export const PLANS = "/payments/subscription-plans"
export const SUBSCRIPTIONS = "/payments/subscriptions"
export const DAY = 86_400

/** A subscription as `/api/v2` answers it. */
export interface Subscription {
  id: number
  uuid: string
  merchant_id: number
  customer_id: number
  subscription_plan_id: number | null
  status: string
  amount: string
  interval_count: number
  interval_unit: string
  next_billing_date: string | null
  billing_cycle_count: number
  trial_end_date: string | null
  failed_payment_count: number
  current_period_start: string | null
  current_period_end: string | null
  cancel_at_period_end: boolean
  cancelled_at: string | null
  cancellation_reason: string | null
  cancellation_note: string | null
  meta_data: Record<string, unknown>
  created_at: string
  customer: { id: number; name: string; email: string; phone: string }
}

export interface BillingRecord {
  id: number
  uuid: string
  subscription_id: number
  billing_date: string
  amount: string
  currency: string
  status: string
  payment_session_id: string
  transaction_id: string
  created_at: string
}

export const subscriptionOf = (answer: Answer) => answer.body as unknown as Subscription
export const someone = () => ({
  name: "Karim Uddin",
  email: `karim-${randomBytes(6).toString("hex")}@example.com`,
  phone: "01812345678",
})
/** The date alone, or what is there instead. */
export const day = (text: string | null) => text?.slice(0, 10) ?? null

export const MONTHLY = { amount: "500.00", interval_count: 1, interval_unit: "MONTH" }
export const PLAN = { plan_name: "Tea club", ...MONTHLY }

/** A subscription of a merchant's sandbox, driven through `/api/v2` and the clock. */
export class Subscriber {
  constructor(
    readonly merchant: ApiMerchant,
    readonly uuid: string
  ) {}

  /** Creates a custom subscription, unless `changes` contain a plan; it must succeed. */
  static async create(merchant: ApiMerchant, changes: Record<string, unknown> = {}): Promise<Subscriber> {
    const answer = await merchant.call("POST", SUBSCRIPTIONS, { customer: someone(), ...MONTHLY, ...changes })
    if (answer.status !== 201) {
      throw new Error(`subscription: ${answer.status} ${answer.text}`)
    }
    return new Subscriber(merchant, subscriptionOf(answer).uuid)
  }

  call(method: string, suffix = "", body?: unknown, options: CallOptions = {}): Promise<Answer> {
    return this.merchant.call(method, `${SUBSCRIPTIONS}/${this.uuid}${suffix}`, body, options)
  }

  async get(): Promise<Subscription> {
    return subscriptionOf(await this.call("GET"))
  }

  async status(): Promise<string> {
    return (await this.get()).status
  }

  /** A checkout for the open period; it must succeed. */
  async checkout(body: Record<string, unknown> = {}): Promise<Data> {
    const answer = await this.call("POST", "/checkout", body)
    if (answer.status !== 200) {
      throw new Error(`subscription checkout: ${answer.status} ${answer.text}`)
    }
    return answer.body.data
  }

  /** Pays the open period through a checkout; returns the checkout. */
  async pay(instrument: Record<string, unknown> = { payment_method: "card" }): Promise<Data> {
    const session = await this.checkout()
    const answer = await this.merchant.pay(session.session_id, instrument)
    if (answer.status !== 200) {
      throw new Error(`payment: ${answer.status} ${answer.text}`)
    }
    return session
  }

  /** Oldest first. */
  async history(): Promise<BillingRecord[]> {
    const answer = await this.call("GET", "/billing-history?per_page=100")
    return (answer.body.data as unknown as BillingRecord[]).reverse()
  }

  async invoices(): Promise<{ number: number; status: string; period: number; amount_minor: number }[]> {
    return this.merchant.store
      .db("gateway_invoice")
      .whereIn(
        "subscription_id",
        this.merchant.store.db("gateway_subscription").where({ uuid: this.uuid }).select("id")
      )
      .orderBy("number")
      .select("number", "status", "period", "amount_minor")
  }

  /** Types of its events in the order of emission, without `subscription.`. */
  async events(): Promise<string[]> {
    return (await this.emitted()).map(({ event_type }) => event_type.replace("subscription.", ""))
  }

  async emitted(): Promise<{ event_type: string; data: Record<string, unknown>; occurred_at: Date }[]> {
    return this.merchant.store
      .db("gateway_event")
      .whereIn("resource_id", this.merchant.store.db("gateway_subscription").where({ uuid: this.uuid }).select("id"))
      .orderBy([{ column: "created_at" }, { column: "id" }])
      .select("event_type", "data", "occurred_at")
  }

  /** What the sandbox's acquirer has charged for it: automatic charges and successful checkouts. */
  async charges(): Promise<{ amount_minor: number; reference: string }[]> {
    const { db } = this.merchant.store
    const transactions = db("gateway_transaction as t")
      .join("gateway_checkout_session as s", "s.id", "t.session_id")
      .whereIn("s.subscription_id", db("gateway_subscription").where({ uuid: this.uuid }).select("id"))
      .select("t.id")
    return db("gateway_sandbox_operation")
      .whereIn("key", db("gateway_payment_attempt").whereIn("transaction_id", transactions).select("id"))
      .where({ kind: "charge", outcome: "SUCCESS" })
      .select("amount_minor", "reference")
  }
}

/** Moves a merchant's clock to a moment of the day; what falls due is done when this returns. */
export async function clockTo(merchant: ApiMerchant, when: string): Promise<Record<string, number>> {
  const now = when.includes("T") ? when : `${when}T00:00:00Z`
  const answer = await merchant.call("POST", "/sandbox/clock", { now })
  if (answer.status !== 200) {
    throw new Error(`clock: ${answer.status} ${answer.text}`)
  }
  return answer.body.data.processed
}

/** The same day in Dhaka of a later month, or that month's last where it is shorter (decisions: Plans and subscriptions). */
export const monthsLater = (from: Date, months: number) =>
  DateTime.fromJSDate(from, { zone: "Asia/Dhaka" }).plus({ months }).toJSDate()
