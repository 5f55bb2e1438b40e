import { messageOf } from "../../../i18n/message"
import { audit, type By } from "../kernel/database/audit"
import { addSeconds, clockNow } from "../kernel/money/clock"
import { fault, GatewayError, validationError } from "../kernel/errors"
import { LIMITS } from "../kernel/limits"
import type { Database } from "../kernel/database/database"
import type { Cradle, Tenant } from "../kernel/types"
import type { BillingService } from "../subscriptions/billing/service"
import type { DisputeDeadlineService } from "../disputes/deadlines"
import type { InvoiceMailService } from "../invoices/mails"
import type { CancellationMailService } from "../portal/cancellation-mails"
import type { ReceiptService } from "../receipts/service"
import type { ReconciliationService } from "../payments/reconciliation"
import type { ReleaseService } from "../payments/captures/releases"
import type { RefundBatchService } from "../refunds/batches"
import type { RefundReconciliationService } from "../refunds/reconciliation"
import type { StoreRenewalService } from "../subscriptions/store/renewals"
import type { SessionExpiryService } from "../checkout/expiry"
import type { WebhookDispatchService } from "../webhooks/dispatch"

export type ClockReading = { now: Date; offset_seconds: number }
export type ClockMove = { advance_seconds?: number; now?: Date }

/**
 * Work that falls due by a merchant's clock. `run` does what is due up to `until`, in the order of due times. It may call
 * `reach` first, which moves the clock to the last of what it is about to do: what its process leaves behind when it dies
 * is due to the workers then.
 * `follows`: the work is caused by other work and by requests, such as an e-mail or a delivery, and is due at once.
 * With `after`, `nextDue` may ignore what is due at that time or earlier.
 */
type ClockedWork = {
  name: string
  follows?: true
  nextDue(merchant_id: string, after?: Date): Promise<Date | null>
  run(limit: number, only: { merchant_id: string; until: Date; reach(at: Date): Promise<void> }): Promise<number>
}

type NextWork = { work: ClockedWork; at: Date; until: Date; moves: boolean }

type Services = Cradle & {
  invoiceMailService: InvoiceMailService
  receiptService: ReceiptService
  cancellationMailService: CancellationMailService
  sessionExpiryService: SessionExpiryService
  reconciliationService: ReconciliationService
  refundBatchService: RefundBatchService
  releaseService: ReleaseService
  refundReconciliationService: RefundReconciliationService
  webhookDispatchService: WebhookDispatchService
  billingService: BillingService
  storeRenewalService: StoreRenewalService
  disputeDeadlineService: DisputeDeadlineService
}

const BATCH = 200
/**
 * How often work that follows is done before the clock moves on. The rest waits until the clock has moved. Otherwise a
 * merchant who goes on making payments would cause more such work all the time, and the clock would stand still.
 */
const FOLLOWING_AT_A_MOMENT = 10
/** Longer than any chain of work that a move causes, such as charge, refund, receipt, notification. */
const ROUNDS_AT_TARGET = 10
/** SQLSTATE. */
const DEADLOCK = "40P01"
const TRIES_IN_DEADLOCK = 5
/** The offset is whole seconds in an integer column, enough for 68 years. */
const LATEST = Date.UTC(2090, 0, 1)

function disputeDeadlines(disputes: DisputeDeadlineService): ClockedWork {
  return {
    name: "dispute_deadlines",
    nextDue: (merchant_id) => disputes.nextDue(merchant_id),
    run: (limit, only) => disputes.run(limit, only),
  }
}

type Sending = { nextDue(merchant_id: string): Promise<Date | null>; run: ClockedWork["run"] }

/** E-mails that other work has caused. */
function sending(name: string, mails: Sending): ClockedWork {
  return {
    name,
    follows: true,
    nextDue: (merchant_id) => mails.nextDue(merchant_id),
    run: (limit, only) => mails.run(limit, only),
  }
}

/** A merchant's movable sandbox clock (decisions: Sandbox). It only moves forward. */
export class ClockService {
  private readonly database: Database
  private readonly work: readonly ClockedWork[]

