import { z } from "@medusajs/framework/zod"
import { CURRENCIES, HOME_CURRENCY } from "../../../../modules/gateway/kernel/money/currencies"
import { formatAmount } from "../../../../modules/gateway/kernel/money/money"
import type { NewPayout, Payout } from "../../../../modules/gateway/ledger/payouts"
import { messageOf } from "../../../../i18n/message"
import { dayText } from "../../../../i18n/days"
import { dayOfDate } from "../../../../modules/gateway/kernel/database/counter-rules"
import { fault, validationError } from "../../../../modules/gateway/kernel/errors"
import type { Names } from "../../../admin-kit/present"
import { one } from "../../../admin-kit/list"
import type { JsonObject } from "../../../v2-kit/body"
import { amount, date, parse, rule, text, withoutAbsent } from "../../../v2-kit/validate"

export function presentPayout(payout: Payout, names: Names = new Map()) {
  return {
    id: payout.id,
    merchant_id: payout.merchant_id,
    environment: payout.environment,
    status: payout.state,
    amount: formatAmount(payout.amount),
    currency: payout.currency,
    reference: payout.reference,
    note: payout.note,
    transferred_on: payout.transferred_on,
    period_from: payout.period_from,
    period_to: payout.period_to,
    recorded_by: payout.recorded_by,
    recorded_by_name: names.get(payout.recorded_by) ?? payout.recorded_by,
    recorded_at: payout.recorded_at.toISOString(),
    reversed_by: payout.reversed_by,
    reversed_at: payout.reversed_at?.toISOString() ?? null,
  }
}

const day = date.transform((midnight) => dayText(dayOfDate(midnight)))

const payoutSchema = z.object({
  amount: amount.refine((minor) => minor > 0n, rule("more_than", { min: "0.00" })),
  currency: one(CURRENCIES).default(HOME_CURRENCY),
  reference: text(100),
  note: text(500).optional(),
  transferred_on: day.optional(),
  period_from: day.optional(),
  period_to: day.optional(),
})

export function readPayout(body: JsonObject): NewPayout {
  const { amount: minor, note = null, ...rest } = parse(payoutSchema, withoutAbsent(body, []))
  const { period_from, period_to } = rest
  if ((period_from === undefined) !== (period_to === undefined)) {
    const field = period_from === undefined ? "period_from" : "period_to"
    throw validationError([fault(field, messageOf("rule.required"))])
  }
  if (period_from !== undefined && period_to !== undefined && period_from > period_to) {
    throw validationError([fault("period_from", messageOf("rule.not_after", { field: "period_to" }))])
  }
  return { amount: minor, note, ...rest }
}
