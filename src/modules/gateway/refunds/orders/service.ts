import { ADVISORY_LOCKS, type Database, json } from "../../kernel/database/database"
import { type HistoryEntry, historyEntry } from "../../kernel/database/audit"
import { messageOf, type Message } from "../../../../i18n/message"
import { MEDUSA_KEY, MEDUSA_SECONDS } from "./rules"
import type { Failure, Lease } from "../../kernel/database/due-work"
import { orderRefundMachine, type OrderRefundState, type OrderRefundTrigger } from "./states"
import type { RefundState } from "../states"
import { GatewayError } from "../../kernel/errors"
import type { Cradle, Tenant } from "../../kernel/types"

/** A refund of a cart's payment, and its sync state on the order. Amounts in hundredths of the payment's currency. */
export type OrderRefund = Tenant & {
  refund_id: string
  transaction_id: string
  origin: "gateway" | "medusa"
  state: OrderRefundState
  medusa_refund_id: string | null
  order_id: string | null
  credit_minor: number | null
  attempts: number
  revision: number
  last_error: Message | null
  history: HistoryEntry[]
  refund_state: RefundState
  amount_minor: number
  /** What Medusa's refund gives back beside it, in cash. */
  cash_minor: number
  currency: string
  reason: string
  requested_by: string
  request_key: string | null
  error_message: string | null
  cart_id: string | null
  /** Null while the cart of a renewal is not ready to become its order. */
  payment_session_id: string | null
  created_at: Date
}

/** Claimed by this process under `lock_token`. */
export type ClaimedOrderRefund = OrderRefund & { lock_token: string }

const COLUMNS = `o.refund_id, o.transaction_id, o.merchant_id, o.environment, o.origin, o.state, o.medusa_refund_id, o.order_id,
  o.credit_minor, o.attempts, o.revision, o.last_error, o.history, o.created_at, r.state AS refund_state, r.amount_minor,
  r.currency, r.reason, r.requested_by, r.request_key, r.error_message, s.cart_id, s.payment_session_id,
  COALESCE((SELECT c.cash_minor FROM gateway_cash_refund c
    WHERE c.medusa_refund_id = o.medusa_refund_id AND c.state <> 'failed'), 0) AS cash_minor`

const JOINS = `JOIN gateway_refund r ON r.id = o.refund_id JOIN gateway_transaction t ON t.id = o.transaction_id
  JOIN gateway_checkout_session s ON s.id = t.session_id`

