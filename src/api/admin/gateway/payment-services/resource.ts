import { z } from "@medusajs/framework/zod"
import { formatAmount } from "../../../../modules/gateway/kernel/money/money"
import type { PaymentServiceSetting } from "../../../../modules/gateway/merchants/payment-settings"
import type { JsonObject } from "../../../v2-kit/body"
import type { CaptureMode } from "../../../../modules/gateway/merchants/payment-services"
import { listOf } from "../../../v2-kit/lists"
import { captureMode } from "../settings/resource"
import { amount, anyText, flag, parse, rule } from "../../../v2-kit/validate"

/**
 * `possible`: the acquirers that may serve it; `unable`: the services that are not offered, because their acquirer cannot
 * reserve money.
 */
export function presentPaymentService(
  { fee_basis_points, fee_fixed_minor, acquirers, ...row }: PaymentServiceSetting,
  possible: readonly { id: string; name: string }[],
  unable: readonly number[]
) {
  return {
    ...row,
    capture_unsupported: unable.includes(row.service_id),
    acquirers: acquirers ?? [],
    possible_acquirers: possible,
    fee_percent: formatAmount(fee_basis_points),
    fee_fixed: formatAmount(fee_fixed_minor),
  }
}

const FEE_PERCENT_MAX = 10_000n
const FEE_FIXED_MAX_MINOR = 1_000_000n
const ACQUIRERS_MAX = 10

const changeSchema = z.object({
  fee_percent: amount.refine((points) => points <= FEE_PERCENT_MAX, rule("percent", { min: 0, max: 100 })).optional(),
  fee_fixed: amount
    .refine((minor) => minor <= FEE_FIXED_MAX_MINOR, rule("max", { max: formatAmount(FEE_FIXED_MAX_MINOR) }))
    .optional(),
  supports_refunds: flag.optional(),
  is_active: flag.optional(),
  /** Asked first, in this order; the others follow in the order of their accounts. */
  acquirers: listOf(anyText, { max: ACQUIRERS_MAX }).optional(),
  capture: captureMode.optional(),
})

type Change = Partial<
  Pick<
    PaymentServiceSetting,
    "fee_basis_points" | "fee_fixed_minor" | "supports_refunds" | "is_active" | "acquirers" | "capture"
  >
>

/** When the money of a service's payments is to be taken after a change; undefined: the change does not touch it. */
export function captureAfter(
  change: Change,
  before: PaymentServiceSetting,
  ofMerchant: CaptureMode
): CaptureMode | undefined {
  const isTouched = change.capture !== undefined || (change.is_active === true && !before.is_active)
  const own = change.capture === undefined ? before.capture : change.capture
  return isTouched ? (own ?? ofMerchant) : undefined
}

/** `capture: null`: as the merchant says for all. A percentage with at most two decimals is a whole number of basis points. */
export function readPaymentServiceChange(body: JsonObject): Change {
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined && value !== null))
  const { fee_percent, fee_fixed, acquirers, ...flags } = parse(changeSchema, given)
  const change: Change = { ...flags }
  change.fee_basis_points = fee_percent === undefined ? undefined : Number(fee_percent)
  change.fee_fixed_minor = fee_fixed === undefined ? undefined : Number(fee_fixed)
  change.acquirers = acquirers?.length === 0 ? null : acquirers
  change.capture = body.capture === null ? null : flags.capture
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}
