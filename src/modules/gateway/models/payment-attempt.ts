import { model } from "@medusajs/framework/utils"
import { ATTEMPT_STATES } from "../payments/attempt-states"

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
    /** The kept instrument that it charges, or that it has saved. */
    instrument_id: model.text().nullable(),
    /** The acquirer does not know what became of it: somebody has to look at its dashboard. */
    operator_since: model.dateTime().nullable(),
  })
  .indexes([
    { on: ["transaction_id", "number"], unique: true },
    { on: ["inquiry_at"], where: "inquiry_at IS NOT NULL" },
    { on: ["acquirer", "acquirer_reference"], unique: true, where: "acquirer_reference IS NOT NULL" },
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
        `(${c.state} IN ('HELD', 'SUCCEEDED', 'SURPLUS', 'RETURNED')) = (${c.acquirer_reference} IS NOT NULL)
         AND (${c.state} IN ('SURPLUS', 'RETURNED')) = (${c.surplus_minor} IS NOT NULL AND ${c.return_key} IS NOT NULL)`,
    },
  ])
