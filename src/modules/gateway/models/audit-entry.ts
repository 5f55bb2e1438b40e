import { model } from "@medusajs/framework/utils"
import { ACTOR_TYPES } from "../kernel/logged-actions"

/**
 * Who changed what, when, from what to what. Written in the transaction of the change (kernel/audit.ts); a trigger
 * refuses to change or delete it. `address` and `request_id` are those of the request that made the change; null:
 * background work. `environment` is null for changes of a merchant as a whole. `changes` is `{ field: { from, to } }`.
 * By `idempotency_id` a repeated request finds the one change that it has made already.
 */
export const GatewayAuditEntry = model
  .define("gateway_audit_entry", {
    id: model.id({ prefix: "gau" }).primaryKey(),
    number: model.autoincrement(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]).nullable(),
    actor_type: model.enum([...ACTOR_TYPES]),
    actor_id: model.text(),
    action: model.text(),
    resource_id: model.text(),
    changes: model.json(),
    address: model.text().nullable(),
    request_id: model.text().nullable(),
    idempotency_id: model.text().nullable(),
  })
  .indexes([
    { on: ["merchant_id", "number"], unique: true },
    { on: ["merchant_id", "created_at", "number"] },
    { on: ["resource_id", "number"] },
    { on: ["merchant_id", "actor_id", "number"] },
    { name: "IDX_gateway_audit_entry_by_request", on: ["merchant_id", "request_id"], where: "request_id IS NOT NULL" },
    {
      name: "IDX_gateway_audit_entry_by_address",
      on: ["merchant_id", "address", "number"],
      where: "address IS NOT NULL",
    },
    { on: ["idempotency_id"], unique: true, where: "idempotency_id IS NOT NULL" },
  ])
