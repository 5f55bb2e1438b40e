import { z } from "@medusajs/framework/zod"
import { HOME_TIME_ZONE } from "../../../../i18n/formats"
import { refusalOfUrl } from "../../../../modules/gateway/kernel/http/callback-url"
import { isTimeZone } from "../../../../modules/gateway/kernel/money/calendar"
import { LIMITS } from "../../../../modules/gateway/kernel/limits"
import { type Minor, formatAmount } from "../../../../modules/gateway/kernel/money/money"
import { CAPTURE_MODES } from "../../../../modules/gateway/merchants/payment-services"
import { ONE_TRIAL_MODES, SERVICES, type RoleLimit, type ServiceName } from "../../../../modules/gateway/kernel/types"
import type { JsonObject } from "../../../v2-kit/body"
import { choicesOf, listOf, mapOf } from "../../../v2-kit/lists"
import { amount, clearable, coded, flag, parse, rule, text } from "../../../v2-kit/validate"

const NETWORKS_MAX = 100
const RATE_MAX = 1_000_000
/** decisions: Checkout */
const ATTEMPTS_MAX = 5
const WRONG_ATTEMPTS = rule("whole_number_within", { min: 1, max: ATTEMPTS_MAX })
const RETRIES_MAX = 20
const RETRY_DAYS_MAX = 365
const REASONS_MAX = 10
const REASON_MAX_CHARS = 120
const ROLE_LIMITS_MAX = 50
const ROLE_ID_MAX_CHARS = 64
const WRONG_DAY = rule("days_within", { min: 1, max: RETRY_DAYS_MAX })

/** decisions: Captures */
export const captureMode = z.enum(CAPTURE_MODES, rule("one_of", { values: CAPTURE_MODES.join(", ") }))

const day = z.int(WRONG_DAY).min(1, WRONG_DAY).max(RETRY_DAYS_MAX, WRONG_DAY)
/** Days after the first failed charge, ascending; null: the deployment's own. Empty: a charge is never retried. */
const retryDays = listOf(day, { max: RETRIES_MAX, kind: rule("list_of_days") })
  .refine((days) => days.every((day, index) => index === 0 || day > days[index - 1]), rule("ascending"))
  .nullable()

const WRONG_ZONE = rule("time_zone", { example: HOME_TIME_ZONE })
const timeZone = z.string(WRONG_ZONE).refine(isTimeZone, WRONG_ZONE)

/** What a customer chooses from who cancels; null: the gateway's own list. */
const cancellationReasons = listOf(
  text(REASON_MAX_CHARS).refine((reason) => reason.trim() !== "", rule("not_blank")),
  { max: REASONS_MAX, kind: rule("different_texts", { max: REASONS_MAX }) }
)
  .refine(
    (reasons) => reasons.length > 0 && new Set(reasons).size === reasons.length,
    rule("different_texts", { max: REASONS_MAX })
  )
  .nullable()

/** A callback URL; empty or null: none, and every checkout must then give its own. */
function callbackUrl(allowPrivate: boolean) {
  const address = text(4_096).check((context) => {
    const refusal = refusalOfUrl(context.value, { allowPrivate, maxChars: LIMITS.callbackUrlMaxChars })
    if (refusal !== null) {
      context.issues.push({
        code: "custom",
        input: context.value,
        ...coded("INVALID_CALLBACK_URL", JSON.stringify(refusal)),
      })
    }
  })
  return clearable(address)
}

/** An amount above which an admin has to approve a refund. */
function approvalLimit(max: Minor) {
  return amount
    .refine((minor) => minor <= max, rule("max", { max: formatAmount(max) }))
    .nullable()
    .optional()
}

/** What admins with these roles of Medusa's RBAC refund of a payment, in taka; each role once. Empty: no role has a limit. */
const roleLimits = listOf(
  z.object({
    role_id: text(ROLE_ID_MAX_CHARS),
    amount: amount
      .refine((minor) => minor > 0n, rule("more_than", { min: formatAmount(0n) }))
      .refine(
        (minor) => minor <= LIMITS.orderAmountMaxMinor,
        rule("max", { max: formatAmount(LIMITS.orderAmountMaxMinor) })
      ),
  }),
  { max: ROLE_LIMITS_MAX }
).check((context) => {
  context.value.forEach(({ role_id }, index) => {
    if (context.value.findIndex((one) => one.role_id === role_id) < index) {
      context.issues.push({
        code: "custom",
        input: role_id,
        path: [index, "role_id"],
        message: rule("role_twice"),
      })
    }
  })
})

