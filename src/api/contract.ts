import { answerReference, isForReference } from "./reference/answer"
import type { Arrival } from "./process-services"
import { openExchange, refuseSandbox } from "./v2-kit/exchange"
import { placeInContract } from "./v2-kit/target"
import type { ContractRequest } from "./v2-kit/types"

/**
 * Answers a request below `/api/v2`, or below `/sandbox/api/v2`. A production deployment serves its merchants' sandbox at
 * the second (decisions: Environments); anywhere else that path is unknown. The reference pages come before the table of
 * operations, because a page is no operation.
 */
export async function answerContract(arrival: Arrival): Promise<void> {
  const { services, request, response, target } = arrival
  const { gateway } = services
  const { environment } = gateway.options
  // Express takes URLs of other schemes than http for paths; they are answered as the base URL itself, which is unknown.
  const { path, isSandbox } = placeInContract(target) ?? { path: "/", isSandbox: false }
  if (isSandbox && environment !== "production") {
    return refuseSandbox({ ...arrival, path })
  }
  if (isForReference({ gateway, request }, path)) {
    return answerReference({ gateway, request, response }, path)
  }
  const exchange = await openExchange({ ...arrival, path }, isSandbox ? "sandbox" : environment)
  if (exchange !== null) {
    const opened: ContractRequest = Object.assign(request, { gatewayExchange: exchange })
    await exchange.route.handler(opened, response)
  }
}
