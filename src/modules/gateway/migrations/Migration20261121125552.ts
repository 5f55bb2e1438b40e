import { Migration } from "@medusajs/framework/mikro-orm/migrations"

const FOREIGN_KEYS = [
  ["gateway_audit_entry", "merchant_id", "gateway_merchant"],
  ["gateway_request_log", "merchant_id", "gateway_merchant"],
] as const

/** Searched from the left, letter by letter, whatever the database's collation is. */
const SEARCHED = [
  ["IDX_gateway_checkout_session_search_order", `"merchant_id", "environment", "order_id" text_pattern_ops`],
  ["IDX_gateway_checkout_session_search_email", `"merchant_id", "environment", lower("customer" ->> 'email') text_pattern_ops`],
] as const

/** The audit log, the request log, and what the admin's lists are sorted and searched by. */
export class Migration20261121125552 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`create table if not exists "gateway_audit_entry" ("id" text not null, "number" serial, "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) null, "actor_type" text check ("actor_type" in ('user', 'admin_key', 'merchant_key', 'system')) not null, "actor_id" text not null, "action" text not null, "resource_id" text not null, "changes" jsonb not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_audit_entry_pkey" primary key ("id"));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_audit_entry_number_unique" ON "gateway_audit_entry" ("number");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_audit_entry_merchant_id_number" ON "gateway_audit_entry" ("merchant_id", "number");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_audit_entry_resource_id_number" ON "gateway_audit_entry" ("resource_id", "number");`)

    this.addSql(`create table if not exists "gateway_request_log" ("id" text not null, "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) not null, "key_id" text not null, "method" text not null, "path" text not null, "status" integer not null, "error_code" text null, "duration_ms" integer not null, "request_id" text not null, "requested_at" timestamptz not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_request_log_pkey" primary key ("id"));`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_request_log_merchant_id_environment_requested_at_id" ON "gateway_request_log" ("merchant_id", "environment", "requested_at", "id");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_request_log_requested_at" ON "gateway_request_log" ("requested_at");`)

    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_cart_completion_order_id" ON "gateway_cart_completion" ("order_id") WHERE order_id IS NOT NULL;`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_cart_completion_merchant_id_environment_created_at" ON "gateway_cart_completion" ("merchant_id", "environment", "created_at");`)

    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_transaction_newest" ON "gateway_transaction" ("merchant_id", "environment", "created_at", "id");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_transaction_by_state" ON "gateway_transaction" ("merchant_id", "environment", "state", "created_at", "id");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_transaction_by_service" ON "gateway_transaction" ("merchant_id", "environment", "payment_service", "created_at", "id") WHERE payment_service IS NOT NULL;`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_transaction_by_amount" ON "gateway_transaction" ("merchant_id", "environment", "amount_minor", "id");`)

    for (const [name, columns] of SEARCHED) {
      this.addSql(`CREATE INDEX IF NOT EXISTS "${name}" ON "gateway_checkout_session" (${columns});`)
    }
    for (const [table, column, target] of FOREIGN_KEYS) {
      this.addSql(
        `alter table "${table}" add constraint "${table}_${column}_fk" foreign key ("${column}") references "${target}" ("id");`
      )
    }
  }

  override async down(): Promise<void> {
    for (const [name] of SEARCHED) {
      this.addSql(`drop index if exists "${name}";`)
    }
    this.addSql(`drop table if exists "gateway_audit_entry" cascade;`)

    this.addSql(`drop table if exists "gateway_request_log" cascade;`)

    this.addSql(`drop index if exists "IDX_gateway_cart_completion_order_id";`)
    this.addSql(`drop index if exists "IDX_gateway_cart_completion_merchant_id_environment_created_at";`)

    this.addSql(`drop index if exists "IDX_gateway_transaction_newest";`)
    this.addSql(`drop index if exists "IDX_gateway_transaction_by_state";`)
    this.addSql(`drop index if exists "IDX_gateway_transaction_by_service";`)
    this.addSql(`drop index if exists "IDX_gateway_transaction_by_amount";`)
  }
}
