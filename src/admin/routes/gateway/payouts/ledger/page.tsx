import { createDataTableColumnHelper } from "@medusajs/ui"
import { useMemo } from "react"
import { useFormats } from "../../../../lib/format"
import { About, type Entry, PayoutsPage, useCurrencies } from "../../../../lib/payouts/parts"
import { Amount, byDate, byTime, oneOf, useToday } from "../../../../lib/table/parts"
import { AdminTable } from "../../../../lib/table/admin-table"
import { useText } from "../../../../lib/text"
import { crumb } from "../../../../lib/ui/bits"

const ACCOUNTS = [
  "merchant_balance",
  "acquirer_clearing",
  "fees",
  "refunds",
  "payouts",
  "disputes",
  "dispute_claims",
  "cash_due",
  "cash_received",
  "courier_charges",
  "cash_orders",
  "settlements",
  "acquirer_fees",
  "acquirer_vat",
  "settlement_differences",
  "bank",
  "bank_charges",
  "emi_costs",
] as const

const column = createDataTableColumnHelper<Entry>()

function useEntryColumns() {
  const say = useText()
  const { time } = useFormats()
  return useMemo(
    () => [
      column.accessor("created_at", {
        ...byTime(say, say("payouts.ledger.when")),
        cell: ({ getValue }) => <span className="whitespace-nowrap">{time(getValue())}</span>,
      }),
      column.accessor("type", {
        header: say("payouts.ledger.kind"),
        cell: ({ getValue }) => say(`payouts.ledger.kinds.${getValue()}`),
      }),
      column.accessor("account", {
        header: say("payouts.ledger.account"),
        cell: ({ getValue }) => say(`payouts.ledger.accounts.${getValue()}`),
      }),
      column.accessor("amount", {
        header: say("payments.amount"),
        align: "right",
        cell: ({ row: { original } }) => <Amount {...original} />,
      }),
      column.display({
        id: "about",
        header: say("payouts.ledger.about"),
        cell: ({ row: { original } }) => <About entry={original} />,
      }),
    ],
    [say, time]
  )
}

const Ledger = () => {
  const say = useText()
  const formats = useFormats()
  const today = useToday()
  const columns = useEntryColumns()
  const currencies = useCurrencies()
  const filters = useMemo(
    () => [
      oneOf(
        "account",
        say("payouts.ledger.account"),
        ACCOUNTS.map((value) => ({ value, label: say(`payouts.ledger.accounts.${value}`) }))
      ),
      ...(currencies.length < 2
        ? []
        : [
            oneOf(
              "currency",
              say("payments.currency"),
              currencies.map((value) => ({ value, label: value }))
            ),
          ]),
      byDate(say, formats, today),
    ],
    [say, formats, currencies, today]
  )
  return (
    <AdminTable<Entry>
      path="/ledger/entries"
      totals={{ amount: say("payments.amount") }}
      rows="entries"
      phone={["type", "amount", "account", "created_at"]}
      columns={columns}
      filters={filters}
      heading={say("payouts.ledger.title")}
      description={say("payouts.ledger.description")}
      searchFor={say("payouts.ledger.search")}
      empty={{ heading: say("payouts.ledger.empty"), description: say("payouts.ledger.empty_hint") }}
    />
  )
}

const LedgerPage = () => (
  <PayoutsPage>
    <Ledger />
  </PayoutsPage>
)

export const handle = crumb("payouts.ledger.title")

export default LedgerPage
