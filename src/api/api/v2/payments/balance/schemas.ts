import { z } from "@medusajs/framework/zod"
import { messageOf } from "../../../../../i18n/message"
import { addSeconds } from "../../../../../modules/gateway/kernel/clock"
import { fault, validationError } from "../../../../../modules/gateway/kernel/errors"
import { ACCOUNTS, type Account } from "../../../../../modules/gateway/ledger/rules"
import type { JsonObject } from "../../../../v2-kit/body"
import { readList, type Page } from "../../../../v2-kit/pagination"
import { date, parse, withoutAbsent, rule } from "../../../../v2-kit/validate"

const DAY_SECONDS = 86_400
const PERIOD_DAYS_MAX = 366

/** `from` is inclusive, `before` exclusive. */
export type Period = { from: Date; before: Date }

export const accountSchema = z.object({
  account: z.enum(ACCOUNTS, rule("one_of", { values: ACCOUNTS.join(", ") })).default("merchant_balance"),
})

export function readEntryList(query: JsonObject): { account: Account; page: Page } {
  const { filter, page } = readList(query, accountSchema, { size: "limit" })
  return { account: filter.account, page }
}

export const periodSchema = (first: string, last: string) => z.object({ [first]: date, [last]: date })

/** Two UTC days, both inclusive, at most a year apart. */
export function readPeriod(query: JsonObject, first: string, last: string): Period {
  const days = parse(periodSchema(first, last), withoutAbsent(query, []))
  const period = { from: days[first], before: addSeconds(days[last], DAY_SECONDS) }
  const seconds = (period.before.getTime() - period.from.getTime()) / 1000
  if (seconds <= 0 || seconds > PERIOD_DAYS_MAX * DAY_SECONDS) {
    const reason =
      seconds <= 0
        ? messageOf("rule.not_before", { field: first })
        : messageOf("rule.days_from", { days: PERIOD_DAYS_MAX, field: first })
    throw validationError([fault(last, reason)])
  }
  return period
}
