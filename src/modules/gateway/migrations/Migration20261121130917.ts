import { Migration } from "@medusajs/framework/mikro-orm/migrations"

const FOREIGN_KEYS = [
  ["gateway_order_refund", "refund_id", "gateway_refund"],
  ["gateway_order_refund", "transaction_id", "gateway_transaction"],
  ["gateway_order_refund", "merchant_id", "gateway_merchant"],
] as const

/** Refunds of carts from before: whether their orders show them is looked at once. */
const NOTE_EXISTING = `
  insert into gateway_order_refund
    (id, refund_id, transaction_id, merchant_id, environment, origin, medusa_refund_id, next_attempt_at, history)
  select 'gor_' || replace(gen_random_uuid()::text, '-', ''), r.id, r.transaction_id, r.merchant_id, r.environment,
         case when r.request_key like 'medusa:%' then 'medusa' else 'gateway' end,
         case when r.request_key like 'medusa:%' then substr(r.request_key, 8) end, now() + interval '2 minutes', '[]'
  from gateway_refund r
  join gateway_transaction t on t.id = r.transaction_id
  join gateway_checkout_session s on s.id = t.session_id and s.source = 'cart'
  where r.state in ('processing', 'completed');`

export class Migration20261121130917 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`create table if not exists "gateway_order_refund" ("id" text not null, "refund_id" text not null, "transaction_id" text not null, "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) not null, "origin" text check ("origin" in ('gateway', 'medusa')) not null, "state" text check ("state" in ('waiting', 'shown', 'undone', 'dropped')) not null default 'waiting', "medusa_refund_id" text null, "order_id" text null, "credit_minor" integer null, "attempts" integer not null default 0, "next_attempt_at" timestamptz null, "revision" integer not null default 0, "lock_token" text null, "locked_until" timestamptz null, "last_error" text null, "history" jsonb not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_order_refund_pkey" primary key ("id"));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_order_refund_refund_id_unique" ON "gateway_order_refund" ("refund_id");`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_order_refund_medusa_refund_id_unique" ON "gateway_order_refund" ("medusa_refund_id") WHERE medusa_refund_id IS NOT NULL;`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_order_refund_transaction_id" ON "gateway_order_refund" ("transaction_id");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_order_refund_order_id" ON "gateway_order_refund" ("order_id") WHERE order_id IS NOT NULL;`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_order_refund_next_attempt_at" ON "gateway_order_refund" ("next_attempt_at") WHERE next_attempt_at IS NOT NULL;`)
    for (const [table, column, target] of FOREIGN_KEYS) {
      this.addSql(
        `alter table "${table}" add constraint "${table}_${column}_fk" foreign key ("${column}") references "${target}" ("id");`
      )
    }
    this.addSql(NOTE_EXISTING)
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "gateway_order_refund" cascade;`)
  }

}
