import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * Wakes the dispatchers when the surrounding transaction commits, whoever listens. What is to be delivered is in
 * gateway_webhook_delivery, so nothing is lost when nobody does: each dispatcher looks by itself as well.
 */
const WAKE_WORKER = `
  create or replace function gateway_wake_worker() returns void language sql as $$
    select pg_notify('gateway_deliveries', '')
  $$;`

const BY_A_JOB = `
  create or replace function gateway_wake_worker() returns void language plpgsql as $$
  begin
    if to_regnamespace('graphile_worker') is not null then
      perform graphile_worker.add_job('deliver-webhooks', max_attempts := 1);
    end if;
  exception when undefined_function or invalid_schema_name then
    null;
  end $$;`

export class Migration20261121142500 extends Migration {

  override async up(): Promise<void> {
    this.addSql(WAKE_WORKER)
    // In the order in which a lane's deliveries are claimed, the last for those that are due at the same moment.
    this.addSql(`DROP INDEX IF EXISTS "IDX_gateway_webhook_delivery_lane_next_attempt_at";`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_webhook_delivery_lane_next_attempt_at_number" ON "gateway_webhook_delivery" ("lane", "next_attempt_at", "number") WHERE state = 'pending';`)
    // A delivery is claimed without touching an index, where its page has room for the new version; and a queue is cleaned often.
    this.addSql(`alter table "gateway_webhook_delivery" set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);`)
  }

  override async down(): Promise<void> {
    this.addSql(BY_A_JOB)
    this.addSql(`DROP INDEX IF EXISTS "IDX_gateway_webhook_delivery_lane_next_attempt_at_number";`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_webhook_delivery_lane_next_attempt_at" ON "gateway_webhook_delivery" ("lane", "next_attempt_at") WHERE state = 'pending';`)
    this.addSql(`alter table "gateway_webhook_delivery" reset (fillfactor, autovacuum_vacuum_scale_factor, autovacuum_analyze_scale_factor);`)
  }
}
