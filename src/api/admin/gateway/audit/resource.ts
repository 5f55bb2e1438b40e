import type { LoggedChange } from "../../../../modules/gateway/merchants/audit-log"
import type { Names } from "../../../admin-kit/present"

/** The ids of plans in an entry: a subscription's and a variant's changes name one, and a plan's own entries are about it. */
export function plansIn({ action, resource_id, changes }: LoggedChange): string[] {
  const values = [changes.plan, changes.scheduled_plan].flatMap((change) => [change?.from, change?.to])
  const named = values.filter((id) => typeof id === "string" || typeof id === "number").map(String)
  return action.startsWith("plan.") ? [resource_id, ...named] : named
}

/**
 * The texts of an entry: what was changed, which may be a key, and its values. Those that are the id of somebody, or of a
 * key, are shown by their names.
 */
export function textsIn({ resource_id, changes }: LoggedChange): string[] {
  const values = Object.values(changes).flatMap(({ from, to }) => [from, to])
  return [resource_id, ...values.filter((value) => typeof value === "string")]
}

/** `plan_names`, `actor_names`: of the plans and of the people and keys that the entry has the ids of. */
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
  const plan_names = Object.fromEntries(plansIn(row).flatMap((plan) => namedIn(plans, plan)))
  const actor_names = Object.fromEntries(textsIn(row).flatMap((text) => namedIn(actors, text)))
  const names = { plan_names, actor_names }
  return { id, environment, action, resource_id, changes, ...names, created_at, actor, address, request_id }
}

function namedIn(names: Names, id: string): [string, string][] {
  const name = names.get(id)
  return name === undefined ? [] : [[id, name]]
}
