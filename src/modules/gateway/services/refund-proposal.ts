import { audit, type By } from "../audit"
import { GatewayError, type ErrorCode } from "../domain/errors"
import { formatAmount, type Minor } from "../domain/money"
import { isUnderWay, type ProposalStatus } from "../domain/refund-proposal"
import { decideRefund } from "../domain/refund-rules"
import { refundProposalMachine, type ProposalTrigger } from "../domain/state-machines/refund-proposal"
import type { Database, Sql } from "../database"
import { Conditions, pageOf, type Page, type Window } from "../paging"
import { merchantNow } from "../records"
import type { Cradle, Tenant } from "../types"
import { insertProposal, type NewProposal } from "./proposals/propose"
import {
  entry,
  findProposal,
  PROPOSAL_COLUMNS,
  PROPOSAL_JOIN,
  STATUS_SQL,
  type RefundProposal,
} from "./proposals/record"
import { lockTransaction, readTransaction, type RefundableRecord } from "./refunds/record"

/** `q` is the id of a proposal, an order, a transaction or a return. */
export type ProposalFilter = { status?: readonly ProposalStatus[]; q?: string; from?: Date; to?: Date }

/** A confirmation that has no refund after this time was cut off, and is carried on. */
const CUT_OFF_SECONDS = 60

/** Refunds that returns, claims and cancellations ask for, until somebody confirms or dismisses them (decisions: Refunds). */
export class RefundProposalService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
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
      conditions.add("(p.id = ? OR p.order_id = ? OR p.transaction_id = ? OR p.return_id = ?)", q, q, q, q)
    }
    if (status !== undefined) {
      conditions.add(`(${status.map((one) => `(${STATUS_SQL[one]})`).join(" OR ")})`)
    }
    const { where, values } = conditions.when(from, "p.created_at >= ?").when(to, "p.created_at < ?")
    const order = "p.created_at DESC, p.id DESC"
    const list = { table: "gateway_refund_proposal p", where, values, order, columns: PROPOSAL_COLUMNS, join: PROPOSAL_JOIN } as const
    return pageOf<RefundProposal>(this.database, list, window)
  }

  /** What stands in the way of refunding this payment at all; null: nothing. */
  async obstacle(transaction_id: string): Promise<{ code: ErrorCode; message: string } | null> {
    const record = await readTransaction(this.database, transaction_id)
    return record === null ? { code: "TRANSACTION_NOT_FOUND", message: "The payment is gone" } : obstacleOf(record)
  }

  /**
   * Proposes once for a source: asked again, it answers the proposal that exists. Null when nothing is to be given
   * back. The transaction's lock keeps two returns of one line from counting the same unit.
   */
  async propose(input: NewProposal): Promise<RefundProposal | null> {
    return this.database.transaction(async (sql) => {
      const record = await lockTransaction(sql, input.transaction_id)
      const [known] = await sql.query<{ id: string }>(
        "SELECT id FROM gateway_refund_proposal WHERE kind = $1 AND source_id = $2",
        [input.kind, input.source_id]
      )
      if (known !== undefined) {
        return findProposal(sql, known.id)
      }
      return record === null ? null : insertProposal(sql, record, input)
    })
  }

  /**
   * The right to refund a proposal, and the key its refund goes by: the same one until that refund has failed, so
   * confirming twice refunds once. Errors: NOT_FOUND, INVALID_STATE_TRANSITION (dismissed; something of the payment
   * has been refunded since `refunded_minor` was read), REFUND_EXCEEDED (more than is proposed).
   */
  async confirm(id: string, input: { amount: Minor; refunded_minor: number; by: By; name: string }): Promise<RefundProposal> {
    return this.change(id, async (sql, proposal) => {
      if (isUnderWay(proposal)) {
        return proposal
      }
      const { to } = refundProposalMachine.require(proposal.state, proposal.state === "open" ? "confirm" : "again")
      await requireStillThere(sql, proposal, input.refunded_minor)
      if (input.amount > BigInt(proposal.amount_minor)) {
        throw new GatewayError("REFUND_EXCEEDED", `At most ${formatAmount(proposal.amount_minor)} is proposed`, { field: "amount" })
      }
      await sql.query(
        `UPDATE gateway_refund_proposal SET state = $2, confirmed_minor = $3, confirmed_by = $4, confirmed_at = now(),
           tries = tries + 1, refund_id = NULL, last_error = NULL, history = history || $5::jsonb, updated_at = now() WHERE id = $1`,
        [id, to, Number(input.amount), input.name, entry(`${formatAmount(input.amount)} confirmed by ${input.name}`)]
      )
      await tell(sql, proposal, "refund_proposal.confirmed", input.by, { amount: formatAmount(input.amount) })
      return findProposal(sql, id)
    })
  }

  /** The refund of a confirmed proposal. Said twice, it stays said. */
  async refunded({ id, tries }: RefundProposal, refund_id: string): Promise<RefundProposal> {
    await this.database.query(
      `UPDATE gateway_refund_proposal SET refund_id = $3, history = history || $4::jsonb, updated_at = now()
       WHERE id = $1 AND tries = $2 AND state = 'confirmed' AND refund_id IS NULL`,
      [id, tries, refund_id, entry(`refund ${refund_id}`)]
    )
    return this.retrieve(id)
  }

  /** The gateway would not make the refund: the proposal is open again, and says why. */
  async refused({ id, tries }: RefundProposal, error: string): Promise<void> {
    await this.change(id, async (sql, proposal) => {
      if (proposal.tries === tries && proposal.refund_id === null && proposal.state === "confirmed") {
        await this.move(sql, proposal, "refuse", { error, what: `not refunded: ${error}` })
      }
      return proposal
    })
  }

  /** Why it was not confirmed by itself: an admin reads it. */
  async note(id: string, error: string): Promise<void> {
    await this.database.query(
      "UPDATE gateway_refund_proposal SET last_error = $2, history = history || $3::jsonb, updated_at = now() WHERE id = $1",
      [id, error, entry(error)]
    )
  }

  /** Nothing is refunded for it. Errors: NOT_FOUND, INVALID_STATE_TRANSITION (it is refunded, or under way). */
  async dismiss(id: string, { by, name }: { by: By; name: string }): Promise<RefundProposal> {
    return this.change(id, async (sql, proposal) => {
      if (isUnderWay(proposal)) {
        throw new GatewayError("INVALID_STATE_TRANSITION", "The proposal is confirmed: its refund is made, or under way")
      }
      await this.move(sql, proposal, "dismiss", { error: null, what: `dismissed by ${name}` })
      await tell(sql, proposal, "refund_proposal.dismissed", by, {})
      return findProposal(sql, id)
    })
  }

  /** Confirmed, and cut off before the refund was made or noted. */
  async cutOff(limit: number): Promise<RefundProposal[]> {
    return this.database.query(
      `SELECT ${PROPOSAL_COLUMNS} FROM gateway_refund_proposal p ${PROPOSAL_JOIN}
       WHERE p.state = 'confirmed' AND p.refund_id IS NULL AND p.confirmed_at <= now() - $2 * interval '1 second'
       ORDER BY p.confirmed_at LIMIT $1`,
      [limit, CUT_OFF_SECONDS]
    )
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

  private async move(
    sql: Sql,
    { id, state }: RefundProposal,
    on: ProposalTrigger,
    { error, what }: { error: string | null; what: string }
  ): Promise<void> {
    const { to } = refundProposalMachine.require(state, on)
    await sql.query(
      `UPDATE gateway_refund_proposal SET state = $2, last_error = $3, history = history || $4::jsonb, updated_at = now()
       WHERE id = $1 AND state = $5`,
      [id, to, error, entry(what), state]
    )
  }
}

