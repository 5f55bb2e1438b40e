import { Migration } from "@medusajs/framework/mikro-orm/migrations"

const FOREIGN_KEYS = [
  ["gateway_emi_configuration", "merchant_id", "gateway_merchant"],
  ["gateway_emi_plan", "transaction_id", "gateway_transaction"],
  ["gateway_emi_plan", "configuration_id", "gateway_emi_configuration"],
] as const

/** Like the other services EMI is switched on as it arrives; without configurations nothing is offered. */
const ENABLE_EMI = `
  update "gateway_merchant_environment" set "services" = array_append("services", 'emi')
  where 'checkout' = any ("services") and not 'emi' = any ("services");`

/** EMI configurations, and the plans customers agree to. */
export class Migration20261121125450 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`create table if not exists "gateway_emi_configuration" ("id" text not null, "uuid" text not null, "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) not null, "bank_name" text not null, "tenure_months" integer not null, "rate_ppm" integer not null, "method" text check ("method" in ('flat', 'reducing')) not null default 'flat', "fee_kind" text check ("fee_kind" in ('fixed', 'percent')) not null default 'fixed', "fee_value" integer not null default 0, "min_amount_minor" integer not null, "max_amount_minor" integer not null, "is_active" boolean not null default true, "merchant_absorbs" boolean not null default false, "card_prefixes" text[] not null, "revision" integer not null default 1, "archived_at" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_emi_configuration_pkey" primary key ("id"), constraint gateway_emi_configuration_terms check (tenure_months BETWEEN 2 AND 60 AND rate_ppm BETWEEN 0 AND 1000000 AND fee_value >= 0 AND (fee_kind = 'fixed' OR fee_value <= 1000000) AND revision >= 1), constraint gateway_emi_configuration_range check (min_amount_minor >= 300000 AND max_amount_minor BETWEEN min_amount_minor AND 50000000));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_emi_configuration_uuid_unique" ON "gateway_emi_configuration" ("uuid");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_emi_configuration_merchant_id_environment" ON "gateway_emi_configuration" ("merchant_id", "environment");`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_emi_configuration_offered_unique" ON "gateway_emi_configuration" ("merchant_id", "environment", "bank_name", "tenure_months", "min_amount_minor") WHERE is_active AND archived_at IS NULL;`)

    this.addSql(`create table if not exists "gateway_emi_plan" ("id" text not null, "transaction_id" text not null, "configuration_id" text not null, "configuration_uuid" text not null, "revision" integer not null, "bank_name" text not null, "tenure_months" integer not null, "rate_ppm" integer not null, "method" text check ("method" in ('flat', 'reducing')) not null, "merchant_absorbs" boolean not null, "order_amount_minor" integer not null, "interest_minor" integer not null, "fee_minor" integer not null, "total_minor" integer not null, "monthly_minor" integer not null, "bank_interest_minor" integer not null, "bank_fee_minor" integer not null, "schedule" jsonb not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_emi_plan_pkey" primary key ("id"), constraint gateway_emi_plan_sums check (order_amount_minor >= 300000 AND interest_minor >= 0 AND fee_minor >= 0 AND monthly_minor > 0 AND total_minor = order_amount_minor + interest_minor), constraint gateway_emi_plan_bearer check (CASE WHEN merchant_absorbs THEN interest_minor = 0 AND fee_minor = 0 ELSE interest_minor = bank_interest_minor AND fee_minor = bank_fee_minor END));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_emi_plan_transaction_id_unique" ON "gateway_emi_plan" ("transaction_id");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_emi_plan_configuration_id" ON "gateway_emi_plan" ("configuration_id");`)

    this.addSql(`alter table if exists "gateway_sandbox_operation" add column if not exists "collected_minor" integer null, add column if not exists "instalments" integer null;`)
    for (const [table, column, target] of FOREIGN_KEYS) {
      this.addSql(
        `alter table "${table}" add constraint "${table}_${column}_fk" foreign key ("${column}") references "${target}" ("id");`
      )
    }
    this.addSql(ENABLE_EMI)
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "gateway_emi_plan" cascade;`)
    this.addSql(`drop table if exists "gateway_emi_configuration" cascade;`)
    this.addSql(`alter table if exists "gateway_sandbox_operation" drop column if exists "collected_minor", drop column if exists "instalments";`)
  }
}
