import type { Logger } from "@medusajs/framework/types"
import { messageOf } from "../../../i18n/message"
import type { By } from "../kernel/database/audit"
import { clockNow } from "../kernel/money/clock"
import type { Database, Sql } from "../kernel/database/database"
import { fault, GatewayError, validationError } from "../kernel/errors"
import { formatAmount } from "../kernel/money/money"
import type { Cradle, Tenant } from "../kernel/types"
import { lockBalance } from "../ledger/records"
import { inTime } from "../acquirers/in-time"
import type { Accepted, DisputeReport, Evidence } from "../acquirers/dispute-port"
import type { Acquirer, Refused, Unknown } from "../acquirers/port"
import type { AcquirerRegistry, WithAcquirers } from "../acquirers/registry"
import {
  acceptance,
  announced,
  charged,
  corrected,
  created,
  feeReturned,
  stepped,
  unchanged,
  type Changing,
} from "./changes"
import {
  disputeOf,
  holdDispute,
  insertDispute,
  lockPayment,
  newDispute,
  nowOf,
  paymentOf,
  type Dispute,
  type DisputedPayment,
} from "./records"
import { DISPUTE_REASONS, isClosed, stepsTo } from "./rules"
import { disputeMachine } from "./states"
import { writeChanges } from "./write-changes"

/**
 * Disputes of acquirers that report them. A notification only makes the gateway ask; what the acquirer then answers is
 * believed, because it has the money (docs/decisions/10). Each answer is applied once, however often it comes.
 */
export class DisputeReportService {
  private readonly database: Database
  private readonly logger: Logger
  private readonly acquirers: AcquirerRegistry

  constructor({ database, logger, acquirerRegistry }: Cradle & WithAcquirers) {
    this.database = database
    this.logger = logger
    this.acquirers = acquirerRegistry
  }

  /** Whether a payment's acquirer reports disputes. One that is no longer configured cannot be asked. */
  async areAsked(payment: Tenant & { acquirer: string | null }): Promise<boolean> {
    const { acquirer } = payment
    const isKnown = (await this.acquirers.of(payment)).states.some((one) => one.acquirer === acquirer)
    return isKnown && (await this.acquirers.byId(payment, acquirer)).dispute !== undefined
  }

  /**
   * A notification names a dispute: asks the acquirer about it. `owner` null: it may be of any merchant's payment.
   * Throws when the acquirer does not answer, so that the notification is sent again.
   */
  async hinted(acquirer: Acquirer, owner: Tenant | null, reference: string): Promise<void> {
    const report = await ask(acquirer, reference)
    if (report === null) {
      return
    }
    const transaction_id = await paymentOf(this.database, acquirer.id, owner, report.payment)
    if (transaction_id === null) {
      this.logger.error(`gateway: ${acquirer.id} reports the dispute ${reference} of a payment that is not ours`)
      return
    }
    await this.applied(acquirer.id, transaction_id, report, { by: {} })
  }

  /** An admin names a dispute of a payment that the acquirer has not reported. Errors: as `DisputeService.record`. */
  async learn(by: Tenant & By, payment: DisputedPayment, reference: string): Promise<Dispute> {
    const { transaction_id } = payment
    const acquirer = await this.acquirers.byId(payment, payment.acquirer)
    if ((await disputeOf(this.database, payment, acquirer.id, reference)) !== null) {
      throw new GatewayError("DUPLICATE_DISPUTE", undefined, { field: "reference" })
    }
    const report = await ask(acquirer, reference)
    const its = report === null ? null : await paymentOf(this.database, acquirer.id, by, report.payment)
    if (report === null || its !== transaction_id) {
      throw validationError([fault("reference", messageOf("rule.dispute_unknown"))])
    }
    return this.applied(acquirer.id, transaction_id, report, { by })
  }

  /** Asks about a dispute that is recorded. Errors: SERVICE_UNAVAILABLE. */
  async refresh(dispute: Dispute, by: By): Promise<Dispute> {
    const acquirer = await this.acquirers.byId(dispute, dispute.acquirer)
    const report = await ask(acquirer, dispute.acquirer_reference)
    if (report === null) {
      throw new GatewayError("SERVICE_UNAVAILABLE", messageOf("refusal.dispute_unanswered"))
    }
    return this.applied(acquirer.id, dispute.transaction_id, report, { by })
  }

