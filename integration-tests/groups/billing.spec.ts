import { shareStore } from "../support/store"

shareStore({ production: true, shop: true }, [
  "http/emi-agreed-terms",
  "http/emi-amounts",
  "http/emi-checkout",
  "http/emi-options",
  "http/invoices",
  "http/payment-links",
  "http/plans",
  "http/subscription-terms",
  "http/subscriptions",
  "http/webhooks",
  "scenarios/billing",
  "scenarios/billing-in-doubt",
  "scenarios/two-processes",
])
