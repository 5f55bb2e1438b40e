import { OneMonth } from "../../../../../../lib/settlements/month"
import { SettlementPage } from "../../../../../../lib/settlements/parts"
import { crumb } from "../../../../../../lib/ui/bits"

const MonthPage = () => (
  <SettlementPage>
    <OneMonth />
  </SettlementPage>
)

export const handle = crumb("crumbs.month")

export default MonthPage
