import { PORTAL_LIMITS } from "../support/portal"
import { shareStore } from "../support/store"

shareStore({ production: true, container: true, env: PORTAL_LIMITS }, [
  "http/portal-actions",
  "http/portal-links",
  "http/portal-payment-method",
])
