import { operation } from "../../../../../v2-kit/operation"
import { EXAMPLE, dispute, presentDispute } from "../resource"
import { enveloped } from "../../../../../v2-kit/answers"

export const GET = operation({
  id: "getDispute",
  tag: "Disputes",
  summary: "Get a dispute",
  scope: "payments:read",
  answer: enveloped({ message: "Dispute", data: dispute, description: "The dispute as it is now.", example: EXAMPLE }),
  codes: ["DISPUTE_NOT_FOUND"],
  run: async ({ gateway, caller, params }) => {
    return presentDispute(await gateway.disputeList.one(caller, params.dispute_id))
  },
})
