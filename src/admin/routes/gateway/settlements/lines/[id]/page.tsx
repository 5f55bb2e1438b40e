import { useParams } from "react-router-dom"
import { useAdminQuery } from "../../../../../lib/data"
import { DepositParts } from "../../../../../lib/settlements/deposit"
import { Compared, LineDetails, LineSummary } from "../../../../../lib/settlements/line"
import { SettlementPage } from "../../../../../lib/settlements/parts"
import { settles, type WholeLine } from "../../../../../lib/settlements/types"
import { useText } from "../../../../../lib/text"
import { crumb } from "../../../../../lib/ui/bits"
import { NotThere } from "../../../../../lib/ui/missing"
import { NotRefreshed } from "../../../../../lib/ui/section"

const OneLine = () => {
  const say = useText()
  const { id = "" } = useParams()
  const { data, error, refetch } = useAdminQuery<{ line: WholeLine }>(`/settlements/lines/${encodeURIComponent(id)}`)
  if (data === undefined) {
    return (
      <NotThere
        error={error}
        retry={() => void refetch()}
        title={say("settlements.missing_line")}
        text={say("settlements.missing_line_hint")}
        back={say("settlements.back_to_lines")}
        to="/gateway/settlements/lines"
      />
    )
  }
  return (
    <>
      <NotRefreshed error={error} retry={() => void refetch()} />
      <LineSummary line={data.line} />
      <div className="grid grid-cols-1 items-start gap-3 xl:grid-cols-2">
        {settles(data.line.source) ? <Compared line={data.line} /> : <DepositParts line={data.line} />}
        <LineDetails line={data.line} />
      </div>
    </>
  )
}

const LinePage = () => (
  <SettlementPage>
    <OneLine />
  </SettlementPage>
)

export const handle = crumb("settlements.one_line")

export default LinePage
