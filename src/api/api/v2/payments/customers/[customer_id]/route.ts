import { endpoint } from "../../../../../v2-kit/endpoint"
import { envelope } from "../../../../../v2-kit/envelopes"
import { presentCustomer } from "../present"

export const GET = endpoint(async ({ gateway, caller, params }) =>
  envelope("Customer", presentCustomer(await gateway.customers.retrieve(caller, params.customer_id)))
)
