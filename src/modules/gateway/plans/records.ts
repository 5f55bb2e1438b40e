import { NAME_IN_BANGLA } from "./rules"

/** The columns of `PlanNames`, of the plan `p`. */
export const PLAN_NAMES = `p.plan_name, p.meta_data->>'${NAME_IN_BANGLA}' AS plan_name_bn`
