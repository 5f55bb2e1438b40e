import { z } from "@medusajs/framework/zod"
import { messageOf } from "../../../../../i18n/message"
import { HOME_CURRENCY } from "../../../../../modules/gateway/kernel/money/currencies"
import { type FieldFailure, fault, validationError } from "../../../../../modules/gateway/kernel/errors"
import { LIMITS } from "../../../../../modules/gateway/kernel/limits"
import { formatAmount } from "../../../../../modules/gateway/kernel/money/money"
import type { PaymentLink } from "../../../../../modules/gateway/links/records"
import {
  LINK_STATUSES,
  type LinkStatus,
  linkUrl,
  type NewLink,
  statusOf,
} from "../../../../../modules/gateway/links/rules"
import type { JsonObject } from "../../../../v2-kit/body"
import {
  arrayOf,
  currencyCode,
  moment,
  money,
  oneOf,
  transactionId,
  truth,
  whole,
  words,
} from "../../../../v2-kit/openapi/fields"
import { named } from "../../../../v2-kit/openapi/named"
import { described } from "../../../../v2-kit/described"
import { listOf, type Page, readList } from "../../../../v2-kit/lists"
import {
  check,
  currency,
  email,
  emptiable,
  flag,
  instant,
  phone,
  recurringAmount,
  required,
  rule,
  text,
  withoutAbsent,
} from "../../../../v2-kit/validate"

export const paymentLink = named("PaymentLink", () =>
  z.object({
    link_id: words("The link."),
    url: z.url().describe("Its page. Whoever has this address can see it and pay."),
    status: oneOf(LINK_STATUSES, "Only an `open` link can be paid."),
    amount: money("What is asked for; null: whoever pays chooses it.").nullable(),
    open_amount: z
      .object({
        min: money("The least that is taken."),
        max: money("The most; null: as much as a checkout takes.").nullable(),
        suggested: arrayOf(money("An amount to choose."), "Amounts that the page offers."),
      })
      .nullable()
      .describe("What whoever pays may choose; null: `amount` is asked for."),
    reusable: truth("Whether many may pay it, each on their own. Otherwise it is paid once."),
    max_payments: whole("How many payments it takes: 1 unless it is reusable; null: any number.").nullable(),
    currency: currencyCode(),
    description: words("What it is for; the payer reads it."),
    customer: z
      .object({ name: words("Name."), email: words("E-mail address."), phone: words("Phone number.") })
      .nullable()
      .describe("Who is asked to pay; null: the page asks."),
    paid_count: whole("How often it has been paid. Refunded payments count."),
    paid_amount: money("The sum of these payments."),
    transaction_id: transactionId("The payment that has paid it; null until then, and of a reusable link.").nullable(),
    expires_at: moment("When it ends; null: never.").nullable(),
    paid_at: moment("When it was paid; null for a reusable link.").nullable(),
    disabled_at: moment("When it was disabled.").nullable(),
    created_at: moment("When it was made."),
  })
)

const line = text(LIMITS.customerFieldMaxChars).refine((value) => value.trim() !== "", rule("not_blank"))

const payerSchema = z.object({ name: line, email, phone })

const openAmount = z.object({
  min: recurringAmount.optional(),
  max: recurringAmount.optional(),
  suggested: listOf(recurringAmount, { max: LIMITS.linkSuggestionsMax }).optional(),
})

const count = z.int(required(rule("whole_number"))).refine(
  described((value: number) => value >= 1 && value <= LIMITS.linkPaymentsMax, {
    minimum: 1,
    maximum: LIMITS.linkPaymentsMax,
  }),
  rule("whole_number_within", { min: 1, max: LIMITS.linkPaymentsMax })
)

/** An amount is from 10.00 to what a checkout takes, as of plans. */
export const linkSchema = z.object({
  amount: recurringAmount.optional(),
  open_amount: emptiable(z.object(openAmount.shape, rule("object"))).optional(),
  reusable: flag.optional(),
  max_payments: count.optional(),
  currency: currency.optional(),
  description: text(LIMITS.descriptionMaxChars).refine((value) => value.trim() !== "", rule("not_blank")),
  customer: z.object(payerSchema.shape, rule("object")).optional(),
  expires_at: instant.optional(),
})

