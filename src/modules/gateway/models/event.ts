import { model } from "@medusajs/framework/utils"

/**
 * The outbox: an event is written in the transaction of the change it announces (design: six rules, 3). In partitions
 * of a month by `created_at`, which is part of each unique key in the database (docs/decisions/0073).
 */
export const GatewayEvent = model
  .define("gateway_event", {
    id: model.id({ prefix: "gev" }).primaryKey(),
    event_id: model.text(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    event_type: model.text(),
    resource_id: model.text(),
    data: model.json(),
    occurred_at: model.dateTime(),
    /** The trace that the change was made in, when somebody traces (docs/decisions/0070). */
    traceparent: model.text().nullable(),
  })
  .indexes([
    { on: ["event_id", "created_at"], unique: true },
    { on: ["merchant_id", "environment", "created_at"] },
    { name: "IDX_gateway_event_by_type", on: ["merchant_id", "environment", "event_type", "created_at"] },
    { on: ["resource_id"] },
  ])
