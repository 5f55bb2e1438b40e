import type { Sql } from "../kernel/database/database"
import type { EmiOffer } from "../emi/rules"
import type {
  AttemptRequest,
  ChargeRequest,
  Instrument,
  PaymentRequest,
  References,
  RefundRequest,
} from "../acquirers/port"
import type { InstalmentTerms } from "../acquirers/order"
import { noteAnswer } from "./attempts"
import { DEFAULT_ACCOUNT } from "../acquirers/registry"
import { merchantNow, type PaymentRecord } from "./records"

/**
 * How the acquirer is asked about the record's attempt. `sql` saves what the adapter wants to know again after a crash.
 * Throws when there is no attempt.
 */
export function attemptRequest(sql: Sql, record: PaymentRecord): AttemptRequest {
  return { ...newAttempt(sql, record), references: record.acquirer_ids ?? {} }
}

function newAttempt(sql: Sql, record: PaymentRecord): Omit<AttemptRequest, "references"> {
  const { attempt_id } = record
  if (attempt_id === null) {
    throw new Error(`${record.transaction_id} has no attempt to ask about`)
  }
  return {
    key: attempt_id,
    amount: BigInt(record.amount_minor),
    currency: record.currency,
    service: record.payment_service ?? "",
    expires_at: record.expires_at,
    now: merchantNow(record),
    save: (references) => noteAnswer(sql, attempt_id, { references }),
  }
}

/** Where the acquirer sends the shopper, and its notifications, of an attempt. `page_url`: the checkout's own page. */
export function acquirerUrls(
  page_url: string,
  { acquirer, account = DEFAULT_ACCOUNT, attempt_id }: { acquirer: string; account?: string; attempt_id: string }
): Pick<PaymentRequest, "return_url" | "notification_url"> {
  const base = `${page_url.replace(/\/pay\/[^/]*$/, "")}/gateway/acquirers/${acquirer}`
  return { return_url: `${base}/return/${attempt_id}`, notification_url: `${base}/notify/${account}` }
}

/** How the acquirer is asked to take a payment. `keep`: for a subscription that begins with it. */
export function paymentRequest(
  sql: Sql,
  record: PaymentRecord,
  {
    instrument,
    offer,
    keep,
    language,
    return_url,
    notification_url,
  }: { instrument: Instrument; offer: EmiOffer | null; keep: boolean } & Pick<
    PaymentRequest,
    "language" | "return_url" | "notification_url"
  >
): PaymentRequest {
  return {
    ...newAttempt(sql, record),
    transaction_id: record.transaction_id,
    order_id: record.order_id,
    order_number: record.order_number,
    instrument,
    instalments: offer === null ? undefined : instalmentTerms(offer),
    description: described(record),
    customer: record.customer,
    items: record.items ?? [],
    language,
    return_url,
    notification_url,
    keep: keep || record.subscription_id !== null || record.payment_info?.is_recurring === true,
    verifies: record.source === "verification",
    authorize_only: isOnlyAuthorizing(record),
  }
}

/**
 * What the shopper reads on the acquirer's page and statement: the merchant's words, or what is bought. The order_id of
 * a Medusa cart says nothing to its shopper: there the order's number goes first.
 */
function described({ description, items, order_id, order_number }: PaymentRecord): string {
  const named = (items ?? []).map(({ product_name }) => product_name?.trim() ?? "").filter((name) => name !== "")
  const bought = named.join("; ")
  if (order_number !== order_id) {
    return [`Order ${order_number}`, description?.trim() || bought].filter(Boolean).join(": ")
  }
  return description?.trim() || bought || order_id
}

/** How the acquirer is asked to charge a saved method that the shopper has chosen. */
export function savedMethodRequest(sql: Sql, record: PaymentRecord, token: string): ChargeRequest {
  const { key, amount, currency, service, now, save } = newAttempt(sql, record)
  return {
    key,
    amount,
    currency,
    service,
    now,
    save,
    token,
    description: described(record),
    authorize_only: isOnlyAuthorizing(record),
  }
}

/** How the acquirer is asked to give the record's surplus back. */
export function surplusRequest(
  sql: Sql,
  record: PaymentRecord,
  surplus: { minor: number; return_key: string; return_ids: References; reference: string },
  save: RefundRequest["save"]
): RefundRequest {
  const { key, references, currency, now } = attemptRequest(sql, record)
  const amount = BigInt(surplus.minor)
  return {
    key: surplus.return_key,
    amount,
    currency,
    references: surplus.return_ids,
    reason: "Paid twice",
    payment: { key, reference: surplus.reference, amount, references },
    other_refunds: [],
    now,
    save,
  }
}

function isOnlyAuthorizing({ attempt_capture }: PaymentRecord): boolean {
  return attempt_capture !== null && attempt_capture !== "automatic"
}

function instalmentTerms({ configuration, figures }: EmiOffer): InstalmentTerms {
  const { uuid: configuration_uuid, bank_name, tenure_months: months } = configuration
  const { total, fee, monthly, last } = figures
  return { configuration_uuid, bank_name, months, total, fee, monthly, last }
}
