import { createHash, timingSafeEqual } from "node:crypto"
import type { Database } from "../kernel/database/database"
import { orderedIdBound } from "../kernel/text/ids"
import { Gauge, cspReports, metrics, surplusPayments } from "../kernel/http/metrics"
import { defaultPartitions } from "../kernel/database/partitions"
import { ACQUIRERS } from "../acquirers/definitions"
import { isNotPostponed } from "../invoices/mail-rules"
import { attemptsInDoubt } from "./acquirers"
import { mayCharge } from "../saved-methods/permission-to-charge"
import type { GatewayOptions } from "../kernel/options"
import type { Cradle } from "../kernel/types"
import type { InvariantService } from "../ledger/invariant-check"
import type { LatePayments, MissingSettlementService } from "../settlements/missing"

/** Events are counted over the last minutes from the database, so that every process reports the same. */
const RECENT_MS = 5 * 60_000
/** The database is queried at most this often. */
const KEPT_MS = 10_000
/** Days late changes slowly, and is counted over the payments of weeks. */
const UNSETTLED_KEPT_MS = 5 * 60_000

/**
 * What waits, and for how many seconds the oldest has been due on its merchant's clock. Each query uses the partial
 * index by which its task claims rows.
 */
const QUEUES: Record<string, { table: string; due: string; waits: string }> = {
  expiring_sessions: { table: "gateway_transaction", due: "q.expires_at", waits: "q.state = 'OPEN'" },
  unknown_payments: {
    table: "gateway_payment_attempt",
    due: "q.inquiry_at",
    waits: "q.state IN ('STARTED', 'REDIRECTED', 'CONFIRMING')",
  },
  unknown_refunds: { table: "gateway_refund", due: "q.inquiry_at", waits: "q.state = 'processing'" },
  pending_refunds: { table: "gateway_refund", due: "q.requested_at", waits: "q.state = 'pending'" },
  billing: {
    table: "gateway_subscription",
    due: "q.due_at",
    waits: `q.due_at IS NOT NULL AND ${mayCharge("subscriptions")}`,
  },
  invoice_mails: {
    table: "gateway_invoice_mail",
    due: "q.due_at",
    // `next_attempt_at`: one being sent, or waiting to be tried again, is not left undone.
    waits: `q.state = 'pending' AND q.next_attempt_at <= now() AND ${isNotPostponed("q")}`,
  },
}
/** The same for work due by real time. */
const REAL_QUEUES: typeof QUEUES = {
  receipts: { table: "gateway_receipt", due: "q.next_attempt_at", waits: "q.state = 'pending'" },
  cancellation_mails: {
    table: "gateway_cancellation_mail",
    due: "q.next_attempt_at",
    waits: "q.state = 'pending'",
  },
  webhooks: { table: "gateway_webhook_delivery", due: "q.next_attempt_at", waits: "q.state = 'pending'" },
  paid_carts: { table: "gateway_cart_completion", due: "q.next_attempt_at", waits: "q.next_attempt_at IS NOT NULL" },
  stuck_cash_orders: { table: "gateway_cash_order", due: "q.stuck_since", waits: "q.stuck_since IS NOT NULL" },
  cash_orders: { table: "gateway_cash_order", due: "q.next_attempt_at", waits: "q.next_attempt_at IS NOT NULL" },
  order_refunds: { table: "gateway_order_refund", due: "q.next_attempt_at", waits: "q.next_attempt_at IS NOT NULL" },
}

const depth =
  (offset: string) =>
  ([queue, { table, due, waits }]: [string, { table: string; due: string; waits: string }]) => `
  SELECT '${queue}' AS queue, q.environment, count(*)::int AS depth,
         COALESCE(max(extract(epoch FROM now() ${offset} - ${due})), 0)::float AS oldest_seconds
  FROM ${table} q JOIN gateway_merchant_environment e ON e.merchant_id = q.merchant_id AND e.environment = q.environment
  JOIN gateway_merchant m ON m.id = e.merchant_id
  WHERE ${waits} AND ${due} <= now() ${offset} GROUP BY 2`

const DEPTHS = [
  ...Object.entries(QUEUES).map(depth("+ e.clock_offset_seconds * interval '1 second'")),
  ...Object.entries(REAL_QUEUES).map(depth("")),
].join(" UNION ALL ")

/** Walks the primary key, whose order is that of time, in the partitions of that time. */
const RECENT = `
  SELECT event_type, environment, count(*)::int AS count FROM gateway_event
  WHERE id >= $1 AND created_at >= $2 GROUP BY 1, 2`

/** Acquirers that have a line even when nothing is in doubt, and nothing has come too late. */
const KNOWN = ["sandbox", ...ACQUIRERS.map(({ id }) => id)]
KNOWN.forEach((acquirer) => surplusPayments.inc({ acquirer }, 0))

type Services = Cradle & { invariantService: InvariantService; missingSettlementService: MissingSettlementService }

