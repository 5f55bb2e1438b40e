import { TemplateDetails } from "../../../../../lib/settlements/templates"
import { SettlementPage } from "../../../../../lib/settlements/parts"
import { crumb } from "../../../../../lib/ui/bits"

const TemplatePage = () => (
  <SettlementPage>
    <TemplateDetails />
  </SettlementPage>
)

export const handle = crumb("crumbs.template")

export default TemplatePage
