import { z } from "@medusajs/framework/zod"
import { messageOf } from "../../../../i18n/message"
import type { EmiConfigurationRow, EmiFilter } from "../../../../modules/gateway/emi/configurations"
import type { EmiImport } from "../../../../modules/gateway/emi/import"
import type { EmiImportPlan } from "../../../../modules/gateway/emi/import-rules"
import { EMI_FIELDS, type EmiFields, emiFields } from "../../../../modules/gateway/emi/input"
import { GatewayError, fault, validationError } from "../../../../modules/gateway/kernel/errors"
import { type ListFormat, listSchema, readList } from "../../../admin-kit/list"
import type { JsonObject } from "../../../v2-kit/body"
import { flag, parse, queryFlag, required, rule, text, withoutAbsent } from "../../../v2-kit/validate"

/** A configuration with its fields as an admin writes them, plus what the gateway adds. `id` is the uuid. */
export function presentEmiConfiguration(row: EmiConfigurationRow) {
  const { uuid: id, revision, archived_at, created_at, updated_at } = row
  return { id, ...emiFields(row), revision, archived_at, created_at, updated_at }
}

/** What an import did, or would do, with each line. */
export function presentEmiImport(plan: EmiImportPlan, dry_run: boolean) {
  const { create, change, unchanged, archive } = plan
  const lines = [
    ...create.map(({ line, settings }) => ({ line, action: "create", ...emiFields(settings) })),
    ...change.map(({ line, settings, uuid: id }) => ({ line, action: "change", id, ...emiFields(settings) })),
    ...unchanged.map(({ line, settings, uuid: id }) => ({ line, action: "unchanged", id, ...emiFields(settings) })),
  ]
  return {
    dry_run,
    created: create.length,
    changed: change.length,
    unchanged: unchanged.length,
    archived: archive.length,
    lines: lines.sort((one, other) => one.line - other.line),
    archive: archive.map((configuration) => ({ id: configuration.uuid, ...emiFields(configuration) })),
  }
}

const query = listSchema(
  {
    archived: queryFlag.default(false),
    bank_name: text(100).optional(),
  },
  ["created_at", "bank"]
)

const importSchema = z.strictObject({
  csv: z.string(required(rule("csv"))),
  dry_run: flag.default(false),
  archive_missing: flag.default(false),
})

export function readFilter(sent: JsonObject): EmiFilter & ListFormat {
  return readList(query, sent)
}

/**
 * The fields of a configuration. An unknown name is refused: otherwise a misspelt field would silently get its default.
 */
export function readFields(body: JsonObject): EmiFields {
  requireKnown(body, EMI_FIELDS)
  return body
}

export function readImport(body: JsonObject): EmiImport {
  requireKnown(body, Object.keys(importSchema.shape))
  return parse(importSchema, withoutAbsent(body, []))
}

function requireKnown(body: unknown, names: readonly string[]): void {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new GatewayError("INVALID_REQUEST", messageOf("refusal.body_must_be_object"))
  }
  const unknown = Object.keys(body).find((name) => !names.includes(name))
  if (unknown !== undefined) {
    throw validationError([fault(unknown, messageOf("rule.known_field", { fields: names.join(", ") }))])
  }
}
