import { z } from "@medusajs/framework/zod"
import { messageOf } from "../../../../../i18n/message"
import { HOME_CURRENCY } from "../../../../../modules/gateway/kernel/money/currencies"
import { fault, validationError } from "../../../../../modules/gateway/kernel/errors"
import { LIMITS } from "../../../../../modules/gateway/kernel/limits"
import { formatAmount } from "../../../../../modules/gateway/kernel/money/money"
import type { PaymentLink } from "../../../../../modules/gateway/links/records"
import { LINK_STATUSES, type LinkStatus, linkUrl, statusOf } from "../../../../../modules/gateway/links/rules"
import type { NewLink } from "../../../../../modules/gateway/links/service"
import type { JsonObject } from "../../../../v2-kit/body"
import { currencyCode, moment, money, oneOf, transactionId, words } from "../../../../v2-kit/openapi/fields"
import { named } from "../../../../v2-kit/openapi/named"
import { type Page, readList } from "../../../../v2-kit/lists"
import {
  check,
  currency,
  email,
  instant,
  phone,
  recurringAmount,
  rule,
  text,
  withoutAbsent,
} from "../../../../v2-kit/validate"

export const paymentLink = named("PaymentLink", () =>
  z.object({
    link_id: words("The link."),
    url: z.url().describe("Its page. Whoever has this address can see it and pay."),
    status: oneOf(LINK_STATUSES, "Only an `open` link can be paid."),
    amount: money("What is asked for."),
    currency: currencyCode(),
    description: words("What it is for; the payer reads it."),
    customer: z
      .object({ name: words("Name."), email: words("E-mail address."), phone: words("Phone number.") })
      .nullable()
      .describe("Who is asked to pay; null: the page asks."),
    transaction_id: transactionId("The payment that has paid it; null until then.").nullable(),
    expires_at: moment("When it ends; null: never.").nullable(),
    paid_at: moment("When it was paid.").nullable(),
    disabled_at: moment("When it was disabled.").nullable(),
    created_at: moment("When it was made."),
  })
)

const line = text(LIMITS.customerFieldMaxChars).refine((value) => value.trim() !== "", rule("not_blank"))

const payerSchema = z.object({ name: line, email, phone })

/** An amount is from 10.00 to what a checkout takes, as of plans. */
export const linkSchema = z.object({
  amount: recurringAmount,
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
  const wrong = [...failures, ...(isOver ? [fault("expires_at", messageOf("rule.future"))] : [])]
  if (input === null || wrong.length > 0) {
    throw validationError(wrong)
  }
  const { amount, description, customer, expires_at = null } = input
  return {
    amount,
    currency: input.currency ?? HOME_CURRENCY,
    description,
    customer: customer === undefined ? null : payerOf(customer),
    expires_at,
  }
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
    amount: formatAmount(link.amount_minor),
    currency: link.currency,
    description: link.description,
    customer: customer && { name: customer.name, email: customer.email, phone: customer.phone },
    transaction_id: link.transaction_id,
    expires_at: link.expires_at?.toISOString() ?? null,
    paid_at: link.paid_at?.toISOString() ?? null,
    disabled_at: link.disabled_at?.toISOString() ?? null,
    created_at: link.opened_at.toISOString(),
  }
}

export const OPEN = {
  link_id: "lnk_0193a5f0c2d4000001a1b2c3d4e5",
  url: "https://shop.example.com/pay/link/plk_0123456789abcdef0123456789abcdef",
  status: "open",
  amount: "5000.00",
  currency: "BDT",
  description: "Deposit for the wedding hall",
  customer: { name: "Rahima Khatun", email: "rahima@example.com", phone: "+8801712345678" },
  transaction_id: null,
  expires_at: "2027-03-15T17:59:59.000Z",
  paid_at: null,
  disabled_at: null,
  created_at: "2027-03-01T10:00:00.000Z",
}
