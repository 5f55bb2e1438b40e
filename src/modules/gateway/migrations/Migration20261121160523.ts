import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/*
 * Tallies are kept by the database, so that they are right whoever writes the rows. A trigger only appends: an update of
 * a running total would make payments wait for each other, and two transactions that take several totals in different
 * orders wait for ever.
 */
const KEY = "merchant_id, environment, subject, label, bucket"
const DAY = (at: string) => `floor((extract(epoch from ${at}) + 21600) / 86400)::int`
const LIST_BUCKET = "number >> 12"

/** What one row of a table counts as: `rows` is the table, or what a trigger sees of it. */
type Count = (rows: string) => string
const count = (subject: string, label: string, bucket: string, amounts = "0::bigint, 0::bigint", where = "true"): Count => {
  return (rows) =>
    `select merchant_id, environment, '${subject}', ${label}, ${bucket}, 1, ${amounts} from ${rows} where ${where}`
}

const COUNTED: Readonly<Record<string, readonly Count[]>> = {
  gateway_plan: [count("plan", "case when is_active then 'active' else 'archived' end", LIST_BUCKET)],
  gateway_customer: [count("customer", "''", LIST_BUCKET)],
  gateway_invoice: [count("invoice", "status", LIST_BUCKET)],
  gateway_refund: [
    count("refund", "state", "floor(extract(epoch from requested_at) / 3600)::int", "amount_minor::bigint, 0::bigint"),
  ],
  gateway_transaction: [
    count(
      "payment",
      "(case state when 'REFUNDED' then 'SUCCESS' else state end) || ':' || coalesce(payment_service, '')",
      DAY("finished_at"),
      "amount_minor::bigint, charge_minor::bigint",
      "finished_at is not null and state not in ('OPEN', 'PROCESSING')"
    ),
  ],
  gateway_subscription: [
    count("subscription", "status", LIST_BUCKET),
    count("recurring", "interval_count || ':' || interval_unit", "0", "amount_minor::bigint, 0::bigint", "status in ('ACTIVE', 'PAST_DUE')"),
    count("started", "''", DAY("running_since"), undefined, "running_since is not null"),
    count(
      "ended",
      "''",
      DAY("coalesce(cancelled_at, ended_at, updated_at)"),
      undefined,
      "running_since is not null and status in ('CANCELLED', 'EXPIRED')"
    ),
  ],
}

/** Columns whose change makes a row count as something else; of the others' updates the triggers hear nothing. */
const CHANGES: Readonly<Record<string, readonly string[]>> = {
  gateway_plan: ["is_active"],
  gateway_invoice: ["status"],
  gateway_refund: ["state"],
  gateway_subscription: ["status", "amount_minor", "interval_count", "interval_unit", "running_since", "cancelled_at"],
}

const COLUMNS = "merchant_id, environment, subject, label, bucket, count, amount_minor, fee_minor"

/** Appends what `more` counts as, less what `less` does; what comes to nothing is not written. */
function append(counts: readonly Count[], more: string | null, less: string | null, folded = false): string {
  const counted = (rows: string, sign: string) =>
    counts.map((of) => `select ${KEY}, ${sign}count, ${sign}amount_minor, ${sign}fee_minor from (${of(rows)}) as one (${COLUMNS})`)
  const parts = [...(more === null ? [] : counted(more, "")), ...(less === null ? [] : counted(less, "-"))]
  return `insert into gateway_tally (${COLUMNS}, is_folded)
    select ${KEY}, sum(count), sum(amount_minor), sum(fee_minor), ${folded}
    from (${parts.join(" union all ")}) as part (${COLUMNS}) group by ${KEY}
    having sum(count) <> 0 or sum(amount_minor) <> 0 or sum(fee_minor) <> 0;`
}

function triggerFunction(name: string, body: string): string {
  return `create or replace function ${name}() returns trigger language plpgsql as $$
  begin
    ${body}
    return null;
  end $$;`
}

/**
 * Rows come and go many at a time, and one statement appends one row for each key. Payments are settled many at a time
 * too; of all other rows few updates change what they count as, and a trigger of each such row costs the rest nothing.
 */
