import { model } from "@medusajs/framework/utils"
import { CAPTURE_MODES, PAYMENT_METHODS } from "../merchants/payment-services"
import { ATTEMPT_STATES } from "../payments/attempt-states"
import { TRANSACTION_STATES } from "../payments/states"

const TENANT = ["merchant_id", "environment"] as const

/**
 * The money of one checkout session. `expires_at` copies the session's, so that one index serves the expiry queue.
 * `attempts` counts the tries to pay it, `attempt_id` is the last one: while PROCESSING only that one may settle it.
 */
export const GatewayTransaction = model
  .define("gateway_transaction", {
    id: model.id({ prefix: "txn" }).primaryKey(),
    session_id: model.text(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    order_id: model.text(),
    state: model.enum([...TRANSACTION_STATES]).default("OPEN"),
    currency: model.text(),
    amount_minor: model.number(),
    /** What the shopper's bank had reserved; null: the money was taken at once. `amount_minor` is then what is captured. */
    authorized_minor: model.number().nullable(),
    charge_minor: model.number().default(0),
    refunded_minor: model.number().default(0),
    /** What disputes have taken that are open or lost: no refund may take it too. */
    disputed_minor: model.number().default(0),
    payment_method: model.text().nullable(),
    payment_service: model.text().nullable(),
    instrument: model.json().nullable(),
    /** The acquirer's token for automatic charges, encrypted (kernel/database/replaced-keys.ts), until it becomes a customer's instrument. */
    kept_instrument: model.json().nullable(),
    acquirer: model.text().nullable(),
    acquirer_reference: model.text().nullable(),
    /** What the acquirer reports instead of the requested amount (acquirers/amount-mismatch.ts). */
    amount_mismatch: model.json().nullable(),
    error_code: model.text().nullable(),
    error_message: model.text().nullable(),
    attempts: model.number().default(0),
    attempt_id: model.text().nullable(),
    /** The payment link that it pays, if any. */
    link_id: model.text().nullable(),
    /** Its place among the payments of a link that takes so many; null: the link takes any number. */
    link_place: model.number().nullable(),
    /** When the money of a verification is given back (real time, docs/decisions/18); null: nothing is due. */
    return_due_at: model.dateTime().nullable(),
    /** How often giving it back has failed. With that and nothing due, an admin has to do it. */
    return_count: model.number().default(0),
    expires_at: model.dateTime(),
    verified_at: model.dateTime().nullable(),
    finished_at: model.dateTime().nullable(),
  })
  .indexes([
    { on: ["session_id"], unique: true },
    {
      on: ["link_id", "link_place"],
      unique: true,
      where: "link_id IS NOT NULL AND state NOT IN ('FAILED', 'CANCELLED', 'EXPIRED')",
    },
    {
      name: "IDX_gateway_transaction_of_link",
      on: ["link_id", "state", "created_at", "id"],
      where: "link_id IS NOT NULL",
    },
    { on: ["return_due_at"], where: "return_due_at IS NOT NULL" },
    {
      name: "IDX_gateway_transaction_unreturned",
      on: [...TENANT],
      where: "state = 'SUCCESS' AND return_count > 0 AND return_due_at IS NULL",
    },
    { on: ["expires_at"], where: "state = 'OPEN'" },
    { on: ["acquirer", "acquirer_reference"], unique: true, where: "acquirer_reference IS NOT NULL" },
    {
      name: "IDX_gateway_transaction_mismatched",
      on: [...TENANT],
      where: "state = 'PROCESSING' AND amount_mismatch IS NOT NULL",
    },
    // The sort orders and filters of the admin's list: each walks one index at any number of rows.
    { name: "IDX_gateway_transaction_newest", on: [...TENANT, "created_at", "id"] },
    { name: "IDX_gateway_transaction_by_state", on: [...TENANT, "state", "created_at", "id"] },
    {
      name: "IDX_gateway_transaction_by_service",
      on: [...TENANT, "payment_service", "created_at", "id"],
      where: "payment_service IS NOT NULL",
    },
    { name: "IDX_gateway_transaction_by_amount", on: [...TENANT, "amount_minor", "id"] },
  ])
  .checks([
    {
      name: "gateway_transaction_sums",
      expression: (c) =>
        `${c.amount_minor} > 0 AND ${c.charge_minor} >= 0 AND ${c.refunded_minor} BETWEEN 0 AND ${c.amount_minor} AND ${c.disputed_minor} >= 0
         AND (${c.authorized_minor} IS NULL OR ${c.amount_minor} <= ${c.authorized_minor})`,
    },
    {
      name: "gateway_transaction_verified",
      expression: (c) =>
        `(${c.state} IN ('SUCCESS', 'REFUNDED')) = (${c.verified_at} IS NOT NULL AND ${c.acquirer_reference} IS NOT NULL)`,
    },
  ])

/**
 * One try to pay a checkout, at one acquirer: `id` is the key under which the acquirer knows it. Rows change only under
 * the lock of their transaction. `acquirer_ids` are the acquirer's own ids (the port's `references`), `details` further
 * facts of its answers; neither holds a secret. `is_final`: a decline of this attempt ends the transaction.
 * `started_at` and `confirmed_at` are real time, the other times are the merchant's clock. `inquiry_at`: when the
 * acquirer is asked next; null: never. `reviewed_at`: when an admin decided about a held payment, or has seen what the
 * acquirer flags. `surplus_minor` (hundredths of `currency`): money that moved although it could not pay anything any
 * more, and is given back.
 */
export const GatewayPaymentAttempt = model
  .define("gateway_payment_attempt", {
    id: model.id({ prefix: "pay" }).primaryKey(),
    transaction_id: model.text(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    number: model.number(),
    state: model.enum([...ATTEMPT_STATES]).default("STARTED"),
    is_final: model.boolean().default(true),
    acquirer: model.text(),
    payment_method: model.text(),
    payment_service: model.text(),
    currency: model.text(),
    amount_minor: model.number(),
    /** The fee if this attempt succeeds. */
    charge_minor: model.number().default(0),
    /** When its money is to be taken. */
    capture: model.enum([...CAPTURE_MODES]).default("automatic"),
    instrument: model.json().nullable(),
    acquirer_ids: model.json(),
    details: model.json(),
    acquirer_reference: model.text().nullable(),
    redirect_url: model.text().nullable(),
    risk: model.text().nullable(),
    /** How the bank's instalments differ from the plan that the shopper chose, as messages. */
    instalment_differences: model.json().nullable(),
    error_code: model.text().nullable(),
    error_message: model.text().nullable(),
    decline: model.json().nullable(),
    /** Where the attempt was made from, as visitors are counted (`countedNetwork`), until its outcome is known. */
    visitor_network: model.text().nullable(),
    surplus_minor: model.number().nullable(),
    return_key: model.text().nullable(),
    /** The acquirer's own ids of the return of a surplus. */
    return_ids: model.json(),
    started_at: model.dateTime(),
    /** How long the acquirer took to answer the call that began it; null: nobody measured it. Real milliseconds. */
    answer_ms: model.number().nullable(),
    confirmed_at: model.dateTime().nullable(),
    held_at: model.dateTime().nullable(),
    finished_at: model.dateTime().nullable(),
    reviewed_at: model.dateTime().nullable(),
    reviewed_by: model.text().nullable(),
    review_note: model.text().nullable(),
    inquiry_at: model.dateTime().nullable(),
    inquiry_count: model.number().default(0),
    /** The shopper has agreed that the method is saved for later checkouts. */
    saves: model.boolean().default(false),
    /** The acquirer opened no page, and the next one was asked. It is none of the shopper's tries. */
    passed_on: model.boolean().default(false),
    /** The kept instrument that it charges, or that it has saved. */
    instrument_id: model.text().nullable(),
    /** The acquirer does not know what became of it: somebody has to look at its dashboard. */
    operator_since: model.dateTime().nullable(),
  })
  .indexes([
    { on: ["transaction_id", "number"], unique: true },
    { on: ["inquiry_at"], where: "inquiry_at IS NOT NULL" },
    // The number first: admins search for it without its acquirer.
    { on: ["acquirer_reference", "acquirer"], unique: true, where: "acquirer_reference IS NOT NULL" },
    { on: ["return_key"], unique: true, where: "return_key IS NOT NULL" },
    { name: "IDX_gateway_payment_attempt_surplus", on: ["merchant_id", "environment"], where: "state = 'SURPLUS'" },
    { on: ["instrument_id"], where: "instrument_id IS NOT NULL" },
    {
      name: "IDX_gateway_payment_attempt_to_review",
      on: ["merchant_id", "environment"],
      where: "state = 'SUCCEEDED' AND reviewed_at IS NULL AND (risk IS NOT NULL OR instalment_differences IS NOT NULL)",
    },
    {
      name: "IDX_gateway_payment_attempt_unresolved",
      on: ["merchant_id", "environment"],
      where: "operator_since IS NOT NULL AND state IN ('STARTED', 'REDIRECTED', 'CONFIRMING', 'SURPLUS')",
    },
    {
      name: "IDX_gateway_payment_attempt_in_doubt",
      on: ["merchant_id", "environment"],
      where: "inquiry_count > 0 AND state IN ('STARTED', 'REDIRECTED', 'CONFIRMING')",
    },
  ])
  .checks([
    {
      name: "gateway_payment_attempt_amounts",
      expression: (c) => `${c.amount_minor} > 0 AND (${c.surplus_minor} IS NULL OR ${c.surplus_minor} > 0)`,
    },
    {
      name: "gateway_payment_attempt_money",
      expression: (c) =>
        `(${c.state} IN ('HELD', 'AUTHORIZED', 'SUCCEEDED', 'SURPLUS', 'RETURNED', 'RELEASED')) = (${c.acquirer_reference} IS NOT NULL)
         AND (${c.state} IN ('SURPLUS', 'RETURNED')) = (${c.surplus_minor} IS NOT NULL AND ${c.return_key} IS NOT NULL)`,
    },
  ])

/**
 * What a customer can be charged with: the acquirer's token and what may be shown of it. Never a number. It belongs to a
 * customer that the merchant bills, for subscriptions only; or to a customer of the store, who has saved it for later
 * checkouts and whose subscriptions may be charged with it too (docs/decisions/07).
 */
export const GatewayInstrument = model
  .define("gateway_instrument", {
    id: model.id({ prefix: "gin" }).primaryKey(),
    uuid: model.text(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    customer_id: model.text().nullable(),
    store_customer_id: model.text().nullable(),
    /** The attempt with which the store's customer has saved it. */
    saved_attempt_id: model.text().nullable(),
    acquirer: model.text(),
    /** Encrypted (kernel/database/replaced-keys.ts); null when it may no longer be charged. */
    token: model.text().nullable(),
    method: model.enum([...PAYMENT_METHODS]),
    service: model.text(),
    brand: model.text().nullable(),
    last_four: model.text().nullable(),
    account: model.text().nullable(),
    expiry_month: model.number().nullable(),
    expiry_year: model.number().nullable(),
    /** No longer offered in checkouts (real time); a subscription may still be charged with it. */
    removed_at: model.dateTime().nullable(),
    /** When the acquirer is asked (again) to forget the token (real time); null: not now. */
    forget_at: model.dateTime().nullable(),
    forget_count: model.number().default(0),
    opened_at: model.dateTime(),
  })
  .indexes([
    { on: ["uuid"], unique: true },
    { on: ["customer_id", "acquirer"] },
    { on: ["saved_attempt_id"], unique: true, where: "saved_attempt_id IS NOT NULL" },
    {
      name: "IDX_gateway_instrument_saved",
      on: ["merchant_id", "environment", "store_customer_id"],
      where: "store_customer_id IS NOT NULL",
    },
    { on: ["forget_at"], where: "forget_at IS NOT NULL" },
  ])
  .checks([
    {
      name: "gateway_instrument_owner",
      expression: (c) => `(${c.customer_id} IS NULL) <> (${c.store_customer_id} IS NULL)`,
    },
    {
      name: "gateway_instrument_saved",
      expression: (c) => `(${c.store_customer_id} IS NULL) = (${c.saved_attempt_id} IS NULL)`,
    },
    {
      name: "gateway_instrument_removed",
      expression: (c) => `${c.forget_at} IS NULL OR (${c.removed_at} IS NOT NULL AND ${c.token} IS NOT NULL)`,
    },
  ])
