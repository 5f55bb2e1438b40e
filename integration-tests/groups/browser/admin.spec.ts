import { openSslcommerz, SSLCOMMERZ } from "../../support/sslcommerz"
import { shareStore } from "../../support/store"

openSslcommerz()
shareStore("browser/admin", { shop: true, withAdmin: true, env: SSLCOMMERZ })
