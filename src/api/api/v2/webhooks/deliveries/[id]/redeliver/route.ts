import { endpoint } from "../../../../../../contract/endpoint"
import { envelope } from "../../../../../../contract/envelopes"
import { presentDelivery } from "../../present"

/** Sends a delivery again, whatever became of it. */
export const POST = endpoint(async ({ gateway, caller, params }) =>
  envelope("The delivery is on its way again", presentDelivery(await gateway.webhookDeliveries.redeliver(caller, params.id)))
)
