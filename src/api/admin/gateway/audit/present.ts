import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import type { Actor } from "../../../../modules/gateway/audit"
import type { LoggedChange } from "../../../../modules/gateway/services/audit-log"

type Names = ReadonlyMap<string, string>

const ENTITIES: Partial<Record<Actor["type"], { entity: string; fields: string[]; name: (row: Record<string, string>) => string }>> = {
  user: { entity: "user", fields: ["id", "email"], name: ({ email }) => email },
  admin_key: { entity: "api_key", fields: ["id", "title", "redacted"], name: ({ title, redacted }) => `${title} (${redacted})` },
}

/** What the admins and Medusa's keys of a page are called now; who has been deleted since goes by the id. */
export async function namesOf(container: MedusaContainer, rows: readonly LoggedChange[]): Promise<Names> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const names = new Map<string, string>()
  for (const [type, { entity, fields, name }] of Object.entries(ENTITIES)) {
    const ids = [...new Set(rows.filter(({ actor_type }) => actor_type === type).map(({ actor_id }) => actor_id))]
    if (ids.length > 0) {
      const { data } = await query.graph({ entity, fields, filters: { id: ids } })
      data.forEach((row: Record<string, string>) => names.set(row.id, name(row)))
    }
  }
  return names
}

export function presentChange(row: LoggedChange, names: Names): object {
  const { id, environment, action, resource_id, changes, created_at, actor_type, actor_id, actor_label } = row
  const actor = { type: actor_type, id: actor_id, name: names.get(actor_id) ?? actor_label }
  return { id, environment, action, resource_id, changes, created_at, actor }
}
