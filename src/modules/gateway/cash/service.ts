import { messageOf } from "../../../i18n/message"
import { actorOf, audit, type By } from "../kernel/database/audit"
import type { Database, Sql } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import { formatAmount, statedAmount, type Minor } from "../kernel/money/money"
import type { Cradle, Tenant } from "../kernel/types"
import { post } from "../ledger/records"
import { cashChanged, cashCollected, cashGivenUp } from "../ledger/cash-rules"
import type { RefundPreviewService } from "../refunds/preview"
import {
  CASH_ORDER_COLUMNS,
  COLLECTION_COLUMNS,
  emitCash,
  holdCashOrder,
  insertCollection,
  nowOf,
  type CashCollection,
  type CashOrder,
  type NewCollection,
} from "./records"
import { cashDue, orderChange, type CashSettings } from "./rules"
import type { CashSettingService } from "./settings"
import { CASH_OPEN, cashOrderMachine } from "./states"

export type GivenUp = { note: string | null; advance?: CashSettings["refused_advance"] }

export type Collected = { order: CashOrder; collection: CashCollection; is_new: boolean }

type Ending = Pick<CashOrder, "advance_back" | "goods_back" | "ended_by">

/** The store's own order has ended: what becomes of its money and goods is decided there. */
const STORE_ENDS: Ending = { advance_back: false, goods_back: false, ended_by: null }

/** Cash that came or does not come (decisions: Cash on delivery). Medusa's order follows after COMMIT. */
export class CashService {
  private readonly database: Database
  private readonly settings: CashSettingService
  private readonly refundPreviews: RefundPreviewService

  constructor({
    database,
    cashSettingService,
    refundPreviewService,
  }: Cradle & { cashSettingService: CashSettingService; refundPreviewService: RefundPreviewService }) {
    this.database = database
    this.settings = cashSettingService
    this.refundPreviews = refundPreviewService
  }

  /**
   * Records cash that came. Errors: CASH_ORDER_NOT_FOUND, INVALID_STATE_TRANSITION (nothing is due), CASH_EXCEEDED. With
   * a known `request_key` it answers what that one recorded.
   */
  async collect(id: string, input: NewCollection, by: By & Partial<Tenant>): Promise<Collected> {
    return this.database.transaction(async (sql) => {
      const order = await holdCashOrder(sql, id, tenantOf(by))
      const known = await this.byKey(sql, order, input.request_key)
      if (known !== null && known.cash_order_id !== order.id) {
        throw new GatewayError("INVALID_REQUEST", messageOf("refusal.cash_key_used"))
      }
      if (known !== null) {
        return { order, collection: known, is_new: false }
      }
      requireOpen(order)
      const due = cashDue(order)
      const amount = input.amount ?? due
      const { to, emits } = cashOrderMachine.require(order.state, amount < due ? "collect_part" : "collect")
      requireDue(amount, due, order.currency)
      const now = await nowOf(sql, order)
      const collection = await insertCollection(sql, order, { ...input, amount }, actorOf(by).id, now)
      const [row] = await sql.query<CashOrder>(
        `UPDATE gateway_cash_order o SET state = $2, collected_minor = collected_minor + $3,
           closed_at = CASE WHEN $2 = 'collected' THEN $4::timestamptz END, next_attempt_at = now(), updated_at = now()
         WHERE id = $1 RETURNING ${CASH_ORDER_COLUMNS}`,
        [id, to, Number(amount), now]
      )
      if (input.source !== "medusa") {
        await sql.query("SELECT gateway_add_job('follow-cash-orders')")
      }
      await emitCash(sql, emits, row, { collection }, now)
      await post(sql, [cashCollected(order, { id: collection.id, amount, charge: input.charge }, now)])
      await this.note(sql, by, "cash_order.collected", order, {
        amount: formatAmount(amount),
        charge: formatAmount(input.charge),
        courier: input.courier,
        note: input.note,
      })
      return { order: row, collection, is_new: true }
    })
  }

