import { shareStore } from "../support/store"

shareStore({ container: true }, [
  "http/attempts",
  "http/attempts-on-acquirers-pages",
  "http/client",
  "http/emi-other-instalments",
  "http/late-payments",
  "http/mails",
  "http/operator-decisions",
  "http/payments-in-doubt",
  "http/production-edge",
  "http/queue",
  "http/races",
  "http/risky-payments",
  "http/sandbox-clock",
  "http/sandbox-purge",
  "http/secrets",
  "http/unfinished-refunds",
  "scenarios/subscriptions",
  "scenarios/webhook-delivery",
])
