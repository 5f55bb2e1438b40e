import { z } from "@medusajs/framework/zod"
import { messageOf } from "../../../../i18n/message"
import { EMI_FIELDS, type EmiFields } from "../../../../modules/gateway/emi/input"
import { fault, GatewayError, validationError } from "../../../../modules/gateway/kernel/errors"
import type { EmiFilter } from "../../../../modules/gateway/emi/configurations"
import type { EmiImport } from "../../../../modules/gateway/emi/import"
import type { JsonObject } from "../../../v2-kit/body"
import { flag, parse, queryFlag, required, rule, text, withoutAbsent } from "../../../v2-kit/validate"
import { listSchema, readList, type ListFormat } from "../../../admin-kit/list"

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
