import { z } from "@medusajs/framework/zod"
import { messageOf } from "../../../../../i18n/message"
import { HOME_CURRENCY } from "../../../../../modules/gateway/kernel/currencies"
import { fault, validationError } from "../../../../../modules/gateway/kernel/errors"
import { LIMITS } from "../../../../../modules/gateway/kernel/limits"
import { LINK_STATUSES, type LinkStatus } from "../../../../../modules/gateway/links/rules"
import type { NewLink } from "../../../../../modules/gateway/links/service"
import type { JsonObject } from "../../../../v2-kit/body"
import { readList, type Page } from "../../../../v2-kit/pagination"
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
