import { Migration } from "@medusajs/framework/mikro-orm/migrations"

const FOREIGN_KEYS = [
  ["gateway_ledger_entry", "transaction_id", "gateway_transaction"],
  ["gateway_ledger_entry", "payout_id", "gateway_payout"],
  ["gateway_payout", "merchant_id", "gateway_merchant"],
] as const

/** How many rows the balance of an account is spread over. */
const SHARDS = 16

/*
 * The ledger is guarded by the database itself. The entries of a posting are written by one statement, so a check of
 * each statement's new rows is a check of every posting: it sums to zero now, and whatever is added sums to zero. The
 * totals are kept by the same trigger, so they are the sums of the entries whoever writes them. Rows are taken in the
 * order of their keys, so that two transactions cannot wait for each other; a connection has its own shard.
 */
const keepTotals = (rows: string, sign: "" | "-") => `
    insert into gateway_ledger_total as total (id, merchant_id, environment, account, shard, balance_minor)
    select 'glt_' || md5(merchant_id || environment || account || pg_backend_pid() % ${SHARDS}),
           merchant_id, environment, account, pg_backend_pid() % ${SHARDS}, ${sign}sum(amount_minor)
    from ${rows} group by merchant_id, environment, account order by merchant_id, environment, account
    on conflict (merchant_id, environment, account, shard)
      do update set balance_minor = total.balance_minor + excluded.balance_minor, updated_at = now();`

const refuseUnbalanced = (rows: string) => `
    if exists (
      select 1 from ${rows} group by posting
      having sum(amount_minor) <> 0 or count(distinct (merchant_id, environment, currency, kind)) > 1) then
      raise exception 'the entries of a ledger posting must be of one merchant and sum to zero'
        using errcode = 'check_violation', constraint = 'gateway_ledger_balanced';
    end if;`

const FUNCTIONS = [
  `create or replace function gateway_ledger_added() returns trigger language plpgsql as $$
  begin ${refuseUnbalanced("added")} ${keepTotals("added", "")}
    return null;
  end $$;`,
  `create or replace function gateway_ledger_removed() returns trigger language plpgsql as $$
  begin
    if exists (select 1 from removed where environment <> 'sandbox') then
      raise exception 'entries of the production ledger are kept for ever'
        using errcode = 'check_violation', constraint = 'gateway_ledger_kept';
    end if; ${refuseUnbalanced("removed")} ${keepTotals("removed", "-")}
    return null;
  end $$;`,
  `create or replace function gateway_ledger_fixed() returns trigger language plpgsql as $$
  begin
    raise exception 'ledger entries are never changed: post the correction'
      using errcode = 'check_violation', constraint = 'gateway_ledger_fixed';
  end $$;`,
]

const TRIGGERS = [
  `create trigger gateway_ledger_added after insert on gateway_ledger_entry
     referencing new table as added for each statement execute function gateway_ledger_added();`,
  `create trigger gateway_ledger_removed after delete on gateway_ledger_entry
     referencing old table as removed for each statement execute function gateway_ledger_removed();`,
  `create trigger gateway_ledger_fixed before update or truncate on gateway_ledger_entry
     for each statement execute function gateway_ledger_fixed();`,
]

const POST = `insert into gateway_ledger_entry
  (id, posting, kind, account, merchant_id, environment, currency, amount_minor, transaction_id, refund_id, occurred_at)
  select posting || ':' || account, posting, kind, account, merchant_id, environment, currency, amount,
         transaction_id, refund_id, occurred_at`

