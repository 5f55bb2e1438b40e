import { Migration } from "@medusajs/framework/mikro-orm/migrations"

const FOREIGN_KEYS = [
  ["gateway_refund_batch", "merchant_id", "gateway_merchant"],
  ["gateway_refund", "batch_id", "gateway_refund_batch"],
] as const

/**
 * Enqueues a job when the surrounding transaction commits. As long as no worker has installed the queue there is
 * nobody to wake: the schedule finds the work later, and nothing may fail for it.
 */
const ADD_JOB = `
  create or replace function gateway_add_job(task text) returns void language plpgsql as $$
  begin
    if to_regnamespace('graphile_worker') is not null then
      perform graphile_worker.add_job(task, max_attempts := 1);
    end if;
  exception when undefined_function or invalid_schema_name then
    null; -- the queue is just being installed
  end $$;`

/** The refunds API: types, dates by the merchant's clock, approval, batches. */
export class Migration20261121125344 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`create table if not exists "gateway_refund_batch" ("id" text not null, "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) not null, "total" integer not null, "refused" jsonb not null, "requested_by" text not null, "requested_at" timestamptz not null, "idempotency_id" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_refund_batch_pkey" primary key ("id"));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_refund_batch_idempotency_id_unique" ON "gateway_refund_batch" ("idempotency_id") WHERE idempotency_id IS NOT NULL;`)

    this.addSql(`alter table if exists "gateway_merchant_environment" add column if not exists "refund_approval_threshold_minor" integer null, add column if not exists "may_overdraw" boolean not null default false;`)
    // The service arrives with this release: merchants that exist have it as new ones do.
    this.addSql(`update "gateway_merchant_environment" set services = array_append(services, 'refunds') where not 'refunds' = any(services);`)
    // A store that takes its own carts' payments is its own bank.
    this.addSql(`update "gateway_merchant_environment" set may_overdraw = true where merchant_id in (select merchant_id from gateway_checkout_session where source = 'cart');`)

    this.addSql(`alter table if exists "gateway_refund" add column if not exists "type" text check ("type" in ('full', 'partial')) not null default 'full', add column if not exists "metadata" jsonb null, add column if not exists "notify_customer" boolean not null default false, add column if not exists "customer_told_at" timestamptz null, add column if not exists "requested_at" timestamptz null, add column if not exists "held_for" text check ("held_for" in ('approval', 'batch')) null, add column if not exists "reviewed_by" text null, add column if not exists "review_note" text null, add column if not exists "batch_id" text null, add column if not exists "batch_position" integer null, add column if not exists "lock_token" text null, add column if not exists "locked_until" timestamptz null, add column if not exists "error_code" text null;`)
    this.addSql(`update "gateway_refund" r set requested_at = r.created_at, type = case when r.amount_minor < t.amount_minor then 'partial' else 'full' end from gateway_transaction t where t.id = r.transaction_id;`)
    this.addSql(`alter table "gateway_refund" alter column "requested_at" set not null;`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_refund_merchant_id_environment_requested_at_id" ON "gateway_refund" ("merchant_id", "environment", "requested_at", "id");`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_refund_batch_id_batch_position_unique" ON "gateway_refund" ("batch_id", "batch_position") WHERE batch_id IS NOT NULL;`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_refund_requested_at" ON "gateway_refund" ("requested_at") WHERE state = 'pending';`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_refund_completed_at" ON "gateway_refund" ("completed_at") WHERE state = 'completed' AND notify_customer AND customer_told_at IS NULL;`)
    for (const [table, column, target] of FOREIGN_KEYS) {
      this.addSql(
        `alter table "${table}" add constraint "${table}_${column}_fk" foreign key ("${column}") references "${target}" ("id");`
      )
    }
    this.addSql(ADD_JOB)
  }

  override async down(): Promise<void> {
    this.addSql(`drop function if exists gateway_add_job(text);`)
    this.addSql(`drop index if exists "IDX_gateway_refund_merchant_id_environment_requested_at_id";`)
    this.addSql(`drop index if exists "IDX_gateway_refund_batch_id_batch_position_unique";`)
    this.addSql(`drop index if exists "IDX_gateway_refund_requested_at";`)
    this.addSql(`drop index if exists "IDX_gateway_refund_completed_at";`)
    this.addSql(`alter table if exists "gateway_refund" drop column if exists "type", drop column if exists "metadata", drop column if exists "notify_customer", drop column if exists "customer_told_at", drop column if exists "requested_at", drop column if exists "held_for", drop column if exists "reviewed_by", drop column if exists "review_note", drop column if exists "batch_id", drop column if exists "batch_position", drop column if exists "lock_token", drop column if exists "locked_until", drop column if exists "error_code";`)
    this.addSql(`drop table if exists "gateway_refund_batch" cascade;`)
    this.addSql(`alter table if exists "gateway_merchant_environment" drop column if exists "refund_approval_threshold_minor", drop column if exists "may_overdraw";`)
  }
}
