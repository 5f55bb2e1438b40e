import { HOME_CURRENCY } from "../../../../../modules/gateway/kernel/currencies"
import { endpoint } from "../../../../v2-kit/endpoint"
import { envelope } from "../../../../v2-kit/envelopes"
import { presentBalances } from "./present"

/** The merchant's balances in BDT, from the ledger. */
export const GET = endpoint(async ({ gateway, caller }) => {
  const balances = await gateway.ledger.balances(caller, HOME_CURRENCY)
  return envelope("Balance", presentBalances(HOME_CURRENCY, balances), { timestamp: caller.now.toISOString() })
})
