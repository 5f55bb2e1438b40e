import type { Minor } from "../../../modules/gateway/domain/money"
import { formatAmount } from "../../../modules/gateway/domain/money"
import { cartOfPaymentSession } from "../cart"
import { checkoutOrder } from "../order"
import { orderIdOf, originsOf, publicUrlOf, type ProviderCradle } from "../store"
import { readWishes } from "../wishes"
import type { RemoteGateway } from "./client"
import { demand } from "./demand"
import type { ParsedRemoteOptions } from "./options"
import { wireOrder, wishedPaymentInfo } from "./order"
import type { RemoteSessionData } from "./session"

export type RemoteOpenInput = {
  payment_session_id: string
  /** How many checkouts this payment session has had. */
  earlier: number
  amount: Minor
  /** Untrusted. */
  client_data: Record<string, unknown>
}

/** Opens a checkout in another deployment for a Medusa payment session of this one. */
export class RemoteCheckoutOpener {
  constructor(
    private readonly cradle: ProviderCradle,
    private readonly remote: RemoteGateway,
    private readonly options: Pick<ParsedRemoteOptions, "id" | "ipnSecret">
  ) {}

  async open({ payment_session_id, earlier, amount, client_data }: RemoteOpenInput): Promise<RemoteSessionData> {
    const { gateway, query } = this.cradle
    const publicUrl = publicUrlOf(gateway)
    const cart = await cartOfPaymentSession(query, payment_session_id)
    const wishes = readWishes(client_data, originsOf(this.cradle))
    const order_id = orderIdOf(payment_session_id, earlier)
    const order = checkoutOrder({
      order_id,
      amount,
      cart,
      payment_session_id,
      own_return_url: `${publicUrl}/gateway/remote/return`,
      payment_info: wishedPaymentInfo(wishes),
    })
    const ipn_url = this.options.ipnSecret === undefined ? null : `${publicUrl}/hooks/payment/gateway_${this.options.id}`
    const opened = demand(await this.remote.checkout(wireOrder({ ...order, ipn_url }), `checkout:${order_id}`), "The checkout")
    return {
      session_id: opened.session_id,
      transaction_id: opened.transaction_id,
      order_id,
      amount: formatAmount(amount),
      currency: order.currency,
      checkout_url: opened.checkout_url,
      expires_at: opened.expires_at,
      status: "PENDING",
      return_url: wishes.return_url,
    }
  }
}
