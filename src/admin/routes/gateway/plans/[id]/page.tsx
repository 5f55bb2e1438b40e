import { useParams } from "react-router-dom"
import { useAdminQuery } from "../../../../lib/data"
import { useFormats } from "../../../../lib/format"
import { PlanActions } from "../../../../lib/plans/actions"
import { type Plan, PlanBadge, everyText, trialText } from "../../../../lib/plans/parts"
import { SoldAs } from "../../../../lib/plans/variants"
import { SubscriptionTable } from "../../../../lib/subscriptions/table"
import { useText } from "../../../../lib/text"
import { Copied, Moment, crumb } from "../../../../lib/ui/bits"
import { NotThere } from "../../../../lib/ui/missing"
import { AdminPage } from "../../../../lib/ui/admin-page"
import { Facts, Section } from "../../../../lib/ui/section"

const PlanDetails = () => {
  const say = useText()
  const formats = useFormats()
  const { id = "" } = useParams()
  const { data, error, refetch } = useAdminQuery<{ plan: Plan }>(`/plans/${encodeURIComponent(id)}`)
  if (data === undefined) {
    const words = { title: say("plans.one"), text: say("plans.not_found"), back: say("plans.back") }
    return <NotThere error={error} retry={() => void refetch()} to="/gateway/plans" {...words} />
  }
  const { plan } = data
  return (
    <>
      <Section
        level="h1"
        heading={plan.plan_name}
        description={plan.plan_description ?? undefined}
        actions={
          <>
            <PlanBadge {...plan} />
            <PlanActions plan={plan} />
          </>
        }
      >
        <Facts
          rows={[
            [say("plans.price"), formats.money(plan.amount, plan.currency)],
            [say("plans.interval"), everyText(say, plan)],
            [say("plans.trial"), trialText(say, formats, plan)],
            [
              say("ends.title"),
              plan.billing_cycles === null ? say("ends.none") : say("ends.plan", { count: plan.billing_cycles }),
            ],
            [say("plans.number"), <Copied key="n" text={String(plan.number)} />],
            [say("plans.uuid"), <Copied key="u" text={plan.id} />],
            [say("plans.created"), <Moment key="c" at={plan.created_at} />],
          ]}
        />
      </Section>
      <SoldAs plan={plan} />
      <SubscriptionTable
        level="h2"
        fixed={{ plan_id: plan.id }}
        heading={say("plans.subscribers")}
        description={say("plans.subscribers_hint")}
        empty={{ heading: say("plans.no_subscribers"), description: say("plans.no_subscribers_hint") }}
      />
    </>
  )
}

const PlanPage = () => (
  <AdminPage>
    <PlanDetails />
  </AdminPage>
)

export const handle = crumb("crumbs.plan")

export default PlanPage
