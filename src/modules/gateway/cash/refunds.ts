import type { Database, Sql } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import type { Minor } from "../kernel/money/money"
import { newOrderedId } from "../kernel/text/ids"
import type { Cradle } from "../kernel/types"
import { cashReturned } from "../ledger/cash-rules"
import { post } from "../ledger/records"
import {
  CASH_ORDER_COLUMNS,
  CASH_REFUND_COLUMNS,
  emitCash,
  holdCashOrder,
  nowOf,
  type CashOrder,
  type CashRefund,
} from "./records"
import { cashRefundMachine } from "./states"

type Wanted = {
  /** Medusa's refund. */
  key: string
  amount: Minor
  /** Those of the order's refunds whose Medusa refund no longer exists: a repetition finds its own among them. */
  gone: readonly string[]
  /** Only finds an earlier one; null when there is none. */
  only_earlier: boolean
}

/** The gateway's refund of the online part: asked for under one of the keys. */
const ONLINE = `(SELECT g.state FROM gateway_refund g
  WHERE g.transaction_id = o.transaction_id AND g.request_key = ANY (SELECT 'medusa:' || key FROM unnest(r.keys) AS key)
  ORDER BY g.created_at DESC LIMIT 1)`

/** Refunds of cash orders that Medusa asks for: which part goes back online, and which in cash (decisions: Cash on delivery). */
export class CashRefundService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /** Medusa takes the goods of a refused order back: by this return, or null, because none are out. */
  async goodsTakenBack(id: string, return_id: string | null): Promise<void> {
    await this.database.query(
      "UPDATE gateway_cash_order SET goods_back = false, return_id = COALESCE($2, return_id), updated_at = now() WHERE id = $1",
      [id, return_id]
    )
  }

  /** Whether the shop keeps this advance, because its order was refused at the door. */
  async keepsAdvance(transaction_id: string): Promise<boolean> {
    const rows = await this.database.query(
      "SELECT 1 FROM gateway_cash_order WHERE transaction_id = $1 AND state = 'refused' AND NOT advance_back",
      [transaction_id]
    )
    return rows.length > 0
  }

  /**
   * Decides the parts of a refund under the order's lock, before anything is asked: first what is left of the advance,
   * then cash. The same key, or a repetition under a new one, finds what was decided. Errors: CASH_ORDER_NOT_FOUND,
   * REFUND_EXCEEDED (more than came and has not gone back, open refunds included).
   */
  async decide(order_id: string, { key, amount, gone, only_earlier }: Wanted): Promise<CashRefund | null> {
    return this.database.transaction(async (sql) => {
      const order = await holdCashOrder(sql, order_id)
      const earlier = await refundsOf(sql, order.id)
      const known = earlier.find(({ medusa_refund_id }) => medusa_refund_id === key)
      if (known !== undefined) {
        return known
      }
      const lost = earlier.find(
        (one) => gone.includes(one.id) && BigInt(one.amount_minor) === amount && isInEffect(one)
      )
      if (lost !== undefined) {
        return requireRow(
          await sql.query<CashRefund>(
            `UPDATE gateway_cash_refund r SET medusa_refund_id = $2, keys = array_append(keys, $2), updated_at = now()
             WHERE id = $1 RETURNING ${CASH_REFUND_COLUMNS}, NULL::text AS online_state`,
            [lost.id, key]
          )
        )
      }
      if (only_earlier) {
        return null
      }
      const online = min(amount, await this.advanceLeft(sql, order, earlier))
      const reserved = earlier.reduce((sum, { state, cash_minor }) => sum + (state === "open" ? cash_minor : 0), 0)
      if (amount - online > BigInt(order.collected_minor - order.returned_minor - reserved)) {
        throw new GatewayError("REFUND_EXCEEDED")
      }
      return this.write(sql, order, key, online, amount - online)
    })
  }

  /**
   * Writes what became of a refund: done with its cash handed back once the online part is completed, failed when that
   * is. `over`: nobody asks for it under this key any more, so one that the gateway was never asked for has failed.
   */
  async settle(id: string, over: string | null = null): Promise<CashRefund> {
    return this.database.transaction(async (sql) => {
      const [found] = await sql.query<{ cash_order_id: string }>(
        "SELECT cash_order_id FROM gateway_cash_refund WHERE id = $1",
        [id]
      )
      const order = await holdCashOrder(sql, found?.cash_order_id ?? "")
      const refund = requireRow((await refundsOf(sql, order.id)).filter((one) => one.id === id))
      const trigger = outcomeOf(refund, over === refund.medusa_refund_id)
      if (refund.state !== "open" || trigger === null) {
        return refund
      }
      const { to } = cashRefundMachine.require(refund.state, trigger)
      await sql.query("UPDATE gateway_cash_refund SET state = $2, updated_at = now() WHERE id = $1", [id, to])
      if (to === "done" && refund.cash_minor > 0) {
        const [row] = await sql.query<CashOrder>(
          `UPDATE gateway_cash_order o SET returned_minor = returned_minor + $2, updated_at = now()
           WHERE id = $1 RETURNING ${CASH_ORDER_COLUMNS}`,
          [order.id, refund.cash_minor]
        )
        const [returned, now] = [BigInt(refund.cash_minor), await nowOf(sql, order)]
        await emitCash(sql, ["cash_order.refunded"], row, { returned }, now)
        await post(sql, [cashReturned(order, id, returned, now)])
      }
      return { ...refund, state: to }
    })
  }

  /** The refunds of an order, oldest first. */
  async ofOrder(cash_order_id: string): Promise<CashRefund[]> {
    return refundsOf(this.database, cash_order_id)
  }

  /** What of the advance can still go back, without what open refunds have decided and not asked for yet. */
  private async advanceLeft(sql: Sql, order: CashOrder, earlier: readonly CashRefund[]): Promise<Minor> {
    const [row] = await sql.query<{ left: number }>(
      `SELECT GREATEST(amount_minor - refunded_minor - disputed_minor, 0) AS left FROM gateway_transaction
       WHERE id = $1 AND verified_at IS NOT NULL`,
      [order.transaction_id]
    )
    const unasked = earlier.filter(({ state, online_state }) => state === "open" && online_state === null)
    const left = BigInt(row?.left ?? 0) - unasked.reduce((sum, { online_minor }) => sum + BigInt(online_minor), 0n)
    return left < 0n ? 0n : left
  }

  private async write(sql: Sql, order: CashOrder, key: string, online: Minor, cash: Minor): Promise<CashRefund> {
    // The task finishes it when this process dies.
    await sql.query("UPDATE gateway_cash_order SET next_attempt_at = now() + interval '1 minute' WHERE id = $1", [
      order.id,
    ])
    return requireRow(
      await sql.query<CashRefund>(
        `INSERT INTO gateway_cash_refund AS r (id, merchant_id, environment, cash_order_id, medusa_refund_id, keys,
           amount_minor, online_minor, cash_minor)
         VALUES ($1, $2, $3, $4, $5, ARRAY[$5], $6, $7, $8)
         RETURNING ${CASH_REFUND_COLUMNS}, NULL::text AS online_state`,
        [
          newOrderedId("gcr"),
          order.merchant_id,
          order.environment,
          order.id,
          key,
          Number(online + cash),
          Number(online),
          Number(cash),
        ]
      )
    )
  }
}

