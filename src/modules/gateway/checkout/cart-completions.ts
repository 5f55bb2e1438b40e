import { type Message, messageOf } from "../../../i18n/message"
import { COMPLETION_COLUMNS, type CartCompletion, type Completion, showBy } from "./records"
import { cartCompletionMachine, type CartCompletionState } from "./cart-completion-states"
import { DUE_WORK, type Lease } from "../kernel/database/due-work"
import { COMPLETION_SECONDS } from "../kernel/money/retry-schedule"
import { GatewayError } from "../kernel/errors"
import { claimedBy, json, type Database, type Sql } from "../kernel/database/database"
import { Conditions } from "../kernel/database/conditions"
import { idsAndPayments } from "../kernel/database/numbered-lists"
import { pageOf, type Page, type Window } from "../kernel/database/paging"
import { notifyUndelivered, queueOrderHook } from "../subscriptions/store/renewal-orders"
import type { Cradle, Tenant } from "../kernel/types"
import type { StorePurchaseService } from "../subscriptions/store/purchases"

type CompletionChange = {
  state: CartCompletionState
  entry: Message
  order_id?: string
  refund_id?: string
  error?: Message
  retry_seconds?: number
}

/** An order of the store, as documents show it. `tax_minor`: the tax that its total contains. */
export type MadeOrder = { order_id: string; order_number: string | null; tax_minor: number | null }

type CompletionFilter = {
  /** The id of a transaction or a cart, or the number or id of an order. */
  q?: string
  states?: readonly CartCompletionState[]
  from?: Date
  to?: Date
  order: { descending: boolean }
}
export type ListedCompletion = Completion & { created_at: Date }

/** The history begins with the payment; all its times are on the merchant's clock. */
const PAID_AT = "COALESCE((c.history -> 0 ->> 'at')::timestamptz, c.created_at)"

/** What becomes of paid Medusa carts: an order, or the money back; `history` is what an admin reads. */
export class CartCompletionService {
  private readonly database: Database
  private readonly purchases: StorePurchaseService

  constructor({ database, storePurchaseService }: Cradle & { storePurchaseService: StorePurchaseService }) {
    this.database = database
    this.purchases = storePurchaseService
  }

  /** The admin's list. */
  async list(tenant: Tenant, filter: CompletionFilter, window: Window): Promise<Page<ListedCompletion>> {
    const conditions = new Conditions("c.merchant_id = ? AND c.environment = ?", tenant.merchant_id, tenant.environment)
    if (filter.q !== undefined) {
      const found = await idsAndPayments(this.database, tenant, filter.q)
      conditions.add("(c.transaction_id = ANY(?) OR c.cart_id = ANY(?) OR c.order_id = ANY(?))", found, found, found)
    }
    conditions.oneOf("c.state", filter.states).during(filter, PAID_AT, "c.created_at", tenant)
    const direction = filter.order.descending ? "DESC" : "ASC"
    const { where, values } = conditions
    const order = `c.created_at ${direction}, c.id ${direction}`
    const columns = `${COMPLETION_COLUMNS}, ${PAID_AT} AS created_at`
    return pageOf(
      this.database,
      { table: "gateway_cart_completion c", where, values, order, key: "c.created_at, c.id", columns },
      window
    )
  }

  async find(transaction_id: string): Promise<Completion | null> {
    const [row] = await this.database.query<Completion>(
      `SELECT ${COMPLETION_COLUMNS} FROM gateway_cart_completion WHERE transaction_id = $1`,
      [transaction_id]
    )
    return row ?? null
  }

  /** The paid transaction for which the cart still waits to become an order. */
  async findWaiting(cart_id: string): Promise<CartCompletion | null> {
    return (await this.findUnordered(cart_id)).find(({ state }) => state === "waiting") ?? null
  }

  /** The paid transactions of the cart that have no order yet, and may get one; those that wait for it come first. */
  async findUnordered(cart_id: string): Promise<CartCompletion[]> {
    return this.database.query<CartCompletion>(
      `SELECT ${COMPLETION_COLUMNS} FROM gateway_cart_completion WHERE cart_id = $1 AND state IN ('waiting', 'needs_attention')
       ORDER BY state DESC, created_at`,
      [cart_id]
    )
  }

