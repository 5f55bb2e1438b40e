import { z } from "@medusajs/framework/zod"
import { factsOf } from "../described"
import { components } from "./named"

export type Json = { [name: string]: unknown }

/** What a schema of a request cannot say itself: a description, or more facts, by path (`customer.email`, `refunds[]`). */
export type Notes = Readonly<Record<string, string | Json>>

type Overridden = { zodSchema: z.core.$ZodTypes; jsonSchema: Json }

/** Puts in what `described` says of checks and transforms, which zod cannot translate. */
function addFacts({ zodSchema, jsonSchema }: Overridden): void {
  const replacing = factsOf(readerOf(zodSchema))
  if (replacing !== undefined) {
    Object.keys(jsonSchema).forEach((key) => delete jsonSchema[key])
    Object.assign(jsonSchema, replacing)
  }
  Object.assign(jsonSchema, factsOf(judgeOf(zodSchema)))
  for (const check of zodSchema._zod.def.checks ?? []) {
    const { fn } = check._zod.def as { fn?: unknown }
    Object.assign(jsonSchema, factsOf(fn))
  }
}

/** The function that sees a value before the schema which says the rest of it: how long a list may be. */
function judgeOf(schema: z.core.$ZodTypes): unknown {
  const { def } = schema._zod
  const before = def.type === "pipe" ? (def as z.core.$ZodPipeDef).in._zod.def : def
  return def.type === "pipe" && before.type === "transform" ? (before as z.core.$ZodTransformDef).transform : undefined
}

/** The function of a schema that takes a value in its own way: nothing else says what that value may be. */
function readerOf(schema: z.core.$ZodTypes): unknown {
  const { def } = schema._zod
  if (def.type === "pipe") {
    const { out } = def as z.core.$ZodPipeDef
    return out._zod.def.type === "transform" ? (out._zod.def as z.core.$ZodTransformDef).transform : undefined
  }
  if (def.type === "transform") {
    return (def as z.core.$ZodTransformDef).transform
  }
  return def.type === "custom" ? (def as z.core.$ZodCustomDef).fn : undefined
}

/**
 * All named schemas as JSON Schema 2020-12. Answers are described by what the schema accepts, so `io` is the input.
 * Each is translated alone: of a whole registry zod compares every schema with every other one, which takes a
 * second. `yieldToEventLoop` is awaited between them.
 */
export async function jsonSchemas(yieldToEventLoop: () => Promise<unknown>): Promise<Record<string, Json>> {
  const schemas: Record<string, Json> = {}
  for (const [id, schema] of components.schemas()) {
    await yieldToEventLoop()
    schemas[id] = jsonSchemaOf(schema)
  }
  return schemas
}

function jsonSchemaOf(schema: z.ZodType): Json {
  const translated = z.toJSONSchema(schema, {
    metadata: components,
    io: "input",
    unrepresentable: "any",
    override: (context) => addFacts(context as unknown as Overridden),
  })
  return tidy(without(translated, "$schema", "$defs", "id")) as Json
}

function without(schema: object, ...names: string[]): Json {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)))
}

/** Formats that say everything their patterns say. */
const KNOWN_FORMATS = ["date-time", "uuid", "email", "date"]

function tidy(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(tidy)
  }
  if (typeof value !== "object" || value === null) {
    return value
  }
  const members: Json = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, tidy(member)]))
  if (typeof members.$ref === "string") {
    members.$ref = members.$ref.replace("#/$defs/", "#/components/schemas/")
  }
  if (KNOWN_FORMATS.includes(members.format as string)) {
    delete members.pattern
  }
  if (Math.abs(Number(members.minimum)) === Number.MAX_SAFE_INTEGER) {
    delete members.minimum
  }
  if (Math.abs(Number(members.maximum)) === Number.MAX_SAFE_INTEGER) {
    delete members.maximum
  }
  // Of any value: JSON has no other names than text.
  if (typeof members.propertyNames === "object") {
    delete members.propertyNames
  }
  return withoutUnion(members)
}

/** `anyOf` of plain types, and of one type and null, as a list of types: easier to read, and clients make less of it. */
function withoutUnion(schema: Json): Json {
  const { anyOf, ...others } = schema
  if (!Array.isArray(anyOf)) {
    return schema
  }
  const parts = anyOf as Json[]
  const rest = parts.filter(({ type }) => type !== "null")
  const isPlain = parts.every((part) => Object.keys(part).length === 1 && typeof part.type === "string")
  if (isPlain) {
    return { type: parts.map(({ type }) => type), ...others }
  }
  const [only] = rest
  if (rest.length !== 1 || parts.length !== 2 || typeof only.type !== "string") {
    return schema
  }
  const orNull =
    "const" in only ? { enum: [only.const, null] } : "enum" in only ? { enum: [...(only.enum as unknown[]), null] } : {}
  return { ...without(only, "const"), ...orNull, type: [only.type, "null"], ...others }
}

/** Adds the notes to a schema; a path that leads nowhere throws, so that a renamed member cannot lose its description. */
export function annotate(schema: Json, notes: Notes): void {
  for (const [path, note] of Object.entries(notes)) {
    const member = at(schema, path)
    Object.assign(member, typeof note === "string" ? { description: note } : note)
  }
}

function at(schema: Json, path: string): Json {
  return path.split(".").reduce<Json>((place, name) => {
    const member = (place.properties as Record<string, Json> | undefined)?.[name.replace("[]", "")]
    const found = name.endsWith("[]") ? (member?.items as Json | undefined) : member
    if (found === undefined) {
      throw new Error(`the document describes ${path}, which its schema does not have`)
    }
    return found
  }, schema)
}
