import { z } from "@medusajs/framework/zod"
import { LIMITS } from "../../modules/gateway/kernel/limits"
import { described } from "./described"
import { MISSING, rule } from "./validate"

type Wording = {
  /** The message for a value that is no list. */
  kind?: string
  few?: string
  many?: string
}
type ListRules = Wording & { min?: number; max: number }

/**
 * A list of `min` to `max` elements. Its length is judged first, and one that is too long ends the parsing of the list
 * there: zod's own bounds come after every element has been parsed, and 80,000 wrong ones block the process for seconds
 * (decisions: Lengths before contents). They also read the `length` of whatever was sent, which may be an object.
 */
export function listOf<Element extends z.ZodType>(
  element: Element,
  { min = 0, max, kind = rule("list"), few = kind, many = rule("max_entries", { max }) }: ListRules
) {
  const judge = (value: unknown, context: z.core.ParsePayload): unknown => {
    const broken = !Array.isArray(value) ? kind : value.length < min ? few : value.length > max ? many : null
    return judged(value, broken, context)
  }
  const facts = { ...(min === 0 ? {} : { minItems: min }), maxItems: max }
  return z.preprocess(described(judge, facts), z.array(element))
}

/** A list of values from a closed set: longer than any such set, it is refused before a value is looked at. */
export function choicesOf<Element extends z.ZodType>(
  element: Element,
  { few, min }: { few?: string; min?: number } = {}
) {
  return listOf(element, { min, few, max: LIMITS.choicesMax })
}

/** An object whose names the client chooses: at most `max` of them, counted before any member is looked at. */
export function mapOf<Member extends z.ZodType>(member: Member, max: number) {
  const judge = (value: unknown, context: z.core.ParsePayload): unknown => {
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value)
    const broken = !isObject ? rule("object") : Object.keys(value).length > max ? rule("max_entries", { max }) : null
    return judged(value, broken, context)
  }
  return z.preprocess(described(judge, { maxProperties: max }), z.record(z.string(), member))
}

function judged(value: unknown, broken: string | null, context: z.core.ParsePayload): unknown {
  if (broken === null) {
    return value
  }
  context.issues.push({ code: "custom", input: value, message: value === undefined ? MISSING : broken })
  return z.NEVER
}
