import { readFileSync } from "node:fs"
import { join } from "node:path"
import { ROOT } from "./store"

type Schema = {
  $ref?: string
  type?: string | string[]
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: unknown
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
}
type Content = { "application/json": { schema: Schema; example?: unknown } }
type Operation = { requestBody?: { content: Content } }
type Document = { paths: Record<string, Record<string, Operation>> }
type Found = { field: string; kind: "list" | "map"; max?: number }

/** A list or a map that the body of an operation may contain. */
export type Collection = Found & {
  method: string
  /** With an id in place of each parameter. */
  path: string
  /** The document's example, with a value where the list or map stands. */
  bodyWith(value: unknown): unknown
}

/** Every list and map of every request body that docs/openapi.json describes. */
export function documentedCollections(): Collection[] {
  const document = JSON.parse(readFileSync(join(ROOT, "docs/openapi.json"), "utf8")) as Document
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody }]) => {
      if (requestBody === undefined) {
        return []
      }
      const { schema, example } = requestBody.content["application/json"]
      return collectionsOf(document, schema, "").map((found) => ({
        ...found,
        method: method.toUpperCase(),
        path: path.replace(/\{[^}]+\}/g, "1"),
        bodyWith: (value: unknown) => withValue(example ?? {}, found.field, value),
      }))
    })
  )
}

function collectionsOf(document: Document, schema: Schema, field: string): Found[] {
  const { type, items, properties, additionalProperties, maxItems, ...others } = resolved(document, schema)
  const parts = [...(others.allOf ?? []), ...(others.anyOf ?? []), ...(others.oneOf ?? [])]
  return [
    ...([type].flat().includes("array") ? [{ field, kind: "list" as const, max: maxItems }] : []),
    ...(additionalProperties ? [{ field, kind: "map" as const }] : []),
    ...(items === undefined ? [] : collectionsOf(document, items, `${field}[0]`)),
    ...parts.flatMap((part) => collectionsOf(document, part, field)),
    ...Object.entries(properties ?? {}).flatMap(([name, member]) =>
      collectionsOf(document, member, field === "" ? name : `${field}.${name}`)
    ),
  ]
}

function resolved(document: Document, schema: Schema): Schema {
  if (schema.$ref === undefined) {
    return schema
  }
  const names = schema.$ref.split("/").slice(1)
  return names.reduce<unknown>((place, name) => (place as Record<string, unknown>)[name], document) as Schema
}

/** A copy of a value with another one at a path such as `order_items[0].metadata`; what lacks on the way is made. */
function withValue(whole: unknown, path: string, value: unknown): unknown {
  const copy = structuredClone(whole) as Record<string, unknown>
  const names = path.split(/[.[\]]+/).filter(Boolean)
  const last = names.pop() ?? ""
  let place = copy
  for (const [index, name] of names.entries()) {
    const isList = /^[0-9]+$/.test(names[index + 1] ?? last)
    place[name] ??= isList ? [] : {}
    place = place[name] as Record<string, unknown>
  }
  place[last] = value
  return copy
}
