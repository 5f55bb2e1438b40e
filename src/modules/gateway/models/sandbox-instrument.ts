import { model } from "@medusajs/framework/utils"
import { PAYMENT_METHODS } from "../merchants/payment-services"

/**
 * The sandbox acquirer's own vault: what a token it gave out does when it is charged. The id is the token's SHA-256: the
 * token itself is with whoever keeps the instrument, as with a real bank.
 */
export const GatewaySandboxInstrument = model.define("gateway_sandbox_instrument", {
  id: model.id({ prefix: "sbt" }).primaryKey(),
  method: model.enum([...PAYMENT_METHODS]),
  outcome: model.text(),
  refund_behaviour: model.enum(["standard", "instant", "delayed", "fails"]).default("standard"),
  summary: model.json(),
})
