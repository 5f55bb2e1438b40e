import { openSslcommerz, SSLCOMMERZ } from "../../support/sslcommerz"
import { shareStore } from "../../support/store"

openSslcommerz()
shareStore({ shop: true, withAdmin: true, env: SSLCOMMERZ }, [
  "browser/admin-overview",
  "browser/admin-payments",
  "browser/admin-developers",
  "browser/admin-settings",
  "browser/admin-billing",
  "browser/admin-every-page",
  "browser/admin-order-widget",
  "browser/admin-product-widget",
])
