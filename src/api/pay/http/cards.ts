import type { CheckoutPage } from "../../../modules/gateway/checkout/page"
import type { Gateway } from "../../../modules/gateway/container"
import type { CardWatch } from "../flow/submit-payment"
import { type Visitor } from "./request"

/** Counts this visitor's failed cards in the gateway. */
export function cardWatch(
  { cardTesting }: Pick<Gateway, "cardTesting">,
  { address }: Pick<Visitor, "address">
): CardWatch {
  const trialOf = ({ merchant_id, environment, session_id, transaction_id }: CheckoutPage) => ({
    merchant_id,
    environment,
    session_id,
    transaction_id,
    address,
  })
  return {
    secondsToWait: (page) => cardTesting.secondsToWait(trialOf(page)),
    failed: (page, card) => cardTesting.failed(trialOf(page), card),
  }
}
