import { randomBytes } from "node:crypto"
import { messageOf } from "../../../i18n/message"
import { GatewayError } from "../kernel/errors"
import type { Minor } from "../kernel/money"
import { nextAskAt } from "./remote-schedule"
import type { TransactionStatus } from "./states"
import type { Database } from "../kernel/database"
import type { Cradle } from "../kernel/types"

/** The checkout of a Medusa payment session in another deployment. Amounts in poisha. */
export type RemotePayment = {
  id: string
  provider_id: string
  payment_session_id: string
  order_id: string
  amount_minor: number
  currency: string
  /** Where the storefront wants its shopper to return. */
  return_url: string | null
  session_id: string
  transaction_id: string
  checkout_url: string
  expires_at: Date
  /** The other deployment's latest answer: for display, never for decisions about money. */
  status: TransactionStatus
  created_at: Date
  /** Since when `status` is what it is. */
  updated_at: Date
  /** Since when the other deployment answers the worker that it does not know the transaction. */
  missing_since: Date | null
}

/** A row whose checkout has not been answered yet: it cannot have been paid. */
export type ReservedRemotePayment = Omit<RemotePayment, "session_id" | "transaction_id" | "checkout_url" | "expires_at">

export type Reservation = Pick<
  RemotePayment,
  "provider_id" | "payment_session_id" | "order_id" | "currency" | "return_url"
> & {
  amount: Minor
  /** The payment session's current checkout, which has ended in the other deployment. */
  replaces: string | null
}
export type OpenedRemotely = Pick<RemotePayment, "session_id" | "transaction_id" | "checkout_url"> & {
  expires_at: string
}

const COLUMNS =
  "id, provider_id, payment_session_id, order_id, amount_minor, currency, return_url, session_id, transaction_id, checkout_url, expires_at, status, created_at, updated_at, missing_since"
const OPENED =
  "transaction_id IS NOT NULL AND session_id IS NOT NULL AND checkout_url IS NOT NULL AND expires_at IS NOT NULL"

/** Answers may arrive out of order: a later status in this order is never replaced by an earlier one. */
const ORDER_OF_STATUSES = "ARRAY['PENDING', 'EXPIRED', 'CANCELLED', 'FAILED', 'SUCCESS', 'REFUNDED']"

/**
 * How long the worker leaves a payment alone after its status has changed: the process that changed it acts on it
 * first.
 */
const GRACE = "interval '1 minute'"

/** As long as Medusa locks a cart that is being completed: afterwards a completion that failed is rolled back. */
const ROLLBACK = "interval '2 minutes'"

/**
 * How long the other deployment must answer that it does not know a payment: an operator notices a wrong key, for
 * example, sooner.
 */
const MISSING = "interval '7 days'"

