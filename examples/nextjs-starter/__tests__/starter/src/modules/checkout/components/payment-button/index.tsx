"use client"

import { isManual } from "@lib/constants"
import { placeOrder } from "@lib/data/cart"
import type { HttpTypes } from "@medusajs/framework/types"

type PaymentButtonProps = { cart: HttpTypes.StoreCart; "data-testid": string }

export default function PaymentButton({ cart, "data-testid": dataTestId }: PaymentButtonProps) {
  const notReady = !cart.shipping_address || !cart.email
  const paymentSession = cart.payment_collection?.payment_sessions?.[0]

  switch (true) {
    case isManual(paymentSession?.provider_id):
      return (
        <button disabled={notReady} data-testid={dataTestId} onClick={() => void placeOrder()}>
          Place order
        </button>
      )
    default:
      return <button disabled>Select a payment method</button>
  }
}