/** What is in the database already: the postings that the services would have made. */
const EXISTING = [
  `${POST} from (
    select t.id || ':paid' as posting, 'payment' as kind, line.account, t.merchant_id, t.environment, t.currency, line.amount,
           t.id as transaction_id, null as refund_id, t.verified_at as occurred_at
    from gateway_transaction t cross join lateral (values
      ('acquirer_clearing', -t.amount_minor), ('merchant_balance', t.amount_minor - t.charge_minor), ('fees', t.charge_minor)
    ) as line (account, amount)
    where t.state in ('SUCCESS', 'REFUNDED') and line.amount <> 0) as entry;`,
  `${POST} from (
    select r.id || ':reserved' as posting, 'refund_reserved' as kind, line.account, r.merchant_id, r.environment, r.currency,
           line.amount, r.transaction_id, r.id as refund_id, r.requested_at as occurred_at
    from gateway_refund r cross join lateral (values
      ('merchant_balance', -r.amount_minor), ('refunds', r.amount_minor)) as line (account, amount)) as entry;`,
  `${POST} from (
    select r.id || ':settled' as posting, case when r.state = 'completed' then 'refund_completed' else 'refund_released' end as kind,
           line.account, r.merchant_id, r.environment, r.currency, line.amount, r.transaction_id, r.id as refund_id,
           coalesce(r.completed_at, r.updated_at) as occurred_at
    from gateway_refund r cross join lateral (values
      ('refunds', -r.amount_minor),
      (case when r.state = 'completed' then 'acquirer_clearing' else 'merchant_balance' end, r.amount_minor)
    ) as line (account, amount)
    where r.state in ('completed', 'failed', 'cancelled')) as entry;`,
]

/** The double-entry ledger, its totals, and payouts. */
export class Migration20261121131942 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`create table if not exists "gateway_ledger_entry" ("id" text not null, "number" bigserial, "posting" text not null, "kind" text check ("kind" in ('payment', 'refund_reserved', 'refund_completed', 'refund_released', 'payout', 'payout_reversed')) not null, "account" text check ("account" in ('merchant_balance', 'acquirer_clearing', 'fees', 'refunds', 'payouts')) not null, "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) not null, "currency" text not null, "amount_minor" bigint not null, "transaction_id" text null, "refund_id" text null, "payout_id" text null, "occurred_at" timestamptz not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_ledger_entry_pkey" primary key ("id"), constraint gateway_ledger_entry_amount check (amount_minor <> 0));`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_ledger_entry_merchant_id_environment_account_occurred_at_number" ON "gateway_ledger_entry" ("merchant_id", "environment", "account", "occurred_at", "number");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_ledger_entry_transaction_id" ON "gateway_ledger_entry" ("transaction_id") WHERE transaction_id IS NOT NULL;`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_ledger_entry_payout_id" ON "gateway_ledger_entry" ("payout_id") WHERE payout_id IS NOT NULL;`)
    // What was written in the last minutes, for the check that runs every minute: next to free where rows only come.
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_ledger_entry_created_at" ON "gateway_ledger_entry" USING brin ("created_at") WITH (pages_per_range = 16, autosummarize = on);`)

    this.addSql(`create table if not exists "gateway_ledger_total" ("id" text not null, "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) not null, "account" text check ("account" in ('merchant_balance', 'acquirer_clearing', 'fees', 'refunds', 'payouts')) not null, "shard" integer not null, "balance_minor" bigint not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_ledger_total_pkey" primary key ("id")) with (fillfactor = 50);`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_ledger_total_merchant_id_environment_account_shard_unique" ON "gateway_ledger_total" ("merchant_id", "environment", "account", "shard");`)

    this.addSql(`create table if not exists "gateway_payout" ("id" text not null, "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) not null, "state" text check ("state" in ('recorded', 'reversed')) not null default 'recorded', "amount_minor" bigint not null, "currency" text not null, "reference" text not null, "note" text null, "recorded_by" text not null, "recorded_at" timestamptz not null, "reversed_by" text null, "reversed_at" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_payout_pkey" primary key ("id"), constraint gateway_payout_amount check (amount_minor > 0));`)
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_gateway_payout_merchant_id_environment_reference_unique" ON "gateway_payout" ("merchant_id", "environment", "reference") WHERE state = 'recorded';`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_payout_merchant_id_environment_recorded_at" ON "gateway_payout" ("merchant_id", "environment", "recorded_at");`)
    for (const [table, column, target] of FOREIGN_KEYS) {
      this.addSql(
        `alter table "${table}" add constraint "${table}_${column}_fk" foreign key ("${column}") references "${target}" ("id");`
      )
    }
    for (const statement of [...FUNCTIONS, ...TRIGGERS, ...EXISTING]) {
      this.addSql(statement)
    }
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "gateway_ledger_entry" cascade;`)
    this.addSql(`drop table if exists "gateway_ledger_total" cascade;`)
    this.addSql(`drop table if exists "gateway_payout" cascade;`)
    for (const name of ["added", "removed", "fixed"]) {
      this.addSql(`drop function if exists gateway_ledger_${name}();`)
    }
  }
}
