import type { ReactNode } from "react"
import { useText } from "../text"
import { AdminPage } from "../ui/admin-page"
import { PageTabs } from "../ui/page-tabs"

/** The pages of the settings. */
export const SettingsPages = ({ children }: { children: ReactNode }) => {
  const say = useText()
  const tabs = [
    { to: "/gateway/settings", name: say("acquirers.general"), end: true },
    { to: "/gateway/settings/acquirers", name: say("acquirers.title") },
  ]
  return (
    <AdminPage>
      <PageTabs label={say("acquirers.tabs")} tabs={tabs} />
      {children}
    </AdminPage>
  )
}