async function refundsOf(sql: Sql, cash_order_id: string): Promise<CashRefund[]> {
  return sql.query<CashRefund>(
    `SELECT ${CASH_REFUND_COLUMNS}, ${ONLINE} AS online_state
     FROM gateway_cash_refund r JOIN gateway_cash_order o ON o.id = r.cash_order_id
     WHERE r.cash_order_id = $1 ORDER BY r.id`,
    [cash_order_id]
  )
}

/** A refund whose online part has come back from the shopper's bank is not in effect any more. */
function isInEffect({ state, online_state }: CashRefund): boolean {
  return state !== "failed" && online_state !== "failed" && online_state !== "cancelled"
}

/** One that is over fails first: nobody hands out the cash of a refund that Medusa has removed. */
function outcomeOf({ online_minor, online_state }: CashRefund, isOver: boolean): "finish" | "fail" | null {
  if ((isOver && online_state === null) || online_state === "failed" || online_state === "cancelled") {
    return "fail"
  }
  return online_minor === 0 || online_state === "completed" ? "finish" : null
}

function requireRow(rows: readonly CashRefund[]): CashRefund {
  const [row] = rows
  if (row === undefined) {
    throw new GatewayError("REFUND_NOT_FOUND")
  }
  return row
}

function min(one: Minor, other: Minor): Minor {
  return one < other ? one : other
}
