import { publicUrlOf } from "../../../../../v2-kit/endpoint"
import { ownSubscription } from "../../endpoint"
import { readReturnUrl } from "../../schemas"

/**
 * Replaces the instrument: opens a payment page for the open period that keeps its instrument (decisions: Plans: the
 * next period of an ACTIVE subscription is paid in advance). The payment is a real one: no charge is made only to test
 * a card.
 */
export const POST = ownSubscription(async (context) => {
  const { gateway, owner, row, request } = context
  const publicUrl = publicUrlOf(gateway, request)
  const back = readReturnUrl(context)
  const urls = back === null ? {} : { success_url: back, fail_url: back, cancel_url: back }
  const { session_id, expires_at } = await gateway.subscriptionCheckouts.open(owner, row.id, urls, { publicUrl })
  return { session_id, checkout_url: `${publicUrl}/pay/${session_id}`, expires_at }
})
