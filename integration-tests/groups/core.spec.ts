import { shareStore } from "../support/store"

shareStore({ container: true }, [
  "http/attempts",
  "http/clock-and-jobs",
  "http/mails",
  "http/races",
  "http/secrets",
  "scenarios/subscriptions",
  "scenarios/webhook-delivery",
])
