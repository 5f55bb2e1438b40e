import { randomUUID } from "node:crypto"
import { messageOf, type Message } from "../../../i18n/message"
import { claimedBy, json, type Database } from "../kernel/database/database"
import type { Lease } from "../kernel/database/due-work"
import { GatewayError } from "../kernel/errors"
import type { Minor } from "../kernel/money/money"
import { newId } from "../kernel/text/ids"
import type { Cradle, Tenant } from "../kernel/types"
import { post } from "../ledger/records"
import { cashOrdered } from "../ledger/cash-rules"
import { CASH_ORDER_COLUMNS, emitCash, holdCashOrder, nowOf, type CashOrder } from "./records"
import { advanceOf, cashDue, type CashFacts } from "./rules"
import type { CashSettingService } from "./settings"
import { cashOrderMachine, type CashOrderState } from "./states"

export type NewCashOrder = Tenant & {
  currency: string
  total: Minor
  advance: Minor
  cart_id: string
  payment_session_id: string
  customer_name: string | null
  phone: string | null
  district: string | null
}

/** Longer than making an order takes; the lock of a killed run runs out. */
const LOCK_SECONDS = 120
/** Whoever authorises an order places it at once; after so long the task does it. */
const PLACE_SECONDS = 60
/** More than half an hour of failures in a row. */
const STUCK_ATTEMPTS = 5
/** How long an open order's Medusa order is not looked at again. */
const LOOK_SECONDS = 600

/** Cash orders from the payment session to the placed order (decisions: Cash on delivery). */
export class CashOrderService {
  private readonly database: Database
  private readonly settings: CashSettingService

  constructor({ database, cashSettingService }: Cradle & { cashSettingService: CashSettingService }) {
    this.database = database
    this.settings = cashSettingService
  }

  /** What an order pays online before it is placed, by the store's rules of now. */
  async advance(tenant: Tenant, phone: string | null, facts: Omit<CashFacts, "delivered" | "refused">): Promise<Minor> {
    const { rules } = await this.settings.retrieve(tenant)
    const [{ delivered, refused }] = await this.database.query<{ delivered: number; refused: number }>(
      `SELECT count(*) FILTER (WHERE state = 'collected')::int AS delivered,
              count(*) FILTER (WHERE state = 'refused')::int AS refused
       FROM gateway_cash_order WHERE merchant_id = $1 AND environment = $2 AND phone = $3 AND placed_at IS NOT NULL`,
      [tenant.merchant_id, tenant.environment, phone]
    )
    return advanceOf(rules, { ...facts, delivered, refused })
  }

  /** Opens the cash order of a payment session, or gives the one that is not authorised yet its present amounts. */
  async open(order: NewCashOrder): Promise<CashOrder> {
    const [row] = await this.database.query<CashOrder>(
      `INSERT INTO gateway_cash_order AS o (id, merchant_id, environment, currency, total_minor, advance_minor, cart_id,
         payment_session_id, customer_name, phone, district)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       ON CONFLICT (payment_session_id) DO UPDATE SET total_minor = EXCLUDED.total_minor,
         advance_minor = EXCLUDED.advance_minor, customer_name = EXCLUDED.customer_name, phone = EXCLUDED.phone,
         district = EXCLUDED.district, transaction_id = NULL, updated_at = now()
       WHERE o.state = 'placing' AND o.authorized_at IS NULL
       RETURNING ${CASH_ORDER_COLUMNS}`,
      [
        newId("gco"),
        order.merchant_id,
        order.environment,
        order.currency,
        Number(order.total),
        Number(order.advance),
        order.cart_id,
        order.payment_session_id,
        order.customer_name,
        order.phone,
        order.district,
      ]
    )
    if (row === undefined) {
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.amount_paid"))
    }
    return row
  }

  /** The checkout that takes the advance. */
  async linkCheckout(id: string, transaction_id: string): Promise<void> {
    await this.database.query(
      "UPDATE gateway_cash_order SET transaction_id = $2, updated_at = now() WHERE id = $1 AND state = 'placing'",
      [id, transaction_id]
    )
  }

  async find(id: string): Promise<CashOrder | null> {
    const [row] = await this.database.query<CashOrder>(
      `SELECT ${CASH_ORDER_COLUMNS} FROM gateway_cash_order o WHERE id = $1`,
      [id]
    )
    return row ?? null
  }

  async ofPaymentSession(payment_session_id: string | null): Promise<CashOrder | null> {
    const [row] = await this.database.query<CashOrder>(
      `SELECT ${CASH_ORDER_COLUMNS} FROM gateway_cash_order o WHERE payment_session_id = $1`,
      [payment_session_id]
    )
    return row ?? null
  }

