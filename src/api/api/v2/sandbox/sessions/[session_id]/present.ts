import type { PaymentOutcome } from "../../../../../../modules/gateway/records"
import { envelope, type Answer } from "../../../../../contract/envelopes"

export function presentOutcome({ transaction_id, status, redirect_url }: PaymentOutcome): Answer {
  return envelope(`The payment is ${status}`, { transaction_id, status, redirect_url })
}
