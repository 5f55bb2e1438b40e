import { model } from "@medusajs/framework/utils"
import { INTERVAL_UNITS } from "../kernel/calendar"
import { LANGUAGES } from "../../../i18n/languages"

/**
 * What is to be paid, as the merchant requested, and where the shopper goes afterwards. After creation only six things
 * change: `amount_minor` of an unpaid Medusa cart; `order_number` and `tax_minor`, once the cart has become an order;
 * `outcome_due_at`, set while Medusa's payment session must still be notified that nothing was paid; the Medusa cart of
 * a paid renewal, which becomes its order; which browser may use the saved payment methods of `store_customer_id`
 * (docs/decisions/0047); and `replaced_at`, when another session takes over the order_id of one that ended unpaid
 * (docs/decisions/0051). The state of the money is the transaction's. Amounts are hundredths of `currency` and fit an
 * integer: the contract's ceiling is 50,000,000.
 */
export const GatewayCheckoutSession = model
  .define("gateway_checkout_session", {
    id: model.id({ prefix: "ses" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    order_id: model.text(),
    /**
     * The number that people read, where the shop has one of its own: of a Medusa cart its short reference, then the
     * order's number; null: `order_id` itself (docs/decisions/0013).
     */
    order_number: model.text().nullable(),
    currency: model.text(),
    amount_minor: model.number(),
    /** The tax that the amount contains, as the store's order has it; null: no order of the store is known. */
    tax_minor: model.number().nullable(),
    description: model.text().nullable(),
    success_url: model.text(),
    fail_url: model.text(),
    cancel_url: model.text(),
    ipn_url: model.text().nullable(),
    customer: model.json(),
    customer_phone: model.text(),
    shipping: model.json().nullable(),
    items: model.json().nullable(),
    payment_info: model.json().nullable(),
    metadata: model.json().nullable(),
    source: model.enum(["api", "cart", "billing", "verification"]).default("api"),
    cart_id: model.text().nullable(),
    payment_session_id: model.text().nullable(),
    return_url: model.text().nullable(),
    /** The shop's language, in which the page opens; null: unknown, the page asks the browser (docs/decisions/0053). */
    language: model.enum([...LANGUAGES]).nullable(),
    outcome_due_at: model.dateTime().nullable(),
    /** The subscription and period it pays for, if any (decisions: Plans and subscriptions). */
    subscription_id: model.text().nullable(),
    subscription_period: model.number().nullable(),
    /** The length of period that it offers; null: it offers none, like an automatic charge (docs/decisions/0023). */
    interval_count: model.number().nullable(),
    interval_unit: model.enum([...INTERVAL_UNITS]).nullable(),
    idempotency_id: model.text().nullable(),
    /** The store's customer who was signed in when the payment provider made the checkout; never from client data. */
    store_customer_id: model.text().nullable(),
    /** SHA-256 of the one-time proof for that customer's browser, and until when it is valid (real time). */
    account_proof: model.text().nullable(),
    account_proof_expires_at: model.dateTime().nullable(),
    /** SHA-256 of the cookie of the browser that has shown the proof. */
    account_browser: model.text().nullable(),
    opened_at: model.dateTime(),
    expires_at: model.dateTime(),
    replaced_at: model.dateTime().nullable(),
  })
  .indexes([
    { on: ["merchant_id", "environment", "order_id"], unique: true, where: "replaced_at IS NULL" },
    { on: ["payment_session_id"], where: "payment_session_id IS NOT NULL" },
    { on: ["outcome_due_at"], where: "outcome_due_at IS NOT NULL" },
    { on: ["subscription_id"], where: "subscription_id IS NOT NULL" },
  ])
  .checks([
    {
      name: "gateway_checkout_session_order",
      expression: (c) => `char_length(${c.order_id}) BETWEEN 1 AND 30 AND ${c.amount_minor} > 0`,
    },
    {
      name: "gateway_checkout_session_account",
      expression: (c) =>
        `${c.store_customer_id} IS NOT NULL OR (${c.account_proof} IS NULL AND ${c.account_browser} IS NULL)`,
    },
  ])