  /**
   * What a cart must cost that this checkout is for: with an advance, more than the checkout takes; otherwise what the
   * shopper has agreed to pay, of which less may have been captured.
   */
  async cartTotal(record: {
    payment_session_id: string | null
    amount_minor: number
    authorized_minor: number | null
  }): Promise<Minor> {
    const order = await this.ofPaymentSession(record.payment_session_id)
    return BigInt(order?.total_minor ?? record.authorized_minor ?? record.amount_minor)
  }

  /** What came for those of these payment sessions whose order gets no more cash, its paid advance included. */
  async taken(payment_session_ids: readonly string[]): Promise<[string, Minor][]> {
    const rows = await this.database.query<{ id: string; minor: number }>(
      `SELECT o.payment_session_id AS id, o.collected_minor + CASE WHEN o.advance_capture_id IS NOT NULL OR t.state = 'SUCCESS'
         THEN o.advance_minor ELSE 0 END AS minor FROM gateway_cash_order o LEFT JOIN gateway_transaction t
         ON t.id = o.transaction_id WHERE o.payment_session_id = ANY($1) AND o.closed_at IS NOT NULL`,
      [[...payment_session_ids]]
    )
    return rows.map(({ id, minor }) => [id, BigInt(minor)])
  }

  /** The cash orders of a cart that its order may belong to. */
  async authorizedOfCart(cart_id: string): Promise<CashOrder[]> {
    return this.database.query<CashOrder>(
      `SELECT ${CASH_ORDER_COLUMNS} FROM gateway_cash_order o WHERE cart_id = $1 AND authorized_at IS NOT NULL`,
      [cart_id]
    )
  }

  /** The last cash order of a cart that is not placed yet. */
  async placingOfCart(cart_id: string): Promise<CashOrder | null> {
    const [row] = await this.database.query<CashOrder>(
      `SELECT ${CASH_ORDER_COLUMNS} FROM gateway_cash_order o WHERE cart_id = $1 AND state = 'placing'
       ORDER BY updated_at DESC LIMIT 1`,
      [cart_id]
    )
    return row ?? null
  }

  async ofOrder(order_id: string): Promise<CashOrder | null> {
    const [row] = await this.database.query<CashOrder>(
      `SELECT ${CASH_ORDER_COLUMNS} FROM gateway_cash_order o WHERE order_id = $1`,
      [order_id]
    )
    return row ?? null
  }

  /** Medusa makes the payment next; if the process dies before the order is placed, the task places it. */
  async authorized(order: CashOrder): Promise<void> {
    await this.database.query(
      `UPDATE gateway_cash_order SET authorized_at = COALESCE(authorized_at, $2), updated_at = now(),
         next_attempt_at = CASE WHEN state = 'placing' THEN now() + $3 * interval '1 second' ELSE next_attempt_at END
       WHERE id = $1`,
      [order.id, await nowOf(this.database, order), PLACE_SECONDS]
    )
  }

  /** The store has made the order: the cash is due. Changes nothing when it is placed already. */
  async place(
    id: string,
    placed: { order_id: string; order_number: string | null; payment_id: string }
  ): Promise<CashOrder> {
    return this.database.transaction(async (sql) => {
      const order = await holdCashOrder(sql, id)
      if (order.state !== "placing") {
        return order
      }
      const { to, emits } = cashOrderMachine.require(order.state, "place")
      const due = cashDue(order)
      const now = await nowOf(sql, order)
      const [row] = await sql.query<CashOrder>(
        `UPDATE gateway_cash_order o SET state = $2, placed_at = $3, closed_at = $4, order_id = $5, order_number = $6,
           payment_id = $7, authorized_at = COALESCE(authorized_at, $3), next_attempt_at = now(), looked_at = now(), attempts = 0,
           last_error = NULL, lock_token = NULL, locked_until = NULL, updated_at = now()
         WHERE id = $1 RETURNING ${CASH_ORDER_COLUMNS}`,
        // With an advance of the whole sum nothing is left for the door.
        [
          id,
          due === 0n ? "collected" : to,
          now,
          due === 0n ? now : null,
          placed.order_id,
          placed.order_number,
          placed.payment_id,
        ]
      )
      await emitCash(sql, emits, row, {}, now)
      await post(sql, due === 0n ? [] : [cashOrdered(order, due, now)])
      return row
    })
  }

