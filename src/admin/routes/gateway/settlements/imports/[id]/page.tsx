import { useParams } from "react-router-dom"
import { useAdminQuery } from "../../../../../lib/data"
import { ImportErrors, ImportLeft, ImportSummary } from "../../../../../lib/settlements/import"
import { LineTable } from "../../../../../lib/settlements/lines"
import { SettlementPage } from "../../../../../lib/settlements/parts"
import type { Import } from "../../../../../lib/settlements/types"
import { useText } from "../../../../../lib/text"
import { crumb } from "../../../../../lib/ui/bits"
import { NotThere } from "../../../../../lib/ui/missing"
import { NotRefreshed } from "../../../../../lib/ui/section"
import { usePolling } from "../../../../../lib/use"

const ImportDetails = () => {
  const say = useText()
  const { id = "" } = useParams()
  const { data, error, refetch } = useAdminQuery<{ import: Import }>(`/settlements/imports/${encodeURIComponent(id)}`)
  usePolling(data?.import.status === "reading", refetch)
  if (data === undefined) {
    return (
      <NotThere
        error={error}
        retry={() => void refetch()}
        title={say("settlements.missing_import")}
        text={say("settlements.missing_hint")}
        back={say("settlements.back")}
        to="/gateway/settlements"
      />
    )
  }
  return (
    <>
      <NotRefreshed error={error} retry={() => void refetch()} />
      <ImportSummary found={data.import} />
      <ImportLeft found={data.import} />
      <ImportErrors found={data.import} />
      {data.import.status !== "undone" && (
        <LineTable
          level="h2"
          heading={say("settlements.lines")}
          description={say("settlements.lines_of_file")}
          fixed={{ import_id: id }}
        />
      )}
    </>
  )
}

const ImportPage = () => (
  <SettlementPage>
    <ImportDetails />
  </SettlementPage>
)

export const handle = crumb("settlements.one")

export default ImportPage
