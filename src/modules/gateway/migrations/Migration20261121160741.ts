import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** Searched from the left, letter by letter, whatever the database's collation is. */
const SEARCHED = [
  ["IDX_gateway_plan_search", "gateway_plan", `"merchant_id", "environment", lower("plan_name") text_pattern_ops`],
  ["IDX_gateway_customer_search", "gateway_customer", `"merchant_id", "environment", "email_key" text_pattern_ops`],
] as const

/** What the admin's lists of plans, subscriptions and invoices are sorted, filtered and searched by. */
export class Migration20261121160741 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_invoice_newest" ON "gateway_invoice" ("merchant_id", "environment", "created_at", "id");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_invoice_customer_id_number" ON "gateway_invoice" ("customer_id", "number");`)

    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_plan_newest" ON "gateway_plan" ("merchant_id", "environment", "created_at", "id");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_plan_by_state" ON "gateway_plan" ("merchant_id", "environment", "is_active", "created_at", "id");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_plan_by_interval" ON "gateway_plan" ("merchant_id", "environment", "interval_unit", "created_at", "id");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_plan_by_amount" ON "gateway_plan" ("merchant_id", "environment", "amount_minor", "id");`)

    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_subscription_newest" ON "gateway_subscription" ("merchant_id", "environment", "created_at", "id");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_subscription_by_plan" ON "gateway_subscription" ("merchant_id", "environment", "plan_id", "number") WHERE plan_id IS NOT NULL;`)

    for (const [name, table, columns] of SEARCHED) {
      this.addSql(`CREATE INDEX IF NOT EXISTS "${name}" ON "${table}" (${columns});`)
    }
  }

  override async down(): Promise<void> {
    this.addSql(`drop index if exists "IDX_gateway_invoice_newest";`)
    this.addSql(`drop index if exists "IDX_gateway_invoice_customer_id_number";`)

    this.addSql(`drop index if exists "IDX_gateway_plan_newest";`)
    this.addSql(`drop index if exists "IDX_gateway_plan_by_state";`)
    this.addSql(`drop index if exists "IDX_gateway_plan_by_interval";`)
    this.addSql(`drop index if exists "IDX_gateway_plan_by_amount";`)

    this.addSql(`drop index if exists "IDX_gateway_subscription_newest";`)
    this.addSql(`drop index if exists "IDX_gateway_subscription_by_plan";`)
    for (const [name] of SEARCHED) {
      this.addSql(`drop index if exists "${name}";`)
    }
  }

}