  /** One run at a time, across all processes, makes the order or writes its captures. Null while another does. */
  async lock(id: string): Promise<string | null> {
    const token = randomUUID()
    const locked = await this.database.query(
      `UPDATE gateway_cash_order SET lock_token = $2, locked_until = now() + $3 * interval '1 second'
       WHERE id = $1 AND COALESCE(locked_until < now(), true) RETURNING id`,
      [id, token, LOCK_SECONDS]
    )
    return locked.length === 1 ? token : null
  }

  async unlock(id: string, token: string): Promise<void> {
    await this.database.query(
      "UPDATE gateway_cash_order SET lock_token = NULL, locked_until = NULL WHERE id = $1 AND lock_token = $2",
      [id, token]
    )
  }

  /**
   * Another payment of the cart is about to be taken, so no order may be made of this one any more. Null: there is none
   * to end. Throws INVALID_STATE_TRANSITION when its order is being made, or is made.
   */
  async giveWay(payment_session_id: string): Promise<CashOrder | null> {
    return this.database.transaction(async (sql) => {
      const [held] = await sql.query<{ id: string; state: CashOrderState; is_locked: boolean }>(
        `SELECT id, state, COALESCE(locked_until >= now(), false) AS is_locked FROM gateway_cash_order
         WHERE payment_session_id = $1 FOR UPDATE`,
        [payment_session_id]
      )
      if (held === undefined || held.state === "cancelled") {
        return null
      }
      if (held.is_locked || held.state !== "placing") {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.cart_paid_otherwise"))
      }
      const { to } = cashOrderMachine.require(held.state, "cancel")
      const [row] = await sql.query<CashOrder>(
        `UPDATE gateway_cash_order o SET state = $2, closed_at = now(), next_attempt_at = now(), attempts = 0,
           updated_at = now() WHERE id = $1 RETURNING ${CASH_ORDER_COLUMNS}`,
        [held.id, to]
      )
      return row
    })
  }

  /** Orders of which Medusa does not show everything yet. A claim moves the due time: it is a lease. */
  async claim(limit: number, lease: Lease): Promise<CashOrder[]> {
    return this.database.query<CashOrder>(
      `UPDATE gateway_cash_order o SET next_attempt_at = now() + $2 * interval '1 second', updated_at = now()
       WHERE id ${claimedBy(`SELECT id FROM gateway_cash_order WHERE next_attempt_at <= now()
                    ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED`)}
       RETURNING ${CASH_ORDER_COLUMNS}`,
      [limit, lease.seconds]
    )
  }

  /**
   * Open orders whose Medusa order was not looked at for some minutes, those first that wait longest; each is claimed by
   * being looked at.
   */
  async toLookAt(limit: number): Promise<CashOrder[]> {
    return this.database.query<CashOrder>(
      `UPDATE gateway_cash_order o SET looked_at = now()
       WHERE id ${claimedBy(`SELECT id FROM gateway_cash_order
                    WHERE state IN ('due', 'part_collected') AND looked_at < now() - $2 * interval '1 second'
                    ORDER BY looked_at LIMIT $1 FOR UPDATE SKIP LOCKED`)}
       RETURNING ${CASH_ORDER_COLUMNS}`,
      [limit, LOOK_SECONDS]
    )
  }

  /** Medusa shows everything of it: `seen` is the state in which it was compared. */
  async settled(seen: CashOrder): Promise<void> {
    await this.database.query(
      `UPDATE gateway_cash_order SET next_attempt_at = NULL, attempts = 0, last_error = NULL, stuck_since = NULL, updated_at = now()
       WHERE id = $1 AND state = $2 AND collected_minor = $3
         AND NOT EXISTS (SELECT 1 FROM gateway_cash_collection c WHERE c.cash_order_id = $1 AND c.capture_id IS NULL)
         AND NOT EXISTS (SELECT 1 FROM gateway_cash_refund r WHERE r.cash_order_id = $1 AND r.state = 'open')`,
      [seen.id, seen.state, seen.collected_minor]
    )
  }

  /** After a few of them an admin is told; the task goes on trying. */
  async failed(id: string, reason: Message, retry_seconds: number | null): Promise<void> {
    await this.database.query(
      `UPDATE gateway_cash_order SET attempts = attempts + 1, last_error = $2, updated_at = now(),
         next_attempt_at = now() + $3 * interval '1 second',
         stuck_since = CASE WHEN state <> 'placing' AND attempts + 1 >= $4 THEN COALESCE(stuck_since, now()) END
       WHERE id = $1`,
      [id, json(reason), retry_seconds, STUCK_ATTEMPTS]
    )
  }
}
