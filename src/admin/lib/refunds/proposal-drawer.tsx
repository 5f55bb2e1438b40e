import { useAdminQuery } from "../data"
import { OrderLink } from "../payments/order-link"
import { useText } from "../text"
import { ReadDrawer } from "../ui/form"
import { ErrorState, Loading } from "../ui/states"
import { OneProposal } from "./order-proposal"
import type { ListedProposal } from "./types"

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
