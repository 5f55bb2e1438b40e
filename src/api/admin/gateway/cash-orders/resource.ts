import { z } from "@medusajs/framework/zod"
import type { CashOutcome } from "../../../../modules/gateway/cash/import-rules"
import type { CashImport } from "../../../../modules/gateway/cash/import"
import type { CashSummary } from "../../../../modules/gateway/cash/list"
import type { CashCollection, CashOrder, NewCollection } from "../../../../modules/gateway/cash/records"
import { cashDue } from "../../../../modules/gateway/cash/rules"
import type { GivenUp } from "../../../../modules/gateway/cash/service"
import { LIMITS } from "../../../../modules/gateway/kernel/limits"
import { formatAmount } from "../../../../modules/gateway/kernel/money/money"
import { newId } from "../../../../modules/gateway/kernel/text/ids"
import { one } from "../../../admin-kit/list"
import { presentMessageOrNull, type Names } from "../../../admin-kit/present"
import type { JsonObject } from "../../../v2-kit/body"
import { listOf } from "../../../v2-kit/lists"
import { amount, anyText, flag, instant, parse, rule, text, withoutAbsent } from "../../../v2-kit/validate"

/** `late`: an order that is still due and was placed before this moment. */
export function presentCashOrder(order: CashOrder, late: Date) {
  const due = cashDue(order)
  return {
    id: order.id,
    status: order.state,
    is_late: due > 0n && order.placed_at !== null && order.placed_at < late,
    currency: order.currency,
    total: formatAmount(order.total_minor),
    advance: formatAmount(order.advance_minor),
    collected: formatAmount(order.collected_minor),
    due: formatAmount(due),
    given_up: formatAmount(order.given_up_minor),
    returned: formatAmount(order.returned_minor),
    transaction_id: order.transaction_id,
    order_id: order.order_id,
    order_number: order.order_number,
    return_id: order.return_id,
    advance_back: order.advance_back,
    customer_name: order.customer_name,
    phone: order.phone,
    district: order.district,
    placed_at: order.placed_at,
    closed_at: order.closed_at,
    stuck_since: order.stuck_since,
    last_error: presentMessageOrNull(order.last_error),
  }
}

export function presentCollection(collection: CashCollection, names: Names) {
  const { id, amount_minor, charge_minor, source, courier, note, recorded_by, collected_at } = collection
  return {
    id,
    amount: formatAmount(amount_minor),
    charge: formatAmount(charge_minor),
    source,
    courier,
    note,
    recorded_by,
    recorded_by_name: names.get(recorded_by) ?? null,
    collected_at,
  }
}

const periodSchema = z.object({ from: instant.optional(), to: instant.optional() })

export function readPeriod(query: JsonObject): z.output<typeof periodSchema> {
  return parse(periodSchema, withoutAbsent(query, []))
}

export function presentSummary(
  { due_minor, late_minor, collected_minor, period, ...counts }: CashSummary,
  currency: string
) {
  return {
    currency,
    due: formatAmount(BigInt(due_minor)),
    late: formatAmount(BigInt(late_minor)),
    collected: formatAmount(BigInt(collected_minor)),
    ...counts,
    ...period,
  }
}

const NOTE_MAX_CHARS = 500
const charge = amount.refine(
  (minor) => minor <= LIMITS.orderAmountMaxMinor,
  rule("max", { max: formatAmount(LIMITS.orderAmountMaxMinor) })
)
const courier = text(100).optional()
const note = text(NOTE_MAX_CHARS).optional()
/** Of one form that was filled in: sent twice, it records once. */
const request_key = text(64).optional()

const collectSchema = z.object({
  amount: amount.refine((minor) => minor > 0n, rule("more_than", { min: "0.00" })),
  charge: charge.default(0n),
  courier,
  note,
  request_key,
})

export function readCollection(body: JsonObject): NewCollection {
  const {
    courier: by = null,
    note: said = null,
    request_key: key,
    ...amounts
  } = parse(collectSchema, withoutAbsent(body, []))
  return { ...amounts, source: "admin", courier: by, note: said, request_key: `admin:${key ?? newId("key")}` }
}

const manySchema = z.object({
  ids: listOf(anyText, { min: 1, max: LIMITS.pageSizeMax }),
  courier,
  note,
})

/** Many orders whose whole cash has come. */
export function readMany(body: JsonObject): { ids: string[]; courier: string | null; note: string | null } {
  const { ids, courier: by = null, note: said = null } = parse(manySchema, withoutAbsent(body, []))
  return { ids: [...new Set(ids)], courier: by, note: said }
}

const giveUpSchema = z.object({ note, advance: one(["keep", "give_back"]).optional() })

export function readGivenUp(body: JsonObject): GivenUp {
  const { note: said = null, advance } = parse(giveUpSchema, withoutAbsent(body, []))
  return { note: said, advance }
}

const decisionSchema = z.object({ decision: one(["retry", "leave"]), note })

export function readDecision(body: JsonObject): { decision: "retry" | "leave"; note: string | null } {
  const { decision, note: said = null } = parse(decisionSchema, withoutAbsent(body, []))
  return { decision, note: said }
}

const importSchema = z.object({ csv: anyText, courier, dry_run: flag.default(false) })

export function readCashImport(body: JsonObject): CashImport {
  const { courier: by = null, ...rest } = parse(importSchema, withoutAbsent(body, []))
  return { ...rest, courier: by }
}

/** `cash_order_id` and `currency` are null when no order has the line's number. */
export function presentOutcome({ collected, charge: kept, date, reason, order_id, ...rest }: CashOutcome) {
  const { line, order_number, currency, outcome } = rest
  return {
    line,
    cash_order_id: order_id,
    currency,
    order_number,
    collected: formatAmount(collected),
    charge: formatAmount(kept),
    date: date === "" ? null : date,
    outcome,
    reason: presentMessageOrNull(reason),
  }
}
