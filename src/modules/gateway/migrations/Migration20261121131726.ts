import { Migration } from "@medusajs/framework/mikro-orm/migrations"

const FOREIGN_KEYS = [
  ["gateway_invoice", "customer_id", "gateway_customer"],
  ["gateway_invoice", "merchant_id", "gateway_merchant"],
  ["gateway_invoice_mail", "merchant_id", "gateway_merchant"],
] as const

export class Migration20261121131726 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`create table if not exists "gateway_invoice_mail" ("id" text not null, "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) not null, "invoice_id" text not null, "kind" text check ("kind" in ('invoice', 'reminder', 'past_due')) not null, "step" integer not null default 0, "state" text check ("state" in ('pending', 'sent', 'dropped', 'failed')) not null default 'pending', "due_at" timestamptz not null, "next_attempt_at" timestamptz not null, "attempts" integer not null default 0, "sent_at" timestamptz null, "last_error" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_invoice_mail_pkey" primary key ("id"), constraint gateway_invoice_mail_state check (attempts >= 0 AND step >= 0 AND (state = 'sent') = (sent_at IS NOT NULL)));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_invoice_mail_invoice_id_kind_step_unique" ON "gateway_invoice_mail" ("invoice_id", "kind", "step");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_invoice_mail_merchant_id_environment_due_at" ON "gateway_invoice_mail" ("merchant_id", "environment", "due_at") WHERE state = 'pending';`)

    // A default of the database's own, so that invoices from before have an address too; each row gets another one.
    this.addSql(`alter table if exists "gateway_invoice" add column if not exists "pay_token" text not null default 'inp_' || replace(gen_random_uuid()::text, '-', '');`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_invoice_pay_token_unique" ON "gateway_invoice" ("pay_token");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_invoice_merchant_id_environment_status_number" ON "gateway_invoice" ("merchant_id", "environment", "status", "number");`)
    for (const [table, column, target] of FOREIGN_KEYS) {
      this.addSql(
        `alter table "${table}" add constraint "${table}_${column}_fk" foreign key ("${column}") references "${target}" ("id");`
      )
    }
    // E-mails are nothing without their invoice, and go with it when a sandbox is purged.
    this.addSql(
      `alter table "gateway_invoice_mail" add constraint "gateway_invoice_mail_invoice_id_fk" foreign key ("invoice_id") references "gateway_invoice" ("id") on delete cascade;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "gateway_invoice_mail" cascade;`)
    this.addSql(`drop index if exists "IDX_gateway_invoice_pay_token_unique";`)
    this.addSql(`drop index if exists "IDX_gateway_invoice_merchant_id_environment_status_number";`)
    this.addSql(`alter table if exists "gateway_invoice" drop constraint if exists "gateway_invoice_customer_id_fk", drop constraint if exists "gateway_invoice_merchant_id_fk";`)
    this.addSql(`alter table if exists "gateway_invoice" drop column if exists "pay_token";`)
  }
}
