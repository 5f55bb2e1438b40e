import { model } from "@medusajs/framework/utils"
import { AUTHORIZATION_STATES, CAPTURE_STATES, RELEASE_REASONS } from "../payments/captures/states"

const TENANT = ["merchant_id", "environment"] as const

/**
 * Money that a shopper's bank has reserved for a payment: `id` is the attempt that it was reserved with. Amounts in
 * hundredths of the currency; `captured_minor` counts captures that are under way and completed. `is_single`: the
 * acquirer takes one capture and releases the rest itself. `due_at`: when the acquirer is asked to release what is left.
 * `capture_before`, `ended_at`, `due_at` and `warned_at` are the merchant's clock. `store_due_at` (real time): when
 * Medusa's payment is brought in line. `locked_until` (real time): until when a process sends the e-mail that warns the
 * merchant.
 */
export const GatewayAuthorization = model
  .define("gateway_authorization", {
    id: model.id({ prefix: "pay" }).primaryKey(),
    transaction_id: model.text(),
    /** Medusa's payment session of it; null: the payment belongs to no order of Medusa. */
    payment_session_id: model.text().nullable(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    currency: model.text(),
    acquirer: model.text(),
    state: model.enum([...AUTHORIZATION_STATES]).default("open"),
    mode: model.enum(["manual", "on_fulfilment"]),
    is_single: model.boolean(),
    amount_minor: model.number(),
    captured_minor: model.number().default(0),
    /** The fee if all of it is captured. */
    charge_minor: model.number().default(0),
    capture_before: model.dateTime(),
    warned_at: model.dateTime().nullable(),
    ended_because: model.enum([...RELEASE_REASONS]).nullable(),
    ended_by: model.text().nullable(),
    ended_at: model.dateTime().nullable(),
    due_at: model.dateTime().nullable(),
    tries: model.number().default(0),
    operator_since: model.dateTime().nullable(),
    store_due_at: model.dateTime().nullable(),
    locked_until: model.dateTime().nullable(),
  })
  .indexes([
    { on: ["transaction_id"] },
    { on: ["payment_session_id"], where: "payment_session_id IS NOT NULL" },
    { on: ["due_at"], where: "due_at IS NOT NULL" },
    { name: "IDX_gateway_authorization_open", on: ["capture_before", ...TENANT], where: "state = 'open'" },
    {
      name: "IDX_gateway_authorization_unreleased",
      on: [...TENANT],
      where: "operator_since IS NOT NULL AND state = 'releasing'",
    },
    { name: "IDX_gateway_authorization_lost", on: [...TENANT, "ended_at"], where: "ended_because = 'expired'" },
    { on: ["store_due_at"], where: "store_due_at IS NOT NULL" },
  ])
  .checks([
    {
      name: "gateway_authorization_amounts",
      expression: (c) =>
        `${c.amount_minor} > 0 AND ${c.captured_minor} BETWEEN 0 AND ${c.amount_minor} AND ${c.charge_minor} >= 0`,
    },
    {
      name: "gateway_authorization_end",
      expression: (c) => `(${c.state} = 'open') = (${c.ended_because} IS NULL)`,
    },
  ])

/**
 * One capture of reserved money: `id` is the key under which the acquirer moves it at most once. `charge_minor`: its
 * share of the fee, once it is completed. `request_key`: the caller's own key, so that a repeated request captures once.
 * `medusa_capture_id`: Medusa's row that shows it. `requested_at`, `completed_at` and `inquiry_at` are the merchant's
 * clock.
 */
export const GatewayCapture = model
  .define("gateway_capture", {
    id: model.id({ prefix: "cap" }).primaryKey(),
    authorization_id: model.text(),
    transaction_id: model.text(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    currency: model.text(),
    payment_service: model.text(),
    state: model.enum([...CAPTURE_STATES]).default("processing"),
    amount_minor: model.number(),
    charge_minor: model.number().default(0),
    /** Nothing is captured after it. */
    is_final: model.boolean(),
    request_key: model.text().nullable(),
    requested_by: model.text(),
    requested_at: model.dateTime(),
    completed_at: model.dateTime().nullable(),
    acquirer_ids: model.json(),
    acquirer_reference: model.text().nullable(),
    error_code: model.text().nullable(),
    error_message: model.text().nullable(),
    inquiry_at: model.dateTime().nullable(),
    inquiry_count: model.number().default(0),
    operator_since: model.dateTime().nullable(),
    medusa_capture_id: model.text().nullable(),
  })
  .indexes([
    { on: ["transaction_id", "request_key"], unique: true, where: "request_key IS NOT NULL" },
    { on: ["authorization_id"] },
    { on: ["inquiry_at"], where: "inquiry_at IS NOT NULL" },
    { on: ["medusa_capture_id"], unique: true, where: "medusa_capture_id IS NOT NULL" },
    {
      name: "IDX_gateway_capture_unresolved",
      on: [...TENANT],
      where: "operator_since IS NOT NULL AND state = 'processing'",
    },
  ])
  .checks([
    {
      name: "gateway_capture_amounts",
      expression: (c) => `${c.amount_minor} > 0 AND ${c.charge_minor} >= 0`,
    },
    {
      name: "gateway_capture_completed",
      expression: (c) =>
        `(${c.state} = 'completed') = (${c.completed_at} IS NOT NULL AND ${c.acquirer_reference} IS NOT NULL)`,
    },
  ])
