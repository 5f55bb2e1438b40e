import { openStandIns, STAND_INS } from "../support/acquirer-stand-ins"
import { shareStore } from "../support/store"

openStandIns()
shareStore({ production: true, env: STAND_INS }, [
  "http/acquirer-addresses",
  "http/acquirer-bkash",
  "http/acquirer-renewals",
  "http/acquirer-sslcommerz",
  "http/acquirer-stripe",
])
