import { model } from "@medusajs/framework/utils"

/**
 * A line of a Medusa cart that begins a subscription when the cart is paid: what the shopper agreed to, written before
 * money moves. `amount_minor` is the price of a renewal, `delivery_minor` its delivery's share, `paid_minor` what the
 * line cost in the cart, all in poisha and for the whole quantity. `store_customer_id` decides who owns the subscription in the store, never a matching
 * e-mail address.
 */
export const GatewayStorePurchase = model
  .define("gateway_store_purchase", {
    id: model.id({ prefix: "gsp" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    transaction_id: model.text(),
    cart_id: model.text(),
    line_item_id: model.text(),
    variant_id: model.text(),
    plan_id: model.text(),
    store_customer_id: model.text(),
    customer: model.json(),
    quantity: model.number(),
    amount_minor: model.number(),
    delivery_minor: model.number().default(0),
    paid_minor: model.number(),
    /** The tax that `paid_minor` contains. */
    tax_minor: model.number().default(0),
    trial_period_days: model.number().nullable(),
    subscription_id: model.text().nullable(),
  })
  .indexes([
    { on: ["transaction_id", "line_item_id"], unique: true },
    { on: ["subscription_id"], unique: true, where: "subscription_id IS NOT NULL" },
    { on: ["store_customer_id"], where: "subscription_id IS NOT NULL" },
    { on: ["variant_id"], where: "subscription_id IS NOT NULL" },
  ])
  .checks([
    {
      name: "gateway_store_purchase_terms",
      expression: (c) =>
        `${c.quantity} > 0 AND ${c.delivery_minor} >= 0 AND ${c.amount_minor} > ${c.delivery_minor} AND ` +
        `${c.paid_minor} > 0 AND ${c.trial_period_days} >= 0`,
    },
  ])
