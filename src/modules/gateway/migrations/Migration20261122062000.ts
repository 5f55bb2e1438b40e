import { Migration } from "@medusajs/framework/mikro-orm/migrations"

const OPEN = { gateway_transaction: "PROCESSING", gateway_refund: "processing" } as const

/**
 * What an acquirer reports of a payment or a refund instead of what it was asked for; and the periods that are being
 * charged, so that those of suspended merchants are found without a walk through all.
 */
export class Migration20261122062000 extends Migration {

  override async up(): Promise<void> {
    for (const [table, state] of Object.entries(OPEN)) {
      this.addSql(`alter table if exists "${table}" add column if not exists "amount_mismatch" jsonb null;`)
      this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_${table}_mismatched" ON "${table}" ("merchant_id", "environment") WHERE state = '${state}' AND amount_mismatch IS NOT NULL;`)
    }
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_billing_record_charging" ON "gateway_billing_record" ("subscription_id") WHERE status = 'PROCESSING';`)
  }

  override async down(): Promise<void> {
    this.addSql(`drop index if exists "IDX_gateway_billing_record_charging";`)
    for (const table of Object.keys(OPEN)) {
      this.addSql(`drop index if exists "IDX_${table}_mismatched";`)
      this.addSql(`alter table if exists "${table}" drop column if exists "amount_mismatch";`)
    }
  }

}
