import { endpoint } from "../../../../v2-kit/endpoint"
import { envelope } from "../../../../v2-kit/envelopes"
import { presentBalances } from "./present"

/** The merchant's balances, from the ledger. */
export const GET = endpoint(async ({ gateway, caller }) =>
  envelope("Balance", presentBalances(await gateway.ledger.balances(caller)), { timestamp: caller.now.toISOString() })
)