/** The gateway's metrics for Prometheus. */
export class MetricsService {
  private readonly database: Database
  private readonly options: GatewayOptions
  private readonly invariants: InvariantService
  private readonly missing: MissingSettlementService
  private unsettled: { rows: Promise<LatePayments[]>; until: number } | null = null
  private kept: { text: Promise<string>; until: number } | null = null

  constructor({ database, gatewayOptions, invariantService, missingSettlementService }: Services) {
    this.database = database
    this.options = gatewayOptions
    this.invariants = invariantService
    this.missing = missingSettlementService
  }

  /** Whether `authorization` carries the token; without a configured token nobody is admitted. */
  admits(authorization: string | undefined): boolean {
    const { metricsToken } = this.options
    return metricsToken !== undefined && timingSafeEqual(digest(authorization ?? ""), digest(`Bearer ${metricsToken}`))
  }

  /** `directive` must be one of a fixed set: it becomes a label. */
  countCspReport(directive: string): void {
    cspReports.inc({ directive })
  }

  /** The metrics in Prometheus's text format. */
  async render(): Promise<{ type: string; text: string }> {
    const now = Date.now()
    if (this.kept === null || now >= this.kept.until) {
      this.kept = { text: this.read(), until: now + KEPT_MS }
      // A failed result must not be cached.
      this.kept.text.catch(() => (this.kept = null))
    }
    return { type: metrics.contentType, text: await this.kept.text }
  }

  private async read(): Promise<string> {
    const since = new Date(Date.now() - RECENT_MS)
    const [depths, events, broken, doubtful, partitions, unsettled] = await Promise.all([
      this.database.query<{ queue: string; environment: string; depth: number; oldest_seconds: number }>(DEPTHS),
      this.database.query<{ event_type: string; environment: string; count: number }>(RECENT, [
        orderedIdBound("gev", since),
        // The id is of the clock of the process that wrote, `created_at` of the database's.
        new Date(since.getTime() - RECENT_MS),
      ]),
      this.invariants.check(since),
      attemptsInDoubt(this.database),
      defaultPartitions(this.database),
      this.unsettledPayments(),
    ])
    GAUGES.depth.reset()
    GAUGES.oldest.reset()
    GAUGES.recent.reset()
    GAUGES.doubt.reset()
    GAUGES.unsettled.reset()
    unsettled.forEach(({ source, environment, count }) => GAUGES.unsettled.set({ source, environment }, count))
    KNOWN.forEach((acquirer) => GAUGES.doubt.set({ acquirer }, 0))
    doubtful.forEach(({ acquirer, count }) => GAUGES.doubt.set({ acquirer }, count))
    for (const queue of [...Object.keys(QUEUES), ...Object.keys(REAL_QUEUES)]) {
      for (const environment of ["sandbox", "production"]) {
        const found = depths.find((row) => row.queue === queue && row.environment === environment)
        GAUGES.depth.set({ queue, environment }, found?.depth ?? 0)
        GAUGES.oldest.set({ queue, environment }, found?.oldest_seconds ?? 0)
      }
    }
    for (const { table, waiting, ahead_days } of partitions) {
      GAUGES.waiting.set({ table }, waiting ? 1 : 0)
      GAUGES.ahead.set({ table }, ahead_days)
    }
    events.forEach(({ event_type, environment, count }) => GAUGES.recent.set({ event_type, environment }, count))
    GAUGES.broken.set(broken.reduce((sum, { count }) => sum + count, 0))
    return metrics.metrics()
  }

  private unsettledPayments(): Promise<LatePayments[]> {
    const now = Date.now()
    if (this.unsettled === null || now >= this.unsettled.until) {
      this.unsettled = { rows: this.missing.lateEverywhere(), until: now + UNSETTLED_KEPT_MS }
      this.unsettled.rows.catch(() => (this.unsettled = null))
    }
    return this.unsettled.rows
  }
}

const gauge = (name: string, help: string, labelNames: string[] = []) =>
  new Gauge({ name, help, labelNames, registers: [metrics] })

const GAUGES = {
  depth: gauge("gateway_queue_depth", "What is due and not done yet", ["queue", "environment"]),
  oldest: gauge("gateway_queue_oldest_seconds", "How long the oldest of it has been due", ["queue", "environment"]),
  recent: gauge("gateway_events_recent", "Events of the last five minutes: outcomes of payments, refunds and billing", [
    "event_type",
    "environment",
  ]),
  doubt: gauge("gateway_acquirer_in_doubt", "Payment attempts of which the acquirer did not know the outcome yet", [
    "acquirer",
  ]),
  unsettled: gauge("gateway_unsettled_payments", "Payments that ended days ago and are in no file of their acquirer", [
    "source",
    "environment",
  ]),
  waiting: gauge("gateway_default_partition_used", "1: rows of the table have no partition of their time", ["table"]),
  ahead: gauge("gateway_partitions_ahead_days", "For how many days there are partitions", ["table"]),
  broken: gauge("gateway_invariants_broken", "What breaks an invariant of the money, of the last five minutes"),
}

/** Digests have equal length, so that they can be compared in constant time. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest()
}
