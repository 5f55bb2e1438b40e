import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Button, Checkbox, createDataTableColumnHelper, type useDataTable } from "@medusajs/ui"
import { useMemo, useState } from "react"
import { CASH_FILTERS, CashBadge, filterName, isOpen, orderName, type CashOrder } from "../../../lib/cash/parts"
import { RecordMany } from "../../../lib/cash/many"
import { useFormats } from "../../../lib/format"
import { Amount, TwoLines, byDate, byTime, oneOf, useToday } from "../../../lib/table/parts"
import { AdminTable } from "../../../lib/table/admin-table"
import { useText } from "../../../lib/text"
import { HitArea, crumb } from "../../../lib/ui/bits"
import { AdminPage } from "../../../lib/ui/admin-page"
import { Link } from "../../../lib/ui/page-links"
import { useForbidden } from "../../../lib/use"

const column = createDataTableColumnHelper<CashOrder>()

/** The orders that are chosen, also on pages of the list that are not shown now. */
type Chosen = ReadonlyMap<string, CashOrder>
type Choose = (change: (chosen: Chosen) => Chosen) => void

const withOrders = (chosen: Chosen, orders: readonly CashOrder[]): Chosen =>
  new Map([...chosen, ...orders.map((order) => [order.id, order] as const)])
const withoutOrders = (chosen: Chosen, orders: readonly CashOrder[]): Chosen =>
  new Map([...chosen].filter(([id]) => !orders.some((order) => order.id === id)))

/** Medusa's own column for choosing rows has no names that a screen reader could say. */
function useChoiceColumn(chosen: Chosen, choose: Choose) {
  const say = useText()
  return useMemo(
    () =>
      column.display({
        id: "select",
        header: ({ table }) => {
          const open = table
            .getRowModel()
            .rows.map(({ original }) => original)
            .filter(isOpen)
          const all = open.length > 0 && open.every(({ id }) => chosen.has(id))
          return (
            <HitArea>
              <Checkbox
                aria-label={say("cash.many.select_all")}
                checked={all}
                disabled={open.length === 0}
                onCheckedChange={() => choose((now) => (all ? withoutOrders(now, open) : withOrders(now, open)))}
              />
            </HitArea>
          )
        },
        cell: ({ row: { original } }) =>
          isOpen(original) && (
            <HitArea>
              <Checkbox
                aria-label={say("cash.many.select", { number: orderName(original) })}
                checked={chosen.has(original.id)}
                onCheckedChange={() =>
                  choose((now) => (now.has(original.id) ? withoutOrders(now, [original]) : withOrders(now, [original])))
                }
              />
            </HitArea>
          ),
      }),
    [say, chosen, choose]
  )
}

function useCashColumns() {
  const say = useText()
  const { time, money } = useFormats()
  return useMemo(
    () => [
      column.accessor("order_number", {
        header: say("payments.order"),
        cell: ({ row: { original } }) => (
          <Link to={`/gateway/cash/${original.id}`} className="text-ui-fg-interactive whitespace-nowrap">
            {orderName(original)}
          </Link>
        ),
      }),
      column.accessor("placed_at", {
        ...byTime(say, say("cash.placed")),
        cell: ({ getValue }) => <span className="whitespace-nowrap">{time(getValue())}</span>,
      }),
      column.accessor("customer_name", {
        header: say("payments.customer"),
        cell: ({ row: { original } }) => (
          <TwoLines first={original.customer_name ?? "–"} second={original.phone ?? null} />
        ),
      }),
      column.accessor("district", { header: say("cash.district"), cell: ({ getValue }) => getValue() ?? "–" }),
      column.accessor("due", {
        header: say("cash.due"),
        align: "right",
        cell: ({ row: { original } }) => (
          <div className="text-right">
            <TwoLines
              first={<Amount amount={original.due} currency={original.currency} />}
              second={say("cash.of_total", { amount: money(original.total, original.currency) })}
            />
          </div>
        ),
      }),
      column.accessor("collected", {
        header: say("cash.collected"),
        align: "right",
        cell: ({ row: { original } }) => <Amount amount={original.collected} currency={original.currency} />,
      }),
      column.accessor("status", {
        header: say("payments.status"),
        cell: ({ row: { original } }) => <CashBadge {...original} />,
      }),
    ],
    [say, time, money]
  )
}

type Columns = Parameters<typeof useDataTable<CashOrder>>[0]["columns"]

const CashPage = () => {
  const say = useText()
  const formats = useFormats()
  const today = useToday()
  const isForbidden = useForbidden("cash-orders") !== undefined
  const [chosen, choose] = useState<Chosen>(new Map())
  const choice = useChoiceColumn(chosen, choose)
  const columns = useCashColumns()
  const all: Columns = useMemo(() => (isForbidden ? columns : [choice, ...columns]), [isForbidden, choice, columns])
  const filters = useMemo(
    () => [
      oneOf(
        "status",
        say("payments.status"),
        CASH_FILTERS.map((value) => ({ value, label: filterName(say, value) }))
      ),
      { id: "district", type: "string" as const, label: say("cash.district"), placeholder: say("cash.district") },
      byDate(say, formats, today),
    ],
    [say, formats, today]
  )
  return (
    <>
      <AdminTable<CashOrder>
        path="/cash-orders"
        totals={{ due: say("cash.due"), collected: say("cash.collected") }}
        rows="cash_orders"
        phone={["customer_name", "due", "status", "select"]}
        columns={all}
        filters={filters}
        heading={say("cash.title")}
        description={say("cash.description")}
        searchFor={say("cash.search")}
        empty={{ heading: say("cash.empty"), description: say("cash.empty_hint") }}
        actions={
          <Button size="small" variant="secondary" asChild>
            <Link to="/gateway/cash/import">{say("cash.import.open")}</Link>
          </Button>
        }
      />
      <RecordMany orders={[...chosen.values()]} onClear={() => choose(() => new Map())} />
    </>
  )
}

const Page = () => (
  <AdminPage>
    <CashPage />
  </AdminPage>
)

export const config = defineRouteConfig({ label: "menu.cash", translationNs: "gateway", rank: 15 })
export const handle = crumb("menu.cash")

export default Page
