import type { AuthorizationRequest } from "../../acquirers/authorization-port"
import { merchantNow, type PaymentRecord } from "../records"
import type { Authorization } from "./records"

/** How the acquirer is asked about reserved money. `record`: the payment, with the attempt that reserved it. */
export function authorizationRequest(record: PaymentRecord, authorization: Authorization): AuthorizationRequest {
  return {
    key: authorization.id,
    reference: authorization.acquirer_reference,
    amount: BigInt(authorization.amount_minor),
    currency: authorization.currency,
    references: authorization.acquirer_ids,
    now: merchantNow(record),
  }
}
