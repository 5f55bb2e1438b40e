import { defineRouteConfig } from "@medusajs/admin-sdk"
import { EnvironmentSections } from "../../../lib/settings/environment"
import { Fees } from "../../../lib/settings/fees"
import { Language, SettingsPages } from "../../../lib/settings/parts"
import { MerchantSections } from "../../../lib/settings/merchant"
import { crumb } from "../../../lib/ui/bits"

const SettingsPage = () => (
  <SettingsPages>
    <MerchantSections />
    <EnvironmentSections />
    <Fees />
    <Language />
  </SettingsPages>
)

export const config = defineRouteConfig({ label: "menu.settings", translationNs: "gateway", rank: 80 })
export const handle = crumb("menu.settings")

export default SettingsPage
