import { createDataTableColumnHelper, Text } from "@medusajs/ui"
import { useMemo, type ReactNode } from "react"
import { useFormats } from "../format"
import { DeliveryBadge } from "../payments/parts"
import { byTime } from "../table/columns"
import { AdminTable } from "../table/admin-table"
import { byDate, oneOf } from "../table/filters"
import { useToday } from "../table/today"
import { useText, useMessage } from "../text"
import { useOpened } from "../use-opened"
import { DeliveryDrawer } from "./delivery-drawer"
import type { Delivery } from "./types"

const column = createDataTableColumnHelper<Delivery>()

function useDeliveryColumns(open: (id: string) => void) {
  const say = useText()
  const words = useMessage()
  const { number, time } = useFormats()
  return useMemo(
    () => [
      column.accessor("created_at", {
        ...byTime(say, say("developers.deliveries.created")),
        cell: ({ row: { original } }) => (
          <button type="button" className="text-ui-fg-interactive whitespace-nowrap" onClick={() => open(original.id)}>
            {time(original.created_at)}
          </button>
        ),
      }),
      column.accessor("event_type", {
        header: say("developers.events.type"),
        cell: ({ getValue }) => <code className="font-mono">{getValue()}</code>,
      }),
      column.accessor("url", {
        header: say("developers.deliveries.receiver"),
        cell: ({ row: { original } }) => (
          <div className="py-2">
            <Text size="xsmall" className="text-ui-fg-subtle">
              {say(`payments.timeline.${original.kind}`)}
            </Text>
            <Text size="small" leading="compact" className="break-all">
              {original.url}
            </Text>
          </div>
        ),
      }),
      column.accessor("status", {
        header: say("developers.deliveries.status"),
        cell: ({ row: { original } }) => <DeliveryBadge {...original} />,
      }),
      column.accessor("error", {
        header: say("developers.deliveries.answer"),
        cell: ({ row: { original } }) => {
          const { error, status_code } = original
          return error === null ? (status_code === null ? "–" : `HTTP ${status_code}`) : words(error)
        },
      }),
      column.accessor("attempts", {
        header: say("developers.deliveries.attempts"),
        cell: ({ getValue }) => number(getValue()),
      }),
    ],
    [say, words, number, time, open]
  )
}

type Props = { heading: string; description?: string; webhook_id?: string; actions?: ReactNode }

/** The log of deliveries, of all receivers or of one endpoint. */
export const DeliveryTable = ({ heading, description = "", webhook_id, actions }: Props) => {
  const say = useText()
  const formats = useFormats()
  const today = useToday()
  const [opened, open] = useOpened()
  const columns = useDeliveryColumns(open)
  const filters = useMemo(() => {
    const status = (["pending", "delivered", "failed"] as const).map((value) => ({
      value,
      label: say(`payments.deliveries.${value}`),
    }))
    const kind = (["webhook", "ipn"] as const).map((value) => ({ value, label: say(`payments.timeline.${value}`) }))
    const byKind = webhook_id === undefined ? [oneOf("kind", say("developers.deliveries.kind"), kind)] : []
    return [oneOf("status", say("developers.deliveries.status"), status), ...byKind, byDate(say, formats, today)]
  }, [say, formats, webhook_id, today])
  return (
    <>
      <AdminTable<Delivery>
        path="/deliveries"
        rows="deliveries"
        phone={["event_type", "status"]}
        columns={columns}
        filters={filters}
        heading={heading}
        level={webhook_id === undefined ? "h1" : "h2"}
        description={description}
        searchFor={say("developers.deliveries.search")}
        empty={{ heading: say("developers.deliveries.empty"), description: say("developers.deliveries.empty_hint") }}
        actions={actions}
        fixed={{ webhook_id }}
      />
      <DeliveryDrawer id={opened} onClose={() => open(null)} />
    </>
  )
}
