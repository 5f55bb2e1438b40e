import { shareStore } from "../support/store"

shareStore({ container: true }, [
  "http/attempts",
  "http/attempts-on-acquirers-pages",
  "http/client",
  "http/clock-and-jobs",
  "http/emi-other-instalments",
  "http/late-payments",
  "http/mails",
  "http/operator-decisions",
  "http/production-edge",
  "http/races",
  "http/risky-payments",
  "http/secrets",
  "scenarios/subscriptions",
  "scenarios/webhook-delivery",
])
