import type { CheckoutCreated } from "../../../../../modules/gateway/checkout/service"
import { envelope, type Answer } from "../../../../v2-kit/envelopes"

/** Contract 2.6, plus the transaction_id (decisions: Checkout). */
export function presentCheckout(created: CheckoutCreated, publicUrl: string): Answer {
  return envelope("Checkout session created", {
    checkout_url: `${publicUrl}/pay/${created.session_id}`,
    session_id: created.session_id,
    expires_at: created.expires_at.toISOString(),
    transaction_id: created.transaction_id,
  })
}
