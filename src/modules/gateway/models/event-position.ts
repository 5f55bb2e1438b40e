import { model } from "@medusajs/framework/utils"

/**
 * The place of an event in the order in which it can be read without loss: no event ever gets one before an event that
 * has been read (docs/decisions/0032). With the `created_at` of its event, in partitions that are dropped with the
 * event's. bigint in the database.
 */
export const GatewayEventPosition = model
  .define("gateway_event_position", {
    id: model.id({ prefix: "gev" }).primaryKey(),
    position: model.number(),
    event_id: model.text(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    event_type: model.text(),
  })
  .indexes([
    { on: ["position", "created_at"], unique: true },
    { on: ["event_id"] },
    { on: ["merchant_id", "environment", "position"] },
    {
      name: "IDX_gateway_event_position_by_type",
      on: ["merchant_id", "environment", "event_type", "position"],
    },
  ])
