import type { PaymentOutcome } from "../../../../../../modules/gateway/payments/records"
import { envelope, type Answer } from "../../../../../v2-kit/envelopes"

export function presentOutcome({ transaction_id, status, redirect_url }: PaymentOutcome): Answer {
  return envelope(`The payment is ${status}`, { transaction_id, status, redirect_url })
}
