import { createDataTableColumnHelper } from "@medusajs/ui"
import { useMemo } from "react"
import { DevelopersPage, ReferenceLink } from "../../../../lib/developers/parts"
import { useFormats } from "../../../../lib/format"
import { FITTED, TwoLines, byDate, byTime, oneOf, useToday } from "../../../../lib/table/parts"
import { AdminTable } from "../../../../lib/table/admin-table"
import { useText } from "../../../../lib/text"
import { Badge, Copied, Moment, crumb } from "../../../../lib/ui/bits"

type Request = {
  id: string
  method: string
  path: string
  status: number
  error_code: string | null
  key_name: string
  key: string
  duration_ms: number
  request_id: string
  address: string | null
  requested_at: string
}

const METHODS = ["GET", "POST", "PATCH", "DELETE"]
const column = createDataTableColumnHelper<Request>()

function useRequestColumns() {
  const say = useText()
  return useMemo(
    () => [
      column.accessor("requested_at", {
        ...byTime(say, say("developers.requests.time")),
        cell: ({ getValue }) => <Moment at={getValue()} />,
      }),
      column.accessor("path", {
        header: say("developers.requests.operation"),
        cell: ({ row: { original } }) => (
          <ReferenceLink at={{ operation: `${original.method} ${original.path}` }}>
            <code className="block w-max max-w-60 whitespace-normal py-2 font-mono [overflow-wrap:anywhere]">{`${original.method} ${original.path}`}</code>
          </ReferenceLink>
        ),
      }),
      column.accessor("status", {
        header: say("developers.requests.outcome"),
        cell: ({ row: { original } }) => (
          <span className="flex flex-wrap items-center gap-2">
            <Badge color={original.status < 400 ? "green" : original.status < 500 ? "orange" : "red"}>
              {String(original.status)}
            </Badge>
            {original.error_code !== null && (
              <ReferenceLink at={{ error: original.error_code }}>
                <code className="txt-compact-xsmall font-mono">{original.error_code}</code>
              </ReferenceLink>
            )}
          </span>
        ),
      }),
      column.accessor("key", {
        header: say("developers.requests.key"),
        cell: ({ row: { original } }) => <TwoLines first={original.key_name} second={original.key} />,
      }),
      column.accessor("address", {
        header: say("developers.requests.address"),
        cell: ({ getValue }) => <div className={`font-mono ${FITTED}`}>{getValue() ?? "–"}</div>,
      }),
      column.accessor("duration_ms", {
        header: say("developers.requests.duration"),
        align: "right",
        cell: ({ getValue }) => (
          <span className="whitespace-nowrap tabular-nums">
            {say("developers.requests.milliseconds", { ms: getValue() })}
          </span>
        ),
      }),
      column.accessor("request_id", {
        header: say("developers.requests.id"),
        cell: ({ getValue }) => (
          <Copied text={getValue()} label={getValue().length > 12 ? `${getValue().slice(0, 8)}…` : getValue()} />
        ),
      }),
    ],
    [say]
  )
}

const Requests = () => {
  const say = useText()
  const formats = useFormats()
  const today = useToday("real")
  const columns = useRequestColumns()
  const filters = useMemo(() => {
    const outcomes = (["succeeded", "refused", "failed"] as const).map((value) => ({
      value,
      label: say(`developers.requests.outcomes.${value}`),
    }))
    const methods = METHODS.map((value) => ({ value, label: value }))
    return [
      oneOf("outcome", say("developers.requests.outcome"), outcomes),
      oneOf("method", say("developers.requests.method"), methods),
      byDate(say, formats, today),
    ]
  }, [say, formats, today])
  return (
    <AdminTable<Request>
      path="/requests"
      rows="requests"
      phone={["path", "status"]}
      columns={columns}
      filters={filters}
      heading={say("developers.requests.title")}
      description={say("developers.requests.description")}
      searchFor={say("developers.requests.search")}
      empty={{ heading: say("developers.requests.empty"), description: say("developers.requests.empty_hint") }}
    />
  )
}

const RequestsPage = () => (
  <DevelopersPage>
    <Requests />
  </DevelopersPage>
)

export const handle = crumb("developers.tabs.requests")

export default RequestsPage
