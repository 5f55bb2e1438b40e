import { messageOf } from "../../i18n/message"
import { fault, validationError, type FieldFailure } from "../../modules/gateway/kernel/errors"
import { LIMITS } from "../../modules/gateway/kernel/limits"

export type Page = { page: number; per_page: number; offset: number }

/** Digits only: `1e2`, `0x10` and ` 1` are not page numbers. */
const WHOLE = /^[0-9]{1,9}$/

type SizeField = "per_page" | "limit"

/** Reads `page` and `per_page` (or `limit`, for refunds) of a list (contract 8). Out of range: VALIDATION_ERROR. */
export function readPage(query: Record<string, unknown>, sizeField: SizeField = "per_page"): Page {
  const { page, failures } = checkPage(query, sizeField)
  if (failures.length > 0) {
    throw validationError(failures)
  }
  return page
}

/** Like `readPage`, for lists with more parameters: all failures are reported together. */
export function checkPage(
  query: Record<string, unknown>,
  sizeField: SizeField
): { page: Page; failures: FieldFailure[] } {
  const failures: FieldFailure[] = []
  const page = whole(query, "page", 1, 1, 1_000_000, failures)
  const per_page = whole(query, sizeField, LIMITS.pageSizeDefault, 1, LIMITS.pageSizeMax, failures)
  return { page: { page, per_page, offset: (page - 1) * per_page }, failures }
}

function whole(
  query: Record<string, unknown>,
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
