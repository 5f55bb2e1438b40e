import { z } from "@medusajs/framework/zod"
import type { Instrument } from "../../../../../../modules/gateway/payments/acquirers/port"
import { PAYMENT_METHODS } from "../../../../../../modules/gateway/merchants/payment-services"
import {
  SANDBOX_CARDS,
  SANDBOX_OTP,
  SANDBOX_PIN,
} from "../../../../../../modules/gateway/payments/acquirers/sandbox-rules"
import type { JsonObject } from "../../../../../v2-kit/body"
import { parse, text, withoutAbsent, required, rule } from "../../../../../v2-kit/validate"

const paymentSchema = z.object({
  payment_method: z.enum(PAYMENT_METHODS, required(rule("one_of", { values: PAYMENT_METHODS.join(", ") }))),
  card_number: text(23).optional(),
  payment_service: text(30).optional(),
  emi_configuration_id: text(64).optional(),
})

/** What a shopper would type into the page. A test that gives no card pays with the first one that succeeds. */
const DEFAULT_CARD = SANDBOX_CARDS[0].number
const DEFAULT_MOBILE = { number: "01700000000", otp: SANDBOX_OTP, pin: SANDBOX_PIN }

export function readPayment(body: JsonObject): Instrument {
  const input = parse(paymentSchema, withoutAbsent(body, []))
  const method = input.payment_method
  return {
    method,
    payment_service: input.payment_service ?? null,
    emi_configuration_id: input.emi_configuration_id ?? null,
    ...(method === "card" ? { card: { number: (input.card_number ?? DEFAULT_CARD).replace(/[ -]/g, "") } } : {}),
    ...(method === "mobile_banking" ? { mobile: DEFAULT_MOBILE } : {}),
  }
}