function triggersOf(table: string): string[] {
  const counts = COUNTED[table]
  const changes = CHANGES[table]
  const statement = (event: string, transitions: string) =>
    `create trigger ${table}_tally_${event} after ${event} on ${table} referencing ${transitions}
       for each statement execute function ${table}_tally_${event}();`
  const made = [
    triggerFunction(`${table}_tally_insert`, append(counts, "added", null)),
    statement("insert", "new table as added"),
    triggerFunction(`${table}_tally_delete`, append(counts, null, "removed")),
    statement("delete", "old table as removed"),
  ]
  if (table === "gateway_transaction") {
    made.push(triggerFunction(`${table}_tally_update`, append(counts, "added", "removed")), statement("update", "new table as added old table as removed"))
  } else if (changes !== undefined) {
    const row = (which: string) => `(${changes.map((column) => `${which}.${column}`).join(", ")}${changes.length === 1 ? ", 0" : ""})`
    made.push(
      triggerFunction(`${table}_tally_update`, append(counts, "(select new.*) as row", "(select old.*) as row")),
      `create trigger ${table}_tally_update after update of ${changes.join(", ")} on ${table} for each row
         when (${row("old")} is distinct from ${row("new")}) execute function ${table}_tally_update();`
    )
  }
  return made
}

/** The first full period begins in the statement that makes a subscription ACTIVE or, its trial over and unpaid, PAST_DUE. */
const RUNNING = [
  `create or replace function gateway_subscription_running() returns trigger language plpgsql as $$
  begin
    new.running_since := coalesce(new.current_period_start, new.anchor_at, now());
    return new;
  end $$;`,
  `create trigger gateway_subscription_running before insert or update of status on gateway_subscription for each row
     when (new.running_since is null and new.status in ('ACTIVE', 'PAST_DUE', 'PAUSED'))
     execute function gateway_subscription_running();`,
]

/** Of those that are there already: as far back from the anchor as there were periods. */
const RUNNING_BEFORE = `update gateway_subscription
  set running_since = anchor_at - (anchor_period - 1) * interval_count * ('1 ' || interval_unit)::interval
  where anchor_at is not null and (status in ('ACTIVE', 'PAST_DUE', 'PAUSED') or paid_period >= 1);`

/** Tallies of lists and of the overview. */
export class Migration20261121160523 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`create table if not exists "gateway_tally" ("id" text not null default ('gta_' || replace(gen_random_uuid()::text, '-', '')), "merchant_id" text not null, "environment" text check ("environment" in ('sandbox', 'production')) not null, "subject" text check ("subject" in ('plan', 'subscription', 'invoice', 'customer', 'refund', 'payment', 'recurring', 'started', 'ended')) not null, "label" text not null, "bucket" integer not null, "count" integer not null, "amount_minor" bigint not null default 0, "fee_minor" bigint not null default 0, "is_folded" boolean not null default false, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "gateway_tally_pkey" primary key ("id")) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);`)
    // With the figures in it: a sum is a walk along the index alone.
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_tally_key" ON "gateway_tally" ("merchant_id", "environment", "subject", "bucket", "label") INCLUDE ("count", "amount_minor", "fee_minor");`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_tally_fresh" ON "gateway_tally" ("id") WHERE NOT is_folded;`)

    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_cart_completion_unsettled" ON "gateway_cart_completion" ("merchant_id", "environment") WHERE state = 'needs_attention';`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_plan_offered" ON "gateway_plan" ("merchant_id", "environment", "number") WHERE is_active;`)

    this.addSql(`alter table if exists "gateway_subscription" add column if not exists "running_since" timestamptz null;`)
    this.addSql(RUNNING_BEFORE)
    for (const statement of RUNNING) {
      this.addSql(statement)
    }
    for (const table of Object.keys(COUNTED)) {
      this.addSql(append(COUNTED[table], table, null, true))
      for (const statement of triggersOf(table)) {
        this.addSql(statement)
      }
    }
  }

  override async down(): Promise<void> {
    for (const table of Object.keys(COUNTED)) {
      for (const event of ["insert", "update", "delete"]) {
        this.addSql(`drop trigger if exists ${table}_tally_${event} on ${table};`)
        this.addSql(`drop function if exists ${table}_tally_${event}();`)
      }
    }
    this.addSql(`drop trigger if exists gateway_subscription_running on gateway_subscription;`)
    this.addSql(`drop function if exists gateway_subscription_running();`)
    this.addSql(`drop table if exists "gateway_tally" cascade;`)
    for (const index of ["cart_completion_unsettled", "plan_offered"]) {
      this.addSql(`drop index if exists "IDX_gateway_${index}";`)
    }
    this.addSql(`alter table if exists "gateway_subscription" drop column if exists "running_since";`)
  }
}
