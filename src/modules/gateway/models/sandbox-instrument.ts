import { model } from "@medusajs/framework/utils"
import { PAYMENT_METHODS } from "../merchants/payment-services"

/**
 * The sandbox acquirer's own vault: how charges of a token end. The id is the token's SHA-256: as with a real bank,
 * only the holder of the instrument has the token.
 */
export const GatewaySandboxInstrument = model.define("gateway_sandbox_instrument", {
  id: model.id({ prefix: "sbt" }).primaryKey(),
  method: model.enum([...PAYMENT_METHODS]),
  outcome: model.text(),
  refund_behaviour: model.enum(["standard", "instant", "delayed", "fails"]).default("standard"),
  summary: model.json(),
})
