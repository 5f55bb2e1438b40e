import { Migration } from "@medusajs/framework/mikro-orm/migrations"

export class Migration20261121133915 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`create table if not exists "gateway_remote_refund" ("id" text not null, "transaction_id" text not null, "amount_minor" integer not null, "request_key" text not null, "state" text check ("state" in ('asked', 'accepted', 'refused')) not null default 'asked', "refund_id" text null, "error_message" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_remote_refund_pkey" primary key ("id"), constraint gateway_remote_refund_amount_positive check (amount_minor > 0));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_remote_refund_transaction_id_request_key_unique" ON "gateway_remote_refund" ("transaction_id", "request_key");`)
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "gateway_remote_refund" cascade;`)
  }
}
