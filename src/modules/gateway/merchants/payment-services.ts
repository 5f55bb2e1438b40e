/** The ways to pay. Source: contract 2.5; decisions: Checkout (payment services and default fees). */
export const PAYMENT_METHODS = ["card", "mobile_banking", "internet_banking", "wallet"] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

/** When the money of a payment is taken: at once, when the merchant says so, or when its order is fulfilled. */
export const CAPTURE_MODES = ["automatic", "manual", "on_fulfilment"] as const
export type CaptureMode = (typeof CAPTURE_MODES)[number]

/**
 * What a payment service says of one of its acquirers; its place in the list is its place in the order. `share`: of the
 * payments, against the other shares (90 and 10: nine of ten). `from_minor`, `to_minor`: the amounts that it is asked
 * for first, both included, in hundredths of taka; a payment in another currency goes by order and share alone.
 */
export type Route = { acquirer: string; share: number | null; from_minor: number | null; to_minor: number | null }

type PaymentServiceTemplate = {
  /** The contract's integer, the same for every merchant and environment. */
  service_id: number
  code: string
  name: string
  kind: PaymentMethod
  fee_basis_points: number
  fee_fixed_minor: number
  supports_refunds: boolean
}

/** What a new merchant gets in each environment; its fees can be changed afterwards. */
export const DEFAULT_PAYMENT_SERVICES: readonly PaymentServiceTemplate[] = [
  service(1, "CARD", "Card", "card", 250),
  service(2, "BKASH", "bKash", "mobile_banking", 150),
  service(3, "NAGAD", "Nagad", "mobile_banking", 150),
  service(4, "ROCKET", "Rocket", "mobile_banking", 150),
  service(5, "UPAY", "Upay", "mobile_banking", 150),
  service(6, "INTERNET_BANKING", "Internet banking", "internet_banking", 150),
  service(7, "WALLET", "Wallet", "wallet", 150),
]

function service(
  service_id: number,
  code: string,
  name: string,
  kind: PaymentMethod,
  fee_basis_points: number
): PaymentServiceTemplate {
  return { service_id, code, name, kind, fee_basis_points, fee_fixed_minor: 0, supports_refunds: true }
}
