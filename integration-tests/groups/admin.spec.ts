import { shareStore } from "../support/store"

shareStore({ production: true, shop: true }, [
  "http/admin-access",
  "http/admin-answers",
  "http/admin-api-keys",
  "http/admin-attention",
  "http/admin-emi",
  "http/admin-first-steps",
  "http/admin-invoices",
  "http/admin-overview",
  "http/admin-paid-carts",
  "http/admin-payments",
  "http/admin-plans",
  "http/admin-request-log",
  "http/admin-sandbox-clock",
  "http/admin-settings",
  "http/admin-subscriptions",
  "http/admin-webhooks",
  "http/disputes",
  // After what admins do, but for lists as CSV: it looks at every entry.
  "http/admin-audit-log",
  // Last: the money is checked after each file, and these tens of thousands of payments take a second each time.
  "http/admin-csv",
])