/** `now`: the merchant's clock, which `expires_at` must be ahead of. */
export function readLink(body: JsonObject, now: Date): NewLink {
  const present = withoutAbsent(body, [])
  const { value: input, failures } = check(linkSchema, present)
  const end = check(linkSchema.shape.expires_at, present.expires_at).value ?? null
  const isOver = end !== null && end <= now
  const late = isOver ? [fault("expires_at", messageOf("rule.future"))] : []
  const wrong = [...kindFaults(present), ...failures, ...late, ...(input === null ? [] : amountFaults(input))]
  if (input === null || wrong.length > 0) {
    throw validationError(wrong)
  }
  const { amount, open_amount = {}, description, customer, expires_at = null } = input
  const { min = LIMITS.orderAmountMinMinor, max = null, suggested = [] } = open_amount
  return {
    amount: amount ?? { min, max, suggested: [...new Set(suggested)] },
    currency: input.currency ?? HOME_CURRENCY,
    description,
    customer: customer === undefined ? null : payerOf(customer),
    expires_at,
    reusable: input.reusable,
    max_payments: input.max_payments,
  }
}

/** A link has an amount or an open one, and only a reusable one has a number of payments. */
function kindFaults({ amount, open_amount, reusable, max_payments }: JsonObject): FieldFailure[] {
  const isMissing = amount === undefined && open_amount === undefined
  return [
    ...(isMissing ? [fault("amount", messageOf("rule.required"), "MISSING_REQUIRED_FIELD")] : []),
    ...(max_payments !== undefined && reusable !== true
      ? [fault("max_payments", messageOf("rule.only_with", { field: "reusable" }))]
      : []),
  ]
}

/** Of amounts that are well formed, each for itself. */
function amountFaults({ amount, open_amount }: z.output<typeof linkSchema>): FieldFailure[] {
  if (amount !== undefined && open_amount !== undefined) {
    return [fault("open_amount", messageOf("rule.not_with", { field: "amount" }))]
  }
  const { min = LIMITS.orderAmountMinMinor, max = LIMITS.orderAmountMaxMinor, suggested = [] } = open_amount ?? {}
  if (max < min) {
    return [fault("open_amount.max", messageOf("rule.not_below", { field: "min" }))]
  }
  const within = messageOf("rule.amount_within", { min: formatAmount(min), max: formatAmount(max) })
  return suggested.flatMap((one, index) =>
    one < min || one > max ? [fault(`open_amount.suggested[${index}]`, within)] : []
  )
}

function payerOf({ name, email: address, phone: { sent, e164 } }: z.output<typeof payerSchema>) {
  return { name, email: address, phone: sent, phone_e164: e164 }
}

export const filterSchema = z.object({
  status: z.enum(LINK_STATUSES, rule("one_of", { values: LINK_STATUSES.join(", ") })).optional(),
})

export function readLinkList(query: JsonObject): { filter: { status?: readonly LinkStatus[] }; page: Page } {
  const { filter, page } = readList(query, filterSchema)
  return { filter: { status: filter.status === undefined ? undefined : [filter.status] }, page }
}

/** A payment link as merchants see it; anybody with `url` may see and pay it. `now`: the merchant's clock. */
export function presentLink(link: PaymentLink, now: Date, publicUrl: string) {
  const { customer } = link
  return {
    link_id: link.id,
    url: linkUrl(publicUrl, link.token),
    status: statusOf(link, now),
    amount: link.amount_minor === null ? null : formatAmount(link.amount_minor),
    open_amount: presentOpenAmount(link),
    reusable: link.reusable,
    max_payments: link.max_payments,
    currency: link.currency,
    description: link.description,
    customer: customer && { name: customer.name, email: customer.email, phone: customer.phone },
    paid_count: link.paid_count,
    paid_amount: formatAmount(BigInt(link.paid_minor)),
    transaction_id: link.transaction_id,
    expires_at: link.expires_at?.toISOString() ?? null,
    paid_at: link.paid_at?.toISOString() ?? null,
    disabled_at: link.disabled_at?.toISOString() ?? null,
    created_at: link.opened_at.toISOString(),
  }
}

function presentOpenAmount({ min_amount_minor: min, max_amount_minor: max, suggested_amounts }: PaymentLink) {
  return min === null
    ? null
    : {
        min: formatAmount(min),
        max: max === null ? null : formatAmount(max),
        suggested: (suggested_amounts ?? []).map((one) => formatAmount(one)),
      }
}

export const OPEN = {
  link_id: "lnk_0193a5f0c2d4000001a1b2c3d4e5",
  url: "https://shop.example.com/pay/link/plk_0123456789abcdef0123456789abcdef",
  status: "open",
  amount: "5000.00",
  open_amount: null,
  reusable: false,
  max_payments: 1,
  currency: "BDT",
  description: "Deposit for the wedding hall",
  customer: { name: "Rahima Khatun", email: "rahima@example.com", phone: "+8801712345678" },
  paid_count: 0,
  paid_amount: "0.00",
  transaction_id: null,
  expires_at: "2027-03-15T17:59:59.000Z",
  paid_at: null,
  disabled_at: null,
  created_at: "2027-03-01T10:00:00.000Z",
}
