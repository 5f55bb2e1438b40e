import { AcquirerList } from "../../../../lib/acquirers/list"
import { SettingsPages } from "../../../../lib/settings/tabs"
import { crumb } from "../../../../lib/ui/crumb"

const AcquirersPage = () => (
  <SettingsPages>
    <AcquirerList />
  </SettingsPages>
)

export const handle = crumb("acquirers.title")

export default AcquirersPage
