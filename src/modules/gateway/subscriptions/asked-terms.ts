import { messageOf } from "../../../i18n/message"
import { fault, GatewayError, validationError } from "../kernel/errors"
import type { Sql } from "../kernel/database/database"
import type { IntervalUnit } from "../kernel/money/calendar"
import { formatAmount, type Minor } from "../kernel/money/money"
import type { Scope } from "../kernel/types"
import { planNames } from "../plans/rules"
import type { Plan, PlanService } from "../plans/service"
import { areTerms, nextTerms, type Beginning, type Proration } from "./change-rules"
import type { NewTerms } from "./lifecycle"
import { priceOf, unitOf } from "./quantity-rules"
import type { SubscriptionRow } from "./records"
import type { PlanGoods, StoreSubscriptionService } from "./store/subscriptions"

/**
 * Null members stay as they are; a plan brings its own price of one and its interval, and keeps the quantity. `amount` is
 * the whole price, `unit_amount` that of one; in poisha.
 */
export type WantedChange = {
  plan_id: string | null
  amount: Minor | null
  unit_amount: Minor | null
  quantity: number | null
  interval_count: number | null
  interval_unit: IntervalUnit | null
  when: Beginning
  proration: Proration
  /** Only to a plan of the same family: what a customer may choose. */
  isOwn?: boolean
  /** What was shown as due at once, in poisha: another sum is not charged. */
  shown_due?: Minor
  /** What a period was shown to cost then, in poisha: terms of another price are not agreed to. */
  shown_amount?: Minor
}

/** The terms that a change asks for, of a plan or of the store's goods on it. */
export class AskedTerms {
  constructor(
    private readonly plans: PlanService,
    private readonly goods: StoreSubscriptionService
  ) {}

  /** What the store sends on the wanted plan; null: no goods, or none on that plan. Errors: PLAN_NOT_FOUND. */
  async goodsOf(scope: Scope, row: SubscriptionRow, { plan_id }: WantedChange): Promise<PlanGoods | null> {
    if (row.source !== "store" || plan_id === null) {
      return null
    }
    const plan = await this.plans.retrieve(scope, plan_id)
    return (await this.goods.goodsOn(row, [plan])).get(plan.id) ?? null
  }

  /** A plan's terms, with what else is wanted in their place. Errors as of `preview`. */
  async termsOf(
    sql: Sql,
    scope: Scope,
    row: SubscriptionRow,
    wanted: WantedChange & { goods: PlanGoods | null }
  ): Promise<NewTerms> {
    if (row.source === "store") {
      requireOtherPlan(wanted)
    }
    const scheduled = nextTerms(row)
    if (wanted.plan_id === null && scheduled !== null && scheduled.plan_id !== row.plan_id) {
      // Without a plan these would be terms of the old one, and the new plan would be gone without a word.
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.change_waits"))
    }
    const plan = wanted.plan_id === null ? null : await this.plans.requireActive(sql, scope, wanted.plan_id)
    if (plan !== null && plan.currency !== row.currency) {
      const why = messageOf("refusal.change_currency", { plan: plan.currency, currency: row.currency })
      throw validationError([fault("subscription_plan_id", why)])
    }
    if (plan !== null && row.source === "store" && wanted.goods === null) {
      const name = plan.plan_name
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.change_goods_not_sent", { name }))
    }
    const { goods } = wanted
    const terms: NewTerms = {
      ...(plan === null ? planOf(row) : { ...planNames(plan), plan_id: plan.id, plan_number: plan.number }),
      ...(goods === null
        ? priceOf(wanted, { unit_minor: plan?.amount_minor ?? unitOf(row), quantity: row.quantity })
        : { ...goods, quantity: row.quantity }),
      interval_count: wanted.interval_count ?? plan?.interval_count ?? row.interval_count,
      interval_unit: wanted.interval_unit ?? plan?.interval_unit ?? row.interval_unit,
      ...(plan === null || plan.id === row.plan_id ? {} : { billing_cycles: plan.billing_cycles }),
    }
    if (wanted.shown_amount !== undefined && Number(wanted.shown_amount) !== terms.amount_minor) {
      const amount = `${formatAmount(terms.amount_minor)} ${row.currency}`
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.change_price_otherwise", { amount }))
    }
    if (wanted.isOwn === true && !areTerms(row, terms) && !(await this.isOffered(sql, scope, row, plan))) {
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.change_family"))
    }
    return terms
  }

  private async isOffered(sql: Sql, scope: Scope, { plan_id }: SubscriptionRow, plan: Plan | null): Promise<boolean> {
    const offered = plan_id === null ? [] : await this.plans.relatives(scope, plan_id, sql)
    return offered.some(({ id }) => id === plan?.id)
  }
}

function planOf({ plan_id, plan_number, plan_name, plan_name_bn }: SubscriptionRow) {
  return { plan_id, plan_number, plan_name, plan_name_bn }
}

/**
 * Goods of the store change with the next parcel, and only by another plan: price, stock and delivery are those of the
 * goods. Errors: INVALID_STATE_TRANSITION.
 */
function requireOtherPlan({ plan_id, when, ...asked }: WantedChange): void {
  const others = [asked.amount, asked.unit_amount, asked.quantity, asked.interval_count, asked.interval_unit]
  if (plan_id === null || others.some((value) => value !== null)) {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.change_of_goods"))
  }
  if (when === "now") {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.change_of_goods_now"))
  }
}
