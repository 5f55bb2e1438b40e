import type { Facade } from "../container"
import { withinDeadline } from "../kernel/database/deadline"
import { inSpan, telemetry } from "../kernel/http/tracing"
import type { StorePort } from "../store-port"
import type { CoreTaskName, TaskName } from "./crontab"

/** `stop` is raised when the process is about to end: a long task then ends after what it is doing. */
type CoreTask = (gateway: Facade, stop?: AbortSignal) => Promise<unknown>

/** `check-ledger` looks back longer than a few missed runs, and longer than any transaction takes to commit. */
const LEDGER_RECENT_MS = 15 * 60_000

/** The tasks that need only the core. */
export const CORE_TASKS: Readonly<Record<CoreTaskName, CoreTask>> = {
  "bill-subscriptions": billSubscriptions,
  "check-ledger": ({ invariants }) => invariants.watch(new Date(Date.now() - LEDGER_RECENT_MS)),
  "check-whole-ledger": ({ invariants }) => invariants.watch(null),
  "erase-rotated-secrets": ({ webhookEndpoints }) => webhookEndpoints.forgetPrevious(),
  "expire-sessions": expireSessions,
  "fold-counters": ({ counters }, stop) => inBatches(() => counters.fold(), stop),
  "follow-disputes": followDisputes,
  "forget-removed-methods": ({ forgetting }, stop) => forgetting.run({ stop }),
  "number-events": ({ eventOrder }, stop) => inBatches(() => eventOrder.numberBatch(), stop),
  "move-checkpoints": ({ checkpoints }) => checkpoints.move(),
  "make-partitions": ({ partitions }) => partitions.make(),
  "purge-events": ({ events }) => events.purge(),
  "purge-idempotency-keys": ({ idempotency }) => idempotency.purge(),
  "purge-portal-sessions": ({ portalSessions }) => portalSessions.purge(),
  "purge-request-log": ({ requestLog }) => requestLog.purge(),
  "purge-sandbox": ({ sandboxPurge }) => sandboxPurge.run(),
  "reconcile-payments": reconcilePayments,
  "reconcile-refunds": ({ refundReconciliation }, stop) => refundReconciliation.due.run({ stop }),
  "return-verifications": ({ verificationReturns }, stop) => verificationReturns.run({ stop }),
  "send-portal-links": ({ portalLogins }, stop) => portalLogins.due.run({ stop }),
  "send-invoice-mails": ({ invoiceMails }, stop) => invoiceMails.due.run({ stop }),
  "send-receipts": sendConfirmations,
  "work-off-refund-batches": ({ refundBatches }, stop) => refundBatches.due.run({ stop }),
}

/** A task for every line of the crontab. */
export type Tasks = Readonly<Record<TaskName, (stop?: AbortSignal) => Promise<void>>>

export function tasksOf(gateway: Facade, store: StorePort): Tasks {
  const core = Object.entries(CORE_TASKS).map(([name, task]) => {
    const run = async (stop?: AbortSignal) => void (await task(gateway, stop))
    return [name, run] as const
  })
  return { ...(Object.fromEntries(core) as Pick<Tasks, CoreTaskName>), ...store.tasks }
}

/** Runs a task, in a trace of its own when somebody traces. */
export function runTask(name: string, task: Tasks[TaskName], stop?: AbortSignal): Promise<void> {
  const api = telemetry()
  const span = { name: `task ${name}`, kind: "CONSUMER", attributes: { "gateway.task": name }, cause: null } as const
  return api === undefined ? task(stop) : inSpan(api, span, () => task(stop))
}

const BILLING_BATCH = 250
/**
 * How long a task waits for a batch: longer than a batch with slow acquirers takes (subscriptions/billing/leases.ts). The
 * task then fails, and its next run goes on with what that batch does not hold.
 */
const BILLING_SECONDS = 240
/** While one batch waits for the database, another is charged. */
const BILLING_AT_ONCE = 2

/**
 * Batch after batch until nothing is due. It is no DueWork of the kernel: its statements write a whole batch at once, and
 * one subscription each would cost several times as much. It ends when both have ended, also when one has failed: the
 * next run must not begin beside the rest of this one.
 */
export async function billSubscriptions(gateway: Facade, stop?: AbortSignal): Promise<void> {
  const runs = await Promise.allSettled(Array.from({ length: BILLING_AT_ONCE }, () => billBatches(gateway, stop)))
  const failed = runs.find((run) => run.status === "rejected")
  if (failed !== undefined) {
    throw failed.reason
  }
}

async function billBatches(gateway: Facade, stop?: AbortSignal): Promise<void> {
  const batch = () => withinDeadline(BILLING_SECONDS, () => gateway.billing.run(BILLING_BATCH, undefined, stop))
  while (stop?.aborted !== true && (await batch()) > 0);
}

/** How long a task waits for a batch that talks to the database alone. */
const BATCH_SECONDS = 120
const EXPIRY_BATCH = 500

/** Batch after batch, until one has done fewer than `full`: nothing is left, or another process does it. */
async function inBatches(batch: () => Promise<number>, stop: AbortSignal | undefined, full = 1): Promise<void> {
  while (stop?.aborted !== true && (await withinDeadline(BATCH_SECONDS, batch)) >= full);
}

/**
 * Batch after batch, so that a backlog of any size is done without one long transaction. It needs no lease: ending a
 * session talks to nobody outside, so claim and work are one transaction.
 */
function expireSessions({ sessionExpiry, paymentLinks }: Facade, stop?: AbortSignal): Promise<void> {
  return eachInTurn(
    () => inBatches(() => sessionExpiry.run(EXPIRY_BATCH), stop, EXPIRY_BATCH),
    () => withinDeadline(BATCH_SECONDS, () => paymentLinks.endCheckouts())
  )
}

const DEADLINE_BATCH = 100

/** One batch of deadlines a minute is plenty: reminders and missed dates are no DueWork (disputes/deadlines.ts). */
function followDisputes({ disputeDeadlines }: Facade, stop?: AbortSignal): Promise<void> {
  const deadlines = () => withinDeadline(BATCH_SECONDS, () => disputeDeadlines.run(DEADLINE_BATCH))
  return eachInTurn(deadlines, () => disputeDeadlines.inquiries.run({ stop }))
}

/** What a merchant's setting `receipts` sends to its customers. */
function sendConfirmations({ receipts, cancellationMails }: Facade, stop?: AbortSignal): Promise<void> {
  return eachInTurn(
    () => receipts.due.run({ stop }),
    () => cancellationMails.due.run({ stop })
  )
}

/** The number of abandoned charges that one transaction leaves to the reconciler. */
const ABANDONED_BATCH = 50

function reconcilePayments(
  { abandonedCharges, captures, reconciliation, releases, surplus }: Facade,
  stop?: AbortSignal
): Promise<void> {
  return eachInTurn(
    () => withinDeadline(BATCH_SECONDS, () => abandonedCharges.leaveToReconciler(ABANDONED_BATCH)),
    () => reconciliation.due.run({ stop }),
    () => captures.due.run({ stop }),
    () => withinDeadline(BATCH_SECONDS, () => releases.expire()),
    () => releases.due.run({ stop }),
    () => surplus.due.run({ stop })
  )
}

/** One after the other, each whatever became of those before it; throws the first error. */
async function eachInTurn(...works: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = []
  for (const work of works) {
    await work().catch((error: unknown) => errors.push(error))
  }
  if (errors.length > 0) {
    throw errors[0]
  }
}
