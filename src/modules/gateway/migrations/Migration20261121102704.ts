import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** Completions are leased with a fencing token; Medusa's payment session is told when nothing was paid. */
export class Migration20261121102704 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`alter table if exists "gateway_cart_completion" add column if not exists "lock_token" text null, add column if not exists "locked_until" timestamptz null;`)
    this.addSql(`alter table if exists "gateway_checkout_session" add column if not exists "outcome_due_at" timestamptz null;`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_checkout_session_outcome_due_at" ON "gateway_checkout_session" ("outcome_due_at") WHERE outcome_due_at IS NOT NULL;`)
  }

  override async down(): Promise<void> {
    this.addSql(`drop index if exists "IDX_gateway_checkout_session_outcome_due_at";`)
    this.addSql(`alter table if exists "gateway_checkout_session" drop column if exists "outcome_due_at";`)
    this.addSql(`alter table if exists "gateway_cart_completion" drop column if exists "lock_token", drop column if exists "locked_until";`)
  }
}
