import type { ReactNode } from "react"
import { useText } from "../text"
import { AdminPage } from "../ui/admin-page"
import { PageTabs } from "../ui/page-tabs"

/** Refunds, and the refunds that the store's orders propose. */
export const RefundsFrame = ({ children }: { children: ReactNode }) => {
  const say = useText()
  const tabs = [
    { to: "/gateway/refunds", name: say("payments.refunds"), end: true },
    { to: "/gateway/refunds/proposals", name: say("refunds.proposals.title") },
  ]
  return (
    <AdminPage>
      <PageTabs label={say("menu.refunds")} tabs={tabs} />
      {children}
    </AdminPage>
  )
}
