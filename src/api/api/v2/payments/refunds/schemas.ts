import { z } from "@medusajs/framework/zod"
import { messageOf } from "../../../../../i18n/message"
import { addSeconds } from "../../../../../modules/gateway/kernel/clock"
import { fault, type FieldFailure } from "../../../../../modules/gateway/kernel/errors"
import { LIMITS } from "../../../../../modules/gateway/kernel/limits"
import { REFUND_STATES } from "../../../../../modules/gateway/refunds/states"
import type { RefundFilter } from "../../../../../modules/gateway/refunds/list"
import type { BatchItem } from "../../../../../modules/gateway/refunds/batches"
import type { JsonObject } from "../../../../v2-kit/body"
import { listOf } from "../../../../v2-kit/lists"
import { readList, type Page } from "../../../../v2-kit/pagination"
import { check, date, parse, rule, withoutAbsent } from "../../../../v2-kit/validate"
import { refundSchema, toItem } from "../refund/schemas"

const DAY_SECONDS = 86_400

const periodSchema = z.object({ from_date: date.optional(), to_date: date.optional() })
export const filterSchema = periodSchema.extend({
  status: z.enum(REFUND_STATES, rule("one_of", { values: REFUND_STATES.join(", ") })).optional(),
})

export const batchSchema = z.object({
  refunds: listOf(refundSchema, {
    min: 1,
    max: LIMITS.refundBatchMax,
    few: rule("some_refund"),
    many: rule("max_refunds", { max: LIMITS.refundBatchMax }),
  }),
})

/** Both UTC days belong to the period. */
function periodOf({ from_date, to_date }: z.output<typeof periodSchema>): { from?: Date; before?: Date } {
  return { from: from_date, before: to_date === undefined ? undefined : addSeconds(to_date, DAY_SECONDS) }
}

function orderFailures(query: JsonObject): FieldFailure[] {
  const { from_date, to_date } = check(periodSchema, query).value ?? {}
  return from_date !== undefined && to_date !== undefined && from_date > to_date
    ? [fault("to_date", messageOf("rule.not_before", { field: "from_date" }))]
    : []
}

export function readRefundList(query: JsonObject): { filter: RefundFilter; page: Page } {
  const { filter, page } = readList(query, filterSchema, { size: "limit", also: orderFailures })
  return { filter: { state: filter.status, ...periodOf(filter) }, page }
}

/** A malformed item refuses the whole batch, with its index (decisions: Refunds). */
export function readBatch(body: JsonObject): BatchItem[] {
  return parse(batchSchema, withoutAbsent(body, ["metadata"])).refunds.map(toItem)
}
