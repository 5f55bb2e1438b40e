import { shareStore } from "../support/store"

shareStore({ container: true }, [
  "http/attempts",
  "http/attempts-on-acquirers-pages",
  "http/client",
  "http/disabled-endpoint-mails",
  "http/emi-other-instalments",
  "http/invoice-mails",
  "http/late-payments",
  "http/notify-customer",
  "http/operator-decisions",
  "http/payments-in-doubt",
  "http/production-edge",
  "http/queue",
  "http/receipts",
  "http/risky-payments",
  "http/sandbox-clock",
  "http/sandbox-purge",
  "http/secrets",
  "http/unfinished-refunds",
  "scenarios/subscriptions",
  "scenarios/webhook-delivery",
])
