import type { Minor } from "../kernel/money/money"
import type { PaymentMethod } from "../merchants/payment-services"

/** What a checkout stores of its order, as it was sent (contract 2.2, 2.4, 2.5). */
/** A cart's shopper may leave out any of these: absent is "" (decisions: Absent means absent). */
export type CustomerDetails = {
  name: string
  email: string
  address: string
  city: string
  postcode: string
  country: string
  phone: string
  metadata?: Record<string, unknown>
}

export type OrderItem = {
  product_name?: string | null
  sku?: string | null
  quantity?: number | null
  unit_price?: string | null
  net_amount?: string | null
  [key: string]: unknown
}

export type PaymentInfo = {
  allowed_payment_methods?: PaymentMethod[] | null
  payment_service_id?: number | null
  requires_emi?: boolean | null
  emi_configuration_id?: string | null
  /** When the money is taken; absent: as the merchant's settings say. */
  capture?: "automatic" | "manual" | null
  [key: string]: unknown
}

/** EMI: what the bank collects from its customer instead of `amount`. The merchant still receives `amount`. */
export type InstalmentTerms = {
  configuration_uuid: string
  bank_name: string
  months: number
  /** Order amount and interest. */
  total: Minor
  /** Charged once, with the first instalment. */
  fee: Minor
  monthly: Minor
  last: Minor
}

/** How the order of a payment is called. */
export type OrderNames = {
  /** The merchant's own number of the order. */
  order_id: string
  /** What shopper and shop say; the order_id, unless the shop has another number (docs/decisions/16). */
  order_number?: string
}
