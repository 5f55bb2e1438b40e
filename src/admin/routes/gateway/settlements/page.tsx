import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Button, createDataTableColumnHelper, Text } from "@medusajs/ui"
import { useMemo } from "react"
import { useFormats } from "../../../lib/format"
import { By, ImportBadge, SettlementPage, useSourceName, useSources } from "../../../lib/settlements/parts"
import { IMPORT_STATUSES, type Import } from "../../../lib/settlements/types"
import { AdminTable } from "../../../lib/table/admin-table"
import { byTime, oneOf, TwoLines } from "../../../lib/table/parts"
import { useText } from "../../../lib/text"
import { crumb } from "../../../lib/ui/bits"
import { Link } from "../../../lib/ui/page-links"

const column = createDataTableColumnHelper<Import>()

const Counts = ({ found }: { found: Import }) => {
  const say = useText()
  const others = (["known", "skipped"] as const).filter((name) => found[name] > 0)
  const parts = [
    say("settlements.counted.new", { count: found.new }),
    ...others.map((name) => say(`settlements.counted.${name}`, { count: found[name] })),
  ]
  return (
    <div className="py-2">
      <Text size="small">{parts.join(", ")}</Text>
      {found.errors.length > 0 && (
        <Text size="xsmall" className="text-ui-fg-error">
          {say("settlements.counted.errors", { count: found.errors.length })}
        </Text>
      )}
    </div>
  )
}

function useImportColumns() {
  const say = useText()
  const { time } = useFormats()
  const sourceName = useSourceName()
  return useMemo(
    () => [
      column.accessor("file_name", {
        header: say("settlements.file.one"),
        cell: ({ row: { original } }) => (
          <TwoLines
            first={
              <Link to={`/gateway/settlements/imports/${original.id}`} className="text-ui-fg-interactive">
                {original.file_name}
              </Link>
            }
            second={
              original.template_id === null
                ? say("settlements.fetch.by_api", { name: sourceName(original.source) })
                : sourceName(original.source)
            }
          />
        ),
      }),
      column.accessor("status", {
        header: say("payments.status"),
        cell: ({ getValue }) => <ImportBadge status={getValue()} />,
      }),
      column.accessor("new", {
        header: say("settlements.counts.lines"),
        cell: ({ row: { original } }) => <Counts found={original} />,
      }),
      column.accessor("imported_at", {
        ...byTime(say, say("settlements.imported_at")),
        cell: ({ row: { original } }) => (
          <TwoLines
            first={time(original.imported_at)}
            second={<By id={original.imported_by} name={original.imported_by_name} />}
          />
        ),
      }),
    ],
    [say, time, sourceName]
  )
}

const Imports = () => {
  const say = useText()
  const columns = useImportColumns()
  const sources = useSources()
  const sourceName = useSourceName()
  const filters = useMemo(
    () => [
      oneOf(
        "status",
        say("payments.status"),
        IMPORT_STATUSES.map((value) => ({ value, label: say(`settlements.import_statuses.${value}`) }))
      ),
      oneOf(
        "source",
        say("settlements.source"),
        sources.map(({ source }) => ({ value: source, label: sourceName(source) }))
      ),
    ],
    [say, sources, sourceName]
  )
  return (
    <AdminTable<Import>
      path="/settlements/imports"
      rows="imports"
      columns={columns}
      filters={filters}
      phone={["file_name", "status"]}
      heading={say("settlements.title")}
      description={say("settlements.description")}
      empty={{ heading: say("settlements.empty"), description: say("settlements.empty_hint") }}
      actions={
        <Button size="small" asChild>
          <Link to="/gateway/settlements/import">{say("settlements.file.open")}</Link>
        </Button>
      }
    />
  )
}

const SettlementsPage = () => (
  <SettlementPage>
    <Imports />
  </SettlementPage>
)

export const config = defineRouteConfig({ label: "menu.settlements", translationNs: "gateway", rank: 45 })
export const handle = crumb("menu.settlements")

export default SettlementsPage
