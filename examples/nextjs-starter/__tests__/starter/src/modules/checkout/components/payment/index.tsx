"use client"

import { paymentInfoMap } from "@lib/constants"
import { sdk } from "@lib/config"
import type { HttpTypes } from "@medusajs/framework/types"

type Props = { cart: HttpTypes.StoreCart; chosen: string; toReview: () => void }

export default function Payment({ cart, chosen, toReview }: Props) {
  const activeSession = cart.payment_collection?.payment_sessions?.[0]
  const paidByGiftcard = !!(cart as { gift_cards?: unknown[] }).gift_cards?.length && cart.total === 0

  const handleSubmit = async () => {
    const checkActiveSession = activeSession?.provider_id === chosen
    if (!checkActiveSession) {
      await sdk.store.payment.initiatePaymentSession(cart, { provider_id: chosen })
    }
    toReview()
  }

  return (
    <div>
      <p>{paidByGiftcard ? <b>Gift card</b> : paymentInfoMap[chosen]?.title}</p>
      <button disabled={!chosen && !paidByGiftcard} onClick={() => void handleSubmit()}>
        Continue to review
      </button>
      {paidByGiftcard && <b>Gift card</b>}
    </div>
  )
}
