import { merchant } from "./admin-screens"
import { gatewayOf } from "./api"
import { useReceiver } from "./receiver"
import type { Store } from "./store"

/** What the merchant of a test on the admin's pages can have behind it, and the system that gets its webhooks. */
export function usePaymentHistory(store: Store) {
  const receiver = useReceiver()

  /** A paid, a declined and an open checkout, with an endpoint that fails and an ipn_url that works. */
  async function someHistory(): Promise<{ paid: string; declined: string }> {
    receiver.answer = (response, { url }) => response.writeHead(url.startsWith("/hook") ? 500 : 200).end("no thanks")
    await gatewayOf(store).webhookEndpoints.create(
      { merchant_id: merchant.id, environment: "sandbox" },
      { endpoint_url: `${receiver.url}/hook`, event_types: ["*"] }
    )
    const paid = await merchant.open({ ipn_url: `${receiver.url}/ipn`, order_id: `PAID-${merchant.id.slice(-6)}` })
    await merchant.pay(paid.session_id)
    const declined = await merchant.open({ order_amount: "300.00", order_id: `DECLINED-${merchant.id.slice(-6)}` })
    await merchant.pay(declined.session_id)
    await merchant.open({ order_amount: "77.70" })
    await gatewayOf(store).refunds.create({
      transaction_id: paid.transaction_id,
      amount: 25_000n,
      reason: "one cup was broken",
      requested_by: "the test",
      request_key: "one",
    })
    await gatewayOf(store).webhookDispatch.drain(merchant.id)
    return { paid: paid.transaction_id, declined: declined.transaction_id }
  }

  return { receiver, someHistory }
}
