import { Migration } from "@medusajs/framework/mikro-orm/migrations"

export class Migration20261121132602 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`alter table if exists "gateway_checkout_session" drop constraint if exists "gateway_checkout_session_source_check";`)
    this.addSql(`alter table if exists "gateway_checkout_session" add constraint "gateway_checkout_session_source_check" check("source" in ('api', 'cart', 'billing'));`)
    this.addSql(`alter table if exists "gateway_transaction" add column if not exists "kept_instrument" jsonb null;`)
    // Merchants of earlier versions get the service that new ones start with.
    this.addSql(`update "gateway_merchant_environment" set "services" = array_append("services", 'subscriptions') where not ('subscriptions' = any("services"));`)
  }

  override async down(): Promise<void> {
    this.addSql(`alter table if exists "gateway_checkout_session" drop constraint if exists "gateway_checkout_session_source_check";`)
    this.addSql(`alter table if exists "gateway_checkout_session" add constraint "gateway_checkout_session_source_check" check("source" in ('api', 'cart'));`)
    this.addSql(`alter table if exists "gateway_transaction" drop column if exists "kept_instrument";`)
  }
}
