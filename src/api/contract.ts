import { answerReference, isForReference } from "./reference/answer"
import { openExchange, refuseSandbox, type IncomingContractRequest, type ContractRequest } from "./v2-kit/exchange"
import { operationOf } from "./v2-kit/operations"

/**
 * Answers a request below `/api/v2`, or below `/sandbox/api/v2`, in a store and in an API process alike. A production
 * deployment serves its merchants' sandbox at the second (decisions: Environments); anywhere else that path is unknown.
 * The reference pages come before the table of operations, because a page is no operation.
 */
export async function answerContract(arrival: IncomingContractRequest, isSandbox: boolean): Promise<void> {
  const { services, request, response, path } = arrival
  const { gateway } = services
  const { environment } = gateway.options
  if (isSandbox && environment !== "production") {
    return refuseSandbox(arrival)
  }
  if (isForReference({ gateway, request }, path)) {
    return answerReference({ gateway, request, response }, path)
  }
  const exchange = await openExchange(arrival, isSandbox ? "sandbox" : environment)
  if (exchange !== null) {
    const opened: ContractRequest = Object.assign(request, { gatewayExchange: exchange })
    await operationOf(exchange.route)(opened, response)
  }
}
