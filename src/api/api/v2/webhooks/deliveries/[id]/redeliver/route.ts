import { operation } from "../../../../../../v2-kit/operation"
import { EXAMPLE, delivery, presentDelivery } from "../../resource"
import { enveloped } from "../../../../../../v2-kit/answers"

/** Sends a delivery again, whatever its state. */
export const POST = operation({
  id: "redeliver",
  tag: "Webhooks",
  summary: "Send a delivery again",
  description: "Whatever became of it. While its endpoint is off it is refused.",
  scope: "webhooks:write",
  parameters: { id: { description: "The delivery, by its `id`.", example: "1001" } },
  answer: enveloped({
    message: "The delivery is on its way again",
    data: delivery,
    description: "It is on its way again.",
    example: {
      ...EXAMPLE,
      status: "pending",
      next_attempt_at: "2027-03-01T11:00:00.000Z",
      delivered_at: null,
    },
  }),
  codes: ["INVALID_STATE_TRANSITION"],
  run: async ({ gateway, caller, params }) =>
    presentDelivery(await gateway.webhookDeliveries.redeliver(caller, params.id)),
})
