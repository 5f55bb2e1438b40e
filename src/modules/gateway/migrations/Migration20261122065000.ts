import { Migration } from "@medusajs/framework/mikro-orm/migrations"

const FIXED = [
  `create or replace function gateway_audit_fixed() returns trigger language plpgsql as $$
  begin
    raise exception 'audit entries are never changed and never deleted'
      using errcode = 'check_violation', constraint = 'gateway_audit_fixed';
  end $$;`,
  `create trigger gateway_audit_fixed before update or delete or truncate on gateway_audit_entry
     for each statement execute function gateway_audit_fixed();`,
]

/** What merchants read of failed deliveries used to name the private address that a name led to. */
const UNNAMED = ["gateway_webhook_attempt.error", "gateway_webhook_delivery.last_error"].map((place) => {
  const [table, column] = place.split(".")
  return `update "${table}" set "${column}" = 'The receiver is not on a public address'
    where "${column}" like '%is not a public address' or "${column}" like '%an address that is not public';`
})

/** Where changes and requests came from; and audit entries are only ever added. */
export class Migration20261122065000 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`alter table if exists "gateway_audit_entry" add column if not exists "address" text null, add column if not exists "request_id" text null;`)
    this.addSql(`alter table if exists "gateway_request_log" add column if not exists "address" text null;`)
    UNNAMED.forEach((statement) => this.addSql(statement))
    FIXED.forEach((statement) => this.addSql(statement))
  }

  override async down(): Promise<void> {
    this.addSql(`drop trigger if exists gateway_audit_fixed on gateway_audit_entry;`)
    this.addSql(`drop function if exists gateway_audit_fixed();`)
    this.addSql(`alter table if exists "gateway_audit_entry" drop column if exists "address", drop column if exists "request_id";`)
    this.addSql(`alter table if exists "gateway_request_log" drop column if exists "address";`)
  }

}
