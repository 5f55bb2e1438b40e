import { json } from "../../kernel/database/database"
import { historyEntry, audit, type By } from "../../kernel/database/audit"
import { messageOf, type Message } from "../../../../i18n/message"
import type { AcquirerRegistry, WithAcquirers } from "../../acquirers/registry"
import type { AuditAction } from "../../kernel/database/logged-actions"
import { GatewayError } from "../../kernel/errors"
import { formatAmount, statedAmount, type Minor } from "../../kernel/money/money"
import { isUnderWay, proposalKey, type ProposalStatus } from "./rules"
import type { Obstacle } from "../preview"
import { decideRefund } from "../rules"
import { refundProposalMachine, type ProposalTrigger } from "./states"
import type { Database, Sql } from "../../kernel/database/database"
import { Conditions } from "../../kernel/database/conditions"
import { idsAndPayments } from "../../kernel/database/numbered-lists"
import { pageWithTotals, sumOf, type Page, type Window } from "../../kernel/database/paging"
import { merchantNow } from "../../payments/records"
import type { Cradle, Tenant } from "../../kernel/types"
import type { AcquirerRefundService } from "../acquirer-refunds"
import { calculateProposal, insertProposal, type CalculatedProposal, type NewProposal } from "./propose"
import { findProposal, PROPOSAL_COLUMNS, PROPOSAL_JOIN, STATUS_SQL, type RefundProposal } from "./records"
import { lockTransaction, readTransaction, type RefundableRecord } from "../records"
import { reserve } from "../reserve"

/** `q` is the id of a proposal, a transaction or a return, or the number or id of an order. */
type ProposalFilter = { status?: readonly ProposalStatus[]; q?: string; from?: Date; to?: Date }

type ProposalConfirmation = {
  /** In hundredths of the payment's currency. */
  amount: Minor
  /** What was refunded of the payment, in hundredths of its currency, when the amount was decided on. */
  refunded_minor: number
  reason: string
  by: By
  /** Of the admin's token: above their limit the refund waits for approval. */
  roles?: readonly string[]
  /** Whom the history and the refund name; `AUTOMATIC` is nobody. */
  name: string
}

/**
 * Refunds that returns, claims, cancellations and cheaper orders ask for, until somebody confirms or dismisses them (decisions:
 * Refunds).
 */
export class RefundProposalService {
  private readonly database: Database
  private readonly acquirers: AcquirerRegistry
  private readonly acquirerRefunds: AcquirerRefundService

  constructor(cradle: Cradle & WithAcquirers & { acquirerRefundService: AcquirerRefundService }) {
    this.database = cradle.database
    this.acquirers = cradle.acquirerRegistry
    this.acquirerRefunds = cradle.acquirerRefundService
  }

  /** Errors: NOT_FOUND, for another tenant's too. */
  async retrieve(id: string, tenant?: Tenant): Promise<RefundProposal> {
    return findProposal(this.database, id, tenant)
  }

  /** Newest first. */
  async ofOrder(order_id: string): Promise<RefundProposal[]> {
    return this.database.query(
      `SELECT ${PROPOSAL_COLUMNS} FROM gateway_refund_proposal p ${PROPOSAL_JOIN} WHERE p.order_id = $1 ORDER BY p.created_at DESC, p.id DESC`,
      [order_id]
    )
  }

