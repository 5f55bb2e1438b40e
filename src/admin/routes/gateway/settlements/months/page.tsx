import { AccountNumbers } from "../../../../lib/settlements/accounts"
import { MonthList } from "../../../../lib/settlements/months"
import { SettlementPage } from "../../../../lib/settlements/parts"
import { crumb } from "../../../../lib/ui/bits"

const MonthsPage = () => (
  <SettlementPage>
    <MonthList />
    <AccountNumbers />
  </SettlementPage>
)

export const handle = crumb("settlements.tabs.months")

export default MonthsPage
