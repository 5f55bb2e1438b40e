import { operation } from "../../../../v2-kit/operation"
import { presentListed } from "../refund/resource"
import { filterSchema, readRefundList, refundPage } from "./resource"
import { paginationOf, short } from "../../../../v2-kit/answers"

/** The merchant's refunds, newest first (contract 4.8). */
export const GET = operation({
  id: "listRefunds",
  tag: "Refunds",
  summary: "List refunds",
  description: "Newest first.",
  scope: "refunds:read",
  service: "refunds",
  query: {
    schema: filterSchema,
    notes: {
      status: "Only refunds of this state.",
      from_date: "Only refunds from this day on, in UTC.",
      to_date: "Only refunds up to this day, in UTC; the day itself belongs to it.",
    },
    paging: "limit",
  },
  answer: short({
    data: refundPage,
    description: "A page of refunds.",
    example: {
      refunds: [
        {
          refund_id: "rfd_0193a5f0c2d4000001a1b2c3d4e5",
          transaction_id: "txn0123456789abcdef0123456789abcdef",
          refund_amount: "250.50",
          refund_status: "completed",
          created_at: "2027-03-01T10:00:00.000Z",
        },
      ],
      pagination: { page: 1, limit: 20, total: 1, pages: 1 },
    },
  }),
  codes: ["INVALID_DATE_FORMAT"],
  run: async ({ gateway, caller, query }) => {
    const { filter, page } = readRefundList(query)
    const { rows, total } = await gateway.refundList.page(caller, filter, page)
    return {
      refunds: rows.map(presentListed),
      pagination: paginationOf(page, total),
    }
  },
})
