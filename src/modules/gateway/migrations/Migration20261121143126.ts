import { Migration } from "@medusajs/framework/mikro-orm/migrations"

const FOREIGN_KEYS = [
  ["gateway_refund_proposal", "merchant_id", "gateway_merchant"],
  ["gateway_refund_proposal", "transaction_id", "gateway_transaction"],
  ["gateway_refund_proposal", "refund_id", "gateway_refund"],
] as const

export class Migration20261121143126 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`create table if not exists "gateway_refund_proposal" ("id" text not null, "transaction_id" text not null, "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) not null, "order_id" text not null, "kind" text check ("kind" in ('return', 'claim', 'cancellation')) not null, "source_id" text not null, "return_id" text null, "claim_id" text null, "state" text check ("state" in ('open', 'confirmed', 'dismissed')) not null default 'open', "currency" text not null, "items" jsonb not null, "goods_minor" integer not null, "beyond_minor" integer not null, "shipping_minor" integer not null, "amount_minor" integer not null, "confirmed_minor" integer null, "confirmed_by" text null, "confirmed_at" timestamptz null, "tries" integer not null default 0, "refund_id" text null, "last_error" text null, "history" jsonb not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_refund_proposal_pkey" primary key ("id"), constraint gateway_refund_proposal_sums check (amount_minor > 0 AND amount_minor <= goods_minor + beyond_minor AND shipping_minor BETWEEN 0 AND beyond_minor AND confirmed_minor BETWEEN 1 AND amount_minor));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_refund_proposal_kind_source_id_unique" ON "gateway_refund_proposal" ("kind", "source_id");`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_refund_proposal_refund_id_unique" ON "gateway_refund_proposal" ("refund_id") WHERE refund_id IS NOT NULL;`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_refund_proposal_order_id" ON "gateway_refund_proposal" ("order_id");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_refund_proposal_transaction_id" ON "gateway_refund_proposal" ("transaction_id");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_refund_proposal_list" ON "gateway_refund_proposal" ("merchant_id", "environment", "created_at", "id");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_refund_proposal_confirmed_at" ON "gateway_refund_proposal" ("confirmed_at") WHERE state = 'confirmed' AND refund_id IS NULL;`)

    this.addSql(`create table if not exists "gateway_return_notice" ("id" text not null, "kind" text check ("kind" in ('return', 'claim', 'cancellation')) not null, "source_id" text not null, "order_id" text not null, "changed_at" timestamptz not null, "outcome" text null, "attempts" integer not null default 0, "next_attempt_at" timestamptz null, "lock_token" text null, "locked_until" timestamptz null, "last_error" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_return_notice_pkey" primary key ("id"));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_return_notice_kind_source_id_unique" ON "gateway_return_notice" ("kind", "source_id");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_return_notice_kind_changed_at" ON "gateway_return_notice" ("kind", "changed_at");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_return_notice_next_attempt_at" ON "gateway_return_notice" ("next_attempt_at") WHERE next_attempt_at IS NOT NULL;`)

    this.addSql(`alter table if exists "gateway_merchant_environment" add column if not exists "returns_automatic" boolean not null default false, add column if not exists "returns_refund_shipping" boolean not null default false;`)
    for (const [table, column, target] of FOREIGN_KEYS) {
      this.addSql(
        `alter table "${table}" add constraint "${table}_${column}_fk" foreign key ("${column}") references "${target}" ("id");`
      )
    }
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "gateway_refund_proposal" cascade;`)

    this.addSql(`drop table if exists "gateway_return_notice" cascade;`)

    this.addSql(`alter table if exists "gateway_merchant_environment" drop column if exists "returns_automatic", drop column if exists "returns_refund_shipping";`)
  }

}
