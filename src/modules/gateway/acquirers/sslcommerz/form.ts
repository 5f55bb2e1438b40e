import { formatAmount } from "../../kernel/money/money"
import { isAllZeros } from "../../kernel/text/phone"
import { fitted } from "../../kernel/text/text"
import type { PaymentRequest, Refused } from "../port"

/**
 * `multi_card_name` by payment service: what SSLCommerz's page offers. At most 30 characters, so for CARD the group
 * `othercard` (Nexus, Q-Cash, …) does not fit beside the three schemes.
 */
export const CARD_NAMES: ReadonlyMap<string, string> = new Map([
  ["CARD", "visacard,mastercard,amexcard"],
  ["BKASH", "bkash"],
  ["NAGAD", "nagad"],
  ["ROCKET", "dbblmobilebanking"],
  ["UPAY", "upay"],
  ["INTERNET_BANKING", "internetbank"],
  ["WALLET", "mobilebank"],
])

const MIN_MINOR = 10_00n
const MAX_MINOR = 500_000_00n
const URL_MAX_CHARS = 255
const EMAIL_MAX_CHARS = 50
const ITEMS_MAX = 9

/** Sent for an address that is too long: a shortened one could be somebody else's. No mail arrives there (RFC 2606). */
const NO_EMAIL = "no-reply@example.com"
const EMPTY = "N/A"

/** What SSLCommerz could only refuse, said before it is asked; null: it may be asked. */
export function refusedBeforehand(request: PaymentRequest): Refused | null {
  if (request.amount < MIN_MINOR || request.amount > MAX_MINOR) {
    const message = "SSLCommerz takes 10.00 to 500000.00 BDT"
    return { result: "refused", code: "LIMIT_EXCEEDED", message, reason: "limit_exceeded" }
  }
  const wrong =
    request.currency !== "BDT"
      ? `SSLCommerz is asked in BDT only, not in ${request.currency}`
      : !CARD_NAMES.has(request.service)
        ? `SSLCommerz does not serve ${request.service}`
        : Math.max(request.return_url.length, request.notification_url.length) > URL_MAX_CHARS
          ? "The gateway's own URL is longer than the 255 characters that SSLCommerz takes"
          : null
  return wrong === null
    ? null
    : { result: "refused", code: "NETWORK_ERROR", message: wrong, reason: "method_unavailable", trouble: "bad_request" }
}

/** The fields of a new session, without the credentials. */
export function createForm(request: PaymentRequest): Record<string, string> {
  const { customer, key, return_url } = request
  return {
    total_amount: formatAmount(request.amount),
    currency: request.currency,
    tran_id: key,
    value_a: key,
    success_url: return_url,
    fail_url: return_url,
    cancel_url: return_url,
    ipn_url: request.notification_url,
    multi_card_name: CARD_NAMES.get(request.service) ?? "",
    product_name: fitted(request.description, 255, `Order ${fitted(request.order_id, 100, key)}`),
    product_category: "ecommerce",
    product_profile: "general",
    shipping_method: "NO",
    num_of_item: String(Math.min(Math.max(request.items.length, 1), ITEMS_MAX)),
    cus_name: fitted(customer.name, 50, EMPTY),
    cus_email:
      [...customer.email].length > EMAIL_MAX_CHARS ? NO_EMAIL : fitted(customer.email, EMAIL_MAX_CHARS, NO_EMAIL),
    cus_add1: fitted(customer.address, 50, EMPTY),
    cus_city: fitted(customer.city, 50, EMPTY),
    cus_postcode: fitted(customer.postcode, 30, EMPTY),
    cus_country: fitted(customer.country, 50, EMPTY),
    cus_phone: fitted(isAllZeros(customer.phone) ? "" : customer.phone, 20, EMPTY),
    ...emiFields(request),
  }
}

/** The shopper has chosen the plan on our page, so SSLCommerz offers no other months and no other way to pay. */
function emiFields({ instalments }: PaymentRequest): Record<string, string> {
  return instalments === undefined
    ? { emi_option: "0" }
    : { emi_option: "1", emi_selected_inst: String(instalments.months), emi_allow_only: "1" }
}
