import type { z } from "@medusajs/framework/zod"
import { messageOf } from "../../i18n/message"
import { fault, validationError, type FieldFailure } from "../../modules/gateway/kernel/errors"
import { LIMITS } from "../../modules/gateway/kernel/limits"
import type { JsonObject } from "./body"
import { check, withoutAbsent } from "./validate"

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
