import { endpoint } from "../../../../v2-kit/endpoint"
import { presentEmiOptions } from "./present"

/** The merchant's active EMI configurations (contract 4.4). */
export const GET = endpoint(async ({ gateway, caller }) => presentEmiOptions(await gateway.emi.configurations(caller)))
