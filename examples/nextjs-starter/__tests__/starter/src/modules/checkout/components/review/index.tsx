"use client"

import type { HttpTypes } from "@medusajs/framework/types"
import PaymentButton from "../payment-button"

export default function Review({ cart }: { cart: HttpTypes.StoreCart }) {
  const paidByGiftcard = !!(cart as { gift_cards?: unknown[] }).gift_cards?.length && cart.total === 0
  const previousStepsCompleted = cart.shipping_address && (cart.payment_collection || paidByGiftcard)
  return previousStepsCompleted ? <PaymentButton cart={cart} data-testid="submit-order-button" /> : null
}
