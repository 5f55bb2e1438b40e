import { z } from "@medusajs/framework/zod"
import { LIMITS } from "../../modules/gateway/kernel/limits"
import type { JsonObject } from "../v2-kit/body"
import { choicesOf } from "../v2-kit/lists"
import { instant, parse, rule, text, withoutAbsent } from "../v2-kit/validate"

const DIGITS = /^[0-9]{1,6}$/

function whole(byDefault: number, min: number, max: number, message = rule("whole_number_within", { min, max })) {
  return z
    .string()
    .optional()
    .transform((value) => (value === undefined ? byDefault : DIGITS.test(value) ? Number(value) : NaN))
    .refine((number) => number >= min && number <= max, message)
}

/** Several values separated by commas: `status=SUCCESS,REFUNDED`. */
export function several<Value extends string>(values: readonly Value[]) {
  return z
    .string()
    .transform((given): unknown => given.split(",", LIMITS.choicesMax + 1))
    .pipe(choicesOf(z.enum(values as readonly [Value, ...Value[]], rule("each_of", { values: values.join(", ") }))))
}

export function one<Value extends string>(values: readonly Value[]) {
  return z.enum(values as readonly [Value, ...Value[]], rule("one_of", { values: values.join(", ") }))
}

/** `format=csv`: the whole list as a file; `totals=true`: with the sums of its amounts. */
const FORMAT = {
  format: one(["json", "csv"]).default("json"),
  totals: one(["true", "false"])
    .default("false")
    .transform((value) => value === "true"),
}
export type ListFormat = { format: "json" | "csv"; totals: boolean }

/**
 * `from` is inclusive, `to` exclusive, on the clock that the list shows: the merchant's, or the real one in logs of
 * people's actions.
 */
const SHARED = {
  ...FORMAT,
  q: text(254).optional(),
  from: instant.optional(),
  to: instant.optional(),
  limit: whole(LIMITS.pageSizeDefault, 1, LIMITS.pageSizeMax),
  offset: whole(0, 0, LIMITS.listWindowRows, rule("offset_within", { min: 0, max: LIMITS.listWindowRows })),
}

/**
 * The query of a list: `limit`, `offset`, `q`, `from`, `to`, `order` (one of `sorts`, `-` before it: descending; the
 * first one is the default, newest first), and `filters` of its own.
 */
export function listSchema<Filters extends z.ZodRawShape, Sort extends string>(
  filters: Filters,
  sorts: readonly [Sort, ...Sort[]]
) {
  const orders = sorts.flatMap((sort) => [sort, `-${sort}`])
  return z.object({
    ...SHARED,
    ...filters,
    order: one(orders)
      .default(`-${sorts[0]}`)
      .transform((order) => ({ by: order.replace("-", "") as Sort, descending: order.startsWith("-") })),
  })
}

export function readList<Schema extends z.ZodType>(schema: Schema, query: JsonObject): z.output<Schema> {
  return parse(schema, withoutAbsent(query, []))
}

type Page<Row> = { rows: Row[]; count: number; count_is_exact: boolean }

/**
 * A list's response, with the rows under the name that Medusa's lists use: `{ payments, count, ..., limit, offset }`.
 */
export function presentList<Row>(
  name: string,
  page: Page<Row>,
  { limit, offset }: { limit: number; offset: number },
  present: (row: Row) => object
): object {
  const { rows, count, count_is_exact } = page
  return { [name]: rows.map(present), count, count_is_exact, limit, offset }
}
