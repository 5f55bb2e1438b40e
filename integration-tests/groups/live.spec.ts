import { shareStore } from "../support/store"
import { METRICS_TOKEN, PRODUCTION } from "../support/store-options"

shareStore("live", { production: true, env: { ...PRODUCTION, GATEWAY_METRICS_TOKEN: METRICS_TOKEN } })
