import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * Checkouts that this store has opened before are bound to the payment session that their order_id is made of: data
 * that was copied from another payment session names another order. No text of it is cast that could fail. Medusa's
 * table is not there yet in a new store.
 */
const BIND_EXISTING = `
  DO $$ BEGIN
    IF to_regclass('payment_session') IS NOT NULL THEN
      INSERT INTO gateway_remote_payment
        (id, provider_id, payment_session_id, order_id, amount_minor, currency, return_url, session_id, transaction_id, checkout_url,
         expires_at, created_at)
      SELECT 'grp_' || substr(s.id, 8), s.provider_id, s.id, s.data->>'order_id', round((s.data->>'amount')::numeric * 100)::int,
             s.data->>'currency', s.data->>'return_url', s.data->>'session_id', s.data->>'transaction_id', s.data->>'checkout_url',
             s.created_at + interval '30 minutes', s.created_at
      FROM payment_session s
      WHERE s.provider_id LIKE 'pp_gateway_%' AND s.deleted_at IS NULL
        AND s.data->>'order_id' ~ ('^' || substr(s.id, 8) || '(-[0-9]{1,2})?$')
        AND s.data->>'amount' ~ '^[0-9]{1,6}[.][0-9]{2}$' AND s.data->>'amount' !~ '^0+[.]00$'
        AND num_nulls(s.data->>'currency', s.data->>'session_id', s.data->>'transaction_id', s.data->>'checkout_url') = 0
      ON CONFLICT DO NOTHING;
    END IF;
  END $$;`

export class Migration20261122061000 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`create table if not exists "gateway_remote_payment" ("id" text not null, "provider_id" text not null, "payment_session_id" text not null, "order_id" text not null, "amount_minor" integer not null, "currency" text not null, "return_url" text null, "session_id" text null, "transaction_id" text null, "checkout_url" text null, "expires_at" timestamptz null, "status" text check ("status" in ('PENDING', 'EXPIRED', 'CANCELLED', 'FAILED', 'SUCCESS', 'REFUNDED')) not null default 'PENDING', "asked_at" timestamptz null, "replaced_at" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_remote_payment_pkey" primary key ("id"), constraint gateway_remote_payment_amount_positive check (amount_minor > 0), constraint gateway_remote_payment_whole check (num_nulls(session_id, transaction_id, checkout_url, expires_at) IN (0, 4)));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_remote_payment_order_id_unique" ON "gateway_remote_payment" ("order_id");`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_remote_payment_session_id_unique" ON "gateway_remote_payment" ("session_id") WHERE session_id IS NOT NULL;`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_remote_payment_transaction_id_unique" ON "gateway_remote_payment" ("transaction_id") WHERE transaction_id IS NOT NULL;`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_remote_payment_current" ON "gateway_remote_payment" ("payment_session_id") WHERE replaced_at IS NULL;`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_remote_payment_payment_session_id" ON "gateway_remote_payment" ("payment_session_id");`)
    this.addSql(BIND_EXISTING)
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "gateway_remote_payment" cascade;`)
  }

}
