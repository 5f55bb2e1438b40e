import { endpoint } from "../../../../v2-kit/endpoint"
import { presentEmiOptions } from "./present"
import { readInclude } from "./schemas"

/** The merchant's active EMI configurations (contract 4.4). */
export const GET = endpoint(async ({ gateway, caller, query }) => {
  const include = readInclude(query)
  return presentEmiOptions(await gateway.emi.configurations(caller), include)
})
