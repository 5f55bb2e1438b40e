import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"

export type Names = ReadonlyMap<string, string>

/** By the prefix of Medusa's ids. */
const ENTITIES: Readonly<
  Record<string, { entity: string; fields: string[]; name: (row: Record<string, string>) => string }>
> = {
  user_: { entity: "user", fields: ["id", "email"], name: ({ email }) => email },
  cus_: { entity: "customer", fields: ["id", "email"], name: ({ email }) => email },
  apk_: {
    entity: "api_key",
    fields: ["id", "title", "redacted"],
    name: ({ title, redacted }) => `${title} (${redacted})`,
  },
}

/** The current names of admins, of customers of the store and of Medusa's keys; deleted and other actors appear by their id. */
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

/** The numbers that Medusa's own pages show for these orders; orders of another store have none. */
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
