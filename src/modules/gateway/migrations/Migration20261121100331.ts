import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** The database is the last guard: rows of the module point only to rows that exist (design: six rules, 5). */
const FOREIGN_KEYS = [
  ["gateway_merchant_environment", "merchant_id", "gateway_merchant"],
  ["gateway_payment_service", "merchant_id", "gateway_merchant"],
  ["gateway_api_key", "merchant_id", "gateway_merchant"],
  ["gateway_checkout_session", "merchant_id", "gateway_merchant"],
  ["gateway_transaction", "session_id", "gateway_checkout_session"],
  ["gateway_refund", "transaction_id", "gateway_transaction"],
  ["gateway_cart_completion", "transaction_id", "gateway_transaction"],
  ["gateway_event", "merchant_id", "gateway_merchant"],
  ["gateway_idempotency_key", "merchant_id", "gateway_merchant"],
] as const

/*
 * Generated from the models, then changed by hand: the unique indexes hold for every row, deleted ones too
 * (an order_id is used for ever), and the indexes on deleted_at, which nothing asks for, are left out.
 */
export class Migration20261121100331 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`create table if not exists "gateway_api_key" ("id" text not null, "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) not null, "type" text check ("type" in ('secret', 'restricted')) not null default 'secret', "name" text not null, "prefix" text not null, "last_four" text not null, "key_hash" text not null, "scopes" text[] not null, "expires_at" timestamptz null, "revoked_at" timestamptz null, "last_used_at" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_api_key_pkey" primary key ("id"));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_api_key_key_hash_unique" ON "gateway_api_key" ("key_hash");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_api_key_merchant_id_environment" ON "gateway_api_key" ("merchant_id", "environment");`)

    this.addSql(`create table if not exists "gateway_cart_completion" ("id" text not null, "transaction_id" text not null, "session_id" text not null, "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) not null, "cart_id" text not null, "payment_session_id" text not null, "state" text check ("state" in ('waiting', 'ordered', 'giving_back', 'given_back', 'needs_attention')) not null default 'waiting', "order_id" text null, "refund_id" text null, "attempts" integer not null default 0, "next_attempt_at" timestamptz null, "last_error" text null, "history" jsonb not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_cart_completion_pkey" primary key ("id"));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_cart_completion_transaction_id_unique" ON "gateway_cart_completion" ("transaction_id");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_cart_completion_cart_id" ON "gateway_cart_completion" ("cart_id");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_cart_completion_next_attempt_at" ON "gateway_cart_completion" ("next_attempt_at") WHERE next_attempt_at IS NOT NULL;`)

    this.addSql(`create table if not exists "gateway_checkout_session" ("id" text not null, "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) not null, "order_id" text not null, "currency" text not null, "amount_minor" integer not null, "description" text null, "success_url" text not null, "fail_url" text not null, "cancel_url" text not null, "ipn_url" text null, "customer" jsonb not null, "customer_phone" text not null, "shipping" jsonb null, "items" jsonb null, "payment_info" jsonb null, "metadata" jsonb null, "source" text check ("source" in ('api', 'cart')) not null default 'api', "cart_id" text null, "payment_session_id" text null, "return_url" text null, "idempotency_id" text null, "opened_at" timestamptz not null, "expires_at" timestamptz not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_checkout_session_pkey" primary key ("id"), constraint gateway_checkout_session_order check (char_length(order_id) BETWEEN 1 AND 30 AND amount_minor > 0));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_checkout_session_merchant_id_environment_order_id_unique" ON "gateway_checkout_session" ("merchant_id", "environment", "order_id");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_checkout_session_payment_session_id" ON "gateway_checkout_session" ("payment_session_id") WHERE payment_session_id IS NOT NULL;`)

    this.addSql(`create table if not exists "gateway_event" ("id" text not null, "event_id" text not null, "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) not null, "event_type" text not null, "resource_id" text not null, "data" jsonb not null, "occurred_at" timestamptz not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_event_pkey" primary key ("id"));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_event_event_id_unique" ON "gateway_event" ("event_id");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_event_merchant_id_environment_created_at" ON "gateway_event" ("merchant_id", "environment", "created_at");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_event_resource_id" ON "gateway_event" ("resource_id");`)

    this.addSql(`create table if not exists "gateway_idempotency_key" ("id" text not null, "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) not null, "key" text not null, "fingerprint" text not null, "lease_token" text not null, "leased_until" timestamptz not null, "expires_at" timestamptz not null, "status" integer null, "body" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_idempotency_key_pkey" primary key ("id"));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_idempotency_key_merchant_id_environment_key_unique" ON "gateway_idempotency_key" ("merchant_id", "environment", "key");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_idempotency_key_expires_at" ON "gateway_idempotency_key" ("expires_at");`)

    this.addSql(`create table if not exists "gateway_merchant" ("id" text not null, "number" serial, "name" text not null, "email" text null, "status" text check ("status" in ('active', 'suspended')) not null default 'active', "verification_status" text check ("verification_status" in ('unverified', 'pending', 'approved', 'rejected')) not null default 'unverified', "settings" jsonb not null default '{}', "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_merchant_pkey" primary key ("id"));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_merchant_number_unique" ON "gateway_merchant" ("number");`)

    this.addSql(`create table if not exists "gateway_merchant_environment" ("id" text not null, "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) not null, "services" text[] not null, "ip_allow_list" text[] not null, "success_url" text null, "fail_url" text null, "cancel_url" text null, "ipn_url" text null, "rate_limit_requests" integer null, "clock_offset_seconds" integer not null default 0, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_merchant_environment_pkey" primary key ("id"), constraint gateway_merchant_environment_clock check (clock_offset_seconds >= 0 AND (environment = 'sandbox' OR clock_offset_seconds = 0)));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_merchant_environment_merchant_id_environment_unique" ON "gateway_merchant_environment" ("merchant_id", "environment");`)

    this.addSql(`create table if not exists "gateway_payment_service" ("id" text not null, "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) not null, "service_id" integer not null, "code" text not null, "name" text not null, "kind" text check ("kind" in ('card', 'mobile_banking', 'internet_banking', 'wallet')) not null, "fee_basis_points" integer not null, "fee_fixed_minor" integer not null default 0, "supports_refunds" boolean not null default true, "is_active" boolean not null default true, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_payment_service_pkey" primary key ("id"), constraint gateway_payment_service_fee check (fee_basis_points BETWEEN 0 AND 10000 AND fee_fixed_minor >= 0));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_payment_service_merchant_id_environment_service_id_unique" ON "gateway_payment_service" ("merchant_id", "environment", "service_id");`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_payment_service_merchant_id_environment_code_unique" ON "gateway_payment_service" ("merchant_id", "environment", "code");`)

    this.addSql(`create table if not exists "gateway_refund" ("id" text not null, "transaction_id" text not null, "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) not null, "state" text check ("state" in ('pending', 'processing', 'completed', 'failed', 'cancelled')) not null default 'pending', "amount_minor" integer not null, "currency" text not null, "reason" text not null, "requested_by" text not null, "request_key" text null, "acquirer_reference" text null, "error_message" text null, "inquiry_at" timestamptz null, "inquiry_count" integer not null default 0, "completed_at" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_refund_pkey" primary key ("id"), constraint gateway_refund_amount check (amount_minor > 0));`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_refund_transaction_id" ON "gateway_refund" ("transaction_id");`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_refund_transaction_id_request_key_unique" ON "gateway_refund" ("transaction_id", "request_key") WHERE request_key IS NOT NULL;`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_refund_inquiry_at" ON "gateway_refund" ("inquiry_at") WHERE state = 'processing';`)

    this.addSql(`create table if not exists "gateway_sandbox_operation" ("id" text not null, "key" text not null, "kind" text check ("kind" in ('charge', 'refund')) not null, "charge_key" text null, "outcome" text not null, "refund_behaviour" text check ("refund_behaviour" in ('standard', 'instant', 'delayed', 'fails')) not null default 'standard', "amount_minor" integer not null, "currency" text not null, "reference" text not null, "tries" integer not null default 1, "available_at" timestamptz not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_sandbox_operation_pkey" primary key ("id"));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_sandbox_operation_kind_key_unique" ON "gateway_sandbox_operation" ("kind", "key");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_sandbox_operation_charge_key" ON "gateway_sandbox_operation" ("charge_key");`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_sandbox_operation_reference_unique" ON "gateway_sandbox_operation" ("reference");`)

    this.addSql(`create table if not exists "gateway_transaction" ("id" text not null, "session_id" text not null, "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) not null, "order_id" text not null, "state" text check ("state" in ('OPEN', 'PROCESSING', 'SUCCESS', 'FAILED', 'CANCELLED', 'EXPIRED', 'REFUNDED')) not null default 'OPEN', "currency" text not null, "amount_minor" integer not null, "charge_minor" integer not null default 0, "refunded_minor" integer not null default 0, "payment_method" text null, "payment_service" text null, "instrument" jsonb null, "acquirer" text null, "acquirer_reference" text null, "error_code" text null, "error_message" text null, "attempt_token" text null, "attempt_started_at" timestamptz null, "inquiry_at" timestamptz null, "inquiry_count" integer not null default 0, "expires_at" timestamptz not null, "verified_at" timestamptz null, "finished_at" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_transaction_pkey" primary key ("id"), constraint gateway_transaction_sums check (amount_minor > 0 AND charge_minor >= 0 AND refunded_minor BETWEEN 0 AND amount_minor), constraint gateway_transaction_verified check ((state IN ('SUCCESS', 'REFUNDED')) = (verified_at IS NOT NULL AND acquirer_reference IS NOT NULL)));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_transaction_session_id_unique" ON "gateway_transaction" ("session_id");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_transaction_expires_at" ON "gateway_transaction" ("expires_at") WHERE state = 'OPEN';`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_transaction_inquiry_at" ON "gateway_transaction" ("inquiry_at") WHERE state = 'PROCESSING';`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_transaction_acquirer_acquirer_reference_unique" ON "gateway_transaction" ("acquirer", "acquirer_reference") WHERE acquirer_reference IS NOT NULL;`)
    for (const [table, column, target] of FOREIGN_KEYS) {
      this.addSql(
        `alter table "${table}" add constraint "${table}_${column}_fk" foreign key ("${column}") references "${target}" ("id");`
      )
    }
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "gateway_api_key" cascade;`)
    this.addSql(`drop table if exists "gateway_cart_completion" cascade;`)
    this.addSql(`drop table if exists "gateway_checkout_session" cascade;`)
    this.addSql(`drop table if exists "gateway_event" cascade;`)
    this.addSql(`drop table if exists "gateway_idempotency_key" cascade;`)
    this.addSql(`drop table if exists "gateway_merchant" cascade;`)
    this.addSql(`drop table if exists "gateway_merchant_environment" cascade;`)
    this.addSql(`drop table if exists "gateway_payment_service" cascade;`)
    this.addSql(`drop table if exists "gateway_refund" cascade;`)
    this.addSql(`drop table if exists "gateway_sandbox_operation" cascade;`)
    this.addSql(`drop table if exists "gateway_transaction" cascade;`)
  }
}
