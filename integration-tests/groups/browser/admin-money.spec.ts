import { openStripe, STRIPE } from "../../support/acquirer-stand-ins"
import { shareStore } from "../../support/store"

openStripe()
shareStore("browser/admin-money", { shop: true, withAdmin: true, env: STRIPE })
