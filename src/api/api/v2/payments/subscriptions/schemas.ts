import { z } from "@medusajs/framework/zod"
import { messageOf } from "../../../../../i18n/message"
import { fault, validationError, type FieldFailure } from "../../../../../modules/gateway/kernel/errors"
import { LIMITS } from "../../../../../modules/gateway/kernel/limits"
import { SUBSCRIPTION_STATES, type SubscriptionState } from "../../../../../modules/gateway/subscriptions/states"
import type { NewCustomer } from "../../../../../modules/gateway/subscriptions/customers"
import type { NewSubscription, SubscriptionChange } from "../../../../../modules/gateway/subscriptions/service"
import type { SubscriptionCheckoutRequest } from "../../../../../modules/gateway/checkout/subscriptions"
import type { JsonObject } from "../../../../v2-kit/body"
import { described } from "../../../../v2-kit/described"
import { readList, type Page } from "../../../../v2-kit/pagination"
import { CALLBACKS, parseWithUrls } from "../../../../v2-kit/refusals"
import {
  anyText,
  check,
  currency,
  email,
  flag,
  freeForm,
  parse,
  phone,
  phoneOrZeros,
  recurringAmount,
  text,
  wholeNumber,
  withoutAbsent,
  rule,
} from "../../../../v2-kit/validate"
import { intervalCount, intervalUnit, trialDays } from "../subscription-plans/schemas"

const id = wholeNumber.min(1, rule("positive")).max(2_147_483_647, rule("id"))
const metaData = freeForm(LIMITS.metadataMaxBytes).optional()

const customerSchema = (phoneRead: typeof phone) =>
  z.object({
    name: text(LIMITS.customerFieldMaxChars).refine((value) => value.trim() !== "", rule("not_blank")),
    email,
    phone: phoneRead.optional(),
  })

const bodySchema = (phoneRead: typeof phone) =>
  z.object({
    subscription_plan_id: id.optional(),
    customer_id: id.optional(),
    customer: z.object(customerSchema(phoneRead).shape, rule("object")).optional(),
    amount: recurringAmount.optional(),
    currency: currency.optional(),
    interval_count: intervalCount.optional(),
    interval_unit: intervalUnit.optional(),
    trial_period_days: trialDays.optional(),
    meta_data: metaData,
  })

export const subscriptionSchema = bodySchema(phone)
/** For merchants compatible with shop modules (docs/decisions/0051). */
const ofShopModules = bodySchema(phoneOrZeros)

/** What a custom subscription, one without a plan, must contain itself (contract 4.6). */
const OF_THE_PLAN = ["amount", "interval_count", "interval_unit"] as const

/** customer_id wins over customer, which is then not even validated (decisions: Plans and subscriptions). */
export function readSubscription(body: JsonObject, shopModules: boolean): NewSubscription {
  const present = withoutAbsent(body, ["meta_data"])
  if ("customer_id" in present) {
    delete present.customer
  }
  const checked = check(shopModules ? ofShopModules : subscriptionSchema, present)
  const failures = [...checked.failures, ...missing(present)]
  if (checked.value === null || failures.length > 0) {
    throw validationError(failures)
  }
  const input = checked.value
  const { customer_id, customer } = input
  return {
    plan_id: input.subscription_plan_id === undefined ? null : String(input.subscription_plan_id),
    customer:
      customer_id !== undefined || customer === undefined
        ? { id: String(customer_id) }
        : { name: customer.name, email: customer.email, ...phoneOf(customer.phone) },
    amount: input.amount ?? null,
    currency: input.currency ?? null,
    interval_count: input.interval_count ?? null,
    interval_unit: input.interval_unit ?? null,
    trial_period_days: input.trial_period_days ?? null,
    meta_data: input.meta_data ?? {},
  }
}

/** Zeros, whose E.164 is empty, are no phone: the customer gets the number that a later request has. */
function phoneOf(read: z.output<typeof phone> | undefined): Pick<NewCustomer, "phone" | "phone_e164"> {
  return read === undefined || read.e164 === ""
    ? { phone: null, phone_e164: null }
    : { phone: read.sent, phone_e164: read.e164 }
}

function missing(present: JsonObject): FieldFailure[] {
  const nobody = !("customer" in present) && !("customer_id" in present)
  const fields = [
    ...(nobody ? ["customer"] : []),
    ...("subscription_plan_id" in present ? [] : OF_THE_PLAN.filter((field) => !(field in present))),
  ]
  return fields.map((field) => fault(field, messageOf("rule.required")))
}

export const changeSchema = subscriptionSchema.pick({
  amount: true,
  interval_count: true,
  interval_unit: true,
  meta_data: true,
})

export function readSubscriptionChange(body: JsonObject): SubscriptionChange {
  return parse(changeSchema, withoutAbsent(body, ["meta_data"]))
}

export const cancelSchema = z.object({
  cancellation_reason: text(LIMITS.cancellationReasonMaxChars).optional(),
  cancel_at_period_end: flag.optional(),
})

export function readCancellation(body: JsonObject): { atPeriodEnd: boolean; reason: string | null } {
  const input = parse(cancelSchema, withoutAbsent(body, []))
  return { atPeriodEnd: input.cancel_at_period_end ?? false, reason: input.cancellation_reason ?? null }
}

export const filterSchema = z.object({
  customer_id: z
    .string(rule("whole_number"))
    .regex(/^[1-9][0-9]{0,9}$/, rule("whole_number"))
    .transform(described((digits: string) => Number(digits), { type: "integer", minimum: 1, maximum: 2_147_483_647 }))
    .refine((value) => value <= 2_147_483_647, rule("id"))
    .optional(),
  subscription_status: z
    .enum(SUBSCRIPTION_STATES, rule("one_of", { values: SUBSCRIPTION_STATES.join(", ") }))
    .optional(),
})

export function readSubscriptionList(query: JsonObject): {
  filter: { customer_id?: number; status?: SubscriptionState }
  page: Page
} {
  const { filter, page } = readList(query, filterSchema)
  return { filter: { customer_id: filter.customer_id, status: filter.subscription_status }, page }
}

export const checkoutSchema = z.object({
  success_url: anyText.optional(),
  cancel_url: anyText.optional(),
  fail_url: anyText.optional(),
  ipn_url: anyText.optional(),
  metadata: freeForm(LIMITS.metadataMaxBytes).optional(),
})

/** A refused URL is 400 INVALID_CALLBACK_URL, as at POST /payments/checkout. */
export function readSubscriptionCheckout(body: JsonObject, allowPrivate: boolean): SubscriptionCheckoutRequest {
  return parseWithUrls(checkoutSchema, withoutAbsent(body, ["metadata"]), CALLBACKS, allowPrivate)
}
