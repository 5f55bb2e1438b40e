import { ArrowDownTray } from "@medusajs/icons"
import { Button } from "@medusajs/ui"
import { useDownload } from "../data"
import type { Query } from "../http"
import { useText } from "../text"

/** Downloads all rows of the list as CSV, with the search, the filters and the order that are set. */
export const ExportButton = ({
  path,
  query: { limit: _limit, offset: _offset, ...query },
}: {
  path: string
  query: Query
}) => {
  const say = useText()
  const download = useDownload()
  return (
    <Button
      size="small"
      variant="secondary"
      isLoading={download.isPending}
      onClick={() => download.mutate({ path, query: { ...query, format: "csv" } })}
    >
      <ArrowDownTray />
      {say("table.export")}
    </Button>
  )
}
