import { model } from "@medusajs/framework/utils"
import { LANGUAGES } from "../../../i18n/languages"
import { CART_COMPLETION_STATES } from "../checkout/cart-completion-states"
import { INTERVAL_UNITS } from "../kernel/money/calendar"
import { LINK_STATES } from "../links/states"

/**
 * What is to be paid, as the merchant requested, and where the shopper goes afterwards. After creation only six things
 * change: `amount_minor` of an unpaid Medusa cart; `order_number` and `tax_minor`, once the cart has become an order;
 * `outcome_due_at`, set while Medusa's payment session must still be notified that nothing was paid; the Medusa cart of
 * a paid renewal, which becomes its order; which browser may use the saved payment methods of `store_customer_id`
 * (docs/decisions/07); and `replaced_at`, when another session takes over the order_id of one that ended unpaid
 * (docs/decisions/15). The state of the money is the transaction's. Amounts are hundredths of `currency` and fit an
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
     * order's number; null: `order_id` itself (docs/decisions/16).
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
    source: model.enum(["api", "cart", "billing", "verification", "order"]).default("api"),
    cart_id: model.text().nullable(),
    /** The Medusa order whose balance it pays; only of `order` (docs/decisions/10). */
    store_order_id: model.text().nullable(),
    payment_session_id: model.text().nullable(),
    return_url: model.text().nullable(),
    /** The shop's language, in which the page opens; null: unknown, the page asks the browser (docs/decisions/16). */
    language: model.enum([...LANGUAGES]).nullable(),
    outcome_due_at: model.dateTime().nullable(),
    /** The subscription and period it pays for, if any (decisions: Plans and subscriptions). */
    subscription_id: model.text().nullable(),
    subscription_period: model.number().nullable(),
    /** The length of period that it offers; null: it offers none, like an automatic charge (docs/decisions/11). */
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
    {
      name: "gateway_checkout_session_store_order",
      expression: (c) => `(${c.source} = 'order') = (${c.store_order_id} IS NOT NULL)`,
    },
  ])

/**
 * What became of a paid Medusa cart; `history` is the trace an admin reads: `[{ at, what }]`. The cart of a renewal
 * (`subscription_id`, `period`) is known by its id before it exists, and so is made once; `payment_session_id` is
 * written when Medusa has its payment session. A row without a cart is the paid balance of `order_id`, which is to be
 * recorded on that order.
 */
export const GatewayCartCompletion = model
  .define("gateway_cart_completion", {
    id: model.id({ prefix: "gcc" }).primaryKey(),
    transaction_id: model.text(),
    session_id: model.text(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    cart_id: model.text().nullable(),
    payment_session_id: model.text().nullable(),
    subscription_id: model.text().nullable(),
    period: model.number().nullable(),
    /** What a renewal sends; null: a cart that a shopper has paid. */
    variant_id: model.text().nullable(),
    state: model.enum([...CART_COMPLETION_STATES]).default("waiting"),
    order_id: model.text().nullable(),
    refund_id: model.text().nullable(),
    attempts: model.number().default(0),
    next_attempt_at: model.dateTime().nullable(),
    lock_token: model.text().nullable(),
    locked_until: model.dateTime().nullable(),
    last_error: model.json().nullable(),
    history: model.json(),
  })
  .indexes([
    { on: ["transaction_id"], unique: true },
    { on: ["cart_id"], where: "cart_id IS NOT NULL" },
    { on: ["subscription_id", "period"], unique: true, where: "subscription_id IS NOT NULL" },
    { on: ["order_id"], where: "order_id IS NOT NULL" },
    { on: ["merchant_id", "environment", "created_at"] },
    {
      name: "IDX_gateway_cart_completion_unsettled",
      on: ["merchant_id", "environment"],
      where: "state = 'needs_attention'",
    },
    { on: ["next_attempt_at"], where: "next_attempt_at IS NOT NULL" },
    {
      name: "IDX_gateway_cart_completion_held",
      on: ["variant_id"],
      where: "variant_id IS NOT NULL AND state = 'waiting'",
    },
  ])
  .checks([
    {
      name: "gateway_cart_completion_of",
      expression: (c) => `${c.cart_id} IS NOT NULL OR ${c.order_id} IS NOT NULL`,
    },
  ])

/**
 * A link that asks for one amount, once, or for more (docs/decisions/10). The row does not store whether it is paid or
 * expired: the first follows from its transactions (`gateway_transaction.link_id`), the second from `expires_at` and the
 * merchant's clock. Amounts in hundredths of the currency.
 */
export const GatewayPaymentLink = model
  .define("gateway_payment_link", {
    id: model.id({ prefix: "lnk" }).primaryKey(),
    /** The end of its public address: whoever has it may see the link and pay it. */
    token: model.text(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    state: model.enum([...LINK_STATES]).default("open"),
    /** Null: whoever pays says how much, within the two limits; `suggested_amounts` is a list for them to choose from. */
    amount_minor: model.number().nullable(),
    min_amount_minor: model.number().nullable(),
    max_amount_minor: model.number().nullable(),
    suggested_amounts: model.json().nullable(),
    /** Many may pay it, each with a checkout of their own. */
    reusable: model.boolean().default(false),
    /** How many payments it takes; null: any number. */
    max_payments: model.number().default(1).nullable(),
    currency: model.text(),
    description: model.text(),
    /** Who is asked to pay; null: whoever opens it says so. */
    customer: model.json().nullable(),
    customer_phone: model.text().nullable(),
    /** The Medusa order whose balance it asks for; `amount_minor` is then what was outstanding when last looked at. */
    store_order_id: model.text().nullable(),
    expires_at: model.dateTime().nullable(),
    disabled_at: model.dateTime().nullable(),
    created_by: model.text(),
    idempotency_id: model.text().nullable(),
    opened_at: model.dateTime(),
  })
  .indexes([
    { on: ["token"], unique: true },
    { name: "IDX_gateway_payment_link_newest", on: ["merchant_id", "environment", "created_at", "id"] },
    { on: ["idempotency_id"], unique: true, where: "idempotency_id IS NOT NULL" },
    { on: ["store_order_id"], unique: true, where: "store_order_id IS NOT NULL AND state = 'open'" },
    { name: "IDX_gateway_payment_link_of_order", on: ["store_order_id"], where: "store_order_id IS NOT NULL" },
  ])
  .checks([
    {
      name: "gateway_payment_link_state",
      expression: (c) => `(${c.state} = 'disabled') = (${c.disabled_at} IS NOT NULL)`,
    },
    {
      name: "gateway_payment_link_amount",
      expression: (c) =>
        `CASE WHEN ${c.amount_minor} IS NULL THEN COALESCE(${c.min_amount_minor}, 0) > 0 AND COALESCE(${c.max_amount_minor}, ${c.min_amount_minor}) >= ${c.min_amount_minor} ELSE ${c.amount_minor} > 0 AND COALESCE(${c.min_amount_minor}, ${c.max_amount_minor}) IS NULL AND ${c.suggested_amounts} IS NULL END`,
    },
    {
      name: "gateway_payment_link_payments",
      expression: (c) => `COALESCE(${c.max_payments}, 1) > 0 AND (${c.reusable} OR COALESCE(${c.max_payments}, 0) = 1)`,
    },
    {
      name: "gateway_payment_link_store_order",
      expression: (c) =>
        `${c.store_order_id} IS NULL OR (${c.reusable} AND ${c.max_payments} IS NULL AND ${c.amount_minor} IS NOT NULL)`,
    },
  ])
