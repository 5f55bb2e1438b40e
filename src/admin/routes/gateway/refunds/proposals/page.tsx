import { Button, createDataTableColumnHelper, Text } from "@medusajs/ui"
import { useMemo } from "react"
import { useFormats } from "../../../../lib/format"
import { OrderLink } from "../../../../lib/payments/parts"
import { useForbidden, useOpened } from "../../../../lib/use"
import { ProposalDrawer, RefundsFrame } from "../../../../lib/refunds/parts"
import { type ListedProposal, PROPOSAL_COLORS, PROPOSAL_STATUSES, isWaiting } from "../../../../lib/refunds/draft"
import { Amount, anyOf, byTime, TwoLines } from "../../../../lib/table/parts"
import { AdminTable } from "../../../../lib/table/admin-table"
import { useText } from "../../../../lib/text"
import { Badge, crumb } from "../../../../lib/ui/bits"

const column = createDataTableColumnHelper<ListedProposal>()

function useProposalColumns(open: (id: string) => void) {
  const say = useText()
  const { number, time } = useFormats()
  const mayDecide = useForbidden("refund-proposals") === undefined
  return useMemo(
    () => [
      column.accessor("created_at", {
        ...byTime(say, say("payments.created")),
        cell: ({ getValue }) => <span className="whitespace-nowrap">{time(getValue())}</span>,
      }),
      column.accessor("kind", {
        header: say("refunds.proposals.what"),
        cell: ({ row: { original } }) => (
          <div className="max-w-56 py-2">
            <Text size="small" leading="compact">
              {say(`refunds.proposals.${original.kind}`)}
            </Text>
            <Text size="xsmall" className="text-ui-fg-subtle truncate">
              {original.items.map(({ quantity, title }) => `${number(Number(quantity))} × ${title}`).join(", ")}
            </Text>
          </div>
        ),
      }),
      column.accessor("customer", {
        header: say("payments.customer"),
        cell: ({ getValue }) => <TwoLines first={getValue()?.name ?? "–"} second={null} />,
      }),
      column.accessor("amount", {
        header: say("payments.amount"),
        align: "right",
        cell: ({ row: { original } }) => <Amount {...original} />,
      }),
      column.accessor("status", {
        header: say("payments.status"),
        cell: ({ getValue }) => (
          <Badge color={PROPOSAL_COLORS[getValue()]}>{say(`refunds.proposals.statuses.${getValue()}`)}</Badge>
        ),
      }),
      column.accessor("order_id", {
        header: say("payments.store_order"),
        cell: ({ row: { original } }) => <OrderLink id={original.order_id} number={original.medusa_order_number} />,
      }),
      column.display({
        id: "decide",
        header: () => <span className="sr-only">{say("refunds.proposals.decide")}</span>,
        cell: ({ row: { original } }) => {
          const decides = mayDecide && isWaiting(original)
          const label = say(decides ? "refunds.proposals.decide" : "refunds.proposals.show")
          const what = [say(`refunds.proposals.${original.kind}`), original.medusa_order_number].filter(Boolean)
          return (
            <Button
              size="small"
              variant={decides ? "primary" : "secondary"}
              aria-label={`${label}: ${what.join(", ")}`}
              data-opens-row
              onClick={() => open(original.id)}
            >
              {label}
            </Button>
          )
        },
      }),
    ],
    [say, number, time, open, mayDecide]
  )
}

/** Each is decided here, or on its order's page beside what was returned. */
const Proposals = () => {
  const say = useText()
  const [opened, open] = useOpened()
  const columns = useProposalColumns(open)
  const filters = useMemo(
    () => [
      anyOf(
        "status",
        say("payments.status"),
        PROPOSAL_STATUSES.map((value) => ({ value, label: say(`refunds.proposals.statuses.${value}`) }))
      ),
    ],
    [say]
  )
  return (
    <>
      <AdminTable<ListedProposal>
        path="/refund-proposals"
        totals={{
          amount: say("refunds.proposals.statuses.open"),
          confirmed_amount: say("refunds.proposals.confirmed"),
        }}
        rows="refund_proposals"
        phone={["customer", "amount", "status", "created_at"]}
        columns={columns}
        filters={filters}
        heading={say("refunds.proposals.title")}
        description={say("refunds.proposals.description")}
        searchFor={say("refunds.proposals.search")}
        empty={{ heading: say("refunds.proposals.empty"), description: say("refunds.proposals.empty_hint") }}
      />
      <ProposalDrawer id={opened} onClose={() => open(null)} />
    </>
  )
}

const ProposalsPage = () => (
  <RefundsFrame>
    <Proposals />
  </RefundsFrame>
)

export const handle = crumb("refunds.proposals.title")

export default ProposalsPage
