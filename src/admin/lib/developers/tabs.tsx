import type { ReactNode } from "react"
import { useText } from "../text"
import { DeskPage } from "../ui/desk-page"
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
    <DeskPage>
      <PageTabs label={say("developers.title")} tabs={tabs} />
      {children}
    </DeskPage>
  )
}
