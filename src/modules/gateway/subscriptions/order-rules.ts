import type { SubscriptionRow } from "./records"

/** Where the payments of a subscription lead by the merchant's own settings. */
export type MerchantUrls = {
  success_url: string | null
  fail_url: string | null
  cancel_url: string | null
  ipn_url: string | null
}

/** The description that the customer reads on the page and on the statement. */
export function descriptionOf(row: SubscriptionRow): string {
  return row.plan_name ?? `Subscription ${row.number}`
}

/** Without any configured URL the session's own page shows how the payment ended. */
export function ownPage(session_id: string, publicUrl = ""): string {
  return `${publicUrl}/pay/${session_id}`
}

/** The customer of a subscription in the shape of a checkout's; a subscriber need not give an address. */
export function customerDetails(row: SubscriptionRow) {
  return {
    name: row.customer_name,
    email: row.customer_email,
    address: "",
    city: "",
    postcode: "",
    country: "",
    phone: row.customer_phone ?? "",
  }
}
