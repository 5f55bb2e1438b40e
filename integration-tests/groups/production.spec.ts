import { shareStore } from "../support/store"

shareStore({ production: true, shop: true }, [
  "http/admin",
  "http/disputes",
  "http/emi",
  "http/hosted-page",
  "http/idempotency",
  "http/invoices",
  "http/payment-links",
  "http/plans",
  "http/refunds",
  "http/sandbox",
  "http/store",
  "http/subscriptions",
  "http/tenancy",
  "http/verify",
  "http/webhooks",
  "scenarios/billing",
  "scenarios/two-processes",
])
