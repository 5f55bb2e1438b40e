import { defineRouteConfig } from "@medusajs/admin-sdk"
import { createDataTableColumnHelper } from "@medusajs/ui"
import { useMemo } from "react"
import { useFormats } from "../../../lib/format"
import { CreateLink, LINK_COLORS, LINK_STATUSES, type PaymentLink, amountWords } from "../../../lib/links/create"
import { LinkDrawer } from "../../../lib/links/drawer"
import { AdminTable } from "../../../lib/table/admin-table"
import { NAMED, TwoLines, WHEN, anyOf, byDate, byTime, useToday, Opener } from "../../../lib/table/parts"
import { useText } from "../../../lib/text"
import { AdminPage } from "../../../lib/ui/admin-page"
import { Badge, crumb } from "../../../lib/ui/bits"
import { useOpened } from "../../../lib/use"

const column = createDataTableColumnHelper<PaymentLink>()

function useLinkColumns(open: (id: string) => void) {
  const say = useText()
  const { time, date, money } = useFormats()
  return useMemo(
    () => [
      column.accessor("created_at", {
        ...byTime(say, say("payments.created")),
        cell: ({ row: { original } }) => (
          <Opener onOpen={() => open(original.id)}>
            <span className={WHEN}>{time(original.created_at)}</span>
          </Opener>
        ),
      }),
      column.accessor("amount", {
        header: say("payments.amount"),
        align: "right",
        cell: ({ row: { original } }) => (
          <span className="whitespace-nowrap tabular-nums">{amountWords(say, money, original)}</span>
        ),
      }),
      column.accessor("status", {
        header: say("payments.status"),
        cell: ({ getValue }) => <Badge color={LINK_COLORS[getValue()]}>{say(`links.statuses.${getValue()}`)}</Badge>,
      }),
      column.accessor("paid_count", {
        header: say("links.payments"),
        align: "right",
        cell: ({ row: { original } }) => <PaidCount {...original} />,
      }),
      column.accessor("description", {
        header: say("links.description_label"),
        cell: ({ row: { original } }) => (
          <TwoLines first={original.description} second={original.customer?.email ?? null} />
        ),
      }),
      column.accessor("created_by_name", {
        header: say("links.made_by"),
        cell: ({ getValue }) => <span className={`block ${NAMED}`}>{getValue()}</span>,
      }),
      column.accessor("expires_at", {
        header: say("links.expires"),
        cell: ({ getValue }) => <span className="whitespace-nowrap">{date(getValue()) || "–"}</span>,
      }),
    ],
    [say, time, date, money, open]
  )
}

/** Of a link that many can pay; the others say it by their status. */
const PaidCount = ({ reusable, paid_count, max_payments }: PaymentLink) => {
  const say = useText()
  const { number } = useFormats()
  const paid = number(paid_count)
  const words = max_payments === null ? paid : say("links.paid_of", { number: paid, max: number(max_payments) })
  return <span className="whitespace-nowrap tabular-nums">{reusable ? words : "–"}</span>
}

const LinksPage = () => {
  const say = useText()
  const formats = useFormats()
  const today = useToday()
  const [opened, open] = useOpened()
  const columns = useLinkColumns(open)
  const filters = useMemo(
    () => [
      anyOf(
        "status",
        say("payments.status"),
        LINK_STATUSES.map((value) => ({ value, label: say(`links.statuses.${value}`) }))
      ),
      byDate(say, formats, today),
    ],
    [say, formats, today]
  )
  return (
    <AdminPage>
      <AdminTable<PaymentLink>
        path="/payment-links"
        totals={{ paid_amount: say("links.statuses.paid"), open_amount: say("links.statuses.open") }}
        rows="payment_links"
        phone={["description", "amount", "status", "created_at"]}
        columns={columns}
        filters={filters}
        heading={say("links.title")}
        description={say("links.description")}
        searchFor={say("links.search")}
        empty={{ heading: say("links.empty"), description: say("links.empty_hint") }}
        actions={<CreateLink onMade={open} />}
      />
      <LinkDrawer id={opened} onClose={() => open(null)} />
    </AdminPage>
  )
}

export const config = defineRouteConfig({ label: "menu.links", translationNs: "gateway", rank: 12 })
export const handle = crumb("menu.links")

export default LinksPage