  /** Its state is the fence: a process that has lost the lease finds the state changed, or the cart locked. */
  async claim(limit: number, lease: Lease): Promise<Completion[]> {
    return this.database.query<Completion>(
      `UPDATE gateway_cart_completion SET next_attempt_at = now() + $2 * interval '1 second', updated_at = now()
       WHERE id ${claimedBy(`SELECT id FROM gateway_cart_completion WHERE next_attempt_at <= now()
                    ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED`)}
       RETURNING ${COMPLETION_COLUMNS}`,
      [limit, lease.seconds]
    )
  }

  /**
   * Grants one run at a time, across all processes, the right to make the order: Medusa's own lock lives in memory by
   * default. The run releases it with its token; the right of a killed run expires. False when another run has it, or
   * when there is nothing to complete.
   */
  async lock(transaction_id: string, token: string): Promise<boolean> {
    const locked = await this.database.query(
      `UPDATE gateway_cart_completion
       SET lock_token = $2, locked_until = now() + $3 * interval '1 second', updated_at = now()
       WHERE transaction_id = $1 AND state IN ('waiting', 'needs_attention')
         AND (locked_until IS NULL OR locked_until <= now()) RETURNING id`,
      [transaction_id, token, DUE_WORK.paidCart.leaseSeconds]
    )
    return locked.length === 1
  }

  async unlock(transaction_id: string, token: string): Promise<void> {
    await this.database.query(
      `UPDATE gateway_cart_completion SET lock_token = NULL, locked_until = NULL, updated_at = now()
       WHERE transaction_id = $1 AND lock_token = $2`,
      [transaction_id, token]
    )
  }

  /**
   * Binds Medusa's payment session of a renewal's cart to the money that was charged. Returns the payment's session.
   * Null when the cart is no renewal that waits for its order, or when the amount differs.
   */
  async adopt(cart_id: string, payment_session_id: string, amount: bigint): Promise<string | null> {
    return this.database.transaction(async (sql) => {
      const [row] = await sql.query<{ id: string; session_id: string }>(
        `SELECT c.id, c.session_id FROM gateway_cart_completion c JOIN gateway_transaction t ON t.id = c.transaction_id
         WHERE c.cart_id = $1 AND c.period IS NOT NULL AND c.state = 'waiting' AND t.state = 'SUCCESS' AND t.amount_minor = $2
           AND t.refunded_minor < t.amount_minor
         FOR UPDATE OF c`,
        [cart_id, amount]
      )
      if (row === undefined) {
        return null
      }
      await showBy(sql, row.session_id, payment_session_id)
      return row.session_id
    })
  }

  /**
   * Records the order of the cart with the number that its shop shows and the tax that it contains, and begins the
   * subscriptions of lines sold on a plan. Idempotent.
   */
  async ordered(transaction_id: string, { order_id, order_number, tax_minor }: MadeOrder): Promise<Completion> {
    return this.change(transaction_id, async (sql, row) => {
      if (row.state === "ordered") {
        return row
      }
      cartCompletionMachine.require(row.state, "order")
      const entry = messageOf(row.cart_id === null ? "balance.recorded" : "cart.ordered", { order_id })
      await this.purchases.begin(sql, transaction_id, order_id)
      await queueOrderHook(sql, row, order_id)
      await sql.query(
        `UPDATE gateway_checkout_session SET order_number = COALESCE($2, order_number), tax_minor = $3, updated_at = now()
         WHERE id = $1`,
        [row.session_id, order_number, tax_minor]
      )
      return this.write(sql, row, { state: "ordered", order_id, entry })
    })
  }

  /** One try failed: another one later, or, when they are used up, the money goes back; never while someone is trying. */
  async failed(transaction_id: string, error: Message): Promise<Completion> {
    return this.change(transaction_id, async (sql, row) => {
      if (row.state !== "waiting" || row.locked) {
        return row
      }
      const seconds = COMPLETION_SECONDS.after(row.attempts)
      const state = seconds === null ? cartCompletionMachine.require(row.state, "give_back").to : row.state
      return this.write(sql, row, {
        state,
        error,
        entry: messageOf("cart.no_order", { why: error }),
        retry_seconds: seconds ?? 0,
      })
    })
  }