  /**
   * Errors: INVALID_STATE_TRANSITION, INVALID_REQUEST (the acquirer refuses), SERVICE_UNAVAILABLE (it may have accepted:
   * its next answer about the dispute shows it).
   */
  async accept(dispute: Dispute, by: By): Promise<Dispute> {
    disputeMachine.require(dispute.state, "accept")
    const acquirer = await this.acquirers.byId(dispute, dispute.acquirer)
    const acceptDispute = acquirer.acceptDispute?.bind(acquirer)
    if (acceptDispute === undefined) {
      throw onlyInDashboard()
    }
    await this.noteAcceptance(dispute, by, (now) => now)
    try {
      await carryOut(() => acceptDispute(dispute.acquirer_reference))
    } catch (error) {
      if (error instanceof GatewayError && error.code === "INVALID_REQUEST") {
        await this.noteAcceptance(dispute, by, () => null)
      }
      throw error
    }
    return this.refresh(dispute, by)
  }

  /** Errors: as `accept`. */
  async submit(dispute: Dispute, evidence: Evidence, by: By): Promise<Dispute> {
    disputeMachine.require(dispute.state, "submit")
    const acquirer = await this.acquirers.byId(dispute, dispute.acquirer)
    const submitEvidence = acquirer.submitEvidence?.bind(acquirer)
    if (submitEvidence === undefined) {
      throw onlyInDashboard()
    }
    await carryOut(() => submitEvidence(evidence))
    return this.refresh(dispute, by)
  }

  /** Once the dispute is over there is nothing to note any more. */
  private noteAcceptance({ id }: Dispute, by: By, at: (now: Date) => Date | null): Promise<void> {
    return this.database.transaction(async (sql) => {
      const held = await holdDispute(sql, id)
      if (!isClosed(held.dispute.state)) {
        await writeChanges(sql, held, acceptance(unchanged(held.dispute), at(held.now)), by)
      }
    })
  }

  /** Applies what the acquirer has answered, in one transaction under the payment's lock. */
  private async applied(
    acquirer: string,
    transaction_id: string,
    report: DisputeReport,
    asked: Asked
  ): Promise<Dispute> {
    const { dispute, problem } = await this.database.transaction((sql) =>
      apply(sql, { acquirer, transaction_id, report, ...asked })
    )
    if (problem !== null) {
      this.logger.error(`gateway: ${acquirer} reports the dispute ${report.reference} ${problem}`)
    }
    if (dispute === null) {
      throw new GatewayError("SERVICE_UNAVAILABLE", messageOf("refusal.dispute_unanswered"))
    }
    return dispute
  }
}

/** Null: the acquirer does not know it. Errors: SERVICE_UNAVAILABLE when it does not answer. */
async function ask(acquirer: Acquirer, reference: string): Promise<DisputeReport | null> {
  const dispute = acquirer.dispute?.bind(acquirer)
  if (dispute === undefined) {
    return null
  }
  const answer = await inTime(() => dispute(reference))
  if (answer.result === "unknown") {
    throw new GatewayError("SERVICE_UNAVAILABLE", messageOf("refusal.dispute_unanswered"))
  }
  return answer.result === "found" ? answer.dispute : null
}

/** Sends the acquirer what an admin has decided. Unknown is not refused: the next answer about the dispute shows it. */
async function carryOut(call: () => Promise<Accepted | Refused | Unknown>): Promise<void> {
  const answer = await inTime(call)
  if (answer.result === "refused") {
    throw new GatewayError("INVALID_REQUEST", messageOf("refusal.dispute_refused", { reason: answer.message }))
  }
  if (answer.result === "unknown") {
    throw new GatewayError("SERVICE_UNAVAILABLE", messageOf("refusal.dispute_unanswered"))
  }
}

/** Not every acquirer takes decisions by its API. */
function onlyInDashboard(): GatewayError {
  return new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.dispute_in_dashboard"))
}

type Asked = { by: By }
type Reported = Asked & { acquirer: string; transaction_id: string; report: DisputeReport }

