import { shareStore } from "../support/store"
import { METRICS_TOKEN, PRODUCTION } from "../support/store-options"

shareStore({ production: true, env: { ...PRODUCTION, GATEWAY_METRICS_TOKEN: METRICS_TOKEN } }, [
  "http/admin-refunds",
  "http/balance",
  "http/balances-by-currency",
  "http/insufficient-balance",
  "http/ledger",
  "http/ledger-guards",
  "http/ledger-invariants",
  "http/payouts",
  "http/production",
])
