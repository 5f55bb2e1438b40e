import { GatewayError } from "../../../../../../modules/gateway/kernel/errors"
import type { VerifyingCaller } from "../../../../../../modules/gateway/payments/transactions"
import { endpoint } from "../../../../../v2-kit/endpoint"
import { presentVerification } from "./present"

/** The status of a transaction (contract 4.3). One statement reads it together with the key's owner. */
export const GET = endpoint<VerifyingCaller>(
  async ({ caller }) => {
    if (caller.transaction === null) {
      throw new GatewayError("TRANSACTION_NOT_FOUND")
    }
    return presentVerification(caller.transaction, caller.now)
  },
  (gateway, { transaction_id }) =>
    (keyHash, real) =>
      gateway.transactions.verify(keyHash, real, transaction_id)
)
