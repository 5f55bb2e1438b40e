import { endpoint } from "../../../../../contract/endpoint"
import { envelope } from "../../../../../contract/envelopes"
import { presentCustomer } from "../present"

export const GET = endpoint(async ({ gateway, caller, params }) =>
  envelope("Customer", presentCustomer(await gateway.customers.retrieve(caller, params.customer_id)))
)
