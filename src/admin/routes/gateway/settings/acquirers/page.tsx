import { AcquirerList } from "../../../../lib/acquirers/list"
import { SettingsPages } from "../../../../lib/settings/parts"
import { crumb } from "../../../../lib/ui/bits"

const AcquirersPage = () => (
  <SettingsPages>
    <AcquirerList />
  </SettingsPages>
)

export const handle = crumb("acquirers.title")

export default AcquirersPage
