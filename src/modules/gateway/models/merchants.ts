import { model } from "@medusajs/framework/utils"
import { COUNTERS } from "../kernel/database/counter-rules"
import { ACTOR_TYPES } from "../kernel/database/logged-actions"
import { ONE_TRIAL_MODES } from "../kernel/types"
import { CAPTURE_MODES } from "../merchants/payment-services"

/** A business that takes payments. `number` is the contract's integer merchant_id. */
export const GatewayMerchant = model
  .define("gateway_merchant", {
    id: model.id({ prefix: "mer" }).primaryKey(),
    number: model.autoincrement(),
    name: model.text().searchable(),
    email: model.text().nullable(),
    status: model.enum(["active", "suspended"]).default("active"),
    verification_status: model.enum(["unverified", "pending", "approved", "rejected"]).default("unverified"),
    settings: model.json().default({}),
    /** How it presents itself to shoppers (merchants/profile-rules.ts). */
    profile: model.json().default({}),
  })
  .indexes([{ on: ["number"], unique: true }])

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
    /** Both encrypted (kernel/database/replaced-keys.ts). */
    ipn_secret: model.text().nullable(),
    previous_ipn_secrets: model.text().nullable(),
    rate_limit_requests: model.number().nullable(),
    /** Days after a subscription's first failed charge on which it is retried; null: the deployment's own. */
    retry_days: model.json().nullable(),
    after_last_retry: model.enum(["cancel", "past_due"]).nullable(),
    cancellation_reasons: model.json().nullable(),
    clock_offset_seconds: model.number().default(0),
    /** IANA; on its calendar billing dates are counted, and days are written on documents (decisions: Plans). */
    time_zone: model.text().default("Asia/Dhaka"),
    /** A payment's refunds above this sum need an admin's approval; null: none does. Poisha. */
    refund_approval_threshold_minor: model.number().nullable(),
    /** The same for what is refunded within a day: of all requests, and of each key, admin or process. */
    refund_daily_limit_minor: model.number().nullable(),
    refund_daily_key_limit_minor: model.number().nullable(),
    /** What admins with a role of Medusa's RBAC refund of a payment (kernel/types.ts, `RoleLimit`); null: no role has a limit. */
    refund_role_limits: model.json().nullable(),
    /** A refund that waits for approval is approved by another admin than the one who requested it. */
    approval_by_another: model.boolean().default(false),
    /** Refunds may take the balance below zero (production; in the sandbox every refund may). */
    may_overdraw: model.boolean().default(false),
    /** How often a shopper may try to pay one checkout, 1 to 5. */
    payment_attempts: model.number().default(3),
    /** Payments that the acquirer flags as risky wait for an admin. */
    hold_risky: model.boolean().default(false),
    /** An unpaid order_id may be used again, and gaps that shop modules leave are accepted (docs/decisions/15). */
    shop_modules: model.boolean().default(false),
    /** Customers get a receipt of each payment and refund by e-mail (docs/decisions/12). */
    receipts: model.boolean().default(false),
    /** When the money of payments is taken (docs/decisions/01). */
    capture: model.enum([...CAPTURE_MODES]).default("automatic"),
    /** A received return is refunded at once; false: an admin confirms it. */
    returns_automatic: model.boolean().default(false),
    /** Shipping is refunded when everything of an order has come back. */
    returns_refund_shipping: model.boolean().default(false),
    /** Whose subscriptions the rule holds for: one trial of a customer and family of plans (docs/decisions/11). */
    one_trial_per_customer: model.enum([...ONE_TRIAL_MODES]).default("store"),
    /** How it takes cash on delivery; null: as by default (cash/rules.ts). */
    cash: model.json().nullable(),
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

/**
 * A merchant's logo. `file` is the SHA-256 of its content and its type, so an address never changes its picture; a logo
 * that is replaced stays, because e-mails that were sent show it. `content` is base64.
 */
export const GatewayMerchantLogo = model
  .define("gateway_merchant_logo", {
    id: model.id({ prefix: "mlg" }).primaryKey(),
    file: model.text(),
    content: model.text(),
  })
  .indexes([{ on: ["file"], unique: true }])

