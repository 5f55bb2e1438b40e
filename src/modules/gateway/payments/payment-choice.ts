import { messageOf, type Message } from "../../../i18n/message"
import { fault, validationError, type GatewayError } from "../kernel/errors"
import type { CaptureMode, PaymentMethod } from "../merchants/payment-services"
import { captureModeOf, type CapturedPayment } from "./captures/rules"

/** A payment service of a merchant. */
export type PaymentServiceRow = {
  service_id: number
  code: string
  name: string
  kind: PaymentMethod
  fee_basis_points: number
  fee_fixed_minor: number
  /** Its acquirer can give money back. */
  supports_refunds: boolean
  /** When the money of its payments is taken; null: as the merchant says for all. */
  capture: CaptureMode | null
}

export type PaymentRestriction = {
  allowed_payment_methods?: PaymentMethod[] | null
  payment_service_id?: number | null
}

/**
 * The services that a payment may be made with: of a verification those that keep the method, and that can give the
 * money back; of any other those whose acquirer takes the money when it is to be taken.
 */
export function usableFor<Row extends PaymentServiceRow>(
  payment: CapturedPayment & { merchant_capture: CaptureMode },
  services: readonly Row[],
  acquirers: { keepsInstruments(code: string): boolean; authorizes(code: string): boolean }
): readonly Row[] {
  return payment.source === "verification"
    ? services.filter(({ code, supports_refunds }) => supports_refunds && acquirers.keepsInstruments(code))
    : services.filter(
        ({ code, capture }) =>
          captureModeOf(payment, capture, payment.merchant_capture) === "automatic" || acquirers.authorizes(code)
      )
}

/** The services an order may be paid with; without a restriction, all of the merchant's. */
export function allowedServices<Row extends PaymentServiceRow>(
  services: readonly Row[],
  restriction: PaymentRestriction | null
): Row[] {
  const allowed = restriction?.allowed_payment_methods
  return services.filter(({ kind }) => allowed === undefined || allowed === null || allowed.includes(kind))
}

/**
 * The service for a shopper's choice: the named one, otherwise the preselected one of that method, otherwise the
 * method's first that an acquirer serves. 422 with `payment_method` or `payment_service` when the order does not allow it.
 */
export function choosePaymentService(
  services: readonly PaymentServiceRow[],
  restriction: PaymentRestriction | null,
  choice: { method: PaymentMethod; payment_service?: string | null },
  isServed: (service: string) => boolean
): PaymentServiceRow {
  const ofMethod = allowedServices(services, restriction).filter(({ kind }) => kind === choice.method)
  if (ofMethod.length === 0) {
    throw refusal("payment_method", messageOf("rule.order_method"))
  }
  const named = choice.payment_service
  if (named !== undefined && named !== null && named !== "") {
    const service = ofMethod.find(({ code }) => code === named)
    if (service === undefined) {
      throw refusal("payment_service", messageOf("rule.order_method"))
    }
    return service
  }
  const served = ofMethod.filter(({ code }) => isServed(code))
  return served.find(({ service_id }) => service_id === restriction?.payment_service_id) ?? served[0] ?? ofMethod[0]
}

/** What was tried last, otherwise the merchant's preselection; with only one method there is nothing to choose. */
export function preselection(
  allowed: readonly PaymentServiceRow[],
  { attempts, payment_service, payment_info }: Choice
): { kind: PaymentMethod; service_code: string | null } | null {
  const tried = allowed.find(({ code }) => attempts > 0 && code === payment_service)
  const chosen = tried ?? allowed.find(({ service_id }) => service_id === payment_info?.payment_service_id)
  if (chosen !== undefined) {
    return { kind: chosen.kind, service_code: chosen.code }
  }
  const kinds = new Set(allowed.map(({ kind }) => kind))
  return kinds.size === 1 ? { kind: allowed[0].kind, service_code: null } : null
}

/** A payment's choice until now: by its merchant, and by its shopper with the last attempt. */
type Choice = { attempts: number; payment_service: string | null; payment_info: PaymentRestriction | null }

/** What a page shows that a shopper must see or may choose before paying. */
type Shown = {
  emi: object | null
  account: { methods: readonly { service: string }[]; keeping: readonly string[] } | null
  renewal: object | null
}

/**
 * Whether the payment page sends its form by itself: the shopper has chosen the service in the shop, its acquirer asks
 * for everything on a page of its own, and ours has nothing else to choose or to agree to. Never after an attempt: then
 * the shopper sees how it ended, and the other ways. An order of the API may be opened by a link in a message, which
 * programs follow too.
 */
export function goesStraight(
  allowed: readonly (PaymentServiceRow & { flow: "inline" | "redirect" })[],
  { source, attempts, payment_info }: Choice & { source: string },
  { emi, account, renewal }: Shown
): boolean {
  const chosen = allowed.find(({ service_id }) => service_id === payment_info?.payment_service_id)
  if (chosen === undefined || source !== "cart" || attempts > 0 || chosen.flow === "inline") {
    return false
  }
  const inInstalments = chosen.kind === "card" && emi !== null
  const kept = [...(account?.keeping ?? []), ...(account?.methods ?? []).map(({ service }) => service)]
  return !inInstalments && !kept.includes(chosen.code) && renewal === null
}

function refusal(field: string, rule: Message): GatewayError {
  return validationError([fault(field, rule)])
}
