import type { ReactNode } from "react"
import { useText } from "../text"
import { AdminPage } from "../ui/admin-page"
import { PageTabs } from "../ui/page-tabs"

/** The merchant's balance and payouts, and the ledger behind them. */
export const PayoutsPage = ({ children }: { children: ReactNode }) => {
  const say = useText()
  const tabs = [
    { to: "/gateway/payouts", name: say("payouts.tabs.payouts"), end: true },
    { to: "/gateway/payouts/ledger", name: say("payouts.tabs.ledger") },
  ]
  return (
    <AdminPage>
      <PageTabs label={say("menu.payouts")} tabs={tabs} />
      {children}
    </AdminPage>
  )
}
