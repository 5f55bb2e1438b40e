import { Migration } from "@medusajs/framework/mikro-orm/migrations"

const FOREIGN_KEYS = [
  ["merchant_id", "gateway_merchant", ""],
  ["plan_id", "gateway_plan", ""],
  // A purchase is nothing without what it began.
  ["subscription_id", "gateway_subscription", " on delete cascade"],
] as const

export class Migration20261121140142 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`create table if not exists "gateway_store_purchase" ("id" text not null, "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) not null, "transaction_id" text not null, "cart_id" text not null, "line_item_id" text not null, "variant_id" text not null, "plan_id" text not null, "store_customer_id" text not null, "customer" jsonb not null, "quantity" integer not null, "amount_minor" integer not null, "paid_minor" integer not null, "trial_period_days" integer null, "subscription_id" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_store_purchase_pkey" primary key ("id"), constraint gateway_store_purchase_terms check (quantity > 0 AND amount_minor > 0 AND paid_minor > 0 AND trial_period_days >= 0));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_store_purchase_transaction_id_line_item_id_unique" ON "gateway_store_purchase" ("transaction_id", "line_item_id");`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_store_purchase_subscription_id_unique" ON "gateway_store_purchase" ("subscription_id") WHERE subscription_id IS NOT NULL;`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_store_purchase_store_customer_id" ON "gateway_store_purchase" ("store_customer_id") WHERE subscription_id IS NOT NULL;`)
    for (const [column, target, onDelete] of FOREIGN_KEYS) {
      this.addSql(
        `alter table "gateway_store_purchase" add constraint "gateway_store_purchase_${column}_fk" foreign key ("${column}") references "${target}" ("id")${onDelete};`
      )
    }
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "gateway_store_purchase" cascade;`)
  }

}
