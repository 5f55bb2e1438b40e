import { Agreements } from "../../../../lib/settlements/agreements"
import { SettlementPage } from "../../../../lib/settlements/parts"
import { crumb } from "../../../../lib/ui/bits"

const FeesPage = () => (
  <SettlementPage>
    <Agreements />
  </SettlementPage>
)

export const handle = crumb("settlements.tabs.fees")

export default FeesPage
