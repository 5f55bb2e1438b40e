import { endpoint } from "../../../../v2-kit/endpoint"
import { presentEmiAmounts } from "./present"
import { readEmiAmounts } from "./schemas"

/** The cost of an order amount in instalments (contract 4.4). */
export const POST = endpoint(async ({ gateway, caller, body }) => {
  const { order_amount, offers } = readEmiAmounts(await gateway.emi.configurations(caller), body)
  return presentEmiAmounts(order_amount, offers)
})
