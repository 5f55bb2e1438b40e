import { isNotFound } from "../lib/errors"
import { inOwnLanguage } from "../text"
import type { Place } from "./cart"
import { openStore } from "./sdk"
import type { Plan } from "./plans"
import type { Invoice, SubscriptionStatus } from "./subscription-types"

/** What it costs and is of from the next payment on. */
type NextTerms = Pick<Plan, "interval_count" | "interval_unit"> & {
  plan_name: string | null
  plan_name_bn: string | null
  /** With its delivery, in taka as text. */
  amount: string
}

/** A plan to change to; `id` is what to send. */
export type OtherPlan = NextTerms & { id: number; billing_cycles?: number }

/** The response of `/store/gateway/subscriptions`; amounts are taka as text, `id` is the uuid. */
export type Subscription = Pick<Plan, "interval_count" | "interval_unit"> & {
  id: string
  status: SubscriptionStatus
  plan_name: string | null
  /** Null: the plan has one name for everybody. */
  plan_name_bn: string | null
  /** The price of a renewal, with its delivery. */
  amount: string
  delivery_amount: string
  quantity: number
  order_id: string | null
  trial_end_date: string | null
  current_period_start: string | null
  current_period_end: string | null
  next_billing_date: string | null
  /** Another plan begins with the next payment; absent: none. */
  scheduled_change?: NextTerms
  /** It ends after so many paid periods, or begins none from `ends_at` on; all four are absent where it has no end. */
  billing_cycles?: number
  billing_cycles_paid?: number
  ends_at?: string
  last_period_end?: string
  /** When a failed charge is retried. */
  retry_at: string | null
  /** Its dates are days of this time zone (IANA). */
  time_zone: string
  cancel_at_period_end: boolean
  /** Where renewals are sent; null: nothing is sent, or there was no address. */
  delivery_address: (Place & { country_code: string | null }) | null
  instrument: { method: string; service: string; brand?: string; last_four?: string; account?: string } | null
}

/** The return address after replacing an instrument has this in its query: `?subscription=<id>`. */
export const RETURN_PARAMETER = "subscription"

const PATH = "/store/gateway/subscriptions"
const PAGE_SIZE = 20
const path = (id: string, what = ""): string => `${PATH}/${encodeURIComponent(id)}${what}`

type Answer = { subscription: Subscription }

/** The signed-in shopper's own, newest first. */
export async function listSubscriptions(offset = 0): Promise<{ subscriptions: Subscription[]; count: number }> {
  const { sdk } = await openStore()
  return sdk.client.fetch(PATH, { query: { limit: PAGE_SIZE, offset } })
}

/** Null when there is none with this id, or it belongs to somebody else. */
export async function findSubscription(id: string): Promise<Subscription | null> {
  const { sdk } = await openStore()
  try {
    return (await sdk.client.fetch<Answer>(path(id))).subscription
  } catch (error) {
    if (isNotFound(error)) {
      return null
    }
    throw error
  }
}

/** The plans that it may be changed to. */
export async function listOtherPlans(id: string): Promise<OtherPlan[]> {
  const { sdk } = await openStore()
  return (await sdk.client.fetch<{ plans: OtherPlan[] }>(path(id, "/plans"))).plans
}

/** Rejects with a 409 when the status forbids it. */
export async function changeSubscription(
  id: string,
  what: "pause" | "resume" | "cancel" | "uncancel" | "change" | "keep-plan",
  body?: object
): Promise<Subscription> {
  const { sdk } = await openStore()
  return (await sdk.client.fetch<Answer>(path(id, `/${what}`), { method: "POST", body: { ...body } })).subscription
}

/** Sends the next renewals to another place, in the same country. Rejects with a 409 once the subscription has ended. */
export async function moveSubscription(id: string, place: Place): Promise<void> {
  const { sdk } = await openStore()
  await sdk.client.fetch(path(id, "/address"), { method: "POST", body: { ...place, country_code: "bd" } })
}

/** Newest first. */
export async function listInvoices(id: string, offset = 0): Promise<{ invoices: Invoice[]; count: number }> {
  const { sdk } = await openStore()
  return sdk.client.fetch(path(id, "/invoices"), { query: { limit: PAGE_SIZE, offset } })
}

/** An invoice as a file. The token is in a header, so there is no address that could be passed on. */
export async function downloadInvoice(id: string, invoice: Invoice, language: string): Promise<Blob> {
  const { sdk } = await openStore()
  const address = path(id, `/invoices/${encodeURIComponent(invoice.id)}/pdf`)
  return (
    await sdk.client.fetch<Response>(address, { query: { lang: language }, headers: { accept: "application/pdf" } })
  ).blob()
}

/**
 * The payment page that takes another card or account, and returns to the subscription. It costs nothing unless a period
 * is owed, which it then pays.
 */
export async function replaceInstrument(id: string): Promise<string> {
  const { sdk } = await openStore()
  const return_url = `${location.origin}${location.pathname}?${new URLSearchParams({ [RETURN_PARAMETER]: id })}`
  const { checkout_url } = await sdk.client.fetch<{ checkout_url: string }>(path(id, "/instrument"), {
    method: "POST",
    body: { return_url },
  })
  if (!/^https?:\/\//.test(checkout_url)) {
    throw new Error("The answer has no checkout_url")
  }
  return inOwnLanguage(checkout_url)
}
