import type { ReactNode } from "react"
import { useText } from "../text"
import { AdminPage } from "../ui/admin-page"
import { PageTabs } from "../ui/page-tabs"

const TABS = [
  ["keys", "api-keys"],
  ["webhooks", "webhooks"],
  ["events", "events"],
  ["deliveries", "deliveries"],
  ["requests", "requests"],
  ["clock", "clock"],
] as const

/** The pages for developers. */
export const DevelopersPage = ({ children }: { children: ReactNode }) => {
  const say = useText()
  const tabs = TABS.map(([name, path]) => ({ to: `/gateway/developers/${path}`, name: say(`developers.tabs.${name}`) }))
  return (
    <AdminPage>
      <PageTabs label={say("developers.title")} tabs={tabs} />
      {children}
    </AdminPage>
  )
}
