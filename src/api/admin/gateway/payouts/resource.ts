import { z } from "@medusajs/framework/zod"
import { CURRENCIES, HOME_CURRENCY } from "../../../../modules/gateway/kernel/money/currencies"
import { formatAmount } from "../../../../modules/gateway/kernel/money/money"
import type { NewPayout, Payout } from "../../../../modules/gateway/ledger/payouts"
import { one } from "../../../admin-kit/list"
import type { JsonObject } from "../../../v2-kit/body"
import { amount, parse, rule, text, withoutAbsent } from "../../../v2-kit/validate"

export function presentPayout(payout: Payout) {
  return {
    id: payout.id,
    merchant_id: payout.merchant_id,
    environment: payout.environment,
    status: payout.state,
    amount: formatAmount(payout.amount),
    currency: payout.currency,
    reference: payout.reference,
    note: payout.note,
    recorded_by: payout.recorded_by,
    recorded_at: payout.recorded_at.toISOString(),
    reversed_by: payout.reversed_by,
    reversed_at: payout.reversed_at?.toISOString() ?? null,
  }
}

const payoutSchema = z.object({
  amount: amount.refine((minor) => minor > 0n, rule("more_than", { min: "0.00" })),
  currency: one(CURRENCIES).default(HOME_CURRENCY),
  reference: text(100),
  note: text(500).optional(),
})

export function readPayout(body: JsonObject): NewPayout {
  const { amount: minor, currency, reference, note } = parse(payoutSchema, withoutAbsent(body, []))
  return { amount: minor, currency, reference, note: note ?? null }
}
