import { model } from "@medusajs/framework/utils"

/**
 * The sandbox acquirer's own book, as a bank would keep it: one row per key, however often it is requested. It belongs
 * to the acquirer alone; the gateway reads it only through the acquirer's port.
 */
export const GatewaySandboxOperation = model
  .define("gateway_sandbox_operation", {
    id: model.id({ prefix: "sbo" }).primaryKey(),
    key: model.text(),
    kind: model.enum(["charge", "refund"]),
    charge_key: model.text().nullable(),
    outcome: model.text(),
    refund_behaviour: model.enum(["standard", "instant", "delayed", "fails"]).default("standard"),
    amount_minor: model.number(),
    /** For EMI: what the bank collects from its customer in all, and in how many instalments. */
    collected_minor: model.number().nullable(),
    instalments: model.number().nullable(),
    currency: model.text(),
    reference: model.text(),
    tries: model.number().default(1),
    available_at: model.dateTime(),
  })
  .indexes([{ on: ["kind", "key"], unique: true }, { on: ["charge_key"] }, { on: ["reference"], unique: true }])
