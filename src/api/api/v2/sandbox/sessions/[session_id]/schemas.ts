import { z } from "@medusajs/framework/zod"
import type { Instrument } from "../../../../../../modules/gateway/payments/acquirers/port"
import { PAYMENT_METHODS } from "../../../../../../modules/gateway/merchants/payment-services"
import {
  SANDBOX_CARDS,
  SANDBOX_MOBILE_NUMBER,
  SANDBOX_OTP,
  SANDBOX_PIN,
} from "../../../../../../modules/gateway/payments/acquirers/sandbox-rules"
import type { JsonObject } from "../../../../../v2-kit/body"
import { flag, parse, text, withoutAbsent, required, rule } from "../../../../../v2-kit/validate"

export const paymentSchema = z.object({
  payment_method: z.enum(PAYMENT_METHODS, required(rule("one_of", { values: PAYMENT_METHODS.join(", ") }))),
  card_number: text(23).optional(),
  payment_service: text(30).optional(),
  emi_configuration_id: text(64).optional(),
  final: flag.default(true),
})

/** What a shopper would type into the page. A test that gives no card pays with the first one that succeeds. */
const DEFAULT_CARD = SANDBOX_CARDS[0].number
const DEFAULT_MOBILE = { number: SANDBOX_MOBILE_NUMBER, otp: SANDBOX_OTP, pin: SANDBOX_PIN }

/** `final: false`: a decline leaves the checkout open, as on the hosted page (decisions: Checkout). */
export function readPayment(body: JsonObject): { instrument: Instrument; final: boolean } {
  const input = parse(paymentSchema, withoutAbsent(body, []))
  const method = input.payment_method
  const instrument: Instrument = {
    method,
    payment_service: input.payment_service ?? null,
    emi_configuration_id: input.emi_configuration_id ?? null,
    ...(method === "card" ? { card: { number: (input.card_number ?? DEFAULT_CARD).replace(/[ -]/g, "") } } : {}),
    ...(method === "mobile_banking" ? { mobile: DEFAULT_MOBILE } : {}),
  }
  return { instrument, final: input.final }
}
