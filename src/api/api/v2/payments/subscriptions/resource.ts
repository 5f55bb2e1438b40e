import { z } from "@medusajs/framework/zod"
import { messageOf } from "../../../../../i18n/message"
import { INTERVAL_UNITS } from "../../../../../modules/gateway/kernel/money/calendar"
import { type ErrorCode, type FieldFailure, fault, validationError } from "../../../../../modules/gateway/kernel/errors"
import { LIMITS } from "../../../../../modules/gateway/kernel/limits"
import { formatAmount } from "../../../../../modules/gateway/kernel/money/money"
import type { Caller } from "../../../../../modules/gateway/kernel/types"
import type { NewCustomer } from "../../../../../modules/gateway/subscriptions/customers"
import { nextTerms } from "../../../../../modules/gateway/subscriptions/change-rules"
import { balanceOf } from "../../../../../modules/gateway/subscriptions/credit-rules"
import { chargedNext, endMembers } from "../../../../../modules/gateway/subscriptions/end-rules"
import type { SubscriptionRow } from "../../../../../modules/gateway/subscriptions/records"
import { faultsOfPrice, presentQuantity } from "../../../../../modules/gateway/subscriptions/quantity-rules"
import type { NewSubscription, SubscriptionChange } from "../../../../../modules/gateway/subscriptions/service"
import { SUBSCRIPTION_STATES } from "../../../../../modules/gateway/subscriptions/states"
import type { JsonObject } from "../../../../v2-kit/body"
import {
  anyObject,
  currencyCode,
  moment,
  money,
  oneOf,
  truth,
  uuid,
  whole,
  words,
} from "../../../../v2-kit/openapi/fields"
import { named } from "../../../../v2-kit/openapi/named"
import {
  check,
  currency,
  email,
  freeForm,
  instant,
  phone,
  phoneOrZeros,
  recurringAmount,
  rule,
  text,
  wholeNumber,
  withoutAbsent,
} from "../../../../v2-kit/validate"
import { billingCycles, intervalCount, intervalUnit, trialDays } from "../subscription-plans/resource"
import { endAnswer, endOf, presentTerms, quantity, quantityMembers, termsMembers, twoEnds, unitAmount } from "./terms"

const lineMembers = () => ({
  id: whole("The subscription."),
  uuid: uuid("The same subscription by its uuid."),
  merchant_id: whole("Your merchant number."),
  customer_id: whole("Who subscribes."),
  status: oneOf(SUBSCRIPTION_STATES, "Its state. Deliver while it is `TRIALING` or `ACTIVE`."),
  amount: money("What a period costs."),
  currency: currencyCode(),
  ...quantityMembers(),
  next_billing_date: moment("When it is charged next; null when it is not.").nullable(),
  billing_cycle_count: whole("How many periods are paid."),
  created_at: moment("When it was made."),
  scheduled_change: z
    .object(termsMembers())
    .optional()
    .describe("The terms from the next period on; absent without any."),
  credit_balance: money(
    "What is left of periods that ended early; it pays the next ones. Negative: still owed. Absent: nothing."
  ).optional(),
  trial_refused: z
    .literal("had_trial")
    .optional()
    .describe("The plan's trial was not given, because this customer had it before; absent otherwise."),
  ...endAnswer(),
})

export const subscriptionLine = named("SubscriptionSummary", () =>
  z.object(lineMembers()).describe("A subscription as lists show it.")
)

export const subscription = named("Subscription", () =>
  z.object({
    ...lineMembers(),
    subscription_plan_id: z.int().nullable().describe("Its plan; null: it has terms of its own."),
    interval_count: whole("How many units a period has."),
    interval_unit: oneOf(INTERVAL_UNITS, "The unit."),
    trial_end_date: moment("When the trial ends or ended; null: there was none.").nullable(),
    failed_payment_count: whole("How often the charge of the open period has failed."),
    current_period_start: moment("When the paid period began.").nullable(),
    current_period_end: moment("When the paid period ends.").nullable(),
    cancel_at_period_end: truth("Whether it is cancelled and may be used until the paid period ends."),
    cancelled_at: moment("When it was cancelled.").nullable(),
    cancellation_reason: z.string().nullable().describe("Why, as it was given."),
    cancellation_note: z.string().nullable().describe("What the customer added."),
    meta_data: anyObject("Anything of yours."),
    customer: z
      .object({
        id: whole("The customer."),
        name: words("Name."),
        email: words("E-mail address; invoices go here."),
        phone: words("Phone number; empty without any."),
      })
      .describe("Who subscribes."),
  })
)

const id = wholeNumber.min(1, rule("positive")).max(2_147_483_647, rule("id"))
const metaData = freeForm(LIMITS.metadataMaxBytes).optional()

export const customerSchema = (phoneRead: typeof phone) =>
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
    unit_amount: unitAmount.optional(),
    quantity: quantity.optional(),
    currency: currency.optional(),
    interval_count: intervalCount.optional(),
    interval_unit: intervalUnit.optional(),
    trial_period_days: trialDays.optional(),
    billing_cycles: billingCycles.optional(),
    ends_at: instant.optional(),
    meta_data: metaData,
  })

