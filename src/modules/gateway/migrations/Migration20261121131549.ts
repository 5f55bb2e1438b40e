import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** What the logs of events, deliveries and requests are filtered by. */
export class Migration20261121131549 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_event_by_type" ON "gateway_event" ("merchant_id", "environment", "event_type", "created_at", "id");`)

    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_request_log_not_well" ON "gateway_request_log" ("merchant_id", "environment", "requested_at", "id") WHERE status >= 400;`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_request_log_request_id" ON "gateway_request_log" ("request_id");`)

    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_webhook_delivery_undelivered" ON "gateway_webhook_delivery" ("merchant_id", "environment", "state", "number") WHERE state <> 'delivered';`)
  }

  override async down(): Promise<void> {
    this.addSql(`drop index if exists "IDX_gateway_event_by_type";`)

    this.addSql(`drop index if exists "IDX_gateway_request_log_not_well";`)
    this.addSql(`drop index if exists "IDX_gateway_request_log_request_id";`)

    this.addSql(`drop index if exists "IDX_gateway_webhook_delivery_undelivered";`)
  }
}