/** Maps Medusa payment sessions to transactions of another deployment (docs/decisions/0035). */
export class RemotePaymentService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /** The current checkout of a payment session; null when it has none, or while one is being opened. */
  ofPaymentSession(payment_session_id: string): Promise<RemotePayment | null> {
    return this.find(`payment_session_id = $1 AND replaced_at IS NULL AND ${OPENED}`, payment_session_id)
  }

  /** Finds by the session id that the other deployment assigned. Replaced checkouts are not found. */
  bySession(session_id: string): Promise<RemotePayment | null> {
    return this.find(`session_id = $1 AND replaced_at IS NULL AND ${OPENED}`, session_id)
  }

  /** Finds by this store's own order_id. Replaced checkouts are not found. */
  byOrder(order_id: string): Promise<RemotePayment | null> {
    return this.find(`order_id = $1 AND replaced_at IS NULL AND ${OPENED}`, order_id)
  }

  /** Finds by the other deployment's transaction, replaced checkouts included. */
  byTransaction(transaction_id: string): Promise<RemotePayment | null> {
    return this.find(`transaction_id = $1 AND ${OPENED}`, transaction_id)
  }

  /** How many checkouts a payment session has had. */
  async countOf(payment_session_id: string): Promise<number> {
    const [{ count }] = await this.database.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM gateway_remote_payment WHERE payment_session_id = $1",
      [payment_session_id]
    )
    return count
  }

  /**
   * Writes the row before the checkout is requested. A checkout that was never answered is replaced too: nobody has its
   * address. Throws INVALID_STATE_TRANSITION when another request has opened a checkout for the payment session
   * meanwhile.
   */
  async reserve(request: Reservation): Promise<ReservedRemotePayment> {
    return this.database.transaction(async (sql) => {
      await sql.query(
        `UPDATE gateway_remote_payment SET replaced_at = now(), updated_at = now()
         WHERE payment_session_id = $1 AND replaced_at IS NULL AND (id = $2 OR transaction_id IS NULL)`,
        [request.payment_session_id, request.replaces]
      )
      const [row] = await sql.query<ReservedRemotePayment>(
        `INSERT INTO gateway_remote_payment (id, provider_id, payment_session_id, order_id, amount_minor, currency, return_url)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
        [
          `grp_${randomBytes(13).toString("hex")}`,
          request.provider_id,
          request.payment_session_id,
          request.order_id,
          Number(request.amount),
          request.currency,
          request.return_url,
        ]
      )
      if (row === undefined) {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.session_being_replaced"))
      }
      return row
    })
  }

  /** Binds the transaction that the other deployment created. Refuses one that belongs to another payment session. */
  async bind(id: string, opened: OpenedRemotely): Promise<RemotePayment> {
    const [row] = await this.database.query<RemotePayment>(
      `UPDATE gateway_remote_payment
       SET session_id = $2, transaction_id = $3, checkout_url = $4, expires_at = $5, updated_at = now(),
         next_ask_at = now() + ${GRACE}
       WHERE id = $1 AND transaction_id IS NULL AND replaced_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM gateway_remote_payment WHERE transaction_id = $3 OR session_id = $2)
       RETURNING ${COLUMNS}`,
      [id, opened.session_id, opened.transaction_id, opened.checkout_url, opened.expires_at]
    )
    if (row === undefined) {
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.session_replaced"))
    }
    return row
  }

  /** What the worker is to look at, the longest overdue first. */
  async due(provider_ids: readonly string[], limit: number): Promise<RemotePayment[]> {
    return this.database.query<RemotePayment>(
      `SELECT ${COLUMNS} FROM gateway_remote_payment
       WHERE provider_id = ANY($1) AND replaced_at IS NULL AND next_ask_at IS NOT NULL AND next_ask_at <= now() AND ${OPENED}
       ORDER BY next_ask_at LIMIT $2`,
      [provider_ids, limit]
    )
  }

  /** Takes a due payment and moves it to its next time; false when another process has taken it. */
  async claim(payment: RemotePayment): Promise<boolean> {
    const claimed = await this.database.query(
      `UPDATE gateway_remote_payment SET next_ask_at = $2
       WHERE id = $1 AND next_ask_at IS NOT NULL AND next_ask_at <= now() RETURNING id`,
      [payment.id, nextAskAt(payment, new Date())]
    )
    return claimed.length === 1
  }

  /** The worker's next run looks at these. */
  async askSoon(ids: readonly string[]): Promise<void> {
    await this.database.query("UPDATE gateway_remote_payment SET next_ask_at = now() WHERE id = ANY($1)", [ids])
  }

  /** Nothing is left to do, unless the status is another one by now. */
  async finish(payments: readonly Pick<RemotePayment, "id" | "status">[]): Promise<void> {
    await this.database.query(
      `UPDATE gateway_remote_payment p SET next_ask_at = NULL FROM unnest($1::text[], $2::text[]) AS done (id, status)
       WHERE p.id = done.id AND p.status = done.status`,
      [payments.map(({ id }) => id), payments.map(({ status }) => status)]
    )
  }

  /** Stores what the other deployment answered. A new status is looked at again: its order or note may be missing. */
  async answered(id: string, status: TransactionStatus): Promise<void> {
    await this.database.query(
      `UPDATE gateway_remote_payment SET status = $2, updated_at = now(), next_ask_at = now() + ${GRACE}
       WHERE id = $1 AND array_position(${ORDER_OF_STATUSES}, $2) > array_position(${ORDER_OF_STATUSES}, status)`,
      [id, status]
    )
  }

  /**
   * The other deployment does not know the transaction. True when it has answered so for a week: then nothing is left to
   * do for the worker.
   */
  async missing(id: string): Promise<boolean> {
    const [row] = await this.database.query<{ is_given_up: boolean }>(
      `UPDATE gateway_remote_payment SET missing_since = COALESCE(missing_since, now()),
         next_ask_at = CASE WHEN missing_since <= now() - ${MISSING} THEN NULL ELSE next_ask_at END
       WHERE id = $1 RETURNING next_ask_at IS NULL AS is_given_up`,
      [id]
    )
    return row?.is_given_up === true
  }

  /** The other deployment knows the transaction after all. */
  async found(id: string): Promise<void> {
    await this.database.query("UPDATE gateway_remote_payment SET missing_since = NULL WHERE id = $1", [id])
  }

  /**
   * A cart could not be completed because the other deployment did not answer. Medusa rolls back, and would give the money
   * back: it stays until the worker, which looks at it again soon, has tried once more.
   */
  async undecided(id: string): Promise<void> {
    await this.database.query(
      `UPDATE gateway_remote_payment SET undecided_at = now(), next_ask_at = LEAST(next_ask_at, now() + ${GRACE})
       WHERE id = $1`,
      [id]
    )
  }

  /** The other deployment has answered: what becomes of the cart now is an outcome. */
  async decided(id: string): Promise<void> {
    await this.database.query(
      "UPDATE gateway_remote_payment SET undecided_at = NULL WHERE id = $1 AND undecided_at IS NOT NULL",
      [id]
    )
  }

  /** Whether a cart was left without an order a moment ago only because the other deployment did not answer. */
  async isUndecided(transaction_id: string): Promise<boolean> {
    const found = await this.database.query(
      `SELECT id FROM gateway_remote_payment WHERE transaction_id = $1 AND undecided_at > now() - ${ROLLBACK}`,
      [transaction_id]
    )
    return found.length > 0
  }

  /** Whether a hint may trigger an inquiry now: once per `seconds` for each payment, across all processes. */
  async mayAsk(id: string, seconds: number): Promise<boolean> {
    const claimed = await this.database.query(
      `UPDATE gateway_remote_payment SET asked_at = now()
       WHERE id = $1 AND (asked_at IS NULL OR asked_at <= now() - $2 * interval '1 second') RETURNING id`,
      [id, seconds]
    )
    return claimed.length === 1
  }

  async mayAskAgain(id: string): Promise<void> {
    await this.database.query("UPDATE gateway_remote_payment SET asked_at = NULL WHERE id = $1", [id])
  }

  private async find(condition: string, value: string): Promise<RemotePayment | null> {
    const [row] = await this.database.query<RemotePayment>(
      `SELECT ${COLUMNS} FROM gateway_remote_payment WHERE ${condition}`,
      [value]
    )
    return row ?? null
  }
}
