import type { Facade } from "../../container"
import { checkRecentLedger, checkWholeLedger } from "./check-ledger"
import { billSubscriptions } from "./bill-subscriptions"
import { eraseRotatedSecrets } from "./erase-rotated-secrets"
import { expireSessions } from "./expire-sessions"
import { foldCounters } from "./fold-counters"
import { purgeEvents } from "./purge-events"
import { purgeIdempotencyKeys } from "./purge-idempotency-keys"
import { purgeRequestLog } from "./purge-request-log"
import { purgeSandbox } from "./purge-sandbox"
import { reconcilePayments } from "./reconcile-payments"
import { reconcileRefunds } from "./reconcile-refunds"
import { workOffRefundBatches } from "./work-off-refund-batches"
import { sendInvoiceMails } from "./send-invoice-mails"

/** `stop` is raised when the process is about to end: a long task then ends after what it has in hand. */
export type GatewayTask = (gateway: Facade, stop?: AbortSignal) => Promise<void>

const tasks = new Map<string, GatewayTask>([
  ["check-ledger", checkRecentLedger],
  ["check-whole-ledger", checkWholeLedger],
  ["bill-subscriptions", billSubscriptions],
  ["erase-rotated-secrets", eraseRotatedSecrets],
  ["expire-sessions", expireSessions],
  ["fold-counters", foldCounters],
  ["purge-events", purgeEvents],
  ["purge-idempotency-keys", purgeIdempotencyKeys],
  ["purge-request-log", purgeRequestLog],
  ["purge-sandbox", purgeSandbox],
  ["reconcile-payments", reconcilePayments],
  ["reconcile-refunds", reconcileRefunds],
  ["work-off-refund-batches", workOffRefundBatches],
  ["send-invoice-mails", sendInvoiceMails],
])

/** For sagas that cross a module border: they live in src/workflows and are loaded with the store. */
export function registerTask(name: string, task: GatewayTask): void {
  tasks.set(name, task)
}

export function registeredTasks(): ReadonlyMap<string, GatewayTask> {
  return tasks
}
