import { GatewayError } from "../../../../../../modules/gateway/domain/errors"
import type { VerifyingCaller } from "../../../../../../modules/gateway/services/transaction"
import { endpoint } from "../../../../../contract/endpoint"
import { presentVerification } from "./present"

/** What became of a transaction (contract 4.3). It is read together with the key's owner, by one statement. */
export const GET = endpoint<VerifyingCaller>(
  async ({ caller }) => {
    if (caller.transaction === null) {
      throw new GatewayError("TRANSACTION_NOT_FOUND")
    }
    return presentVerification(caller.transaction, caller.now)
  },
  (gateway, { transaction_id }) => (key, real) => gateway.transactions.verify(key, real, transaction_id)
)
