import type { Language } from "../../../i18n/languages"

/** The member of a plan's `meta_data` that holds its name in Bangla (docs/decisions/16). */
export const NAME_IN_BANGLA = "plan_name_bn"

/** Null: there is no plan; `plan_name_bn` null: it has one name for everybody. */
export type PlanNames = { plan_name: string | null; plan_name_bn: string | null }

/** The names of a plan that was read whole. */
export function planNames({
  plan_name,
  meta_data,
}: {
  plan_name: string
  meta_data: Record<string, unknown>
}): PlanNames {
  const bangla = meta_data[NAME_IN_BANGLA]
  return { plan_name, plan_name_bn: typeof bangla === "string" ? bangla : null }
}

/** The columns of `PlanNames`, of the plan `p`. */
export const PLAN_NAMES = `p.plan_name, p.meta_data->>'${NAME_IN_BANGLA}' AS plan_name_bn`

/** What a payment is for; `description_bn` null: it is described alike for everybody. */
export type Description = { description: string | null; description_bn: string | null }

/**
 * The column `description_bn` of the checkout session `s`: a payment of a subscription is described by its plan's name,
 * which may have one in Bangla. After a switch the invoices know the names of the plan before.
 */
export const DESCRIPTION_IN_BANGLA = `
  COALESCE(
    (SELECT pl.meta_data->>'${NAME_IN_BANGLA}' FROM gateway_subscription su
     JOIN gateway_plan pl ON pl.id = su.plan_id
     WHERE su.id = s.subscription_id AND pl.plan_name = s.description),
    (SELECT iv.plan_name_bn FROM gateway_invoice iv
     WHERE iv.subscription_id = s.subscription_id AND iv.plan_name = s.description
     ORDER BY iv.period DESC, iv.revision DESC LIMIT 1)) AS description_bn`

/** What a reader calls what is paid for; null: nobody has said. */
export function descriptionIn({ description, description_bn }: Description, language: Language): string | null {
  return (language === "bn" && description_bn) || description
}

/** What a reader calls the plan; null: there is none. */
export function planName({ plan_name, plan_name_bn }: PlanNames, language: Language): string | null {
  return (language === "bn" && plan_name_bn) || plan_name
}
