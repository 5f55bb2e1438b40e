import { z } from "@medusajs/framework/zod"
import { messageOf } from "../../../../../i18n/message"
import { addSeconds } from "../../../../../modules/gateway/kernel/money/clock"
import { fault, validationError } from "../../../../../modules/gateway/kernel/errors"
import { formatAmount } from "../../../../../modules/gateway/kernel/money/money"
import { ACCOUNTS, type Account, type Balances, POSTING_KINDS } from "../../../../../modules/gateway/ledger/rules"
import type { LedgerEntry } from "../../../../../modules/gateway/ledger/service"
import type { JsonObject } from "../../../../v2-kit/body"
import { arrayOf, currencyCode, moment, money, oneOf, pagination, words } from "../../../../v2-kit/openapi/fields"
import { named } from "../../../../v2-kit/openapi/named"
import { type Page, readList } from "../../../../v2-kit/lists"
import { date, parse, rule, withoutAbsent } from "../../../../v2-kit/validate"

export const balance = named("Balance", () =>
  z.object({
    currency: currencyCode(),
    available: money("What can be paid out or refunded."),
    refunds_in_progress: money("What has been deducted for refunds and has not reached the customers yet."),
    disputed: money("What is withdrawn until banks have decided."),
    accounts: z
      .object(Object.fromEntries(ACCOUNTS.map((account) => [account, money(`The balance of \`${account}\`.`)])))
      .describe("Every account of the ledger. Together they are zero."),
  })
)

export const balanceMeta = named("BalanceMeta", () =>
  z.object({ timestamp: moment("When this was asked, on the merchant's clock.") })
)

const entry = named("LedgerEntry", () =>
  z.object({
    entry_id: words("The entry."),
    type: oneOf(POSTING_KINDS, "What was booked."),
    account: oneOf(ACCOUNTS, "The account."),
    amount: money("What the account changed by; negative when it fell."),
    currency: currencyCode(),
    transaction_id: z.string().nullable().describe("The payment that it belongs to."),
    refund_id: z.string().nullable().describe("The refund that it belongs to."),
    payout_id: z.string().nullable().describe("The payout that it belongs to."),
    dispute_id: z.string().nullable().describe("The dispute that it belongs to."),
    created_at: moment("When it was booked."),
  })
)

export const entryPage = named("LedgerEntryPage", () =>
  z.object({ entries: arrayOf(entry(), "The entries of this page."), pagination: pagination() })
)

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

/**
 * `available` can be paid out or refunded; `refunds_in_progress` has left it and has not reached the shoppers yet;
 * `disputed` has been withdrawn until banks decide.
 */
export function presentBalances(currency: string, balances: Readonly<Balances>) {
  const accounts = Object.entries(balances).map(([account, amount]) => [account, formatAmount(amount)])
  return {
    currency,
    available: formatAmount(balances.merchant_balance),
    refunds_in_progress: formatAmount(balances.refunds),
    disputed: formatAmount(balances.disputes),
    accounts: Object.fromEntries(accounts),
  }
}

export function presentEntry(entry: LedgerEntry) {
  return {
    entry_id: entry.id,
    type: entry.kind,
    account: entry.account,
    amount: formatAmount(entry.amount),
    currency: entry.currency,
    transaction_id: entry.transaction_id,
    refund_id: entry.refund_id,
    payout_id: entry.payout_id,
    dispute_id: entry.dispute_id,
    created_at: entry.occurred_at.toISOString(),
  }
}
