import { defineRouteConfig } from "@medusajs/admin-sdk"
import { EnvironmentSections } from "../../../lib/settings/environment"
import { Fees } from "../../../lib/settings/fees"
import { Language } from "../../../lib/settings/language"
import { MerchantSections } from "../../../lib/settings/merchant"
import { crumb } from "../../../lib/ui/crumb"
import { AdminPage } from "../../../lib/ui/admin-page"

const SettingsPage = () => (
  <AdminPage>
    <MerchantSections />
    <EnvironmentSections />
    <Fees />
    <Language />
  </AdminPage>
)

export const config = defineRouteConfig({ label: "menu.settings", translationNs: "gateway", rank: 80 })
export const handle = crumb("menu.settings")

export default SettingsPage