  /**
   * Nothing more comes: an order without cash was refused at the door, one with some was delivered in part. The goods of
   * a refused one come back, and its advance stays or goes back as `advance` says, or else the store's rule; to give it
   * back takes the right to refund. Errors: CASH_ORDER_NOT_FOUND, INVALID_STATE_TRANSITION, INSUFFICIENT_SCOPE.
   */
  async giveUp(
    tenant: Tenant & By,
    id: string,
    { note, advance }: GivenUp,
    may_refund: boolean,
    roles: readonly string[] = []
  ): Promise<CashOrder> {
    const { refused_advance } = await this.settings.retrieve(tenant)
    return this.database.transaction(async (sql) => {
      const order = await holdCashOrder(sql, id, tenant)
      requireOpen(order)
      const goods_back = order.state !== "part_collected"
      const { to, emits } = cashOrderMachine.require(order.state, goods_back ? "refuse" : "give_up")
      const advance_back = goods_back && order.advance_minor > 0 && (advance ?? refused_advance) === "give_back"
      if (advance_back && !may_refund) {
        throw new GatewayError("INSUFFICIENT_SCOPE", messageOf("refusal.cash_refund_forbidden"))
      }
      if (advance_back) {
        await this.requireWithinLimit(sql, order, roles)
      }
      const row = await this.close(sql, order, to, { advance_back, goods_back, ended_by: actorOf(tenant).id }, emits)
      await this.note(sql, tenant, "cash_order.given_up", order, { state: to, note, advance_back })
      return row
    })
  }

  /** The advance goes back in the store's name and cannot wait for approval. `sql` holds the order. */
  private async requireWithinLimit(sql: Sql, { transaction_id }: CashOrder, roles: readonly string[]): Promise<void> {
    const limit = transaction_id && (await this.refundPreviews.exceededRoleLimit({ transaction_id }, roles, sql))
    if (typeof limit === "bigint") {
      const refusal = messageOf("refusal.cash_advance_above_role_limit", { amount: formatAmount(limit) })
      throw new GatewayError("INSUFFICIENT_SCOPE", refusal)
    }
  }

  /**
   * An admin has written the rest in Medusa by hand, or leaves it: nothing is tried until the order changes again. Errors:
   * CASH_ORDER_NOT_FOUND, INVALID_STATE_TRANSITION (nothing is in the way).
   */
  async leave(tenant: Tenant & By, id: string, note: string | null): Promise<void> {
    await this.database.transaction(async (sql) => {
      const order = await holdCashOrder(sql, id, tenant)
      if (order.stuck_since === null) {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.cash_not_stuck"))
      }
      await sql.query(
        `UPDATE gateway_cash_order SET next_attempt_at = NULL, attempts = 0, stuck_since = NULL, updated_at = now()
         WHERE id = $1`,
        [id]
      )
      await this.note(sql, tenant, "cash_order.left", order, { note, last_error: order.last_error })
    })
  }

  /** The store cancels the order. Changes nothing when no cash is due any more. */
  async cancel(id: string): Promise<CashOrder> {
    return this.database.transaction(async (sql) => this.end(sql, await holdCashOrder(sql, id)))
  }

  /**
   * The same when the store cancels the order's payment, which can show no cash then. Errors: INVALID_STATE_TRANSITION
   * while cash has come that Medusa does not show, also in an order of which nothing is due any more.
   */
  async cancelPayment(id: string): Promise<CashOrder> {
    return this.database.transaction(async (sql) => {
      // Cash is recorded under the same lock, so none can come between the question and the end.
      const order = await holdCashOrder(sql, id)
      const hidden = await sql.query(
        "SELECT 1 FROM gateway_cash_collection WHERE cash_order_id = $1 AND capture_id IS NULL LIMIT 1",
        [id]
      )
      if (hidden.length > 0) {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.capture_under_way"))
      }
      return this.end(sql, order)
    })
  }

  /**
   * The store's order owes `owed` now, in hundredths, the advance included: what is due follows it, down and up again to
   * what it was. Changes nothing when no cash is due any more.
   */
  async follow(id: string, owed: Minor): Promise<CashOrder> {
    return this.database.transaction(async (sql) => {
      const order = await holdCashOrder(sql, id)
      const less = orderChange(order, owed)
      if (!CASH_OPEN.includes(order.state) || less === 0n) {
        return order
      }
      const isOver = cashDue(order) === less
      const to = isOver ? cashOrderMachine.require(order.state, "owe_nothing").to : order.state
      const now = await nowOf(sql, order)
      const [row] = await sql.query<CashOrder>(
        `UPDATE gateway_cash_order o SET state = $2, given_up_minor = given_up_minor + $3, changes = changes + 1,
           closed_at = $4, next_attempt_at = now(), updated_at = now()
         WHERE id = $1 RETURNING ${CASH_ORDER_COLUMNS}`,
        [id, to, Number(less), isOver ? now : null]
      )
      await emitCash(sql, ["cash_order.changed"], row, {}, now)
      await post(sql, [cashChanged(row, less, now)])
      await this.note(sql, {}, "cash_order.changed", order, { due: formatAmount(cashDue(row)), state: to })
      return row
    })
  }

