import { Migration } from "@medusajs/framework/mikro-orm/migrations"

const FOREIGN_KEYS = [
  ["gateway_plan", "merchant_id", "gateway_merchant"],
  ["gateway_customer", "merchant_id", "gateway_merchant"],
  ["gateway_instrument", "customer_id", "gateway_customer"],
  ["gateway_subscription", "merchant_id", "gateway_merchant"],
  ["gateway_subscription", "customer_id", "gateway_customer"],
  ["gateway_subscription", "plan_id", "gateway_plan"],
  ["gateway_subscription", "instrument_id", "gateway_instrument"],
  ["gateway_billing_record", "subscription_id", "gateway_subscription"],
  ["gateway_billing_record", "transaction_id", "gateway_transaction"],
  ["gateway_invoice", "subscription_id", "gateway_subscription"],
  ["gateway_invoice_series", "merchant_id", "gateway_merchant"],
] as const

export class Migration20261121125659 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`create table if not exists "gateway_billing_record" ("id" text not null, "number" serial, "uuid" text not null, "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) not null, "subscription_id" text not null, "period" integer not null, "status" text check ("status" in ('PENDING', 'PROCESSING', 'SUCCESS', 'FAILED', 'REFUNDED')) not null default 'PENDING', "amount_minor" integer not null, "currency" text not null, "billing_date" timestamptz not null, "period_start" timestamptz not null, "period_end" timestamptz not null, "attempts" integer not null default 0, "transaction_id" text null, "session_id" text null, "error_code" text null, "opened_at" timestamptz not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_billing_record_pkey" primary key ("id"), constraint gateway_billing_record_sums check (amount_minor > 0 AND period >= 0 AND attempts >= 0 AND period_end > period_start), constraint gateway_billing_record_paid check (status NOT IN ('SUCCESS', 'REFUNDED') OR transaction_id IS NOT NULL));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_billing_record_number_unique" ON "gateway_billing_record" ("number");`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_billing_record_subscription_id_period_unique" ON "gateway_billing_record" ("subscription_id", "period");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_billing_record_transaction_id" ON "gateway_billing_record" ("transaction_id") WHERE transaction_id IS NOT NULL;`)

    this.addSql(`create table if not exists "gateway_customer" ("id" text not null, "number" serial, "uuid" text not null, "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) not null, "name" text not null, "email" text not null, "email_key" text not null, "phone" text null, "phone_e164" text null, "store_customer_id" text null, "opened_at" timestamptz not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_customer_pkey" primary key ("id"));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_customer_number_unique" ON "gateway_customer" ("number");`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_customer_uuid_unique" ON "gateway_customer" ("uuid");`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_customer_merchant_id_environment_email_key_unique" ON "gateway_customer" ("merchant_id", "environment", "email_key");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_customer_merchant_id_environment_number" ON "gateway_customer" ("merchant_id", "environment", "number");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_customer_store_customer_id" ON "gateway_customer" ("store_customer_id") WHERE store_customer_id IS NOT NULL;`)

    this.addSql(`create table if not exists "gateway_instrument" ("id" text not null, "uuid" text not null, "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) not null, "customer_id" text not null, "acquirer" text not null, "token" text not null, "method" text check ("method" in ('card', 'mobile_banking', 'internet_banking', 'wallet')) not null, "service" text not null, "brand" text null, "last_four" text null, "account" text null, "expiry_month" integer null, "expiry_year" integer null, "opened_at" timestamptz not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_instrument_pkey" primary key ("id"));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_instrument_uuid_unique" ON "gateway_instrument" ("uuid");`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_instrument_customer_id_acquirer_token_unique" ON "gateway_instrument" ("customer_id", "acquirer", "token");`)

    this.addSql(`create table if not exists "gateway_invoice" ("id" text not null, "uuid" text not null, "number" integer not null, "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) not null, "subscription_id" text not null, "customer_id" text not null, "invoice_type" text check ("invoice_type" in ('SUBSCRIPTION')) not null default 'SUBSCRIPTION', "status" text check ("status" in ('PENDING', 'PAID', 'VOID')) not null default 'PENDING', "period" integer not null, "period_start" timestamptz not null, "period_end" timestamptz not null, "amount_minor" integer not null, "currency" text not null, "due_date" timestamptz not null, "revision" integer not null default 0, "paid_at" timestamptz null, "voided_at" timestamptz null, "opened_at" timestamptz not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_invoice_pkey" primary key ("id"), constraint gateway_invoice_state check (amount_minor > 0 AND number > 0 AND (status = 'PAID') = (paid_at IS NOT NULL)
         AND (status = 'VOID') = (voided_at IS NOT NULL)
         AND revision = CASE WHEN status = 'VOID' THEN number ELSE 0 END));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_invoice_uuid_unique" ON "gateway_invoice" ("uuid");`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_invoice_merchant_id_environment_number_unique" ON "gateway_invoice" ("merchant_id", "environment", "number");`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_invoice_subscription_id_period_revision_unique" ON "gateway_invoice" ("subscription_id", "period", "revision");`)

    this.addSql(`create table if not exists "gateway_invoice_series" ("id" text not null, "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) not null, "last_number" integer not null default 0, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_invoice_series_pkey" primary key ("id"));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_invoice_series_merchant_id_environment_unique" ON "gateway_invoice_series" ("merchant_id", "environment");`)

    this.addSql(`create table if not exists "gateway_plan" ("id" text not null, "number" serial, "uuid" text not null, "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) not null, "plan_name" text not null, "plan_description" text null, "amount_minor" integer not null, "currency" text not null, "interval_count" integer not null, "interval_unit" text check ("interval_unit" in ('DAY', 'WEEK', 'MONTH', 'YEAR')) not null, "trial_period_days" integer null, "trial_amount_minor" integer null, "meta_data" jsonb not null, "is_active" boolean not null default true, "idempotency_id" text null, "opened_at" timestamptz not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_plan_pkey" primary key ("id"), constraint gateway_plan_terms check (amount_minor > 0 AND interval_count BETWEEN 1 AND 365 AND trial_period_days >= 0 AND trial_amount_minor > 0));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_plan_number_unique" ON "gateway_plan" ("number");`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_plan_uuid_unique" ON "gateway_plan" ("uuid");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_plan_merchant_id_environment_number" ON "gateway_plan" ("merchant_id", "environment", "number");`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_plan_idempotency_id_unique" ON "gateway_plan" ("idempotency_id") WHERE idempotency_id IS NOT NULL;`)

    this.addSql(`create table if not exists "gateway_sandbox_instrument" ("id" text not null, "method" text check ("method" in ('card', 'mobile_banking', 'internet_banking', 'wallet')) not null, "outcome" text not null, "refund_behaviour" text check ("refund_behaviour" in ('standard', 'instant', 'delayed', 'fails')) not null default 'standard', "summary" jsonb not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_sandbox_instrument_pkey" primary key ("id"));`)

    this.addSql(`create table if not exists "gateway_subscription" ("id" text not null, "number" serial, "uuid" text not null, "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) not null, "customer_id" text not null, "plan_id" text null, "instrument_id" text null, "source" text check ("source" in ('api', 'store')) not null default 'api', "status" text check ("status" in ('PENDING', 'TRIALING', 'ACTIVE', 'PAST_DUE', 'PAUSED', 'CANCELLED', 'EXPIRED')) not null, "amount_minor" integer not null, "currency" text not null, "interval_count" integer not null, "interval_unit" text check ("interval_unit" in ('DAY', 'WEEK', 'MONTH', 'YEAR')) not null, "trial_period_days" integer null, "trial_amount_minor" integer null, "trial_end_date" timestamptz null, "trial_ending_told" boolean not null default false, "anchor_at" timestamptz null, "anchor_period" integer not null default 1, "current_period" integer not null default 0, "paid_period" integer not null default 0, "current_period_start" timestamptz null, "current_period_end" timestamptz null, "next_billing_date" timestamptz null, "billing_cycle_count" integer not null default 0, "failed_payment_count" integer not null default 0, "past_due_since" timestamptz null, "retry_at" timestamptz null, "paused_at" timestamptz null, "cancel_at_period_end" boolean not null default false, "cancelled_at" timestamptz null, "cancellation_reason" text null, "ended_at" timestamptz null, "due_at" timestamptz null, "awaiting_transaction_id" text null, "lock_token" text null, "locked_until" timestamptz null, "meta_data" jsonb not null, "store_order_id" text null, "store_variant_id" text null, "idempotency_id" text null, "opened_at" timestamptz not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_subscription_pkey" primary key ("id"), constraint gateway_subscription_terms check (amount_minor > 0 AND interval_count BETWEEN 1 AND 365 AND trial_period_days >= 0 AND trial_amount_minor > 0), constraint gateway_subscription_periods check (paid_period >= -1 AND current_period >= 0 AND billing_cycle_count >= 0 AND failed_payment_count >= 0
         AND current_period_end >= current_period_start), constraint gateway_subscription_state check ((status <> 'TRIALING' OR trial_end_date IS NOT NULL)
         AND (status NOT IN ('ACTIVE', 'PAST_DUE', 'PAUSED') OR (anchor_at IS NOT NULL AND next_billing_date IS NOT NULL))
         AND ((status = 'PAUSED') = (paused_at IS NOT NULL))
         AND ((status = 'PAST_DUE') = (past_due_since IS NOT NULL))));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_subscription_number_unique" ON "gateway_subscription" ("number");`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_subscription_uuid_unique" ON "gateway_subscription" ("uuid");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_subscription_merchant_id_environment_number" ON "gateway_subscription" ("merchant_id", "environment", "number");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_subscription_merchant_id_environment_status_number" ON "gateway_subscription" ("merchant_id", "environment", "status", "number");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_subscription_customer_id_number" ON "gateway_subscription" ("customer_id", "number");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_subscription_merchant_id_environment_due_at" ON "gateway_subscription" ("merchant_id", "environment", "due_at") WHERE due_at IS NOT NULL;`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_subscription_instrument_id" ON "gateway_subscription" ("instrument_id") WHERE instrument_id IS NOT NULL;`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_subscription_store_order_id" ON "gateway_subscription" ("store_order_id") WHERE store_order_id IS NOT NULL;`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_subscription_idempotency_id_unique" ON "gateway_subscription" ("idempotency_id") WHERE idempotency_id IS NOT NULL;`)

    this.addSql(`alter table if exists "gateway_checkout_session" add column if not exists "subscription_id" text null, add column if not exists "subscription_period" integer null;`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_checkout_session_subscription_id" ON "gateway_checkout_session" ("subscription_id") WHERE subscription_id IS NOT NULL;`)

    this.addSql(`alter table if exists "gateway_merchant_environment" add column if not exists "retry_days" jsonb null, add column if not exists "after_last_retry" text check ("after_last_retry" in ('cancel', 'past_due')) null;`)
    for (const [table, column, target] of FOREIGN_KEYS) {
      this.addSql(
        `alter table "${table}" add constraint "${table}_${column}_fk" foreign key ("${column}") references "${target}" ("id");`
      )
    }
    // A session outlives the purge of the subscription it paid for.
    this.addSql(
      `alter table "gateway_checkout_session" add constraint "gateway_checkout_session_subscription_id_fk" foreign key ("subscription_id") references "gateway_subscription" ("id") on delete set null;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "gateway_billing_record" cascade;`)
    this.addSql(`drop table if exists "gateway_customer" cascade;`)
    this.addSql(`drop table if exists "gateway_instrument" cascade;`)
    this.addSql(`drop table if exists "gateway_invoice" cascade;`)
    this.addSql(`drop table if exists "gateway_invoice_series" cascade;`)
    this.addSql(`drop table if exists "gateway_plan" cascade;`)
    this.addSql(`drop table if exists "gateway_sandbox_instrument" cascade;`)
    this.addSql(`drop table if exists "gateway_subscription" cascade;`)
    this.addSql(`drop index if exists "IDX_gateway_checkout_session_subscription_id";`)
    this.addSql(`alter table if exists "gateway_checkout_session" drop column if exists "subscription_id", drop column if exists "subscription_period";`)
    this.addSql(`alter table if exists "gateway_merchant_environment" drop column if exists "retry_days", drop column if exists "after_last_retry";`)
  }
}