  /**
   * Whether another try may still make the order if the caller's try fails: one that runs now and holds the lock, or a
   * later one.
   */
  isTriedOtherwise({ state, attempts, locked }: Completion): boolean {
    return state === "waiting" && (locked || COMPLETION_SECONDS.after(attempts) !== null)
  }

  /** No order can come of the cart any more (it changed, it is gone): the money goes back without another try. */
  async giveBack(transaction_id: string, reason: Message): Promise<Completion> {
    return this.change(transaction_id, async (sql, row) => {
      if (row.state !== "waiting" || row.locked) {
        return row
      }
      const { to } = cartCompletionMachine.require(row.state, "give_back")
      return this.write(sql, row, {
        state: to,
        error: reason,
        entry: messageOf("cart.giving_back", { why: reason }),
        retry_seconds: 0,
      })
    })
  }

  /** Records the refund of all of the money. Idempotent: two runs may give it back at once. */
  async givenBack(transaction_id: string, refund_id: string | null): Promise<Completion> {
    return this.change(transaction_id, async (sql, row) => {
      if (row.state === "given_back") {
        return row
      }
      const { to } = cartCompletionMachine.require(row.state, "refunded")
      await notifyUndelivered(sql, row)
      const entry = refund_id === null ? messageOf("cart.released") : messageOf("cart.given_back", { refund_id })
      return this.write(sql, row, { state: to, refund_id: refund_id ?? undefined, entry })
    })
  }

  /** Postpones the next try by `seconds`. */
  async putOff(transaction_id: string, seconds: number): Promise<void> {
    await this.database.query(
      `UPDATE gateway_cart_completion SET next_attempt_at = now() + $2 * interval '1 second', updated_at = now()
       WHERE transaction_id = $1 AND next_attempt_at IS NOT NULL`,
      [transaction_id, seconds]
    )
  }

  /** The gateway could not give the money back: an admin has to. */
  async needsAttention(transaction_id: string, error: Message): Promise<Completion> {
    return this.change(transaction_id, async (sql, row) => {
      const { to } = cartCompletionMachine.require(row.state, "give_up")
      return this.write(sql, row, { state: to, error, entry: messageOf("cart.needs_attention", { why: error }) })
    })
  }

  private async change(
    transaction_id: string,
    decide: (sql: Sql, row: Completion) => Promise<Completion>
  ): Promise<Completion> {
    return this.database.transaction(async (sql) => {
      const [row] = await sql.query<Completion>(
        `SELECT ${COMPLETION_COLUMNS} FROM gateway_cart_completion WHERE transaction_id = $1 FOR UPDATE`,
        [transaction_id]
      )
      if (row === undefined) {
        throw new GatewayError("TRANSACTION_NOT_FOUND")
      }
      return decide(sql, row)
    })
  }

  private async write(sql: Sql, row: Completion, change: CompletionChange): Promise<Completion> {
    const { state, order_id = null, refund_id = null, error, entry, retry_seconds = null } = change
    const [written] = await sql.query<Completion>(
      `UPDATE gateway_cart_completion c SET state = $2, order_id = COALESCE($3, order_id),
         refund_id = COALESCE($4, refund_id), last_error = COALESCE($5, last_error), attempts = attempts + 1,
         next_attempt_at = now() + $6::int * interval '1 second', lock_token = NULL, locked_until = NULL, updated_at = now(),
         history = history || ($7::jsonb || jsonb_build_object('at', $8::timestamptz + (
           SELECT clock_offset_seconds * interval '1 second' FROM gateway_merchant_environment e
           WHERE e.merchant_id = c.merchant_id AND e.environment = c.environment)))
       WHERE id = $1 RETURNING ${COMPLETION_COLUMNS}`,
      [row.id, state, order_id, refund_id, json(error), retry_seconds, json(entry), new Date()]
    )
    return written
  }
}
