import type { BigNumberInput } from "@medusajs/framework/types"
import { MathBN } from "@medusajs/framework/utils"
import { messageOf } from "../../i18n/message"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import type { Tenant } from "../../modules/gateway/kernel/types"
import type { Plan } from "../../modules/gateway/plans/service"
import type GatewayModuleService from "../../modules/gateway/service"
import { withoutTrial, type TrialPerson } from "../../modules/gateway/subscriptions/trial-rules"

/** In the metadata of a line, and of its order's: it has the plan's price, because there is no further trial. */
export const TRIAL_REFUSED = "gateway_trial_refused"

/** What of a cart's line decides whether it has the plan's price. */
export type PricedLine = {
  id: string
  unit_price: BigNumberInput
  is_custom_price: boolean
  is_tax_inclusive: boolean
  metadata?: Record<string, unknown> | null
}
type Sold<Line extends PricedLine> = { line: Line; plan: Plan }

/** The gateway has given the line its price, with tax in it. Shoppers can write metadata, but no price. */
export function isMarked({ metadata, is_custom_price, is_tax_inclusive }: PricedLine): boolean {
  return metadata?.[TRIAL_REFUSED] === true && is_custom_price && is_tax_inclusive
}

/** It has the plan's price of today, and no trial. */
export function hasPlanPrice({ line, plan }: Sold<PricedLine>): boolean {
  return isMarked(line) && MathBN.eq(MathBN.mult(line.unit_price, 100), plan.amount_minor)
}

/**
 * The lines of a cart, in their order, that get no trial: its customer had one, or an earlier line of the cart has it.
 */
export async function refusedLines<Line extends PricedLine>(
  gateway: Pick<GatewayModuleService, "trials">,
  tenant: Tenant,
  { cart_id, person, sold }: { cart_id: string; person: TrialPerson; sold: readonly Sold<Line>[] }
): Promise<Set<Line>> {
  const plans = sold.map(({ plan }) => plan)
  const had = await gateway.trials.refusedInStore(tenant, person, plans, cart_id)
  return had === null ? new Set() : new Set([...withoutTrial(sold, had)].map(({ line }) => line))
}

/**
 * What a line agrees to: the plan's trial, or none at the plan's price. Throws CART_CHANGED for a line with another
 * price: the customer has got a trial since the cart was priced, or the plan costs something else.
 */
export function trialOf(
  sold: Sold<PricedLine>,
  isRefused: boolean
): { trial_period_days: number | null; trial_refused: boolean } {
  const atPlanPrice = isMarked(sold.line)
  if ((isRefused || atPlanPrice) && !hasPlanPrice(sold)) {
    throw new GatewayError("CART_CHANGED", messageOf("refusal.trial_had"))
  }
  const trial_refused = Boolean(sold.plan.trial_period_days) && atPlanPrice
  return { trial_period_days: trial_refused ? null : sold.plan.trial_period_days, trial_refused }
}
