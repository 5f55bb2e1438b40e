import { LIMITS } from "../kernel/limits"
import type { PlanNames } from "../plans/rules"

/**
 * What is left of a period that was paid and ended early: it pays for later ones. Amount in poisha; negative: what a
 * period still cost, because it was less than can be charged. `start` and `end` are ISO times, with the plan of then.
 * `quantity`: for how many the period was; absent: for one.
 */
export type Credit = PlanNames & { amount_minor: number; start: string; end: string; quantity?: number }

export function balanceOf(credits: readonly Credit[]): number {
  return credits.reduce((sum, { amount_minor }) => sum + amount_minor, 0)
}

/**
 * What is to be paid for a period of this price, in poisha. Acquirers refuse less than the smallest order amount: such
 * a rest is carried over, and the period costs nothing for now.
 */
export function dueOf(price: number, credits: readonly Credit[]): number {
  const due = price - balanceOf(credits)
  return due < Number(LIMITS.orderAmountMinMinor) ? 0 : due
}

/**
 * Takes `used` poisha off credits, the oldest first. `taken` are the lines of the invoice, `left` is what remains. What
 * the credits do not have is owed by `period`, and remains as a negative credit.
 */
export function takeCredits(
  credits: readonly Credit[],
  used: number,
  period: Omit<Credit, "amount_minor">
): { taken: Credit[]; left: Credit[] } {
  const taken: Credit[] = []
  const left: Credit[] = []
  let needed = used
  for (const credit of credits) {
    const part = credit.amount_minor < 0 ? credit.amount_minor : Math.min(credit.amount_minor, Math.max(needed, 0))
    needed -= part
    taken.push(...of(credit, part))
    left.push(...of(credit, credit.amount_minor - part))
  }
  return { taken: [...taken, ...of(period, needed)], left: [...left, ...of(period, -needed)] }
}

function of(period: Omit<Credit, "amount_minor">, amount_minor: number): Credit[] {
  return amount_minor === 0 ? [] : [{ ...period, amount_minor }]
}

/** A period as a credit names it. */
export function periodOf(
  { plan_name, plan_name_bn, quantity }: PlanNames & { quantity: number },
  { start, end }: { start: Date; end: Date }
): Omit<Credit, "amount_minor"> {
  const period = { plan_name, plan_name_bn, start: start.toISOString(), end: end.toISOString() }
  return quantity === 1 ? period : { ...period, quantity }
}
