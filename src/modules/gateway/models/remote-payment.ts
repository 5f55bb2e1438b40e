import { model } from "@medusajs/framework/utils"

/**
 * The checkout that a Medusa payment session has in another deployment. This row alone ties the two together: a
 * transaction belongs to one payment session, and a payment session has one transaction at a time. The row is written
 * before the checkout is requested; `session_id`, `transaction_id`, `checkout_url` and `expires_at` come with the
 * answer. `status` is the other deployment's latest answer: for display, never for decisions about money. `asked_at`:
 * when a hint last triggered an inquiry. `next_ask_at`: when the worker looks at it next; null when nothing is left to
 * do. `replaced_at`: when another amount got a new checkout. `undecided_at`: when its cart could not be completed because
 * the other deployment did not answer. `missing_since`: since when the other deployment answers the worker that it does
 * not know the transaction. Amounts are poisha.
 */
export const GatewayRemotePayment = model
  .define("gateway_remote_payment", {
    id: model.id({ prefix: "grp" }).primaryKey(),
    provider_id: model.text(),
    payment_session_id: model.text(),
    order_id: model.text(),
    amount_minor: model.number(),
    currency: model.text(),
    return_url: model.text().nullable(),
    session_id: model.text().nullable(),
    transaction_id: model.text().nullable(),
    checkout_url: model.text().nullable(),
    expires_at: model.dateTime().nullable(),
    status: model.enum(["PENDING", "EXPIRED", "CANCELLED", "FAILED", "SUCCESS", "REFUNDED"]).default("PENDING"),
    asked_at: model.dateTime().nullable(),
    next_ask_at: model.dateTime().nullable(),
    replaced_at: model.dateTime().nullable(),
    undecided_at: model.dateTime().nullable(),
    missing_since: model.dateTime().nullable(),
  })
  .indexes([
    { on: ["order_id"], unique: true },
    { on: ["session_id"], unique: true, where: "session_id IS NOT NULL" },
    { on: ["transaction_id"], unique: true, where: "transaction_id IS NOT NULL" },
    {
      name: "IDX_gateway_remote_payment_current",
      on: ["payment_session_id"],
      unique: true,
      where: "replaced_at IS NULL",
    },
    { on: ["payment_session_id"] },
    {
      name: "IDX_gateway_remote_payment_due",
      on: ["next_ask_at"],
      where: "next_ask_at IS NOT NULL AND replaced_at IS NULL",
    },
  ])
  .checks([
    { name: "gateway_remote_payment_amount_positive", expression: (columns) => `${columns.amount_minor} > 0` },
    {
      name: "gateway_remote_payment_whole",
      expression: ({ session_id, transaction_id, checkout_url, expires_at }) =>
        `num_nulls(${session_id}, ${transaction_id}, ${checkout_url}, ${expires_at}) IN (0, 4)`,
    },
  ])
