import { z } from "@medusajs/framework/zod"
import { messageOf } from "../../../../../i18n/message"
import { localDay } from "../../../../../modules/gateway/kernel/money/calendar"
import { fault, validationError } from "../../../../../modules/gateway/kernel/errors"
import { formatAmount } from "../../../../../modules/gateway/kernel/money/money"
import type { BroughtPart } from "../../../../../modules/gateway/settlements/journal"
import type { Batch, NewDeposit } from "../../../../../modules/gateway/settlements/deposits"
import type { JsonObject } from "../../../../v2-kit/body"
import { choicesOf } from "../../../../v2-kit/lists"
import { amount, amountOfAnySize, parse, rule, text, withoutAbsent } from "../../../../v2-kit/validate"
import { note, source } from "../resource"

/** Days of the merchant's time zone. `unknown`: lines that are not decided, and not in the amounts. */
export function presentBatch(row: Batch, time_zone: string) {
  const { gross, fee, vat, net, deposited, first_at, last_at, unknown, ...rest } = row
  const outstanding = BigInt(net) - BigInt(deposited)
  return {
    id: `${rest.source}/${rest.batch}/${rest.currency}`,
    source: rest.source,
    batch: rest.batch,
    currency: rest.currency,
    status: outstanding === 0n && unknown === 0 ? "deposited" : "open",
    first_day: localDay(first_at, time_zone),
    last_day: localDay(last_at, time_zone),
    lines: rest.lines,
    unknown,
    gross: formatAmount(BigInt(gross)),
    fee: formatAmount(BigInt(fee)),
    vat: formatAmount(BigInt(vat)),
    net: formatAmount(BigInt(net)),
    deposited: formatAmount(BigInt(deposited)),
    outstanding: formatAmount(outstanding),
  }
}

/** `amount` came to the bank, `charge` was kept by it. */
export function presentBrought({ amount, charge, occurred_at, ...part }: BroughtPart) {
  return {
    ...part,
    amount: formatAmount(BigInt(amount)),
    charge: formatAmount(BigInt(charge)),
    occurred_at: occurred_at.toISOString(),
  }
}

const allocation = z.object({
  source,
  batch: text(254),
  amount: amountOfAnySize.refine((minor) => minor !== 0n, rule("not_zero")),
})
const depositSchema = z
  .object({ allocations: choicesOf(allocation).default([]), bank_charge: amount.default(0n), note: note.optional() })
  .refine(({ allocations, bank_charge }) => allocations.length > 0 || bank_charge > 0n, {
    path: ["allocations"],
    message: rule("required"),
  })

/** What a bank's line brings: `allocations` of settlements, and what the bank kept (`bank_charge`); one of them at least. */
export function readDeposit(body: JsonObject): NewDeposit {
  const { allocations, bank_charge, note: said = null } = parse(depositSchema, withoutAbsent(body, []))
  const twice = allocations.flatMap(({ source: of, batch }, nth) =>
    allocations.findIndex((one) => one.source === of && one.batch === batch) < nth
      ? [fault(`allocations[${nth}].batch`, messageOf("rule.settlement_batch_twice", { batch }))]
      : []
  )
  if (twice.length > 0) {
    throw validationError(twice)
  }
  return { allocations, bank_charge, note: said }
}