  constructor(cradle: Services) {
    const { sessionExpiryService: expiry, reconciliationService: reconciliation } = cradle
    const { refundBatchService: batches, refundReconciliationService: refundReconciliation } = cradle
    const { invoiceMailService: mails, webhookDispatchService: dispatch } = cradle
    const { billingService: billing, storeRenewalService: renewals, receiptService: receipts } = cradle
    this.database = cradle.database
    this.work = [
      {
        name: "subscriptions",
        nextDue: (merchant_id) => billing.nextDue(merchant_id),
        run: (limit, only) => billing.run(limit, only),
      },
      {
        name: "renewal_orders",
        nextDue: (merchant_id) => renewals.nextOrder(merchant_id),
        run: (limit, only) => renewals.makeOrders(limit, only),
      },
      {
        name: "expired_sessions",
        nextDue: (merchant_id) => expiry.nextDue(merchant_id),
        run: (limit, only) => expiry.run(limit, only),
      },
      {
        name: "reconciled_payments",
        nextDue: (merchant_id) => reconciliation.nextDue(merchant_id),
        // Only what is due at this moment: whether a checkout's time is up is judged by the clock at each inquiry.
        run: async (limit, only) => {
          const due = (await reconciliation.nextDue(only.merchant_id)) ?? only.until
          // A Date has no microseconds, and the column does.
          return reconciliation.run(limit, { ...only, until: new Date(due.getTime() + 1) })
        },
      },
      {
        name: "batch_refunds",
        nextDue: (merchant_id) => batches.nextDue(merchant_id),
        run: (limit, only) => batches.workOff(limit, only),
      },
      {
        name: "reconciled_refunds",
        nextDue: (merchant_id) => refundReconciliation.nextDue(merchant_id),
        run: (limit, only) => refundReconciliation.run(limit, only),
      },
      disputeDeadlines(cradle.disputeDeadlineService),
      {
        name: "authorizations",
        nextDue: (merchant_id) => cradle.releaseService.nextDue(merchant_id),
        run: (_limit, only) => cradle.releaseService.expire(only),
      },
      sending("invoice_mails", mails),
      sending("receipts", receipts),
      sending("cancellation_mails", cradle.cancellationMailService),
      {
        name: "webhook_deliveries",
        follows: true,
        nextDue: (merchant_id, after) => dispatch.nextDue(merchant_id, after),
        run: (_limit, only) => dispatch.drain(only.merchant_id),
      },
    ]
  }

  async read(tenant: Tenant): Promise<ClockReading> {
    const [row] = await this.database.query<{ offset_seconds: number }>(
      `SELECT clock_offset_seconds AS offset_seconds FROM gateway_merchant_environment
       WHERE merchant_id = $1 AND environment = $2`,
      [tenant.merchant_id, tenant.environment]
    )
    return { now: clockNow(new Date(), row.offset_seconds), offset_seconds: row.offset_seconds }
  }

  /**
   * Moves the clock and, before it returns, does all work of that merchant that has fallen due, in the order of due
   * times. Errors: VALIDATION_ERROR when the move is backwards, too far, or not exactly one of the two.
   */
  async move(tenant: Tenant & By, move: ClockMove): Promise<ClockReading & { processed: Record<string, number> }> {
    const { now } = await this.read(tenant)
    const target = targetOf(now, move)
    const processed = Object.fromEntries(this.work.map(({ name }) => [name, 0]))
    await this.workUntil(tenant, target, processed)
    await this.moveTo(tenant, target)
    // The clock runs on, and its offset is rounded up: what the last steps have caused is due just after the target.
    for (let round = 0; round < ROUNDS_AT_TARGET; round++) {
      const { now: reached } = await this.read(tenant)
      if (!(await this.workUntil(tenant, reached, processed))) {
        break
      }
    }
    await this.auditMove(tenant, now, target)
    return { ...(await this.read(tenant)), processed }
  }

  /** Does what is due up to `limit`. Returns whether there was anything. */
  private async workUntil(tenant: Tenant, limit: Date, processed: Record<string, number>): Promise<boolean> {
    let following = 0
    for (let hasWorked = false; ; hasWorked = true) {
      const next = await this.earliest(tenant, limit, following >= FOLLOWING_AT_A_MOMENT)
      if (next === null) {
        return hasWorked
      }
      const { work, at, until, moves } = next
      following = (moves ? 0 : following) + (work.follows === true ? 1 : 0)
      await this.moveTo(tenant, at)
      const reach = (later: Date) => this.moveTo(tenant, later)
      processed[work.name] += await work.run(BATCH, { merchant_id: tenant.merchant_id, until, reach })
    }
  }

