import { z } from "@medusajs/framework/zod"

type Meta = { id?: string; description?: string }

/** The schemas that have a name of their own under `components/schemas`. */
class Components extends z.core.$ZodRegistry<Meta> {
  readonly #named = new Map<string, z.ZodType>()

  /** Zod looks in one registry for names and descriptions; `describe` writes into its global one. */
  override get<Schema extends z.core.$ZodType>(schema: Schema) {
    const meta: Meta = { ...z.globalRegistry.get(schema), ...super.get(schema) }
    return meta as z.core.$replace<Meta, Schema>
  }

  name(id: string, schema: z.ZodType): void {
    if (this.#named.has(id)) {
      throw new Error(`two schemas of the document are named ${id}`)
    }
    this.#named.set(id, schema)
    this.add(schema, { id })
  }

  schemas(): ReadonlyMap<string, z.ZodType> {
    return this.#named
  }
}

export const components = new Components()

/**
 * A schema with a name in the document. It is made at its first use: a store that starts has no need of it, and making
 * all of them takes longer than loading their files.
 */
export function named<Schema extends z.ZodType>(id: string, make: () => Schema): () => Schema {
  let made: Schema | undefined
  return () => {
    if (made === undefined) {
      made = make()
      components.name(id, made)
    }
    return made
  }
}

/** What a schema with a name accepts: what is sent in its place. */
export type Shape<Make extends () => z.ZodType> = z.input<ReturnType<Make>>

/** The name of a schema, which gets this one if it has none yet. */
export function nameOf(schema: z.ZodType, byDefault: string): string {
  const known = components.get(schema)?.id
  if (known === undefined) {
    components.name(byDefault, schema)
  }
  return known ?? byDefault
}
