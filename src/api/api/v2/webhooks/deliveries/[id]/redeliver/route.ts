import { endpoint } from "../../../../../../v2-kit/endpoint"
import { envelope } from "../../../../../../v2-kit/envelopes"
import { presentDelivery } from "../../present"

/** Sends a delivery again, whatever its state. */
export const POST = endpoint(async ({ gateway, caller, params }) =>
  envelope(
    "The delivery is on its way again",
    presentDelivery(await gateway.webhookDeliveries.redeliver(caller, params.id))
  )
)
