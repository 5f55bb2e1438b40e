import type { ReactNode } from "react"
import { useText } from "../text"
import { DeskPage } from "../ui/desk-page"
import { PageTabs } from "../ui/page-tabs"

/** Refunds that were made, and those that the store's orders ask for. */
export const RefundsFrame = ({ children }: { children: ReactNode }) => {
  const say = useText()
  const tabs = [
    { to: "/gateway/refunds", name: say("payments.refunds"), end: true },
    { to: "/gateway/refunds/proposals", name: say("refunds.proposals.title") },
  ]
  return (
    <DeskPage>
      <PageTabs label={say("menu.refunds")} tabs={tabs} />
      {children}
    </DeskPage>
  )
}
