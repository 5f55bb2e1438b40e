import type { Gateway } from "../../../modules/gateway/container"
import { GatewayError } from "../../../modules/gateway/kernel/errors"
import { isComplete } from "../../../modules/gateway/subscriptions/end-rules"
import type { PlanSwitch } from "../../../modules/gateway/portal/rules"
import { type Reply, isCode, mayNotCharge } from "../../pay/flow/states"
import type { FormFields } from "../../pay/form/fields"
import { confirmPlanPage, plansPage } from "../view/plan"
import type { PortalVisit } from "../view/page"
import { originOf } from "./act"
import { showSubscription } from "./show"

type Accounts = Pick<Gateway, "portalAccounts" | "portalSessions" | "invoices">

/** The plan or the subscription has changed since the page was shown. */
const REFUSALS = ["INVALID_STATE_TRANSITION", "PLAN_NOT_FOUND", "PLAN_INACTIVE", "VALIDATION_ERROR"] as const

/** What was shown holds no longer. */
const OTHER_SUM = ["refusal.change_costs_otherwise", "refusal.change_price_otherwise"]

/** GET: the plans of the family, or, of the chosen one, what a switch to it costs. */
export async function showPlans(
  gateway: Accounts,
  visit: PortalVisit,
  id: string,
  { to, isAgain }: { to: string | null; isAgain: boolean }
): Promise<Reply> {
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
    const preview = (when: PlanSwitch["when"]) =>
      accounts.previewSwitch(visit.session, id, { plan: String(plan.number), when })
    // Days cannot be compared in a pause, nor where the next period is paid, nor of goods that were sent. What is to be
    // paid now is not for later, and an end of its own has no later.
    const { status, source, paid_period, current_period, open_price_minor, has_own_end } = subscription
    const isLater = status === "PAUSED" || source === "store" || paid_period > current_period
    const now = isLater ? null : await preview("now")
    const isOver = has_own_end && isComplete(subscription)
    const later = status === "PAST_DUE" || open_price_minor !== null || isOver ? null : await preview("period_end")
    return { status: 200, body: confirmPlanPage({ visit, subscription, plan, now, later, isAgain }) }
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
  const shown = fields.get("due") ?? ""
  const sum = /^[0-9]{1,9}$/.test(shown) ? BigInt(shown) : undefined
  const agreed = when === "now" ? { due: sum } : { price: sum }
  const plan = fields.get("to") ?? ""
  const own = `${visit.path}/subscriptions/${id}`
  return orRefusal(gateway, visit, id, async () => {
    try {
      await gateway.portalAccounts.switchPlan(visit.session, id, { plan, when, ...agreed }, originOf(visit))
    } catch (error) {
      if (OTHER_SUM.includes(GatewayError.from(error)?.reason?.kind ?? "")) {
        return { status: 303, location: `${own}/plan?to=${encodeURIComponent(plan)}&again=1` }
      }
      throw error
    }
    return { status: 303, location: `${own}?done=${when === "now" ? "switched" : "scheduled"}` }
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
