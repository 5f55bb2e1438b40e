import type prometheus from "prom-client"

/*
 * The classes in use, from their own files: the package's index also loads its default metrics and its gateway to a
 * Prometheus that does not ask.
 */
export const Counter = require("prom-client/lib/counter") as typeof prometheus.Counter
export const Gauge = require("prom-client/lib/gauge") as typeof prometheus.Gauge
const Histogram = require("prom-client/lib/histogram") as typeof prometheus.Histogram
const Registry = require("prom-client/lib/registry") as typeof prometheus.Registry

/** The gateway's own registry: it leaves a host's default registry alone. */
export const metrics = new Registry()

/*
 * A counter whose label values are known starts with a zero for each (`inc(…, 0)`). Prometheus' `increase` compares
 * with an earlier sample: without the zero it would miss the first event, which is the one that matters.
 */

/** Counted by the process that finds it; `name` as in invariants.ts. Any increase is an alert. */
export const invariantAlerts = new Counter({
  name: "gateway_invariant_alerts_total",
  help: "Checks that found an invariant of the money broken",
  labelNames: ["name"],
  registers: [metrics],
})

/** Counted by the process that received the answer; `kind`: payment or refund. Any increase is an alert. */
export const amountMismatches = new Counter({
  name: "gateway_amount_mismatches_total",
  help: "Payments and refunds of which an acquirer reported another amount or currency than it was asked for",
  labelNames: ["kind"],
  registers: [metrics],
})
for (const kind of ["payment", "refund"]) {
  amountMismatches.inc({ kind }, 0)
}

/** Money that came for an attempt after it was over, and is given back. */
export const surplusPayments = new Counter({
  name: "gateway_surplus_payments_total",
  help: "Payments that an acquirer took for an attempt that was over, because another one had paid or its time was up",
  labelNames: ["acquirer"],
  registers: [metrics],
})

/**
 * Calls to acquirers, each counted by the process that made it. `result` is that of the answer (acquirers/port.ts), or
 * `error` when the call threw.
 */
export const acquirerCalls = new Histogram({
  name: "gateway_acquirer_call_seconds",
  help: "How long calls to acquirers took, by call and result",
  labelNames: ["acquirer", "call", "result"],
  buckets: [0.1, 0.3, 1, 3, 10, 30],
  registers: [metrics],
})

/**
 * Calls that an acquirer refused for a reason that an admin has to fix. `trouble` is the reason: `credentials`,
 * `rate_limited` or `bad_request` (`Trouble` in acquirers/port.ts).
 */
export const acquirerTroubles = new Counter({
  name: "gateway_acquirer_troubles_total",
  help: "Calls that an acquirer refused because of the account's credentials, its rate limit, or what was sent",
  labelNames: ["acquirer", "environment", "trouble"],
  registers: [metrics],
})

/** Requests to `/api/v2` by the route's path, as the process that answered them saw them. */
export const requestSeconds = new Histogram({
  name: "gateway_request_seconds",
  help: "How long requests to /api/v2 took, by method, route and HTTP status",
  labelNames: ["method", "path", "status"],
  buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10],
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
for (const outcome of ["acknowledged", "failed"]) {
  webhookAttempts.inc({ outcome }, 0)
}

/** Counted by the process that finds it (docs/decisions/17). */
export const cardTestingStrikes = new Counter({
  name: "gateway_card_testing_total",
  help: "Times that so many different cards failed that payments were refused, by what they were counted by",
  labelNames: ["counted_by", "environment"],
  registers: [metrics],
})
for (const counted_by of ["session", "address", "merchant"]) {
  for (const environment of ["sandbox", "production"]) {
    cardTestingStrikes.inc({ counted_by, environment }, 0)
  }
}

/**
 * Counted by the process that receives the report. Anybody can send one: treat an increase as a reason to read the log.
 */
export const cspReports = new Counter({
  name: "gateway_csp_reports_total",
  help: "Browser reports of content that the payment pages' Content-Security-Policy blocked",
  labelNames: ["directive"],
  registers: [metrics],
})