/** A merchant's API key. Only the hash is stored; the key itself is shown once (decisions: Environments). */
export const GatewayApiKey = model
  .define("gateway_api_key", {
    id: model.id({ prefix: "gak" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    type: model.enum(["secret", "restricted"]).default("secret"),
    name: model.text(),
    prefix: model.text(),
    last_four: model.text(),
    key_hash: model.text(),
    scopes: model.array(),
    expires_at: model.dateTime().nullable(),
    revoked_at: model.dateTime().nullable(),
    last_used_at: model.dateTime().nullable(),
  })
  .indexes([{ on: ["key_hash"], unique: true }, { on: ["merchant_id", "environment"] }])

/** A request that was sent with an Idempotency-Key, and its answer once there is one (decisions: Requests). */
export const GatewayIdempotencyKey = model
  .define("gateway_idempotency_key", {
    id: model.id({ prefix: "idem" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    key: model.text(),
    fingerprint: model.text(),
    lease_token: model.text(),
    leased_until: model.dateTime(),
    expires_at: model.dateTime(),
    status: model.number().nullable(),
    /** Encrypted (kernel/database/replaced-keys.ts): some answers hold a secret that is shown once. */
    body: model.text().nullable(),
  })
  .indexes([{ on: ["merchant_id", "environment", "key"], unique: true }, { on: ["expires_at"] }])

/**
 * One request to `/api/v2` by a known key, also a revoked or expired one: operation, address, outcome, duration. No
 * bodies and nothing secret. In partitions of a day by `created_at`, dropped after some days (docs/decisions/23).
 */
export const GatewayRequestLog = model
  .define("gateway_request_log", {
    id: model.id({ prefix: "grl" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    key_id: model.text(),
    method: model.text(),
    /** The path's template, `/payments/verify/{transaction_id}`: ids of payments are not stored here. */
    path: model.text(),
    status: model.number(),
    error_code: model.text().nullable(),
    duration_ms: model.number(),
    request_id: model.text(),
    /** The client's address, from the socket and TRUSTED_PROXIES; null in rows from before it was stored. */
    address: model.text().nullable(),
    requested_at: model.dateTime(),
  })
  .indexes([
    { on: ["merchant_id", "environment", "requested_at", "id"] },
    {
      name: "IDX_gateway_request_log_not_well",
      on: ["merchant_id", "environment", "requested_at", "id"],
      where: "status >= 400",
    },
    { on: ["request_id"] },
    { on: ["requested_at"] },
  ])

/**
 * Who changed what, when, from what to what. Written in the transaction of the change (kernel/database/audit.ts); a trigger
 * refuses to change or delete it. `address` and `request_id` are those of the request that made the change; null:
 * background work. `environment` is null for changes of a merchant as a whole. `changes` is `{ field: { from, to } }`.
 * By `idempotency_id` a repeated request finds the one change that it has made already.
 */
export const GatewayAuditEntry = model
  .define("gateway_audit_entry", {
    id: model.id({ prefix: "gau" }).primaryKey(),
    number: model.autoincrement(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]).nullable(),
    actor_type: model.enum([...ACTOR_TYPES]),
    actor_id: model.text(),
    action: model.text(),
    resource_id: model.text(),
    changes: model.json(),
    address: model.text().nullable(),
    request_id: model.text().nullable(),
    idempotency_id: model.text().nullable(),
  })
  .indexes([
    { on: ["merchant_id", "number"], unique: true },
    { on: ["merchant_id", "created_at", "number"] },
    { on: ["resource_id", "number"] },
    { on: ["merchant_id", "actor_id", "number"] },
    { name: "IDX_gateway_audit_entry_by_request", on: ["merchant_id", "request_id"], where: "request_id IS NOT NULL" },
    {
      name: "IDX_gateway_audit_entry_by_address",
      on: ["merchant_id", "address", "number"],
      where: "address IS NOT NULL",
    },
    { on: ["idempotency_id"], unique: true, where: "idempotency_id IS NOT NULL" },
  ])

/**
 * Counts and sums that lists and the overview would otherwise calculate. Triggers of the counted tables append rows
 * here, `fold` merges those with the same key and old hours of one day, and a figure is the sum of its rows. Nothing is
 * updated in place, so payments never wait here. kernel/database/counter-rules.ts defines `label`, `currency` and `bucket`.
 * `count` may be negative. The id has a default; amounts are bigint in the database, in hundredths of the currency.
 */
export const GatewayCounter = model
  .define("gateway_counter", {
    id: model.id({ prefix: "gta" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    subject: model.enum([...COUNTERS]),
    label: model.text(),
    currency: model.text().default(""),
    bucket: model.number(),
    count: model.number(),
    amount_minor: model.number().default(0),
    fee_minor: model.number().default(0),
    is_folded: model.boolean().default(false),
  })
  .indexes([
    { name: "IDX_gateway_counter_key", on: ["merchant_id", "environment", "subject", "bucket", "label"] },
    { name: "IDX_gateway_counter_fresh", on: ["id"], where: "NOT is_folded" },
    {
      name: "IDX_gateway_counter_hour",
      on: ["bucket"],
      where: "is_folded AND subject IN ('event', 'entry') AND bucket % 24 <> 0",
    },
  ])
