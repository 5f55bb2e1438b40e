/** What the payment page can open with; there the shopper can still choose another way. */
export const PAYMENT_METHODS = ["card", "bkash", "nagad", "rocket", "upay", "internet_banking", "wallet"] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

/** The members of a payment session's data that preselect a method (examples/storefront/README.md). */
export const METHOD_DATA: Record<PaymentMethod, { payment_method: string; payment_service: string }> = {
  card: { payment_method: "card", payment_service: "CARD" },
  bkash: { payment_method: "mobile_banking", payment_service: "BKASH" },
  nagad: { payment_method: "mobile_banking", payment_service: "NAGAD" },
  rocket: { payment_method: "mobile_banking", payment_service: "ROCKET" },
  upay: { payment_method: "mobile_banking", payment_service: "UPAY" },
  internet_banking: { payment_method: "internet_banking", payment_service: "INTERNET_BANKING" },
  wallet: { payment_method: "wallet", payment_service: "WALLET" },
}
