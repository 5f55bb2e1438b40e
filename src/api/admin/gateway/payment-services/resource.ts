import { z } from "@medusajs/framework/zod"
import { LIMITS } from "../../../../modules/gateway/kernel/limits"
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
  { fee_basis_points, fee_fixed_minor, routes, ...row }: PaymentServiceSetting,
  possible: readonly { id: string; name: string }[],
  unable: readonly number[]
) {
  return {
    ...row,
    capture_unsupported: unable.includes(row.service_id),
    routes: (routes ?? []).map(({ acquirer, share, from_minor, to_minor }) => {
      return { acquirer, share, from: amountOrNull(from_minor), to: amountOrNull(to_minor) }
    }),
    possible_acquirers: possible,
    fee_percent: formatAmount(fee_basis_points),
    fee_fixed: formatAmount(fee_fixed_minor),
  }
}

function amountOrNull(minor: number | null): string | null {
  return minor === null ? null : formatAmount(minor)
}

function minorOrNull(minor: bigint | null | undefined): number | null {
  return minor === null || minor === undefined ? null : Number(minor)
}

const FEE_PERCENT_MAX = 10_000n
const FEE_FIXED_MAX_MINOR = 1_000_000n
const ROUTES_MAX = 10
const SHARE_MAX = 100

const SHARE = rule("whole_number_within", { min: 1, max: SHARE_MAX })
const limit = amount.refine((minor) => minor <= LIMITS.orderAmountMaxMinor, {
  error: rule("max", { max: formatAmount(LIMITS.orderAmountMaxMinor) }),
})
/** Shares count against each other: 90 and 10 are nine payments of ten. Amounts are in taka, both included. */
const route = z
  .object({
    acquirer: anyText,
    share: z.int(SHARE).min(1, SHARE).max(SHARE_MAX, SHARE).nullish(),
    from: limit.nullish(),
    to: limit.nullish(),
  })
  .refine(({ from, to }) => (from ?? 0n) <= (to ?? from ?? 0n), {
    path: ["to"],
    error: rule("not_below", { field: "from" }),
  })
  .transform(({ acquirer, share, from, to }) => {
    return { acquirer, share: share ?? null, from_minor: minorOrNull(from), to_minor: minorOrNull(to) }
  })

const changeSchema = z.object({
  fee_percent: amount.refine((points) => points <= FEE_PERCENT_MAX, rule("percent", { min: 0, max: 100 })).optional(),
  fee_fixed: amount
    .refine((minor) => minor <= FEE_FIXED_MAX_MINOR, rule("max", { max: formatAmount(FEE_FIXED_MAX_MINOR) }))
    .optional(),
  supports_refunds: flag.optional(),
  is_active: flag.optional(),
  /** In the order in which they are asked; acquirers that are not named follow in the order of their accounts. */
  routes: listOf(route, { max: ROUTES_MAX })
    .refine((routes) => new Set(routes.map(({ share }) => share === null)).size < 2, rule("share_for_all"))
    .optional(),
  capture: captureMode.optional(),
})

type Change = Partial<
  Pick<
    PaymentServiceSetting,
    "fee_basis_points" | "fee_fixed_minor" | "supports_refunds" | "is_active" | "routes" | "capture"
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
  const { fee_percent, fee_fixed, routes, ...flags } = parse(changeSchema, given)
  const change: Change = { ...flags }
  change.fee_basis_points = fee_percent === undefined ? undefined : Number(fee_percent)
  change.fee_fixed_minor = fee_fixed === undefined ? undefined : Number(fee_fixed)
  change.routes = routes?.length === 0 ? null : routes
  change.capture = body.capture === null ? null : flags.capture
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}