  /** A move spans many transactions of the work it does; its audit entry follows the last one. */
  private async auditMove(tenant: Tenant & By, from: Date, to: Date): Promise<void> {
    const { merchant_id, environment } = tenant
    const entry = {
      merchant_id,
      environment,
      by: tenant,
      action: "sandbox_clock.moved" as const,
      resource_id: merchant_id,
    }
    await audit(this.database, { ...entry, before: { now: from }, after: { now: to } })
  }

  /**
   * The work that is due first, and how far it may go before another one's turn comes; `moves`: the clock is not there
   * yet. `isMoving`: what follows and is due already is left until the clock has moved.
   */
  private async earliest(tenant: Tenant, limit: Date, isMoving: boolean): Promise<NextWork | null> {
    const { now } = await this.read(tenant)
    const due: { work: ClockedWork; at: Date }[] = []
    for (const work of this.work) {
      const isLeft = isMoving && work.follows === true
      const at = await work.nextDue(tenant.merchant_id, isLeft ? now : undefined)
      if (at !== null && at <= limit && !(isLeft && at <= now)) {
        due.push({ work, at })
      }
    }
    due.sort((left, right) => left.at.getTime() - right.at.getTime())
    const [first, second] = due
    return first === undefined ? null : { ...first, until: second?.at ?? limit, moves: first.at > now }
  }

  /**
   * Whole seconds ahead of the real clock, rounded up so that what is due at `at` is due. Never backwards. Deliveries
   * that wait for a retry are due by real time: their due times move closer by as much.
   */
  private async moveTo(tenant: Tenant, at: Date): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.moveOnce(tenant, at)
      } catch (error) {
        // A dispatcher records many deliveries at once, in an order of its own.
        if ((error as { code?: unknown }).code !== DEADLOCK || tries === TRIES_IN_DEADLOCK) {
          throw error
        }
      }
    }
  }

  private async moveOnce(tenant: Tenant, at: Date): Promise<void> {
    await this.database.query(
      `WITH before AS (
         SELECT clock_offset_seconds AS seconds FROM gateway_merchant_environment
         WHERE merchant_id = $1 AND environment = $2 FOR UPDATE),
       moved AS (
         UPDATE gateway_merchant_environment e SET clock_offset_seconds = GREATEST(before.seconds, $3), updated_at = now()
         FROM before WHERE merchant_id = $1 AND environment = $2
         RETURNING e.clock_offset_seconds - before.seconds AS seconds)
       UPDATE gateway_webhook_delivery d SET next_attempt_at = d.next_attempt_at - moved.seconds * interval '1 second'
       FROM moved WHERE d.merchant_id = $1 AND d.environment = $2 AND d.state = 'pending' AND moved.seconds > 0`,
      [tenant.merchant_id, tenant.environment, Math.ceil((at.getTime() - Date.now()) / 1000)]
    )
  }
}

function targetOf(now: Date, move: ClockMove): Date {
  if ((move.advance_seconds === undefined) === (move.now === undefined)) {
    throw new GatewayError("VALIDATION_ERROR", messageOf("refusal.clock_one_of_two"), { field: "advance_seconds" })
  }
  const field = move.now === undefined ? "advance_seconds" : "now"
  const target = move.now ?? addSeconds(now, move.advance_seconds ?? 0)
  const aheadMs = target.getTime() - now.getTime()
  // A Date beyond its range is invalid, and every comparison with it is false.
  if (!(target.getTime() <= LATEST)) {
    throw validationError([fault(field, messageOf("rule.clock_year", { year: 2089 }))])
  }
  if (aheadMs < 0) {
    throw validationError([fault(field, messageOf("rule.clock_forward"))])
  }
  if (aheadMs > LIMITS.clockAdvanceMaxSeconds * 1000) {
    throw validationError([fault(field, messageOf("rule.clock_step"))])
  }
  return target
}