/**
 * Between what was decided on and the lock something may have been refunded, or another proposal of the payment may be
 * on its way to its refund: then the amount has to be decided anew.
 */
async function requireStillThere(sql: Sql, { id, transaction_id }: RefundProposal, refunded_minor: number): Promise<void> {
  const record = await readTransaction(sql, transaction_id)
  const others = await sql.query(
    "SELECT 1 FROM gateway_refund_proposal WHERE transaction_id = $1 AND id <> $2 AND state = 'confirmed' AND refund_id IS NULL",
    [transaction_id, id]
  )
  if (record?.refunded_minor !== refunded_minor || others.length > 0) {
    throw new GatewayError("INVALID_STATE_TRANSITION", "Another refund of this payment is being made; try again in a moment")
  }
}

/** The rules of any refund, asked without making one (contract 4.8). */
function obstacleOf(record: RefundableRecord): { code: ErrorCode; message: string } | null {
  try {
    decideRefund({ ...record, now: merchantNow(record) }, {})
    return null
  } catch (error) {
    if (GatewayError.is(error)) {
      return { code: error.code, message: error.message }
    }
    throw error
  }
}

async function tell(sql: Sql, { merchant_id, environment, id }: RefundProposal, action: string, by: By, after: object): Promise<void> {
  await audit(sql, { merchant_id, environment, by, action, resource_id: id, after: after as Record<string, unknown> })
}