function settingsSchema(allowPrivate: boolean) {
  return z.object({
    services: choicesOf(z.enum(SERVICES, rule("each_of", { values: SERVICES.join(", ") })))
      .transform((services) => [...new Set(services)])
      .optional(),
    service_changes: mapOf(flag, LIMITS.choicesMax)
      .refine(
        (given) => Object.keys(given).every((name) => (SERVICES as readonly string[]).includes(name)),
        rule("each_of", { values: SERVICES.join(", ") })
      )
      .transform((given): Partial<Record<ServiceName, boolean>> => given)
      .optional(),
    ip_allow_list: listOf(text(64), { max: NETWORKS_MAX }).optional(),
    success_url: callbackUrl(allowPrivate),
    fail_url: callbackUrl(allowPrivate),
    cancel_url: callbackUrl(allowPrivate),
    ipn_url: callbackUrl(allowPrivate),
    rate_limit_requests: z
      .int(rule("whole_number"))
      .min(0, rule("limit"))
      .max(RATE_MAX, rule("max", { max: RATE_MAX }))
      .nullable()
      .optional(),
    payment_attempts: z.int(WRONG_ATTEMPTS).min(1, WRONG_ATTEMPTS).max(ATTEMPTS_MAX, WRONG_ATTEMPTS).optional(),
    hold_risky: flag.optional(),
    shop_modules: flag.optional(),
    receipts: flag.optional(),
    /** When the money of payments is taken; a payment service may say otherwise. */
    capture: captureMode.optional(),
    /** In taka, all three; null: no refund needs approval because of it. */
    refund_approval_threshold: approvalLimit(LIMITS.orderAmountMaxMinor),
    refund_daily_limit: approvalLimit(LIMITS.refundDailyLimitMaxMinor),
    refund_daily_key_limit: approvalLimit(LIMITS.refundDailyLimitMaxMinor),
    refund_role_limits: roleLimits.optional(),
    retry_days: retryDays.optional(),
    /** Null: the deployment's own. */
    after_last_retry: z
      .enum(["cancel", "past_due"], rule("either", { values: "cancel", last: "past_due" }))
      .nullable()
      .optional(),
    /** IANA. */
    time_zone: timeZone.optional(),
    cancellation_reasons: cancellationReasons.optional(),
    approval_by_another: flag.optional(),
    may_overdraw: flag.optional(),
    returns_automatic: flag.optional(),
    returns_refund_shipping: flag.optional(),
    one_trial_per_customer: z.enum(ONE_TRIAL_MODES, rule("one_of", { values: ONE_TRIAL_MODES.join(", ") })).optional(),
  })
}

export function readSettings(body: JsonObject, allowPrivate: boolean) {
  const { refund_approval_threshold, refund_daily_limit, refund_daily_key_limit, refund_role_limits, ...rest } = parse(
    settingsSchema(allowPrivate),
    body
  )
  const refund_approval_threshold_minor = poisha(refund_approval_threshold)
  const refund_daily_limit_minor = poisha(refund_daily_limit)
  const refund_daily_key_limit_minor = poisha(refund_daily_key_limit)
  const limits = { refund_approval_threshold_minor, refund_daily_limit_minor, refund_daily_key_limit_minor }
  return { ...rest, ...limits, refund_role_limits: storedRoleLimits(refund_role_limits) }
}

/** None are stored as null; undefined leaves them as they are. */
function storedRoleLimits(given: z.output<typeof roleLimits> | undefined): RoleLimit[] | null | undefined {
  const limits = given?.map(({ role_id, amount: most }) => ({ role_id, amount_minor: Number(most) }))
  return limits?.length === 0 ? null : limits
}

/** Null clears the limit; undefined leaves it as it is. */
function poisha(limit: Minor | null | undefined): number | null | undefined {
  return typeof limit === "bigint" ? Number(limit) : limit
}
