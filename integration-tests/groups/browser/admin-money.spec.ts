import { shareStore } from "../../support/store"

shareStore({ shop: true, withAdmin: true }, [
  "browser/admin-refunds",
  "browser/admin-disputes",
  "browser/admin-emi",
  "browser/admin-two-tabs",
  "browser/admin-payment-links",
  "browser/admin-lists",
  "browser/admin-overview-period",
  "browser/admin-operator-decisions",
  "browser/admin-forms",
  "browser/admin-payouts",
  "browser/admin-returns",
])
