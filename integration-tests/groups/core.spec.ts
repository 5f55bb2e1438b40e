import { shareStore } from "../support/store"

shareStore({ container: true }, [
  "http/attempts",
  "http/client",
  "http/clock-and-jobs",
  "http/mails",
  "http/production-edge",
  "http/races",
  "http/secrets",
  "scenarios/subscriptions",
  "scenarios/webhook-delivery",
])
