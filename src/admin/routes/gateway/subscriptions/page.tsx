import { defineRouteConfig } from "@medusajs/admin-sdk"
import { CreateSubscription } from "../../../lib/subscriptions/create"
import { SubscriptionTableByPlan } from "../../../lib/subscriptions/table"
import { useText } from "../../../lib/text"
import { crumb } from "../../../lib/ui/bits"
import { AdminPage } from "../../../lib/ui/admin-page"

const SubscriptionsPage = () => {
  const say = useText()
  return (
    <AdminPage>
      <SubscriptionTableByPlan
        heading={say("subscriptions.title")}
        description={say("subscriptions.description")}
        empty={{ heading: say("subscriptions.empty"), description: say("subscriptions.empty_hint") }}
        actions={<CreateSubscription />}
      />
    </AdminPage>
  )
}

export const config = defineRouteConfig({ label: "menu.subscriptions", translationNs: "gateway", rank: 26 })
export const handle = crumb("menu.subscriptions")

export default SubscriptionsPage