/** What has to be done so that Medusa's orders show the gateway's refunds (decisions: Refunds). */
export class OrderRefundService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /** Newest first; those, too, that the order does not show yet. */
  async ofOrder(order_id: string): Promise<OrderRefund[]> {
    const paid = "SELECT c.transaction_id FROM gateway_cart_completion c WHERE c.order_id = $1"
    return this.select(`o.order_id = $1 OR o.transaction_id IN (${paid})`, [order_id])
  }

  async ofTransaction(transaction_id: string): Promise<OrderRefund[]> {
    return this.select("o.transaction_id = $1", [transaction_id])
  }

  async find(refund_id: string): Promise<OrderRefund | null> {
    const [row] = await this.select("o.refund_id = $1", [refund_id])
    return row ?? null
  }

  /**
   * Claims what is due by a lease, at most one of each payment: two at once would both count the same debt of the
   * store. `only` claims this one, due or not.
   */
  async claim(limit: number, lease: Lease, only?: { refund_id: string }): Promise<ClaimedOrderRefund[]> {
    return this.database.transaction(async (sql) => {
      await sql.query(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.orderRefundClaims})`)
      return sql.query<ClaimedOrderRefund>(
        `WITH due AS (
           SELECT DISTINCT ON (transaction_id) id, next_attempt_at FROM gateway_order_refund o
           WHERE next_attempt_at IS NOT NULL AND ($4::text IS NULL AND next_attempt_at <= now() OR refund_id = $4)
             AND NOT EXISTS (SELECT 1 FROM gateway_order_refund x
                             WHERE x.transaction_id = o.transaction_id AND x.locked_until > now())
           ORDER BY transaction_id, next_attempt_at, created_at),
         claimed AS (
           UPDATE gateway_order_refund SET lock_token = $2, locked_until = now() + $3 * interval '1 second', updated_at = now()
           WHERE id IN (SELECT id FROM due ORDER BY next_attempt_at LIMIT $1) RETURNING *)
         SELECT ${COLUMNS}, o.lock_token FROM claimed o ${JOINS}`,
        [limit, lease.token, lease.seconds, only?.refund_id ?? null]
      )
    })
  }

  /**
   * Which of these Medusa refunds of the gateway's payments the gateway knows nothing of: it was never asked for them.
   */
  async neverAskedFor(refunds: readonly { id: string; payment_session_id: string }[]): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT asked.id FROM unnest($1::text[], $2::text[]) AS asked (id, payment_session_id)
       LEFT JOIN gateway_checkout_session s ON s.payment_session_id = asked.payment_session_id
       LEFT JOIN gateway_transaction t ON t.session_id = s.id
       WHERE (t.id IS NOT NULL
           OR EXISTS (SELECT 1 FROM gateway_cash_order c WHERE c.payment_session_id = asked.payment_session_id))
         AND NOT EXISTS (SELECT 1 FROM gateway_order_refund o WHERE o.medusa_refund_id = asked.id)
         AND NOT EXISTS (SELECT 1 FROM gateway_refund r WHERE r.transaction_id = t.id AND r.request_key = $3 || asked.id)
         AND NOT EXISTS (SELECT 1 FROM gateway_cash_refund c WHERE c.medusa_refund_id = asked.id AND c.state <> 'failed')`,
      [refunds.map(({ id }) => id), refunds.map(({ payment_session_id }) => payment_session_id), MEDUSA_KEY]
    )
    return rows.map(({ id }) => id)
  }

  /** Refunds of the payment that Medusa may still be writing to the order at this moment. */
  async underWay(transaction_id: string, except: string): Promise<number> {
    const [{ count }] = await this.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM gateway_order_refund
       WHERE transaction_id = $1 AND refund_id <> $2 AND origin = 'medusa' AND created_at > now() - $3 * interval '1 second'`,
      [transaction_id, except, MEDUSA_SECONDS]
    )
    return count
  }

  /**
   * This Medusa refund is the one that shows the gateway's, in place of `expected`, which is gone. False when another
   * came first. A unique index: one Medusa refund shows at most one refund of the gateway.
   */
  async link(refund_id: string, medusa_refund_id: string, expected: string | null): Promise<boolean> {
    const linked = await this.database.query(
      `UPDATE gateway_order_refund SET medusa_refund_id = $2, updated_at = now()
       WHERE refund_id = $1 AND (medusa_refund_id IS NOT DISTINCT FROM $3 OR medusa_refund_id = $2) RETURNING id`,
      [refund_id, medusa_refund_id, expected]
    )
    return linked.length === 1
  }

  /**
   * Stores by how much the order's total must fall, once: later calls return the first amount. In hundredths of the
   * payment's currency.
   */
  async decideCredit(claim: ClaimedOrderRefund, order_id: string, credit_minor: number): Promise<number> {
    const [row] = await this.database.query<{ credit_minor: number }>(
      `UPDATE gateway_order_refund SET credit_minor = COALESCE(credit_minor, $3), order_id = $4, updated_at = now()
       WHERE refund_id = $1 AND lock_token = $2 RETURNING credit_minor`,
      [claim.refund_id, claim.lock_token, credit_minor, order_id]
    )
    if (row === undefined) {
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.refund_processed_elsewhere"))
    }
    return row.credit_minor
  }

  /**
   * Ends the work of a claim. The row is due again after `again_in` seconds; null: only when its refund changes. If the
   * refund has changed since it was claimed, the row stays due at once. Nothing is written when another process has
   * claimed it meanwhile.
   */
  async finish(
    claim: ClaimedOrderRefund,
    {
      on,
      history_entry,
      order_id,
      again_in,
    }: { on: OrderRefundTrigger; history_entry: Message | null; order_id: string | null; again_in: number | null }
  ): Promise<void> {
    const { to } = orderRefundMachine.require(claim.state, on)
    const entries = history_entry === null ? "[]" : historyEntry(history_entry)
    await this.database.query(
      `UPDATE gateway_order_refund SET state = $3, order_id = COALESCE($4, order_id), attempts = 0, last_error = NULL,
         next_attempt_at = CASE WHEN revision = $5 THEN now() + $6::int * interval '1 second' ELSE next_attempt_at END,
         history = history || $7::jsonb, lock_token = NULL, locked_until = NULL, updated_at = now()
       WHERE refund_id = $1 AND lock_token = $2`,
      [claim.refund_id, claim.lock_token, to, order_id, claim.revision, again_in, entries]
    )
  }

  /** It could not be done yet, for a reason that an admin may read. */
  async failed(claim: ClaimedOrderRefund, { reason, retry_seconds }: Failure): Promise<void> {
    await this.putOff(claim, retry_seconds, reason)
  }

  /** It is too early: nothing went wrong. */
  async putOff(claim: ClaimedOrderRefund, seconds: number | null, error: Message | null = null): Promise<void> {
    await this.database.query(
      `UPDATE gateway_order_refund SET attempts = attempts + $5, last_error = COALESCE($4, last_error),
         next_attempt_at = now() + $3::int * interval '1 second', lock_token = NULL, locked_until = NULL, updated_at = now()
       WHERE refund_id = $1 AND lock_token = $2`,
      [claim.refund_id, claim.lock_token, seconds, json(error), error === null ? 0 : 1]
    )
  }

  private async select(condition: string, values: readonly unknown[]): Promise<OrderRefund[]> {
    return this.database.query<OrderRefund>(
      `SELECT ${COLUMNS} FROM gateway_order_refund o ${JOINS} WHERE ${condition} ORDER BY o.created_at DESC, o.refund_id`,
      values
    )
  }
}
