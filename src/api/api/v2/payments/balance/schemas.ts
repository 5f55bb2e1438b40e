import { z } from "@medusajs/framework/zod"
import { addSeconds } from "../../../../../modules/gateway/kernel/clock"
import { validationError } from "../../../../../modules/gateway/kernel/errors"
import { ACCOUNTS, type Account } from "../../../../../modules/gateway/ledger/rules"
import type { JsonObject } from "../../../../v2-kit/body"
import { checkPage, type Page } from "../../../../v2-kit/pagination"
import { check, date, parse, withoutAbsent } from "../../../../v2-kit/validate"

const DAY_SECONDS = 86_400
const PERIOD_DAYS_MAX = 366

/** `from` is inclusive, `before` exclusive. */
export type Period = { from: Date; before: Date }

const accountSchema = z.object({
  account: z.enum(ACCOUNTS, `must be one of ${ACCOUNTS.join(", ")}`).default("merchant_balance"),
})

export function readEntryList(query: JsonObject): { account: Account; page: Page } {
  const checked = check(accountSchema, withoutAbsent(query, []))
  const { page, failures } = checkPage(query, "limit")
  if (checked.value === null || failures.length > 0) {
    throw validationError([...checked.failures, ...failures])
  }
  return { account: checked.value.account, page }
}

/** Two UTC days, both inclusive, at most a year apart. */
export function readPeriod(query: JsonObject, first: string, last: string): Period {
  const days = parse(z.object({ [first]: date, [last]: date }), withoutAbsent(query, []))
  const period = { from: days[first], before: addSeconds(days[last], DAY_SECONDS) }
  const seconds = (period.before.getTime() - period.from.getTime()) / 1000
  if (seconds <= 0 || seconds > PERIOD_DAYS_MAX * DAY_SECONDS) {
    const reason =
      seconds <= 0 ? `must not be before ${first}` : `must be at most ${PERIOD_DAYS_MAX} days from ${first} on`
    throw validationError([{ field: last, code: "VALIDATION_ERROR", message: `${last} ${reason}` }])
  }
  return period
}