export const subscriptionSchema = bodySchema(phone)
/** For merchants compatible with shop modules (docs/decisions/15). */
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
  const failures = [
    ...checked.failures,
    ...missing(present),
    ...faultsOfPrice(checked.value ?? {}),
    ...twoEnds(present),
  ]
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
    unit_amount: input.unit_amount ?? null,
    quantity: input.quantity ?? null,
    currency: input.currency ?? null,
    interval_count: input.interval_count ?? null,
    interval_unit: input.interval_unit ?? null,
    trial_period_days: input.trial_period_days ?? null,
    ...endOf(input),
    meta_data: input.meta_data ?? {},
  }
}

/** Zeros, whose E.164 is empty, are no phone: the customer gets the number that a later request has. */
export function phoneOf(read: z.output<typeof phone> | undefined): Pick<NewCustomer, "phone" | "phone_e164"> {
  return read === undefined || read.e164 === ""
    ? { phone: null, phone_e164: null }
    : { phone: read.sent, phone_e164: read.e164 }
}

function missing(present: JsonObject): FieldFailure[] {
  const nobody = !("customer" in present) && !("customer_id" in present)
  const isThere = (field: string) => field in present || (field === "amount" && "unit_amount" in present)
  const fields = [
    ...(nobody ? ["customer"] : []),
    ...("subscription_plan_id" in present ? [] : OF_THE_PLAN.filter((field) => !isThere(field))),
  ]
  return fields.map((field) => fault(field, messageOf("rule.required")))
}

export const changeSchema = subscriptionSchema.pick({
  amount: true,
  unit_amount: true,
  quantity: true,
  interval_count: true,
  interval_unit: true,
  meta_data: true,
  billing_cycles: true,
  ends_at: true,
})

export function readSubscriptionChange(body: JsonObject): SubscriptionChange {
  const present = withoutAbsent(body, ["meta_data"])
  const { value, failures: wrong } = check(changeSchema, present)
  const failures = [...wrong, ...faultsOfPrice(value ?? {}), ...twoEnds(present)]
  if (value === null || failures.length > 0) {
    throw validationError(failures)
  }
  return { ...value, ...endOf(value) }
}

/**
 * A subscription in a list: the contract's shorter subset (2.10), and what stands beside the contract where it is set
 * (docs/decisions/11).
 */
export function presentSubscriptionLine(row: SubscriptionRow, caller: Caller) {
  const balance = balanceOf(row.credits)
  const terms = nextTerms(row)
  return {
    id: row.number,
    uuid: row.uuid,
    merchant_id: caller.merchant_number,
    customer_id: row.customer_number,
    status: row.status,
    amount: formatAmount(row.amount_minor),
    ...presentQuantity(row),
    currency: row.currency,
    next_billing_date: iso(chargedNext(row)),
    billing_cycle_count: row.billing_cycle_count,
    created_at: row.opened_at.toISOString(),
    ...(terms === null ? {} : { scheduled_change: presentTerms(terms, row.has_own_end) }),
    ...(balance === 0 ? {} : { credit_balance: formatAmount(balance) }),
    ...(row.one_trial === "refused" ? { trial_refused: "had_trial" as const } : {}),
    ...endMembers(row),
  }
}

/** The whole subscription (contract 2.10; decisions: Plans and subscriptions). */
export function presentSubscription(row: SubscriptionRow, caller: Caller) {
  return {
    ...presentSubscriptionLine(row, caller),
    subscription_plan_id: row.plan_number,
    interval_count: row.interval_count,
    interval_unit: row.interval_unit,
    trial_end_date: iso(row.trial_end_date),
    failed_payment_count: row.failed_payment_count,
    current_period_start: iso(row.current_period_start),
    current_period_end: iso(row.current_period_end),
    cancel_at_period_end: row.cancel_at_period_end,
    cancelled_at: iso(row.cancelled_at),
    cancellation_reason: row.cancellation_reason,
    cancellation_note: row.cancellation_note,
    meta_data: row.meta_data,
    customer: {
      id: row.customer_number,
      name: row.customer_name,
      email: row.customer_email,
      phone: row.customer_phone ?? "",
    },
  }
}

function iso(date: Date | null): string | null {
  return date === null ? null : date.toISOString()
}

export const LINE = {
  id: 1001,
  uuid: "7b0c2c1e-6f3a-4f58-9a55-0d2f6c8e9b11",
  merchant_id: 1,
  customer_id: 1001,
  status: "ACTIVE",
  amount: "1250.50",
  currency: "BDT",
  next_billing_date: "2027-04-01T10:00:00.000Z",
  billing_cycle_count: 1,
  created_at: "2027-03-01T10:00:00.000Z",
}

export const EXAMPLE = {
  ...LINE,
  subscription_plan_id: 1001,
  interval_count: 1,
  interval_unit: "MONTH",
  trial_end_date: null,
  failed_payment_count: 0,
  current_period_start: "2027-03-01T10:00:00.000Z",
  current_period_end: "2027-04-01T10:00:00.000Z",
  cancel_at_period_end: false,
  cancelled_at: null,
  cancellation_reason: null,
  cancellation_note: null,
  meta_data: {},
  customer: { id: 1001, name: "Rahima Khatun", email: "rahima@example.com", phone: "+8801712345678" },
}

export const AMOUNT: readonly ErrorCode[] = ["AMOUNT_TOO_LOW", "AMOUNT_TOO_HIGH"]

export const REFUSED: readonly ErrorCode[] = ["SUBSCRIPTION_NOT_FOUND", "INVALID_STATE_TRANSITION"]
