import { TRANSACTION_ID } from "../../../../../../modules/gateway/domain/ids"
import { GatewayError } from "../../../../../../modules/gateway/domain/errors"
import { endpoint } from "../../../../../contract/endpoint"
import { presentVerification } from "./present"

/** What became of a transaction (contract 4.3). */
export const GET = endpoint(async ({ gateway, caller, params }) => {
  if (!TRANSACTION_ID.test(params.transaction_id)) {
    throw new GatewayError("TRANSACTION_NOT_FOUND")
  }
  const row = await gateway.transactions.verify(caller, params.transaction_id)
  return presentVerification(row, caller.now)
})
