import { z } from "@medusajs/framework/zod"
import { messageOf } from "../../i18n/message"
import { type FieldFailure, fault, validationError } from "../../modules/gateway/kernel/errors"
import { LIMITS } from "../../modules/gateway/kernel/limits"
import type { JsonObject } from "./body"
import { described } from "./described"
import { MISSING, check, rule, withoutAbsent } from "./validate"

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

export type Page = { page: number; per_page: number; offset: number }

/** Digits only: `1e2`, `0x10` and ` 1` are not page numbers. */
const WHOLE = /^[0-9]{1,9}$/

type SizeField = "per_page" | "limit"

/** Reads `page` and `per_page` of a list without filters (contract 8). Out of range: VALIDATION_ERROR. */
export function readPage(query: JsonObject): Page {
  const { page, failures } = checkPage(query, "per_page")
  if (failures.length > 0) {
    throw validationError(failures)
  }
  return page
}

/**
 * Reads a list's filter and page: all failures are reported together (decisions: Requests). `also`: what is wrong with
 * members of the filter together.
 */
export function readList<Schema extends z.ZodType>(
  query: JsonObject,
  schema: Schema,
  { size = "per_page", also }: { size?: SizeField; also?: (present: JsonObject) => FieldFailure[] } = {}
): { filter: z.output<Schema>; page: Page } {
  const present = withoutAbsent(query, [])
  const { value: filter, failures } = check(schema, present)
  const { page, failures: ofPage } = checkPage(query, size)
  const wrong = [...failures, ...(also?.(present) ?? []), ...ofPage]
  if (filter === null || wrong.length > 0) {
    throw validationError(wrong)
  }
  return { filter, page }
}

/** Who reads on from a cursor has no pages to turn: the same rows would come for ever. */
export function noPageWithCursor({ after, page }: JsonObject): FieldFailure[] {
  return after === undefined || page === undefined ? [] : [fault("page", messageOf("rule.no_page_with_cursor"))]
}

function checkPage(query: JsonObject, sizeField: SizeField): { page: Page; failures: FieldFailure[] } {
  const failures: FieldFailure[] = []
  const page = whole(query, "page", 1, 1, 1_000_000, failures)
  const per_page = whole(query, sizeField, LIMITS.pageSizeDefault, 1, LIMITS.pageSizeMax, failures)
  return { page: { page, per_page, offset: (page - 1) * per_page }, failures }
}

function whole(
  query: JsonObject,
  field: string,
  byDefault: number,
  min: number,
  max: number,
  failures: FieldFailure[]
): number {
  const value = query[field]
  if (value === undefined || value === "") {
    return byDefault
  }
  const number = typeof value === "string" && WHOLE.test(value) ? Number(value) : NaN
  if (!(number >= min && number <= max)) {
    failures.push(fault(field, messageOf("rule.whole_number_within", { min, max })))
  }
  return number
}
