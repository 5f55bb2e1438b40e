import { h, type View } from "../lib/dom"
import { taka, whole } from "../lib/format"
import { renewalOf, type Plan } from "../store/plans"
import { t } from "../text"

/** "every month", "every 3 months" */
export const everyOf = (plan: Pick<Plan, "interval_count" | "interval_unit">): string =>
  t.plan.every(plan.interval_count, plan.interval_unit)

/** "12 payments with this one, then it ends." */
const endOf = ({ billing_cycles = 0, trial_period_days }: Plan): string =>
  trial_period_days ? t.plan.cyclesAfterTrial(billing_cycles) : t.plan.cycles(billing_cycles)

/** On a product: what is paid with the order, and what renews automatically. `price` is that of one piece, in taka. */
export function PlanOffer({ plan, price }: { plan: Plan; price: number }): View {
  const amount = taka(renewalOf(plan, 1))
  const now = plan.trial_refused ? amount : taka(price)
  const days = plan.trial_period_days
  const isOnce = !days && plan.billing_cycles === 1
  return (
    <div class="plan">
      <p>
        <span class="tag">{t.plan.label}</span>
      </p>
      <p>
        {days
          ? t.plan.trial(now, whole(days), amount, everyOf(plan))
          : isOnce
            ? t.plan.once(now)
            : t.plan.now(now, amount, everyOf(plan))}
        {plan.billing_cycles && !isOnce && ` ${endOf(plan)}`}
      </p>
      {plan.trial_refused && <p>{t.plan.noTrial}</p>}
      {!isOnce && <p class="muted small">{t.plan.stop}</p>}
    </div>
  )
}

/** Below an item of a cart: the price of its renewals, and that it begins without a trial. */
export function PlanLine({ plan, quantity, hasNoTrial }: { plan: Plan; quantity: number; hasNoTrial: boolean }): View {
  const sold = hasNoTrial ? { ...plan, trial_period_days: null } : plan
  const isOnce = !sold.trial_period_days && plan.billing_cycles === 1
  const then = isOnce ? t.plan.onlyThis : t.plan.then(taka(renewalOf(plan, quantity)), everyOf(plan))
  const more = [plan.billing_cycles && !isOnce && endOf(sold), hasNoTrial && t.plan.noTrial].filter(Boolean)
  return (
    <p class="plan-line small">
      <span class="tag">{t.plan.label}</span> {more.length === 0 ? then : `${then}; ${more.join(" ")}`}
    </p>
  )
}
