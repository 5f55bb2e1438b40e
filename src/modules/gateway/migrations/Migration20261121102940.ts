import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * Wakes the delivery worker when the surrounding transaction commits. The queue's own schema is made by the first
 * worker that starts; until then there is nobody to wake, and a payment must not fail for it.
 */
const WAKE_WORKER = `
  create or replace function gateway_wake_worker() returns void language plpgsql as $$
  begin
    if to_regnamespace('graphile_worker') is not null then
      perform graphile_worker.add_job('deliver-webhooks', max_attempts := 1);
    end if;
  exception when undefined_function or invalid_schema_name then
    null; -- the queue is just being installed; a worker that starts looks by itself
  end $$;`

const FOREIGN_KEYS = [
  ["gateway_webhook_endpoint", "merchant_id", "gateway_merchant"],
  ["gateway_webhook_delivery", "merchant_id", "gateway_merchant"],
  ["gateway_webhook_attempt", "delivery_id", "gateway_webhook_delivery"],
] as const

export class Migration20261121102940 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`create table if not exists "gateway_webhook_attempt" ("id" text not null, "delivery_id" text not null, "attempt" integer not null, "attempted_at" timestamptz not null, "duration_ms" integer not null, "status_code" integer null, "response" text null, "error" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_webhook_attempt_pkey" primary key ("id"));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_webhook_attempt_delivery_id_attempt_unique" ON "gateway_webhook_attempt" ("delivery_id", "attempt");`)

    this.addSql(`create table if not exists "gateway_webhook_delivery" ("id" text not null, "number" serial, "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) not null, "event_id" text not null, "event_type" text not null, "endpoint_id" text null, "ipn_url" text null, "ipn_body" jsonb null, "lane" text not null, "state" text check ("state" in ('pending', 'delivered', 'failed')) not null default 'pending', "attempts" integer not null default 0, "failures" integer not null default 0, "next_attempt_at" timestamptz not null, "locked_until" timestamptz null, "lock_token" text null, "last_status_code" integer null, "last_error" text null, "delivered_at" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_webhook_delivery_pkey" primary key ("id"));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_webhook_delivery_number_unique" ON "gateway_webhook_delivery" ("number");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_webhook_delivery_lane_next_attempt_at" ON "gateway_webhook_delivery" ("lane", "next_attempt_at") WHERE state = 'pending';`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_webhook_delivery_event_id" ON "gateway_webhook_delivery" ("event_id");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_webhook_delivery_merchant_id_environment_number" ON "gateway_webhook_delivery" ("merchant_id", "environment", "number");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_webhook_delivery_endpoint_id_number" ON "gateway_webhook_delivery" ("endpoint_id", "number");`)

    this.addSql(`create table if not exists "gateway_webhook_endpoint" ("id" text not null, "number" serial, "uuid" text not null, "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) not null, "endpoint_url" text not null, "event_types" text[] not null, "signature_format" text check ("signature_format" in ('hex', 'prefixed')) not null default 'hex', "secret" text not null, "previous_secret" text null, "previous_secret_until" timestamptz null, "is_active" boolean not null default true, "disabled_reason" text null, "disabled_told_at" timestamptz null, "failing_since" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_webhook_endpoint_pkey" primary key ("id"));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_webhook_endpoint_number_unique" ON "gateway_webhook_endpoint" ("number");`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_webhook_endpoint_uuid_unique" ON "gateway_webhook_endpoint" ("uuid");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_webhook_endpoint_merchant_id_environment" ON "gateway_webhook_endpoint" ("merchant_id", "environment");`)

    this.addSql(`alter table if exists "gateway_merchant_environment" add column if not exists "ipn_secret" text null, add column if not exists "previous_ipn_secret" text null, add column if not exists "previous_ipn_secret_until" timestamptz null;`)
    for (const [table, column, target] of FOREIGN_KEYS) {
      this.addSql(
        `alter table "${table}" add constraint "${table}_${column}_fk" foreign key ("${column}") references "${target}" ("id");`
      )
    }
    this.addSql(WAKE_WORKER)
  }

  override async down(): Promise<void> {
    this.addSql(`drop function if exists gateway_wake_worker();`)
    this.addSql(`drop table if exists "gateway_webhook_attempt" cascade;`)
    this.addSql(`drop table if exists "gateway_webhook_delivery" cascade;`)
    this.addSql(`drop table if exists "gateway_webhook_endpoint" cascade;`)
    this.addSql(`alter table if exists "gateway_merchant_environment" drop column if exists "ipn_secret", drop column if exists "previous_ipn_secret", drop column if exists "previous_ipn_secret_until";`)
  }
}