  async list(tenant: Tenant, { status, q, from, to }: ProposalFilter, window: Window): Promise<Page<RefundProposal>> {
    const conditions = new Conditions("p.merchant_id = ? AND p.environment = ?", tenant.merchant_id, tenant.environment)
    if (q !== undefined) {
      const found = await idsAndPayments(this.database, tenant, q)
      const named = "p.id = ANY(?) OR p.order_id = ANY(?) OR p.transaction_id = ANY(?) OR p.return_id = ANY(?)"
      conditions.add(`(${named})`, found, found, found, found)
    }
    if (status !== undefined) {
      conditions.add(`(${status.map((one) => `(${STATUS_SQL[one]})`).join(" OR ")})`)
    }
    const { where, values } = conditions.when(from, "p.created_at >= ?").when(to, "p.created_at < ?")
    const order = "p.created_at DESC, p.id DESC"
    const list = {
      table: "gateway_refund_proposal p",
      where,
      values,
      order,
      columns: PROPOSAL_COLUMNS,
      join: PROPOSAL_JOIN,
      key: "p.created_at, p.id",
      sums: {
        currency: "p.currency",
        amounts: [
          sumOf("amount", "p.amount_minor", STATUS_SQL.open),
          sumOf("confirmed_amount", "p.confirmed_minor", `(${STATUS_SQL.refunding}) OR (${STATUS_SQL.refunded})`),
        ],
      },
    } as const
    return pageWithTotals<RefundProposal>(this.database, list, window)
  }

  /** What stands in the way of refunding this payment at all; null: nothing. */
  async obstacle(transaction_id: string): Promise<Obstacle | null> {
    const record = await readTransaction(this.database, transaction_id)
    return record === null
      ? { code: "TRANSACTION_NOT_FOUND", reason: messageOf("refusal.payment_gone") }
      : obstacleOf(record)
  }

  /**
   * Proposes once for a source; what a cancelled or cheaper order gives back, once for each of its payments. Asked again,
   * it answers the proposal that exists. Null when nothing is to be given back. The transaction's lock keeps two returns
   * of one line from counting the same unit.
   */
  async propose(input: NewProposal): Promise<RefundProposal | null> {
    return this.database.transaction(async (sql) => {
      const record = await lockTransaction(sql, input.transaction_id)
      const [known] = await sql.query<{ id: string }>(
        `SELECT id FROM gateway_refund_proposal
         WHERE kind = $1 AND source_id = $2 AND (transaction_id = $3 OR kind IN ('return', 'claim'))`,
        [input.kind, input.source_id, input.transaction_id]
      )
      if (known !== undefined) {
        return findProposal(sql, known.id)
      }
      return record === null ? null : insertProposal(sql, record, input)
    })
  }

  /** What would be proposed when these goods come back now; null: nothing. Nothing is written. */
  async expect(input: Parameters<typeof calculateProposal>[2]): Promise<CalculatedProposal | null> {
    const record = await readTransaction(this.database, input.transaction_id)
    const expected = record === null ? null : await calculateProposal(this.database, record, input)
    return expected === null || expected.amount === 0n ? null : expected
  }

  /**
   * Refunds a proposal once. That it is confirmed and that its refund is reserved is one transaction under the
   * payment's lock: nothing can be refunded between what was decided on and the refund. Confirmed twice, the proposal
   * that is under way answers. Errors: NOT_FOUND, INVALID_STATE_TRANSITION (dismissed; something of the payment has
   * been refunded since `refunded_minor` was read), REFUND_EXCEEDED (more than is proposed), and those of a refund.
   */
  async confirm(id: string, input: ProposalConfirmation): Promise<RefundProposal> {
    const reserved = await this.database.transaction(async (sql) => {
      const { transaction_id } = await findProposal(sql, id)
      const record = await lockTransaction(sql, transaction_id)
      const proposal = await findProposal(sql, id)
      return isUnderWay(proposal) ? null : this.reserveFor(sql, record, proposal, input)
    })
    if (reserved !== null && reserved.refund.state === "processing") {
      await this.acquirerRefunds.carryOut(reserved.refund, reserved.record)
    }
    return this.retrieve(id)
  }

  /** Stores why it was not confirmed automatically, for admins to read. */
  async note(id: string, error: Message): Promise<void> {
    await this.database.query(
      "UPDATE gateway_refund_proposal SET last_error = $2, history = history || $3::jsonb, updated_at = now() WHERE id = $1",
      [id, json(error), historyEntry(error)]
    )
  }

