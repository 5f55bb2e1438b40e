import { model } from "@medusajs/framework/utils"
import { CASH_SOURCES } from "../cash/rules"
import { CASH_ORDER_STATES, CASH_REFUND_STATES } from "../cash/states"

const IS_OPEN = "state IN ('due', 'part_collected')"

/**
 * An order that is paid in cash at the door, one of each Medusa payment session. Amounts in hundredths of the currency;
 * `advance_minor` is paid online by `transaction_id`, the rest of `total_minor` is due in cash. Times on the merchant's
 * clock, but those of `next_attempt_at` and the lock.
 */
export const GatewayCashOrder = model
  .define("gateway_cash_order", {
    id: model.id({ prefix: "gco" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    currency: model.text(),
    state: model.enum([...CASH_ORDER_STATES]).default("placing"),
    total_minor: model.number(),
    advance_minor: model.number().default(0),
    collected_minor: model.number().default(0),
    /** What does not come any more: refused, cancelled, delivered in part, or no longer owed by a cheaper order. */
    given_up_minor: model.number().default(0),
    /** How often what is due has followed a change of the order. */
    changes: model.number().default(0),
    /** Cash that the store has given back: of the refunds that are done. */
    returned_minor: model.number().default(0),
    cart_id: model.text(),
    payment_session_id: model.text(),
    /** The checkout of the advance; null: none was asked for. */
    transaction_id: model.text().nullable(),
    /** Medusa's capture of the advance. */
    advance_capture_id: model.text().nullable(),
    payment_id: model.text().nullable(),
    order_id: model.text().nullable(),
    order_number: model.text().nullable(),
    customer_name: model.text().nullable(),
    phone: model.text().nullable(),
    district: model.text().nullable(),
    /** The advance of a refused order goes back. */
    advance_back: model.boolean().default(false),
    /** Who has ended it; the refund of the advance is theirs. Null while it is open, or when the store's order ended it. */
    ended_by: model.text().nullable(),
    /** The goods of a refused order come back: by this return of Medusa, or its order is cancelled. */
    goods_back: model.boolean().default(false),
    return_id: model.text().nullable(),
    /** When Medusa's order was last looked at. Real time. */
    looked_at: model.dateTime().nullable(),
    /** Since when Medusa's order could not be brought in line, so that an admin must act. Real time. */
    stuck_since: model.dateTime().nullable(),
    authorized_at: model.dateTime().nullable(),
    placed_at: model.dateTime().nullable(),
    closed_at: model.dateTime().nullable(),
    next_attempt_at: model.dateTime().nullable(),
    attempts: model.number().default(0),
    last_error: model.json().nullable(),
    lock_token: model.text().nullable(),
    locked_until: model.dateTime().nullable(),
  })
  .indexes([
    { on: ["payment_session_id"], unique: true },
    { on: ["cart_id"] },
    { on: ["transaction_id"], where: "transaction_id IS NOT NULL" },
    { on: ["order_id"], where: "order_id IS NOT NULL" },
    {
      name: "IDX_gateway_cash_order_merchant_id_environment_placed_at",
      on: ["merchant_id", "environment", "placed_at", "id"],
      where: "placed_at IS NOT NULL",
    },
    { on: ["merchant_id", "environment", "order_number"], where: "order_number IS NOT NULL" },
    { on: ["merchant_id", "environment", "phone"], where: "placed_at IS NOT NULL" },
    { on: ["next_attempt_at"], where: "next_attempt_at IS NOT NULL" },
    { name: "IDX_gateway_cash_order_open", on: ["merchant_id", "environment", "placed_at"], where: IS_OPEN },
    { name: "IDX_gateway_cash_order_looked_at", on: ["looked_at"], where: IS_OPEN },
    { on: ["merchant_id", "environment", "stuck_since"], where: "stuck_since IS NOT NULL" },
  ])
  .checks([
    {
      name: "gateway_cash_order_amounts",
      expression: (c) =>
        `${c.total_minor} > 0 AND ${c.advance_minor} BETWEEN 0 AND ${c.total_minor} AND ${c.collected_minor} >= 0 AND ${c.given_up_minor} >= 0 AND ${c.returned_minor} BETWEEN 0 AND ${c.collected_minor} AND ${c.advance_minor} + ${c.collected_minor} + ${c.given_up_minor} <= ${c.total_minor}`,
    },
  ])

/** Cash that came for an order. `request_key` makes a repeated record harmless; `capture_id` is Medusa's capture. */
export const GatewayCashCollection = model
  .define("gateway_cash_collection", {
    id: model.id({ prefix: "gch" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    cash_order_id: model.text(),
    /** The order's: sums of a period need not read orders. */
    currency: model.text(),
    amount_minor: model.number(),
    /** What the courier has kept of it. */
    charge_minor: model.number().default(0),
    source: model.enum([...CASH_SOURCES]),
    courier: model.text().nullable(),
    note: model.text().nullable(),
    recorded_by: model.text(),
    request_key: model.text(),
    capture_id: model.text().nullable(),
    collected_at: model.dateTime(),
  })
  .indexes([
    {
      name: "IDX_gateway_cash_collection_key_unique",
      on: ["merchant_id", "environment", "request_key"],
      unique: true,
    },
    { on: ["cash_order_id"] },
    { name: "IDX_gateway_cash_collection_collected_at", on: ["merchant_id", "environment", "collected_at"] },
  ])
  .checks([
    {
      name: "gateway_cash_collection_amounts",
      expression: (c) => `${c.amount_minor} > 0 AND ${c.charge_minor} >= 0`,
    },
  ])

/**
 * A refund of Medusa, and which part of it goes back online and which in cash. The first of `keys` is Medusa's refund that
 * asked first, the last the one that shows it now: Medusa deletes its refund when it fails, and repeats with a new one.
 */
export const GatewayCashRefund = model
  .define("gateway_cash_refund", {
    id: model.id({ prefix: "gcr" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    cash_order_id: model.text(),
    medusa_refund_id: model.text(),
    keys: model.array(),
    state: model.enum([...CASH_REFUND_STATES]).default("open"),
    amount_minor: model.number(),
    online_minor: model.number(),
    cash_minor: model.number(),
  })
  .indexes([{ on: ["medusa_refund_id"], unique: true }, { on: ["cash_order_id"] }])
  .checks([
    {
      name: "gateway_cash_refund_amounts",
      expression: (c) =>
        `${c.online_minor} >= 0 AND ${c.cash_minor} >= 0 AND ${c.amount_minor} > 0 AND ${c.amount_minor} = ${c.online_minor} + ${c.cash_minor}`,
    },
  ])

/**
 * A code that was sent to the phone of a cart, of which only a keyed hash is stored. Rows are kept for a day, and count
 * what a phone has been sent in it. Times are real, not of the merchant's clock.
 */
export const GatewayCashCode = model
  .define("gateway_cash_code", {
    id: model.id({ prefix: "gcc" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    cart_id: model.text(),
    phone: model.text(),
    code_hash: model.text(),
    /** How often a wrong code was entered. */
    tries: model.number().default(0),
    expires_at: model.dateTime(),
    confirmed_at: model.dateTime().nullable(),
    /** The provider has failed to send it: it does not count as sent, and may have arrived all the same. */
    unsent_at: model.dateTime().nullable(),
  })
  .indexes([
    {
      name: "IDX_gateway_cash_code_merchant_id_environment_phone",
      on: ["merchant_id", "environment", "phone", "created_at"],
    },
    { on: ["created_at"] },
  ])
  .checks([
    { name: "gateway_cash_code_tries", expression: (c) => `${c.tries} BETWEEN 0 AND 5` },
    { name: "gateway_cash_code_unsent", expression: (c) => `${c.unsent_at} IS NULL OR ${c.confirmed_at} IS NULL` },
  ])
