import { operation } from "../../../../../v2-kit/operation"
import { IDENTITY, presentStatus, refund } from "../resource"
import { short } from "../../../../../v2-kit/answers"

export const GET = operation({
  id: "getRefund",
  tag: "Refunds",
  summary: "Get a refund",
  scope: "refunds:read",
  service: "refunds",
  answer: short({
    data: refund,
    description: "The refund as it is now.",
    example: {
      ...IDENTITY,
      refund_status: "completed",
      completed_at: "2027-03-01T10:00:03.000Z",
      created_at: "2027-03-01T10:00:00.000Z",
    },
  }),
  codes: ["REFUND_NOT_FOUND"],
  run: async ({ gateway, caller, params }) => presentStatus(await gateway.refunds.retrieve(params.refund_id, caller)),
})
