import type { Facade } from "../../container"
import type { StorePort } from "../../store-port"
import type { CoreTaskName, TaskName } from "../crontab"
import { checkRecentLedger, checkWholeLedger } from "./check-ledger"
import { billSubscriptions } from "./bill-subscriptions"
import { eraseRotatedSecrets } from "./erase-rotated-secrets"
import { expireSessions } from "./expire-sessions"
import { forgetRemovedMethods } from "./forget-removed-methods"
import { foldCounters } from "./fold-counters"
import { purgeEvents } from "./purge-events"
import { purgeIdempotencyKeys } from "./purge-idempotency-keys"
import { purgeRequestLog } from "./purge-request-log"
import { purgeSandbox } from "./purge-sandbox"
import { reconcilePayments } from "./reconcile-payments"
import { reconcileRefunds } from "./reconcile-refunds"
import { workOffRefundBatches } from "./work-off-refund-batches"
import { sendInvoiceMails } from "./send-invoice-mails"

/** `stop` is raised when the process is about to end: a long task then ends after what it is doing. */
export type CoreTask = (gateway: Facade, stop?: AbortSignal) => Promise<void>

/** The tasks that need only the core. */
export const CORE_TASKS: Readonly<Record<CoreTaskName, CoreTask>> = {
  "check-ledger": checkRecentLedger,
  "check-whole-ledger": checkWholeLedger,
  "bill-subscriptions": billSubscriptions,
  "erase-rotated-secrets": eraseRotatedSecrets,
  "expire-sessions": expireSessions,
  "fold-counters": foldCounters,
  "forget-removed-methods": forgetRemovedMethods,
  "purge-events": purgeEvents,
  "purge-idempotency-keys": purgeIdempotencyKeys,
  "purge-request-log": purgeRequestLog,
  "purge-sandbox": purgeSandbox,
  "reconcile-payments": reconcilePayments,
  "reconcile-refunds": reconcileRefunds,
  "work-off-refund-batches": workOffRefundBatches,
  "send-invoice-mails": sendInvoiceMails,
}

/** A task for every line of the crontab. */
export type Tasks = Readonly<Record<TaskName, (stop?: AbortSignal) => Promise<void>>>

export function tasksOf(gateway: Facade, store: StorePort): Tasks {
  const core = Object.entries(CORE_TASKS).map(([name, task]) => [name, (stop?: AbortSignal) => task(gateway, stop)])
  return { ...(Object.fromEntries(core) as Pick<Tasks, CoreTaskName>), ...store.tasks }
}
