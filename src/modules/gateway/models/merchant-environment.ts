import { model } from "@medusajs/framework/utils"

/** A merchant's settings for one environment: services, addresses, callback defaults, limits, the clock. */
export const GatewayMerchantEnvironment = model
  .define("gateway_merchant_environment", {
    id: model.id({ prefix: "menv" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    services: model.array(),
    ip_allow_list: model.array(),
    success_url: model.text().nullable(),
    fail_url: model.text().nullable(),
    cancel_url: model.text().nullable(),
    ipn_url: model.text().nullable(),
    /** Both encrypted (kernel/sealed-columns.ts). */
    ipn_secret: model.text().nullable(),
    previous_ipn_secrets: model.text().nullable(),
    rate_limit_requests: model.number().nullable(),
    /** Days after a subscription's first failed charge on which it is retried; null: the deployment's own. */
    retry_days: model.json().nullable(),
    after_last_retry: model.enum(["cancel", "past_due"]).nullable(),
    clock_offset_seconds: model.number().default(0),
    /** A payment's refunds above this sum need an admin's approval; null: none does. Poisha. */
    refund_approval_threshold_minor: model.number().nullable(),
    /** The same for what is refunded within a day: of all requests, and of each key, admin or process. */
    refund_daily_limit_minor: model.number().nullable(),
    refund_daily_key_limit_minor: model.number().nullable(),
    /** Refunds may take the balance below zero (production; in the sandbox every refund may). */
    may_overdraw: model.boolean().default(false),
    /** How often a shopper may try to pay one checkout, 1 to 5. */
    payment_attempts: model.number().default(3),
    /** Payments that the acquirer flags as risky wait for an admin. */
    hold_risky: model.boolean().default(false),
    /** An unpaid order_id may be used again, and gaps that shop modules leave are accepted (docs/decisions/0051). */
    shop_modules: model.boolean().default(false),
    /** Customers get a receipt of each payment and refund by e-mail (docs/decisions/0056). */
    receipts: model.boolean().default(false),
    /** A received return is refunded at once; false: an admin confirms it. */
    returns_automatic: model.boolean().default(false),
    /** Shipping is refunded when everything of an order has come back. */
    returns_refund_shipping: model.boolean().default(false),
  })
  .indexes([{ on: ["merchant_id", "environment"], unique: true }])
  .checks([
    {
      name: "gateway_merchant_environment_clock",
      expression: (c) =>
        `${c.clock_offset_seconds} >= 0 AND (${c.environment} = 'sandbox' OR ${c.clock_offset_seconds} = 0)`,
    },
    {
      name: "gateway_merchant_environment_attempts",
      expression: (c) => `${c.payment_attempts} BETWEEN 1 AND 5`,
    },
  ])