  /** Ties a collection to Medusa's capture; `former` is the capture that it had, which is gone. False: another has it. */
  async linkCapture(id: string, capture_id: string, former: string | null): Promise<boolean> {
    const linked = await this.database.query(
      `UPDATE gateway_cash_collection SET capture_id = $2, updated_at = now()
       WHERE id = $1 AND (capture_id = $2 OR capture_id IS NOT DISTINCT FROM $3) RETURNING id`,
      [id, capture_id, former]
    )
    return linked.length === 1
  }

  /** The same for the capture of the advance. */
  async linkAdvance(id: string, capture_id: string, former: string | null): Promise<boolean> {
    const linked = await this.database.query(
      `UPDATE gateway_cash_order SET advance_capture_id = $2, updated_at = now()
       WHERE id = $1 AND (advance_capture_id = $2 OR advance_capture_id IS NOT DISTINCT FROM $3) RETURNING id`,
      [id, capture_id, former]
    )
    return linked.length === 1
  }

  /** The cash of an order, in the order in which it came. */
  async collections(cash_order_id: string): Promise<CashCollection[]> {
    return this.database.query<CashCollection>(
      `SELECT ${COLLECTION_COLUMNS} FROM gateway_cash_collection WHERE cash_order_id = $1 ORDER BY id`,
      [cash_order_id]
    )
  }

  private async end(sql: Sql, order: CashOrder): Promise<CashOrder> {
    if (!CASH_OPEN.includes(order.state)) {
      return order
    }
    const { to, emits } = cashOrderMachine.require(order.state, "cancel")
    const row = await this.close(sql, order, to, STORE_ENDS, emits)
    await this.note(sql, {}, "cash_order.cancelled", order, { state: to })
    return row
  }

  private async close(
    sql: Sql,
    order: CashOrder,
    to: CashOrder["state"],
    { advance_back, goods_back, ended_by }: Ending,
    emits: readonly string[]
  ): Promise<CashOrder> {
    const due = cashDue(order)
    const now = await nowOf(sql, order)
    const [row] = await sql.query<CashOrder>(
      `UPDATE gateway_cash_order o SET state = $2, given_up_minor = given_up_minor + $3, closed_at = $4,
         advance_back = $5, goods_back = $6, ended_by = $7, next_attempt_at = now(), updated_at = now()
       WHERE id = $1 RETURNING ${CASH_ORDER_COLUMNS}`,
      [order.id, to, Number(due), now, advance_back, goods_back, ended_by]
    )
    await emitCash(sql, emits, row, {}, now)
    await post(sql, [cashGivenUp(order, due, now)])
    return row
  }

  private async byKey(sql: Sql, order: CashOrder, request_key: string): Promise<CashCollection | null> {
    const [row] = await sql.query<CashCollection>(
      `SELECT ${COLLECTION_COLUMNS} FROM gateway_cash_collection
       WHERE merchant_id = $1 AND environment = $2 AND request_key = $3`,
      [order.merchant_id, order.environment, request_key]
    )
    return row ?? null
  }

  private async note(
    sql: Sql,
    by: By,
    action:
      | "cash_order.collected"
      | "cash_order.given_up"
      | "cash_order.changed"
      | "cash_order.cancelled"
      | "cash_order.left",
    { id, merchant_id, environment }: CashOrder,
    after: Record<string, unknown>
  ): Promise<void> {
    await audit(sql, { merchant_id, environment, by, action, resource_id: id, after })
  }
}

function tenantOf({ merchant_id, environment }: Partial<Tenant>): Tenant | undefined {
  return merchant_id === undefined || environment === undefined ? undefined : { merchant_id, environment }
}

function requireOpen({ state }: CashOrder): void {
  if (!CASH_OPEN.includes(state)) {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.cash_not_due"))
  }
}

function requireDue(amount: Minor, due: Minor, currency: string): void {
  if (amount > due) {
    const params = { due: statedAmount(due, currency), amount: statedAmount(amount, currency) }
    throw new GatewayError("CASH_EXCEEDED", messageOf("refusal.cash_exceeded", params))
  }
}
