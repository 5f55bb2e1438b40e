import { model } from "@medusajs/framework/utils"

/**
 * An access token that all processes share, because its acquirer allows few of them an hour. The id names the account.
 * Both tokens are encrypted. `lock_token` and `locked_until` are the lease of the process that renews it.
 */
export const GatewayAcquirerToken = model.define("gateway_acquirer_token", {
  id: model.id({ prefix: "gat" }).primaryKey(),
  token: model.text().nullable(),
  refresh_token: model.text().nullable(),
  expires_at: model.dateTime().nullable(),
  lock_token: model.text().nullable(),
  locked_until: model.dateTime().nullable(),
})
