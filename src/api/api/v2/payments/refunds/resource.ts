import { z } from "@medusajs/framework/zod"
import { messageOf } from "../../../../../i18n/message"
import { addSeconds } from "../../../../../modules/gateway/kernel/money/clock"
import { type FieldFailure, fault } from "../../../../../modules/gateway/kernel/errors"
import { LIMITS } from "../../../../../modules/gateway/kernel/limits"
import type { BatchItem } from "../../../../../modules/gateway/refunds/batches"
import type { RefundFilter } from "../../../../../modules/gateway/refunds/list"
import { REFUND_STATES } from "../../../../../modules/gateway/refunds/states"
import type { JsonObject } from "../../../../v2-kit/body"
import { type Page, listOf, readList } from "../../../../v2-kit/lists"
import { arrayOf, moment, oneOf, pagination, whole, words } from "../../../../v2-kit/openapi/fields"
import { named } from "../../../../v2-kit/openapi/named"
import { check, date, parse, rule, withoutAbsent } from "../../../../v2-kit/validate"
import { refundLine, refundSchema, toItem } from "../refund/resource"

export const refundPage = named("RefundPage", () =>
  z.object({ refunds: arrayOf(refundLine(), "The refunds of this page."), pagination: pagination() })
)

const item = named("RefundBatchItem", () =>
  z.object({
    transaction_id: words("The payment, as it was sent."),
    refund_id: z.string().nullable().describe("The refund; null when it was refused."),
    status: oneOf(REFUND_STATES, "Its state."),
    error: z
      .object({
        code: words("The code that a single refund would have been refused with, or why the acquirer refused."),
        message: words("The same in a sentence."),
      })
      .optional()
      .describe("Only when it failed."),
  })
)

const progress = () =>
  z
    .object(Object.fromEntries(REFUND_STATES.map((state) => [state, whole(`How many are ${state}.`)])))
    .describe("How many items have which state.")

export const refundBatch = named("RefundBatch", () =>
  z.object({
    batch_id: words("The batch."),
    total_refunds: whole("How many items it has."),
    successful: whole("How many are neither refused, failed nor cancelled."),
    failed: whole("How many were refused or have failed."),
    refunds: arrayOf(item(), "The items in your order."),
    progress: progress(),
    created_at: moment("When it was accepted."),
  })
)

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

export const ACCEPTED = {
  transaction_id: "txn0123456789abcdef0123456789abcdef",
  refund_id: "rfd_0193a5f0c2d4000001a1b2c3d4e5",
  status: "pending",
}

export const REFUSED = {
  transaction_id: "txnfedcba9876543210fedcba9876543210",
  refund_id: null,
  status: "failed",
  error: {
    code: "ALREADY_REFUNDED",
    message: "Nothing of the transaction is left to refund: it is refunded, or kept for refunds that wait",
  },
}

export const BATCH = {
  batch_id: "rfb_0193a5f0c2d4000001a1b2c3d4e5",
  total_refunds: 2,
  successful: 1,
  failed: 1,
  refunds: [ACCEPTED, REFUSED],
  progress: { pending: 1, processing: 0, completed: 0, failed: 1, cancelled: 0 },
  created_at: "2027-03-01T10:00:00.000Z",
}
