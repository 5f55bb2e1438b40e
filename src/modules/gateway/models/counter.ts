import { model } from "@medusajs/framework/utils"
import { COUNTERS } from "../kernel/counter-rules"

/**
 * Counts and sums that lists and the overview would otherwise calculate. Triggers of the counted tables append rows
 * here, `fold` merges those with the same key and old hours of one day, and a figure is the sum of its rows. Nothing is
 * updated in place, so payments never wait here. kernel/counter-rules.ts defines `label`, `currency` and `bucket`.
 * `count` may be negative. The id has a default; amounts are bigint in the database, in hundredths of the currency.
 */
export const GatewayCounter = model
  .define("gateway_counter", {
    id: model.id({ prefix: "gta" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    subject: model.enum([...COUNTERS]),
    label: model.text(),
    currency: model.text().default(""),
    bucket: model.number(),
    count: model.number(),
    amount_minor: model.number().default(0),
    fee_minor: model.number().default(0),
    is_folded: model.boolean().default(false),
  })
  .indexes([
    { name: "IDX_gateway_counter_key", on: ["merchant_id", "environment", "subject", "bucket", "label"] },
    { name: "IDX_gateway_counter_fresh", on: ["id"], where: "NOT is_folded" },
    {
      name: "IDX_gateway_counter_hour",
      on: ["bucket"],
      where: "is_folded AND subject IN ('event', 'entry') AND bucket % 24 <> 0",
    },
  ])
