import { publicUrlOf } from "../../../../../v2-kit/endpoint"
import { ownSubscription } from "../../endpoint"
import { readReturnUrl } from "../../schemas"

/**
 * Another instrument: a payment page for the open period, which keeps what it is paid with (decisions: Plans: an ACTIVE
 * one's next period is paid in advance). Every payment is a real one, so nothing is charged just to try a card.
 */
export const POST = ownSubscription(async (context) => {
  const { gateway, owner, row, request } = context
  const publicUrl = publicUrlOf(gateway, request)
  const back = readReturnUrl(context)
  const urls = back === null ? {} : { success_url: back, fail_url: back, cancel_url: back }
  const { session_id, expires_at } = await gateway.subscriptionCheckouts.open(owner, row.id, urls, { publicUrl })
  return { session_id, checkout_url: `${publicUrl}/pay/${session_id}`, expires_at }
})
