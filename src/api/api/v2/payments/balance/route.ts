import { endpoint } from "../../../../contract/endpoint"
import { envelope } from "../../../../contract/envelopes"
import { presentBalances } from "./present"

/** What the merchant has, from the ledger. */
export const GET = endpoint(async ({ gateway, caller }) =>
  envelope("Balance", presentBalances(await gateway.ledger.balances(caller)), { timestamp: caller.now.toISOString() })
)
