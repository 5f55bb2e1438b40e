import { TemplateList } from "../../../../lib/settlements/templates"
import { SettlementPage } from "../../../../lib/settlements/parts"
import { crumb } from "../../../../lib/ui/bits"

const TemplatesPage = () => (
  <SettlementPage>
    <TemplateList />
  </SettlementPage>
)

export const handle = crumb("settlements.tabs.templates")

export default TemplatesPage
