import { SHOP_ENVIRONMENT } from "../../support/shop"
import { shareStore } from "../../support/store"

shareStore("browser/shop", { env: SHOP_ENVIRONMENT, withAdmin: true })
