import type { ListedCompletion } from "../../../../modules/gateway/checkout/cart-completions"
import { presentHistory, presentMessageOrNull } from "../../../admin-kit/present"

/** What an admin sees of a paid cart. */
export function presentPaidCart(row: ListedCompletion) {
  const {
    id,
    transaction_id,
    environment,
    cart_id,
    order_id,
    refund_id,
    state,
    last_error,
    attempts,
    history,
    created_at,
  } = row
  return {
    id,
    transaction_id,
    environment,
    cart_id,
    order_id,
    refund_id,
    state,
    last_error: presentMessageOrNull(last_error),
    attempts,
    history: presentHistory(history),
    created_at,
  }
}
