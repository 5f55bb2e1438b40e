import { z } from "@medusajs/framework/zod"
import { ACCOUNTS, POSTING_KINDS } from "../../../../../modules/gateway/ledger/rules"
import { currencyCode, moment, money, oneOf, pagination, words } from "../../../../v2-kit/openapi/fields"
import { named } from "../../../../v2-kit/openapi/named"

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
  z.object({ entries: z.array(entry()).describe("The entries of this page."), pagination: pagination() })
)
