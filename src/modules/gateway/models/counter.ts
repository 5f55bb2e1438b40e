import { model } from "@medusajs/framework/utils"
import { COUNTERS } from "../kernel/counter-rules"

/**
 * How many rows there are of something, and what they add up to: what lists and the overview would otherwise count.
 * Triggers of the counted tables append rows here, `fold` makes one of those with the same key, and a figure is the sum
 * of its rows. Nothing is updated in place: whoever pays never waits here for anybody. `label` and `bucket` are what
 * kernel/counter-rules.ts says. `count` may be negative; the id's default makes it; amounts are bigint in the database, in poisha.
 */
export const GatewayCounter = model
  .define("gateway_counter", {
    id: model.id({ prefix: "gta" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    subject: model.enum([...COUNTERS]),
    label: model.text(),
    bucket: model.number(),
    count: model.number(),
    amount_minor: model.number().default(0),
    fee_minor: model.number().default(0),
    is_folded: model.boolean().default(false),
  })
  .indexes([
    { name: "IDX_gateway_counter_key", on: ["merchant_id", "environment", "subject", "bucket", "label"] },
    { name: "IDX_gateway_counter_fresh", on: ["id"], where: "NOT is_folded" },
  ])
