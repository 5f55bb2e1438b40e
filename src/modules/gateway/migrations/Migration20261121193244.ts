import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/*
 * The log of events and that of deliveries are counted like the other lists (models/tally.ts): by triggers that only
 * append. Rows come and go by the statement, and a statement's rows of one key make one tally.
 */
const SUBJECTS = ["plan", "subscription", "invoice", "customer", "refund", "payment", "recurring", "started", "ended"]
const LOGS = {
  gateway_event: { subject: "event", label: "event_type", bucket: "floor(extract(epoch from created_at) / 3600)::int" },
  gateway_webhook_delivery: { subject: "delivery", label: "''", bucket: "number >> 12" },
} as const

type Log = keyof typeof LOGS

function append(table: Log, rows: string, sign: "" | "-", folded = false): string {
  const { subject, label, bucket } = LOGS[table]
  return `insert into gateway_tally (merchant_id, environment, subject, label, bucket, count, is_folded)
    select merchant_id, environment, '${subject}', ${label}, ${bucket}, ${sign}count(*), ${folded} from ${rows}
    group by merchant_id, environment, ${label === "''" ? "" : `${label}, `}${bucket};`
}

function triggersOf(table: Log): string[] {
  const made = (event: "insert" | "delete", rows: string, sign: "" | "-", transition: string) => [
    `create or replace function ${table}_tally_${event}() returns trigger language plpgsql as $$
     begin
       ${append(table, rows, sign)}
       return null;
     end $$;`,
    `create trigger ${table}_tally_${event} after ${event} on ${table} referencing ${transition} as ${rows}
       for each statement execute function ${table}_tally_${event}();`,
  ]
  return [...made("insert", "added", "", "new table"), ...made("delete", "removed", "-", "old table")]
}

/** The gateway never changes an event; who does all the same changes what is counted. */
const MOVED = [
  `create or replace function gateway_event_tally_update() returns trigger language plpgsql as $$
   begin
     ${append("gateway_event", "(select old.*) as row", "-")}
     ${append("gateway_event", "(select new.*) as row", "")}
     return null;
   end $$;`,
  `create trigger gateway_event_tally_update after update of environment, event_type, created_at on gateway_event for each row
     when ((old.environment, old.event_type, old.created_at) is distinct from (new.environment, new.event_type, new.created_at))
     execute function gateway_event_tally_update();`,
]

const checkOf = (subjects: readonly string[]) =>
  `alter table "gateway_tally" add constraint "gateway_tally_subject_check" check ("subject" in (${subjects.map((name) => `'${name}'`).join(", ")}));`
const DROP_CHECK = `alter table if exists "gateway_tally" drop constraint if exists "gateway_tally_subject_check";`
const TABLES = Object.keys(LOGS) as Log[]

/** Tallies of the logs of events and of deliveries. */
export class Migration20261121193244 extends Migration {

  override async up(): Promise<void> {
    this.addSql(DROP_CHECK)
    this.addSql(checkOf([...SUBJECTS, "delivery", "event"]))
    for (const table of TABLES) {
      this.addSql(append(table, table, "", true))
      for (const statement of triggersOf(table)) {
        this.addSql(statement)
      }
    }
    for (const statement of MOVED) {
      this.addSql(statement)
    }
  }

  override async down(): Promise<void> {
    for (const table of TABLES) {
      for (const event of ["insert", "update", "delete"]) {
        this.addSql(`drop trigger if exists ${table}_tally_${event} on ${table};`)
        this.addSql(`drop function if exists ${table}_tally_${event}();`)
      }
    }
    this.addSql(`delete from gateway_tally where subject in ('delivery', 'event');`)
    this.addSql(DROP_CHECK)
    this.addSql(checkOf(SUBJECTS))
  }

}
