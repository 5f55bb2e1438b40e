import { openStore } from "./sdk"

/** The plan on which a variant is sold. `amount` is the price of one piece at each renewal, in taka as text. */
export type Plan = {
  id: string
  plan_name: string
  amount: string
  interval_count: number
  interval_unit: "DAY" | "WEEK" | "MONTH" | "YEAR"
  trial_period_days: number | null
  /** The signed-in customer had the plan's trial: there is no further one, and `amount` is due with the order. */
  trial_refused?: "had_trial"
  /** It ends after so many payments, a trial's not counted; absent: it goes on. */
  billing_cycles?: number
  /** False: not sold at present; a cart with it cannot be paid. */
  is_sold: boolean
}

/** By the variant's id; variants without a plan are missing. */
export type Plans = Map<string, Plan>

const AT_ONCE = 100

/** Which of these variants are subscriptions. Rejects when the store does not know: nobody must subscribe unawares. */
export async function findPlans(variantIds: readonly (string | null | undefined)[]): Promise<Plans> {
  const ids = [...new Set(variantIds.filter((id) => typeof id === "string"))]
  const { sdk } = await openStore()
  const plans: Plans = new Map()
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const query = { variant_id: ids.slice(start, start + AT_ONCE).join(",") }
    type Answer = { variant_plans: { variant_id: string; plan: Plan }[] }
    const { variant_plans } = await sdk.client.fetch<Answer>("/store/gateway/variant-plans", { query })
    variant_plans.forEach(({ variant_id, plan }) => plans.set(variant_id, plan))
  }
  return plans
}

export const plansOfItems = (items: { variant_id?: string | null }[] | null | undefined): Promise<Plans> =>
  findPlans((items ?? []).map(({ variant_id }) => variant_id))

/** The price of each renewal for this quantity, in taka: for display, the store computes what is charged. */
export const renewalOf = (plan: Plan, quantity: number): number =>
  (Math.round(Number(plan.amount) * 100) * quantity) / 100
