import type { OneTrialMode, Tenant } from "../kernel/types"

/**
 * What the rule of one trial per customer decided (decisions: One trial). `given`: the plan's own trial, of which there
 * is no second. `refused`: the customer had one, so the plan's price is due at once.
 */
export const ONE_TRIAL_OUTCOMES = ["given", "refused"] as const
export type OneTrialOutcome = (typeof ONE_TRIAL_OUTCOMES)[number]

/** What a subscription stores of its trial; `trial_before_id` is the one that had the trial which is refused. */
export type TrialColumns = {
  trial_plan_id: string | null
  one_trial: OneTrialOutcome | null
  trial_before_id: string | null
}

/**
 * By what a customer is recognised: the billed address, the phone number in E.164, the account of the store. A kept
 * instrument belongs to one account; nothing else that is stored of an instrument identifies its owner.
 */
export type TrialPerson = { email: string; phone_e164: string | null; store_customer_id: string | null }

/** A plan with what decides whose trial it shares. */
export type TrialPlan = { id: string; family: string | null; trial_period_days: number | null }

/** Whether the merchant's setting limits the trials of subscriptions that begin there. */
export function isLimited(mode: OneTrialMode, source: "api" | "store"): boolean {
  return mode === "all" || (mode === "store" && source === "store")
}

/** Plans with one word share their trial; a plan without a word shares it with nobody. */
function familyOf({ family, id }: TrialPlan): string {
  return family === null ? `plan ${id}` : `family ${family}`
}

/**
 * The lines that get no trial, of lines in the order in which they came into a cart: those whose trial the customer had
 * (`had`, ids of plans), and those whose family has got one from an earlier line of this cart.
 */
export function withoutTrial<Line extends { plan: TrialPlan }>(
  lines: readonly Line[],
  had: ReadonlySet<string>
): Set<Line> {
  const given = new Set<string>()
  return new Set(
    lines.filter(({ plan }) => {
      if (!plan.trial_period_days) {
        return false
      }
      const family = familyOf(plan)
      const isRefused = had.has(plan.id) || given.has(family)
      given.add(family)
      return isRefused
    })
  )
}

/** What to lock, one after the other, so that two requests of one person do not both get the trial. */
export function personLocks({ merchant_id, environment }: Tenant, person: TrialPerson): string[] {
  const { email, phone_e164, store_customer_id } = person
  const marks = [`email ${email.toLowerCase()}`, phone_e164 && `phone ${phone_e164}`, store_customer_id]
  return marks
    .filter((mark) => mark !== null && mark !== "")
    .map((mark) => `gateway_trial ${merchant_id} ${environment} ${mark}`)
    .sort()
}
