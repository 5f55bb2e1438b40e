import { paymentInfoMap } from "@lib/constants"
import type { HttpTypes } from "@medusajs/framework/types"

const Divider = ({ className }: { className: string }) => <hr className={className} />

export default function PaymentDetails({ order }: { order: HttpTypes.StoreOrder }) {
  const payment = order.payment_collections?.[0].payments?.[0]
  return (
    <div>
      <h2>Payment</h2>
      <div>
        {payment && (
          <p>
            {paymentInfoMap[payment.provider_id].title}: {payment.amount}
          </p>
        )}
      </div>

      <Divider className="mt-8" />
    </div>
  )
}
