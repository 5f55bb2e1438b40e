import { LIMITED } from "../support/limited"
import { shareStore } from "../support/store"

shareStore("limits", { production: true, env: LIMITED })
