import { model } from "@medusajs/framework/utils"
import { HOOKS } from "../kernel/hook-calls"

/**
 * A call of a host's hook that has not succeeded yet, written beside the change that it is about. `next_attempt_at` is
 * null after the last try.
 */
export const GatewayHookCall = model
  .define("gateway_hook_call", {
    id: model.id({ prefix: "ghc" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    hook: model.enum([...HOOKS]),
    resource_id: model.text(),
    input: model.json(),
    attempts: model.number().default(0),
    next_attempt_at: model.dateTime().nullable(),
    lock_token: model.text().nullable(),
    locked_until: model.dateTime().nullable(),
    last_error: model.text().nullable(),
  })
  .indexes([
    { on: ["hook", "resource_id"], unique: true },
    { on: ["next_attempt_at"], where: "next_attempt_at IS NOT NULL" },
  ])
