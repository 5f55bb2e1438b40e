import { Text } from "@medusajs/ui"
import type { ReactNode } from "react"
import { useFrame } from "../admin-api"
import { useText } from "../text"
import { AdminPage } from "../ui/admin-page"
import { PageTabs } from "../ui/page-tabs"
import { ReferenceLink } from "./reference"

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
  const { data: frame } = useFrame()
  const tabs = TABS.map(([name, path]) => ({ to: `/gateway/developers/${path}`, name: say(`developers.tabs.${name}`) }))
  return (
    <AdminPage>
      <PageTabs label={say("developers.title")} tabs={tabs} />
      {frame?.reference_url && (
        <Text size="small" className="px-6">
          <ReferenceLink>{say("developers.reference")}</ReferenceLink>
        </Text>
      )}
      {children}
    </AdminPage>
  )
}
