import { shareStore } from "../support/store"

shareStore("production", { production: true, shop: true })
