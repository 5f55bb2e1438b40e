import { defineRouteConfig } from "@medusajs/admin-sdk"
import { createDataTableColumnHelper } from "@medusajs/ui"
import { useMemo } from "react"
import { useFormats } from "../../../lib/format"
import { OrderLink, cartText } from "../../../lib/payments/parts"
import { Amount, TwoLines, byDate, byTime, oneOf, useToday } from "../../../lib/table/parts"
import { AdminTable } from "../../../lib/table/admin-table"
import { useText, useMessage, type PresentedMessage } from "../../../lib/text"
import { Badge, type Color, crumb } from "../../../lib/ui/bits"
import { AdminPage } from "../../../lib/ui/admin-page"
import { Link } from "../../../lib/ui/page-links"

type State = "waiting" | "ordered" | "giving_back" | "given_back" | "needs_attention"
type PaidCart = {
  id: string
  transaction_id: string
  order_id: string | null
  medusa_order_number: number | null
  state: State
  history: (PresentedMessage & { at: string })[]
  created_at: string
  /** Null: the payment has been forgotten. */
  payment: { customer: { name: string; email: string }; paid_amount: string; currency: string } | null
}

/** docs/operations.md says what they mean. */
const COLORS: Readonly<Record<State, Color>> = {
  waiting: "blue",
  ordered: "green",
  giving_back: "orange",
  given_back: "grey",
  needs_attention: "red",
}
const STATES = Object.keys(COLORS) as State[]

const column = createDataTableColumnHelper<PaidCart>()

function usePaidCartColumns() {
  const say = useText()
  const words = useMessage()
  const { time } = useFormats()
  return useMemo(
    () => [
      column.accessor("created_at", {
        ...byTime(say, say("payments.statuses.SUCCESS")),
        cell: ({ row: { original } }) => (
          <Link
            to={`/gateway/payments/${original.transaction_id}`}
            className="text-ui-fg-interactive whitespace-nowrap"
          >
            {time(original.created_at)}
          </Link>
        ),
      }),
      column.accessor("payment", {
        id: "customer",
        header: say("payments.customer"),
        cell: ({ getValue }) => {
          const payment = getValue()
          return payment === null ? "–" : <TwoLines first={payment.customer.name} second={payment.customer.email} />
        },
      }),
      column.accessor(({ payment }) => payment, {
        id: "amount",
        header: say("payments.amount"),
        align: "right",
        cell: ({ getValue }) => {
          const payment = getValue()
          return payment === null ? "–" : <Amount amount={payment.paid_amount} currency={payment.currency} />
        },
      }),
      column.accessor("state", {
        header: say("carts.state"),
        cell: ({ getValue }) => <Badge color={COLORS[getValue()]}>{say(`carts.states.${getValue()}`)}</Badge>,
      }),
      column.accessor("order_id", {
        header: say("payments.store_order"),
        cell: ({ row: { original } }) => <OrderLink id={original.order_id} number={original.medusa_order_number} />,
      }),
      column.display({
        id: "last",
        header: say("carts.last"),
        cell: ({ row: { original } }) => (
          <span className="text-ui-fg-subtle">
            {original.history.slice(-1).map((entry) => cartText(say, words, entry, original.medusa_order_number))}
          </span>
        ),
      }),
    ],
    [say, words, time]
  )
}

const PaidCartsPage = () => {
  const say = useText()
  const formats = useFormats()
  const today = useToday()
  const columns = usePaidCartColumns()
  const filters = useMemo(() => {
    const states = STATES.map((value) => ({ value, label: say(`carts.states.${value}`) }))
    const unfinished = { value: "open", label: say("carts.unfinished") }
    return [oneOf("state", say("carts.state"), [unfinished, ...states]), byDate(say, formats, today)]
  }, [say, formats, today])
  return (
    <AdminPage>
      <AdminTable<PaidCart>
        path="/paid-carts"
        rows="paid_carts"
        phone={["customer", "amount", "state", "created_at"]}
        columns={columns}
        filters={filters}
        heading={say("carts.title")}
        description={say("carts.description")}
        searchFor={say("carts.search")}
        empty={{ heading: say("carts.empty"), description: say("carts.empty_hint") }}
      />
    </AdminPage>
  )
}

export const config = defineRouteConfig({ label: "menu.paid_carts", translationNs: "gateway", rank: 20 })
export const handle = crumb("menu.paid_carts")

export default PaidCartsPage
