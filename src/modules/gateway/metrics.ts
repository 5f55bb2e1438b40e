import { Counter, Registry } from "prom-client"

/** The gateway's own: a host's default registry stays the host's. */
export const metrics = new Registry()

/** Counted by the process that finds it; `name` as in invariants.ts. Any increase is an alert. */
export const invariantAlerts = new Counter({
  name: "gateway_invariant_alerts_total",
  help: "Checks that found an invariant of the money broken",
  labelNames: ["name"],
  registers: [metrics],
})

/** Requests to `/api/v2` whose key was missing, unknown, revoked, expired or of the other environment. */
export const refusedRequests = new Counter({
  name: "gateway_refused_requests_total",
  help: "Requests to /api/v2 without a valid key, by the code of the refusal",
  labelNames: ["code"],
  registers: [metrics],
})

/** Counted by the process that sends. */
export const webhookAttempts = new Counter({
  name: "gateway_webhook_attempts_total",
  help: "Webhook and IPN requests sent, by outcome: acknowledged or failed",
  labelNames: ["outcome"],
  registers: [metrics],
})
