import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"

export type Names = ReadonlyMap<string, string>

/** By what an id of Medusa begins with. */
const ENTITIES: Readonly<
  Record<string, { entity: string; fields: string[]; name: (row: Record<string, string>) => string }>
> = {
  user_: { entity: "user", fields: ["id", "email"], name: ({ email }) => email },
  apk_: {
    entity: "api_key",
    fields: ["id", "title", "redacted"],
    name: ({ title, redacted }) => `${title} (${redacted})`,
  },
}

/** What admins and Medusa's keys are called now; who has been deleted since, or is somebody else, goes by the id. */
export async function namesOf(container: MedusaContainer, who: readonly string[]): Promise<Names> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const names = new Map<string, string>()
  for (const [prefix, { entity, fields, name }] of Object.entries(ENTITIES)) {
    const ids = [...new Set(who.filter((id) => id.startsWith(prefix)))]
    if (ids.length > 0) {
      const { data } = await query.graph({ entity, fields, filters: { id: ids } })
      data.forEach((row: Record<string, string>) => names.set(row.id, name(row)))
    }
  }
  return names
}

/** The numbers by which Medusa's own pages call these orders; one that is not of this store has none. */
export async function orderNumbers(
  container: MedusaContainer,
  ids: readonly (string | null)[]
): Promise<(id: string | null) => number | null> {
  const known = [...new Set(ids.filter((id) => id !== null))]
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } =
    known.length === 0
      ? { data: [] }
      : await query.graph({ entity: "order", fields: ["id", "display_id"], filters: { id: known } })
  const numbers = new Map(data.map(({ id, display_id }) => [id, Number(display_id)]))
  return (id) => (id === null ? null : (numbers.get(id) ?? null))
}
