import { model } from "@medusajs/framework/utils"
import { STORE_CALLS } from "../kernel/store-calls"

/**
 * Something that an API process asks of a store process. `input` and `answer` are encrypted; `take_by`: until when a
 * process may take it; `traceparent`: the trace of the request that asks (docs/decisions/0070).
 */
export const GatewayStoreCall = model
  .define("gateway_store_call", {
    id: model.id({ prefix: "gsc" }).primaryKey(),
    kind: model.enum([...STORE_CALLS]),
    input: model.text(),
    state: model.enum(["waiting", "taken", "answered"]),
    answer: model.text().nullable(),
    take_by: model.dateTime(),
    traceparent: model.text().nullable(),
  })
  .indexes([{ on: ["take_by"] }])
