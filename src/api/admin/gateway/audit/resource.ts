import type { LoggedChange } from "../../../../modules/gateway/merchants/audit-log"
import type { Names } from "../../../admin-kit/present"

/** The ids of plans in an entry: a subscription's and a variant's changes name one, and a plan's own entries are about it. */
export function plansIn({ action, resource_id, changes }: LoggedChange): string[] {
  const { from, to } = changes.plan ?? {}
  const named = [from, to].filter((id) => typeof id === "string" || typeof id === "number").map(String)
  return action.startsWith("plan.") ? [resource_id, ...named] : named
}

/** `plan_names`: of the plans that the entry has the ids of. */
export function presentChange(row: LoggedChange, { actors, plans }: Record<"actors" | "plans", Names>) {
  const {
    id,
    environment,
    action,
    resource_id,
    changes,
    created_at,
    actor_type,
    actor_id,
    actor_label,
    address,
    request_id,
  } = row
  const actor = { type: actor_type, id: actor_id, name: actors.get(actor_id) ?? actor_label }
  const plan_names = Object.fromEntries(
    plansIn(row).flatMap((plan) => {
      const name = plans.get(plan)
      return name === undefined ? [] : [[plan, name]]
    })
  )
  return { id, environment, action, resource_id, changes, plan_names, created_at, actor, address, request_id }
}