/** `problem`: what of the report could not be applied; null dispute: nothing of it. */
async function apply(sql: Sql, reported: Reported): Promise<{ dispute: Dispute | null; problem: string | null }> {
  const { acquirer, transaction_id, report, by } = reported
  const payment = await lockPayment(sql, transaction_id)
  const now = nowOf(payment)
  const known = await disputeOf(sql, payment, acquirer, report.reference)
  if (known !== null && known.transaction_id !== transaction_id) {
    return { dispute: null, problem: `of ${transaction_id}, which was of ${known.transaction_id}` }
  }
  if (report.currency !== payment.currency || report.amount <= 0n) {
    return { dispute: known, problem: `in ${report.currency}, of a payment in ${payment.currency}` }
  }
  await lockBalance(sql, payment, payment.currency)
  const before = known ?? reportedDispute(payment, reported, now)
  if (known === null) {
    await insertDispute(sql, before)
  }
  const begun = known === null ? firstState(before, report, now) : unchanged(before)
  const steps = stepsTo(begun.dispute.state, report.state)
  if (steps === null) {
    // An older answer, of a question that another process has asked before: only two outcomes contradict each other.
    const isContradiction = isClosed(before.state) && isClosed(report.state)
    return { dispute: before, problem: isContradiction ? `as ${report.state}, which was ${before.state}` : null }
  }
  const moved = steps.reduce((changing, on) => {
    const { state, accepted_at } = changing.dispute
    const trigger = on === "lose" && state === "needs_response" && accepted_at !== null ? "accept" : on
    return stepped(changing, trigger, now, trigger === "escalate" ? { amount_minor: Number(report.amount) } : {})
  }, begun)
  const changing = withFacts(moved, payment, report, now)
  const isOther = BigInt(changing.dispute.amount_minor) !== report.amount
  return {
    dispute: await writeChanges(sql, { dispute: before, payment, now }, changing, by),
    problem: isOther ? `over ${formatAmount(report.amount)}, which was ${formatAmount(before.amount_minor)}` : null,
  }
}

/**
 * A dispute that is new to us is first recorded as it began, as an inquiry or with the money withdrawn, even if it has
 * moved on since.
 */
function firstState(dispute: Dispute, report: DisputeReport, now: Date): Changing {
  const isInquiry = report.state === "inquiry" || report.state === "closed"
  const begun = isInquiry ? created(dispute) : stepped(created(dispute), "escalate", now)
  return announced(charged(begun, Number(report.fee), now))
}

/** What changes without a step. */
function withFacts(moved: Changing, payment: DisputedPayment, report: DisputeReport, now: Date): Changing {
  const { state, submitted_at } = moved.dispute
  const isFirstReport = report.is_submitted && submitted_at === null && state === "inquiry"
  const submitted = isFirstReport ? stepped(moved, "submit", now) : moved
  const isOver = isClosed(state)
  const facts = { reason: reasonOf(report), due_by: onClock(report.due_by, payment) }
  // A deadline that the bank has extended has not been missed.
  const isExtended = facts.due_by !== null && facts.due_by > now
  const corrections = { ...facts, ...(isExtended && { missed_at: null }) }
  const paid = charged(isOver ? submitted : corrected(submitted, corrections), Number(report.fee), now)
  return report.fee_returned && paid.dispute.state === "won" ? feeReturned(paid, now) : paid
}

function reasonOf({ reason }: DisputeReport): Dispute["reason"] {
  return DISPUTE_REASONS.find((known) => known === reason) ?? "general"
}

/** Acquirers keep real time; a sandbox's clock may be ahead. */
function onClock<At extends Date | null>(at: At, { clock_offset_seconds }: DisputedPayment): At {
  return (at === null ? null : clockNow(at, clock_offset_seconds)) as At
}

function reportedDispute(payment: DisputedPayment, { acquirer, report, by }: Reported, now: Date): Dispute {
  const source = { source: "acquirer", acquirer, acquirer_reference: report.reference, note: null } as const
  const facts = { ...source, reason: reasonOf(report), amount_minor: Number(report.amount) }
  const times = { opened_at: onClock(report.opened_at, payment), due_by: onClock(report.due_by, payment) }
  return newDispute(payment, { ...facts, ...times }, now, by)
}
