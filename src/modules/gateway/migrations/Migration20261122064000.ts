import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/*
 * Secrets are kept encrypted from here on. The key is not the database's to know: rows that are there stay readable until
 * `npm run rotate-secrets` has been to them. What is used no more goes now: the secrets of deleted endpoints, the tokens of
 * instruments whose subscriptions have all ended, and tokens on payments whose money has gone back.
 */
export class Migration20261122064000 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`alter table if exists "gateway_webhook_endpoint" alter column "secret" drop not null;`)
    this.addSql(`update "gateway_webhook_endpoint" set "secret" = null, "previous_secret" = null, "previous_secret_until" = null where "deleted_at" is not null;`)
    this.addSql(`alter table if exists "gateway_webhook_endpoint" add constraint "gateway_webhook_endpoint_secrets" check (("deleted_at" is null) = ("secret" is not null) and ("deleted_at" is null or "previous_secret" is null));`)

    // A customer's token is one instrument because the customer is locked: encrypted texts cannot be compared by an index.
    this.addSql(`drop index if exists "IDX_gateway_instrument_customer_id_acquirer_token_unique";`)
    this.addSql(`create index if not exists "IDX_gateway_instrument_customer_id_acquirer" on "gateway_instrument" ("customer_id", "acquirer");`)
    this.addSql(`alter table if exists "gateway_instrument" alter column "token" drop not null;`)
    this.addSql(`update "gateway_instrument" i set "token" = null where not exists (select 1 from "gateway_subscription" s where s."instrument_id" = i."id" and s."status" <> 'EXPIRED');`)
    this.addSql(`update "gateway_transaction" set "kept_instrument" = null where "kept_instrument" is not null and "state" = 'REFUNDED';`)

    this.addSql(`update "gateway_sandbox_instrument" set "id" = 'sbt_' || encode(sha256(convert_to("id", 'UTF8')), 'hex');`)
  }

  /**
   * For a database without secrets: nothing brings back what has been erased, and a release before this one reads no
   * encrypted text. The hashed ids of the sandbox's vault stay.
   */
  override async down(): Promise<void> {
    this.addSql(`drop index if exists "IDX_gateway_instrument_customer_id_acquirer";`)
    this.addSql(`update "gateway_instrument" set "token" = 'erased ' || "id" where "token" is null;`)
    this.addSql(`alter table if exists "gateway_instrument" alter column "token" set not null;`)
    this.addSql(`create unique index if not exists "IDX_gateway_instrument_customer_id_acquirer_token_unique" on "gateway_instrument" ("customer_id", "acquirer", "token");`)
    this.addSql(`alter table if exists "gateway_webhook_endpoint" drop constraint if exists "gateway_webhook_endpoint_secrets";`)
    this.addSql(`update "gateway_webhook_endpoint" set "secret" = 'erased' where "secret" is null;`)
    this.addSql(`alter table if exists "gateway_webhook_endpoint" alter column "secret" set not null;`)
  }

}
