import { z } from "@medusajs/framework/zod"
import { EMI_FIELDS, type EmiFields } from "../../../../modules/gateway/emi/input"
import { GatewayError, validationError } from "../../../../modules/gateway/kernel/errors"
import type { EmiFilter } from "../../../../modules/gateway/emi/configurations"
import type { EmiImport } from "../../../../modules/gateway/emi/import"
import type { JsonObject } from "../../../v2-kit/body"
import { flag, parse, text, withoutAbsent } from "../../../v2-kit/validate"
import { listSchema, one, readList } from "../../../admin-kit/list"

const query = listSchema(
  {
    archived: one(["true", "false"])
      .default("false")
      .transform((value) => value === "true"),
    bank_name: text(100).optional(),
  },
  ["created_at", "bank"]
)

const importSchema = z.strictObject({
  csv: z.string({ error: ({ input }) => (input === undefined ? "is required" : "must be the text of a CSV file") }),
  dry_run: flag.default(false),
  archive_missing: flag.default(false),
})

export function readFilter(sent: JsonObject): EmiFilter {
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
    throw new GatewayError("INVALID_REQUEST", "The body must be a JSON object")
  }
  const unknown = Object.keys(body).find((name) => !names.includes(name))
  if (unknown !== undefined) {
    const message = `${unknown} is no field; use ${names.join(", ")}`
    throw validationError([{ field: unknown, code: "VALIDATION_ERROR", message }])
  }
}
