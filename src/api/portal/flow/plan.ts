import type { Gateway } from "../../../modules/gateway/container"
import { type Reply, isCode, mayNotCharge } from "../../pay/flow/states"
import type { FormFields } from "../../pay/form/fields"
import { confirmPlanPage, plansPage } from "../view/plan"
import type { PortalVisit } from "../view/page"
import { originOf } from "./act"
import { showSubscription } from "./show"

type Accounts = Pick<Gateway, "portalAccounts" | "portalSessions" | "invoices">

/** The plan or the subscription has changed since the page was shown. */
const REFUSALS = ["INVALID_STATE_TRANSITION", "PLAN_NOT_FOUND", "PLAN_INACTIVE"] as const

/** GET: the plans of the family, or, of the chosen one, what a switch to it costs. */
export async function showPlans(gateway: Accounts, visit: PortalVisit, id: string, to: string | null): Promise<Reply> {
  const { portalAccounts: accounts } = gateway
  const subscription = await accounts.subscription(visit.session, id)
  const plans = await accounts.plansFor(visit.session, subscription)
  if (plans.length === 0) {
    return { status: 303, location: `${visit.path}/subscriptions/${subscription.uuid}` }
  }
  const plan = plans.find(({ number }) => String(number) === to)
  if (plan === undefined) {
    return { status: 200, body: plansPage({ visit, subscription, plans }) }
  }
  return orRefusal(gateway, visit, id, async () => {
    const choice = { plan: String(plan.number) }
    const now = await accounts.previewSwitch(visit.session, id, { ...choice, when: "now" })
    // What is overdue is paid now; only later periods can wait.
    const later =
      subscription.status === "PAST_DUE"
        ? null
        : await accounts.previewSwitch(visit.session, id, { ...choice, when: "period_end" })
    return { status: 200, body: confirmPlanPage({ visit, subscription, plan, now, later }) }
  })
}

/** POST: switches to the plan that was chosen, now or with the next period. */
export async function switchPlan(
  gateway: Accounts,
  visit: PortalVisit,
  id: string,
  fields: FormFields
): Promise<Reply> {
  const when = fields.get("when") === "period_end" ? "period_end" : "now"
  return orRefusal(gateway, visit, id, async () => {
    const to = { plan: fields.get("to") ?? "", when } as const
    await gateway.portalAccounts.switchPlan(visit.session, id, to, originOf(visit))
    const done = when === "now" ? "switched" : "scheduled"
    return { status: 303, location: `${visit.path}/subscriptions/${id}?done=${done}` }
  })
}

/** What the state does not allow leaves everything as it is, and the page says so. */
async function orRefusal(
  gateway: Accounts,
  visit: PortalVisit,
  id: string,
  work: () => Promise<Reply>
): Promise<Reply> {
  try {
    return await work()
  } catch (error) {
    const isOther = REFUSALS.some((code) => isCode(error, code))
    if (!isOther && !mayNotCharge(error)) {
      throw error
    }
    return showSubscription(gateway, visit, id, { notice: null, refusal: "notPossible" })
  }
}
