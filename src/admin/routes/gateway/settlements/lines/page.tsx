import { useSearchParams } from "react-router-dom"
import { LineTable } from "../../../../lib/settlements/lines"
import { PartOf, SettlementPage } from "../../../../lib/settlements/parts"
import { useText } from "../../../../lib/text"
import { crumb } from "../../../../lib/ui/bits"

/** What links of other pages narrow the list to, beside its own filters. */
const PARTS = ["import_id", "month", "kind", "currency", "only"] as const

const Lines = () => {
  const say = useText()
  const [params, setParams] = useSearchParams()
  const fixed = Object.fromEntries(PARTS.map((name) => [name, params.get(name) ?? undefined]))
  const all = () =>
    setParams((before) => new URLSearchParams([...before].filter(([name]) => !PARTS.some((part) => part === name))))
  return (
    <>
      {Object.values(fixed).some((value) => value !== undefined) && (
        <PartOf
          text={say(fixed.import_id === undefined ? "settlements.of_figure" : "settlements.of_one_file")}
          onAll={all}
        />
      )}
      <LineTable heading={say("settlements.lines")} description={say("settlements.lines_description")} fixed={fixed} />
    </>
  )
}

const LinesPage = () => (
  <SettlementPage>
    <Lines />
  </SettlementPage>
)

export const handle = crumb("settlements.lines")

export default LinesPage
