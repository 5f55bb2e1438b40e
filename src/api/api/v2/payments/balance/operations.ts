import { envelopeOf, shortEnvelopeOf } from "../../../../v2-kit/openapi/fields"
import type { Documented } from "../../../../v2-kit/openapi/operation"
import { balance, balanceMeta, entryPage } from "./answers"
import { accountSchema, periodSchema } from "./schemas"

const tag = "Balance"

export const operations: readonly Documented[] = [
  {
    method: "GET",
    path: "/payments/balance",
    id: "getBalance",
    tag,
    summary: "Get the balance",
    description: "What the merchant has, by account of the ledger.",
    answer: {
      description: "The balance in BDT.",
      schema: () => envelopeOf(balance(), balanceMeta()),
      example: {
        success: true,
        message: "Balance",
        data: {
          currency: "BDT",
          available: "968.74",
          refunds_in_progress: "250.50",
          disputed: "0.00",
          accounts: {
            merchant_balance: "968.74",
            acquirer_clearing: "-1250.50",
            fees: "31.26",
            refunds: "250.50",
            payouts: "0.00",
            disputes: "0.00",
            dispute_claims: "0.00",
          },
        },
        meta: { timestamp: "2027-03-01T10:00:00.000Z" },
      },
    },
  },
  {
    method: "GET",
    path: "/payments/balance/entries",
    id: "listBalanceEntries",
    tag,
    summary: "List changes of the balance",
    description: "Newest first; of the merchant's balance, or of another account.",
    query: { schema: accountSchema, notes: { account: "The account." }, paging: "limit" },
    answer: {
      description: "A page of entries.",
      schema: () => shortEnvelopeOf(entryPage()),
      example: {
        success: true,
        data: {
          entries: [
            {
              entry_id: "gle_0193a5f0c2d4000001a1b2c3d4e5",
              type: "payment",
              account: "merchant_balance",
              amount: "1219.24",
              currency: "BDT",
              transaction_id: "txn0123456789abcdef0123456789abcdef",
              refund_id: null,
              payout_id: null,
              dispute_id: null,
              created_at: "2027-03-01T10:00:00.000Z",
            },
          ],
          pagination: { page: 1, limit: 20, total: 1, pages: 1 },
        },
      },
    },
  },
  {
    method: "GET",
    path: "/payments/balance/statement",
    id: "downloadStatement",
    tag,
    summary: "Download a statement as CSV",
    description: "The balance before the period, every change with gross, fee and net, and the balance after it.",
    query: {
      schema: periodSchema("from_date", "to_date"),
      notes: {
        from_date: "The first day, in UTC.",
        to_date: "The last day, in UTC; at most 366 days with the first.",
      },
    },
    answer: { description: "The file.", file: "text/csv" },
    codes: ["INVALID_DATE_FORMAT", "MISSING_REQUIRED_FIELD"],
  },
]
