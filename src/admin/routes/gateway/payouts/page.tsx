import { defineRouteConfig } from "@medusajs/admin-sdk"
import { createDataTableColumnHelper, Text } from "@medusajs/ui"
import { useMemo } from "react"
import { useAdminMutation } from "../../../lib/data"
import { useFormats } from "../../../lib/format"
import { BalanceSection, type Payout, PayoutDrawer, PayoutsPage, StatementSection } from "../../../lib/payouts/parts"
import { RecordPayout } from "../../../lib/payouts/record-payout"
import { Amount, byDate, byTime, oneOf, useToday, Opener } from "../../../lib/table/parts"
import { AdminTable } from "../../../lib/table/admin-table"
import { useText } from "../../../lib/text"
import { Ask, Badge, crumb } from "../../../lib/ui/bits"
import { useOpened } from "../../../lib/use"

const column = createDataTableColumnHelper<Payout>()

const Reverse = ({ payout: { id, reference, amount, currency } }: { payout: Payout }) => {
  const say = useText()
  const { money } = useFormats()
  const reverse = useAdminMutation<null>(
    { path: () => `/payouts/${id}/reverse` },
    { done: () => say("payouts.reversed") }
  )
  return (
    <Ask
      area="payouts"
      variant="transparent"
      aria-label={say("payouts.reverse_of", { reference })}
      label={say("payouts.reverse")}
      title={say("payouts.reverse_title", { amount: money(amount, currency) })}
      text={say("payouts.reverse_hint")}
      pending={reverse.isPending}
      act={() => reverse.mutate(null)}
    />
  )
}

function usePayoutColumns(open: (id: string) => void) {
  const say = useText()
  const { time, day } = useFormats()
  return useMemo(
    () => [
      column.accessor("recorded_at", {
        ...byTime(say, say("payouts.recorded")),
        cell: ({ row: { original } }) => <Opener onOpen={() => open(original.id)}>{time(original.recorded_at)}</Opener>,
      }),
      column.accessor("transferred_on", {
        header: say("payouts.transferred"),
        cell: ({ getValue }) => {
          const on = getValue()
          return <span className="whitespace-nowrap">{on === null ? "–" : day(on)}</span>
        },
      }),
      column.accessor("period_from", {
        header: say("payouts.period"),
        cell: ({ row: { original } }) => {
          const { period_from: from, period_to: to } = original
          return from === null || to === null ? "–" : say("payouts.days", { from: day(from), to: day(to) })
        },
      }),
      column.accessor("amount", {
        header: say("payments.amount"),
        align: "right",
        cell: ({ row: { original } }) => <Amount {...original} />,
      }),
      column.accessor("status", {
        header: say("payments.status"),
        cell: ({ getValue }) => (
          <Badge color={getValue() === "recorded" ? "green" : "grey"}>{say(`payouts.statuses.${getValue()}`)}</Badge>
        ),
      }),
      column.accessor("reference", {
        header: say("payouts.reference"),
        cell: ({ row: { original } }) => (
          <div className="max-w-80 py-2">
            <Text size="small" leading="compact" className="truncate font-mono">
              {original.reference}
            </Text>
            {original.note !== null && (
              <Text size="xsmall" className="text-ui-fg-subtle truncate">
                {original.note}
              </Text>
            )}
          </div>
        ),
      }),
      column.display({
        id: "reverse",
        header: () => <span className="sr-only">{say("common.actions")}</span>,
        cell: ({ row: { original } }) => (original.status === "recorded" ? <Reverse payout={original} /> : null),
      }),
    ],
    [say, time, day, open]
  )
}

const Payouts = () => {
  const [opened, open] = useOpened()
  const say = useText()
  const formats = useFormats()
  const today = useToday()
  const columns = usePayoutColumns(open)
  const filters = useMemo(() => {
    const status = (["recorded", "reversed"] as const).map((value) => ({
      value,
      label: say(`payouts.statuses.${value}`),
    }))
    return [oneOf("status", say("payments.status"), status), byDate(say, formats, today)]
  }, [say, formats, today])
  return (
    <>
      <AdminTable<Payout>
        path="/payouts"
        totals={{ amount: say("payouts.balance.paid_out") }}
        rows="payouts"
        phone={["reference", "amount", "status", "recorded_at"]}
        columns={columns}
        filters={filters}
        level="h2"
        heading={say("payouts.title")}
        description={say("payouts.description")}
        searchFor={say("payouts.search")}
        empty={{ heading: say("payouts.empty"), description: say("payouts.empty_hint") }}
        actions={<RecordPayout />}
      />
      <PayoutDrawer id={opened} onClose={() => open(null)} />
    </>
  )
}

const PayoutsHome = () => (
  <PayoutsPage>
    <BalanceSection />
    <Payouts />
    <StatementSection />
  </PayoutsPage>
)

export const config = defineRouteConfig({ label: "menu.payouts", translationNs: "gateway", rank: 50 })
export const handle = crumb("menu.payouts")

export default PayoutsHome
