import { GatewayError } from "../../modules/gateway/kernel/errors"
import type GatewayModuleService from "../../modules/gateway/service"
import type { Caller } from "../../modules/gateway/kernel/types"

/** Another merchant's session is as unknown as an invented id. */
export async function requireOwnSession(
  gateway: GatewayModuleService,
  caller: Caller,
  session_id: string
): Promise<string> {
  const record = await gateway.transactions.bySession(session_id)
  if (record.merchant_id !== caller.merchant_id || record.environment !== caller.environment) {
    throw new GatewayError("SESSION_NOT_FOUND")
  }
  return record.session_id
}
