import { publicUrlOf } from "../../../../../v2-kit/target"
import { ownSubscription, readReturnUrl } from "../../resource"

/**
 * Replaces the instrument: opens a payment page that keeps what is paid with. `change` is `verify` when that costs nothing,
 * because a small amount is taken and given back at once, and `pay` while a period is owed, which it then pays
 * (docs/decisions/18).
 */
export const POST = ownSubscription(async (context) => {
  const { gateway, owner, row, request } = context
  const publicUrl = publicUrlOf(gateway, request)
  const back = readReturnUrl(context)
  const urls = back === null ? {} : { success_url: back, fail_url: back, cancel_url: back }
  const { session_id, expires_at, change } = await gateway.methodChanges.open(owner, row.id, urls, { publicUrl })
  return { session_id, checkout_url: `${publicUrl}/pay/${session_id}`, expires_at, change }
})