  /** Nothing is refunded for it. Errors: NOT_FOUND, INVALID_STATE_TRANSITION (it is refunded, or under way). */
  async dismiss(id: string, { by, name }: { by: By; name: string }): Promise<RefundProposal> {
    return this.change(id, async (sql, proposal) => {
      if (isUnderWay(proposal)) {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.proposal_confirmed"))
      }
      await this.move(sql, proposal, "dismiss", messageOf("proposal.dismissed", { name }))
      await notify(sql, proposal, "refund_proposal.dismissed", by, {})
      return findProposal(sql, id)
    })
  }

  /** `sql` holds the payment's lock. */
  private async reserveFor(
    sql: Sql,
    record: RefundableRecord | null,
    proposal: RefundProposal,
    input: ProposalConfirmation
  ) {
    const { id, transaction_id, state, tries, amount_minor } = proposal
    const { to } = refundProposalMachine.require(state, state === "open" ? "confirm" : "again")
    if (record?.refunded_minor !== input.refunded_minor) {
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.proposal_outdated"))
    }
    if (input.amount > BigInt(amount_minor)) {
      throw new GatewayError(
        "REFUND_EXCEEDED",
        messageOf("refusal.proposal_most", { amount: statedAmount(amount_minor, proposal.currency) }),
        {
          field: "amount",
        }
      )
    }
    const request = {
      transaction_id,
      amount: input.amount,
      reason: input.reason,
      requested_by: input.name,
      by: input.by,
      roles: input.roles,
      request_key: proposalKey({ id, tries: tries + 1 }),
      subject_to_approval: true,
      metadata: { proposal_id: id },
    }
    const [[reservation]] = await reserve(sql, this.acquirers, [[request]])
    if ("error" in reservation) {
      throw reservation.error
    }
    const { id: refund_id } = reservation.refund
    const entry = messageOf("proposal.confirmed", {
      amount: statedAmount(input.amount, proposal.currency),
      name: input.name,
      refund_id,
    })
    await sql.query(
      `UPDATE gateway_refund_proposal SET state = $2, confirmed_minor = $3, confirmed_by = $4, confirmed_at = now(),
         tries = tries + 1, refund_id = $5, last_error = NULL, history = history || $6::jsonb, updated_at = now()
       WHERE id = $1 AND state = $7 AND tries = $8`,
      [id, to, Number(input.amount), input.name, refund_id, historyEntry(entry), state, tries]
    )
    await notify(sql, proposal, "refund_proposal.confirmed", input.by, { amount: formatAmount(input.amount) })
    return reservation
  }

  private async change(
    id: string,
    decide: (sql: Sql, proposal: RefundProposal) => Promise<RefundProposal>
  ): Promise<RefundProposal> {
    return this.database.transaction(async (sql) => {
      const { transaction_id } = await findProposal(sql, id)
      await lockTransaction(sql, transaction_id)
      return decide(sql, await findProposal(sql, id))
    })
  }

  private async move(sql: Sql, { id, state }: RefundProposal, on: ProposalTrigger, entry: Message): Promise<void> {
    const { to } = refundProposalMachine.require(state, on)
    await sql.query(
      `UPDATE gateway_refund_proposal SET state = $2, last_error = NULL, history = history || $3::jsonb, updated_at = now()
       WHERE id = $1 AND state = $4`,
      [id, to, historyEntry(entry), state]
    )
  }
}

/** The rules of any refund, asked without making one (contract 4.8). */
function obstacleOf(record: RefundableRecord): Obstacle | null {
  try {
    decideRefund({ ...record, now: merchantNow(record) }, {})
    return null
  } catch (error) {
    if (GatewayError.is(error)) {
      return { code: error.code, reason: error.reason }
    }
    throw error
  }
}

async function notify(
  sql: Sql,
  { merchant_id, environment, id }: RefundProposal,
  action: AuditAction,
  by: By,
  after: object
): Promise<void> {
  await audit(sql, { merchant_id, environment, by, action, resource_id: id, after: after as Record<string, unknown> })
}
