import { model } from "@medusajs/framework/utils"

/**
 * An event that has no position yet (models/event-position.ts), by the id and with the `created_at` of its row. A
 * trigger writes it with the event, and numbering deletes it: what is here is committed, however late.
 */
export const GatewayEventArrival = model.define("gateway_event_arrival", {
  id: model.id({ prefix: "gev" }).primaryKey(),
  event_id: model.text(),
  merchant_id: model.text(),
  environment: model.enum(["sandbox", "production"]),
  event_type: model.text(),
})
