import { shareStore } from "../support/store"

shareStore({ production: true, shop: true }, [
  "http/checkout-outcomes",
  "http/hosted-page",
  "http/idempotency",
  "http/long-lists",
  "http/refunds",
  "http/repeated-requests",
  "http/sandbox",
  "http/store",
  "http/tenancy",
  "http/verify",
])
