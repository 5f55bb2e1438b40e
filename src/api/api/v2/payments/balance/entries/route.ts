import { HOME_CURRENCY } from "../../../../../../modules/gateway/kernel/money/currencies"
import { operation } from "../../../../../v2-kit/operation"
import { accountSchema, entryPage, presentEntry, readEntryList } from "../resource"
import { paginationOf, short } from "../../../../../v2-kit/answers"

/** All changes of the balance in BDT (or, with `account`, of another account), newest first. */
export const GET = operation({
  id: "listBalanceEntries",
  tag: "Balance",
  summary: "List changes of the balance",
  description: "Newest first; of the merchant's balance, or of another account.",
  scope: "payments:read",
  query: { schema: accountSchema, notes: { account: "The account." }, paging: "limit" },
  answer: short({
    data: entryPage,
    description: "A page of entries.",
    example: {
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
  }),
  run: async ({ gateway, caller, query }) => {
    const { account, page } = readEntryList(query)
    const { rows, total } = await gateway.ledger.entries(caller, { account, currency: HOME_CURRENCY }, page)
    return {
      entries: rows.map(presentEntry),
      pagination: paginationOf(page, total),
    }
  },
})
