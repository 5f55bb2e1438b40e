import type { LoggedChange } from "../../../../modules/gateway/merchants/audit-log"
import type { Names } from "../../../admin-kit/present"

export function presentChange(row: LoggedChange, names: Names) {
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
  const actor = { type: actor_type, id: actor_id, name: names.get(actor_id) ?? actor_label }
  return { id, environment, action, resource_id, changes, created_at, actor, address, request_id }
}
