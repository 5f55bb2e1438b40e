import { shareStore } from "../support/store"

shareStore("billing", { production: true, shop: true })
