import { PORTAL_LIMITS } from "../support/portal"
import { shareStore } from "../support/store"

shareStore("portal", { production: true, container: true, env: PORTAL_LIMITS })
