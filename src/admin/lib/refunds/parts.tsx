import { Text } from "@medusajs/ui"
import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { useAdminQuery } from "../data"
import { useFormats } from "../format"
import { type AdminError, request } from "../http"
import { OrderLink } from "../payments/parts"
import type { PaymentTimeline } from "../payments/types"
import { useMessage, useText } from "../text"
import { AdminPage } from "../ui/admin-page"
import { Badge, PageTabs } from "../ui/bits"
import { ReadDrawer } from "../ui/form"
import { Link } from "../ui/page-links"
import { ErrorState, Loading } from "../ui/section"
import {
  type ExpectedRefund,
  type ListedProposal,
  type OrderRefund,
  type Proposal,
  REFUND_COLORS,
  type Refund,
  isWaiting,
  why,
} from "./draft"
import { OneProposal } from "./order-proposal"

type BadgeProps = Pick<Refund, "status"> & { held_for?: Refund["held_for"] }

/** A refund's status; a pending refund shows what it waits for. */
export const RefundBadge = ({ status, held_for = null }: BadgeProps) => {
  const say = useText()
  const text =
    status === "pending" && held_for !== null ? say(`refunds.held_${held_for}`) : say(`refunds.statuses.${status}`)
  return <Badge color={REFUND_COLORS[status]}>{text}</Badge>
}

/** Refunds, and the refunds that the store's orders propose. */
export const RefundsFrame = ({ children }: { children: ReactNode }) => {
  const say = useText()
  const tabs = [
    { to: "/gateway/refunds", name: say("payments.refunds"), end: true },
    { to: "/gateway/refunds/proposals", name: say("refunds.proposals.title") },
  ]
  return (
    <AdminPage>
      <PageTabs label={say("menu.refunds")} tabs={tabs} />
      {children}
    </AdminPage>
  )
}

type Answer = { expected_refunds: ExpectedRefund[]; refund_proposals: Proposal[]; refunds: OrderRefund[] }

/** What the widgets of an order's page show of its refunds; asked for once for all of them. */
export function useOrderRefunds(order_id: string) {
  return useQuery<Answer, AdminError>({
    queryKey: ["gateway", "order-refunds", order_id],
    queryFn: ({ signal }) => request(`/orders/${order_id}/refunds`, { signal }),
    // Goods may have come back since the last fetch.
    staleTime: 0,
  })
}

/** One proposal in the list of return refunds: its goods, what can be refunded now, and the decision. */
export const ProposalDrawer = ({ id, onClose }: { id: string | null; onClose: () => void }) => {
  const say = useText()
  const { data, error, refetch } = useAdminQuery<{ refund_proposal: ListedProposal }>(
    `/refund-proposals/${id}`,
    {},
    id !== null
  )
  const proposal = id !== null && data?.refund_proposal.id === id ? data.refund_proposal : undefined
  return (
    <ReadDrawer open={id !== null} onClose={onClose} title={say("refunds.proposals.one")}>
      {proposal === undefined &&
        (error === null ? <Loading lines={6} /> : <ErrorState error={error} retry={() => void refetch()} />)}
      {proposal !== undefined && (
        <>
          <div className="-mx-6">
            <OneProposal proposal={proposal} />
          </div>
          <div>
            <OrderLink id={proposal.order_id} number={proposal.medusa_order_number} />
          </div>
        </>
      )}
    </ReadDrawer>
  )
}

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
        {why(words, refund)} · {say(`refunds.on_order.${refund.on_order}`)}
      </Text>
      {failure !== null && (
        <Text size="xsmall" className="text-ui-fg-error break-words">
          {failure}
        </Text>
      )}
    </li>
  )
}
