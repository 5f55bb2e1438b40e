import { SHOP_ENVIRONMENT } from "../../support/shop"
import { shareStore } from "../../support/store"

// browser/emi comes first in groups.json: the store's own merchant, whose shop it opens, is a store's first one.
shareStore("browser/pages", { env: SHOP_ENVIRONMENT })
