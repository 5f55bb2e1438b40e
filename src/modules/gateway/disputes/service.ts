import { messageOf } from "../../../i18n/message"
import type { By } from "../kernel/database/audit"
import type { Database } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import type { Minor } from "../kernel/money/money"
import type { Cradle, Tenant } from "../kernel/types"
import { lockBalance } from "../ledger/records"
import type { AcquirerRegistry, WithAcquirers } from "../acquirers/registry"
import type { DisputeReportService } from "./reports"
import { announced, charged, created, feeReturned, stepped, unchanged } from "./changes"
import {
  findDispute,
  holdDispute,
  insertDispute,
  lockPayment,
  newDispute,
  nowOf,
  readPayment,
  type Dispute,
} from "./records"
import { decideDispute, requireAnswerable, type DisputeReason } from "./rules"
import type { DisputeTrigger, FINDING_TRIGGERS } from "./states"
import { writeChanges } from "./write-changes"

/** What an admin has read in the bank's letter. Times on the merchant's clock; `amount` absent: what is left. */
export type NewDispute = {
  transaction_id: string
  reference: string
  amount?: Minor
  fee: Minor
  reason: DisputeReason
  is_inquiry: boolean
  opened_at: Date | null
  due_by: Date | null
  note: string | null
}

/** An admin's decision about a dispute that no acquirer reports. */
export type Finding = {
  on: (typeof FINDING_TRIGGERS)[number]
  /** Counts when the merchant wins. */
  fee_returned?: boolean
  /** The deadline of the dispute that an inquiry has become, on the merchant's clock. */
  due_by?: Date | null
}

/** Disputes of payments (docs/decisions/10): recorded by an admin, or asked for at an acquirer that reports them. */
export class DisputeService {
  private readonly database: Database
  private readonly acquirers: AcquirerRegistry
  private readonly reports: DisputeReportService

  constructor(cradle: Cradle & WithAcquirers & { disputeReportService: DisputeReportService }) {
    this.database = cradle.database
    this.acquirers = cradle.acquirerRegistry
    this.reports = cradle.disputeReportService
  }

  /**
   * Records a dispute. Where the acquirer reports disputes itself, only the reference is used: the acquirer is asked, and
   * believed. Errors: TRANSACTION_NOT_FOUND, DISPUTE_NOT_ALLOWED, DISPUTE_EXCEEDED, DUPLICATE_DISPUTE (the reference is
   * recorded already), VALIDATION_ERROR (the acquirer does not know it), SERVICE_UNAVAILABLE (it does not answer).
   */
  async record(tenant: Tenant & By, wanted: NewDispute): Promise<Dispute> {
    const payment = await readPayment(this.database, tenant, wanted.transaction_id)
    if (await this.reports.areAsked(payment)) {
      return this.reports.learn(tenant, payment, wanted.reference)
    }
    return this.database.transaction(async (sql) => {
      const locked = await lockPayment(sql, payment.transaction_id)
      const now = nowOf(locked)
      const amount = decideDispute(locked, wanted.amount)
      await lockBalance(sql, locked, locked.currency)
      const { reference: acquirer_reference, reason, opened_at, due_by, note } = wanted
      const source = { source: "admin", acquirer: locked.acquirer ?? "", acquirer_reference } as const
      const facts = { ...source, reason, amount_minor: Number(amount), note, opened_at: opened_at ?? now, due_by }
      const dispute = newDispute(locked, facts, now, tenant)
      await insertDispute(sql, dispute)
      const begun = wanted.is_inquiry ? created(dispute) : stepped(created(dispute), "escalate", now)
      const changing = announced(charged(begun, Number(wanted.fee), now))
      return writeChanges(sql, { dispute, payment: locked, now }, changing, tenant)
    })
  }

  /** Throws DISPUTE_NOT_FOUND, for another tenant's too. */
  async retrieve(tenant: Tenant, id: string): Promise<Dispute> {
    return findDispute(this.database, id, tenant)
  }

  /**
   * Records the bank's decision by hand. Errors: DISPUTE_NOT_FOUND, INVALID_STATE_TRANSITION (also when the acquirer
   * reports the dispute: only the acquirer decides its state), DISPUTE_EXCEEDED (an inquiry that becomes a dispute).
   */
  async decide(tenant: Tenant & By, id: string, finding: Finding): Promise<Dispute> {
    return this.change(tenant, id, finding)
  }

  /**
   * The merchant gives the dispute up. Where the acquirer reports disputes, the acquirer closes it first, and its answer counts.
   * Errors: DISPUTE_NOT_FOUND, INVALID_STATE_TRANSITION, INVALID_REQUEST (the acquirer refuses), SERVICE_UNAVAILABLE.
   */
  async accept(tenant: Tenant & By, id: string): Promise<Dispute> {
    const dispute = await findDispute(this.database, id, tenant)
    return dispute.source === "acquirer"
      ? this.reports.accept(dispute, tenant)
      : this.change(tenant, id, { on: "accept" })
  }

  /** Asks the acquirer about a dispute that it reports. Errors: DISPUTE_NOT_FOUND, SERVICE_UNAVAILABLE. */
  async refresh(tenant: Tenant & By, id: string): Promise<Dispute> {
    const dispute = await findDispute(this.database, id, tenant)
    return dispute.source === "acquirer" ? this.reports.refresh(dispute, tenant) : dispute
  }

  private change(
    tenant: Tenant & By,
    id: string,
    { on, fee_returned = false, due_by = null }: Omit<Finding, "on"> & { on: DisputeTrigger }
  ): Promise<Dispute> {
    return this.database.transaction(async (sql) => {
      const held = await holdDispute(sql, id, tenant)
      if (held.dispute.source === "acquirer") {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.dispute_reported"))
      }
      if (on === "submit") {
        // The state of an inquiry does not say whether it was answered.
        requireAnswerable(held.dispute)
      }
      const moved = stepped(unchanged(held.dispute), on, held.now, on === "escalate" ? { due_by } : {})
      if (on === "escalate") {
        decideDispute(held.payment, BigInt(held.dispute.amount_minor))
      }
      await lockBalance(sql, held.payment, held.payment.currency)
      const isWon = fee_returned && moved.dispute.state === "won"
      return writeChanges(sql, held, isWon ? feeReturned(moved, held.now) : moved, tenant)
    })
  }
}
