import { Text } from "@medusajs/ui"
import { Link } from "react-router-dom"
import { useFormats } from "../format"
import type { PaymentTimeline } from "../payments/types"
import { useText, useMessage } from "../text"
import { ErrorState, Loading } from "../ui/states"
import { OneProposal } from "./order-proposal"
import { RefundBadge } from "./parts"
import { isWaiting, type OrderRefund } from "./types"
import { useOrderRefunds } from "./use-order-refunds"

/**
 * The refunds of an order: proposals that were decided, and every refund with the state of its sync to the order. What
 * waits for a decision is at the top of the page.
 */
export const OrderRefunds = ({ order_id, payments }: { order_id: string; payments: PaymentTimeline[] }) => {
  const say = useText()
  const { data, error, refetch } = useOrderRefunds(order_id)
  if (data === undefined) {
    return error === null ? <Loading lines={2} /> : <ErrorState error={error} retry={() => void refetch()} />
  }
  const { refund_proposals, refunds } = data
  return (
    <>
      {refund_proposals
        .filter((proposal) => !isWaiting(proposal))
        .map((proposal) => (
          <OneProposal key={proposal.id} proposal={proposal} />
        ))}
      {refunds.length > 0 && (
        <section aria-label={say("payments.refunds")} className="flex flex-col gap-3 px-6 py-4">
          <Text size="small" weight="plus">
            {say("payments.refunds")}
          </Text>
          <ul className="flex flex-col gap-3">
            {refunds.map((refund) => (
              <OneRefund key={refund.id} refund={refund} tenant={tenantQuery(payments, refund)} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

/** An order's page belongs to no merchant: links to refunds must name the merchant and environment. */
function tenantQuery(payments: PaymentTimeline[], { transaction_id }: OrderRefund): string {
  const payment = payments.find(({ id }) => id === transaction_id)
  return payment === undefined ? "" : `&merchant_id=${payment.merchant_id}&environment=${payment.environment}`
}

const OneRefund = ({ refund, tenant }: { refund: OrderRefund; tenant: string }) => {
  const say = useText()
  const { money } = useFormats()
  const words = useMessage()
  const failure = refund.error_message ?? (refund.last_error && words(refund.last_error))
  return (
    <li className="flex flex-col gap-1">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Link
          to={`/gateway/refunds?opened=${refund.id}${tenant}`}
          className="txt-compact-small-plus text-ui-fg-interactive"
        >
          {money(refund.amount, refund.currency)}
        </Link>
        <RefundBadge {...refund} />
      </div>
      <Text size="xsmall" className="text-ui-fg-subtle break-words">
        {refund.reason} · {say(`refunds.on_order.${refund.on_order}`)}
      </Text>
      {failure !== null && (
        <Text size="xsmall" className="text-ui-fg-error break-words">
          {failure}
        </Text>
      )}
    </li>
  )
}
