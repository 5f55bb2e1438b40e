import { Migration } from "@medusajs/framework/mikro-orm/migrations"

const FOREIGN_KEYS = [
  ["gateway_skipped_period", "merchant_id", "gateway_merchant", ""],
  // A skipped period is nothing without its subscription; a paid cart is one for ever.
  ["gateway_skipped_period", "subscription_id", "gateway_subscription", " on delete cascade"],
  ["gateway_cart_completion", "subscription_id", "gateway_subscription", " on delete set null"],
] as const

export class Migration20261121160812 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`create table if not exists "gateway_skipped_period" ("id" text not null, "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) not null, "subscription_id" text not null, "period" integer not null, "reason" text check ("reason" in ('out_of_stock', 'not_sold', 'no_order')) not null, "amount_minor" integer not null, "period_start" timestamptz not null, "period_end" timestamptz not null, "skipped_at" timestamptz not null, "mail_due_at" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_skipped_period_pkey" primary key ("id"));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_skipped_period_subscription_id_period_unique" ON "gateway_skipped_period" ("subscription_id", "period");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_skipped_period_mail_due_at" ON "gateway_skipped_period" ("mail_due_at") WHERE mail_due_at IS NOT NULL;`)

    this.addSql(`alter table if exists "gateway_cart_completion" add column if not exists "subscription_id" text null, add column if not exists "period" integer null;`)
    this.addSql(`alter table if exists "gateway_cart_completion" alter column "payment_session_id" drop not null;`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_cart_completion_subscription_id_period_unique" ON "gateway_cart_completion" ("subscription_id", "period") WHERE subscription_id IS NOT NULL;`)

    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_store_purchase_variant_id" ON "gateway_store_purchase" ("variant_id") WHERE subscription_id IS NOT NULL;`)
    for (const [table, column, target, onDelete] of FOREIGN_KEYS) {
      this.addSql(
        `alter table "${table}" add constraint "${table}_${column}_fk" foreign key ("${column}") references "${target}" ("id")${onDelete};`
      )
    }
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "gateway_skipped_period" cascade;`)

    this.addSql(`drop index if exists "IDX_gateway_cart_completion_subscription_id_period_unique";`)
    this.addSql(`delete from "gateway_cart_completion" where "payment_session_id" is null;`)
    this.addSql(`alter table if exists "gateway_cart_completion" drop column if exists "subscription_id", drop column if exists "period";`)
    this.addSql(`alter table if exists "gateway_cart_completion" alter column "payment_session_id" set not null;`)

    this.addSql(`drop index if exists "IDX_gateway_store_purchase_variant_id";`)
  }

}
