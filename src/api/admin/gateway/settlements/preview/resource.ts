import { z } from "@medusajs/framework/zod"
import type { Language } from "../../../../../i18n/languages"
import type { FieldError } from "../../../../../modules/gateway/kernel/errors"
import { formatAmount } from "../../../../../modules/gateway/kernel/money/money"
import type { LineResult } from "../../../../../modules/gateway/settlements/files/lines"
import type { SheetPreview } from "../../../../../modules/gateway/settlements/files/preview"
import { presentMessage } from "../../../../admin-kit/present"
import type { JsonObject } from "../../../../v2-kit/body"
import { parse, rule, text, withoutAbsent } from "../../../../v2-kit/validate"

const HEADER_LINE = rule("whole_number_within", { min: 1, max: 100 })
const NO_JSON = rule("object")

const querySchema = z.object({
  file_name: text(200),
  template_id: text(64).optional(),
  definition: z
    .string()
    .transform((json, context) => {
      try {
        return JSON.parse(json) as unknown
      } catch {
        context.addIssue({ code: "custom", message: NO_JSON })
        return z.NEVER
      }
    })
    .optional(),
  /** While its name is typed it is no source yet. */
  source: text(64).optional(),
  sheet: text(255).optional(),
  header_line: z
    .string()
    .regex(/^(100|[1-9][0-9]?)$/, HEADER_LINE)
    .transform(Number)
    .optional(),
})

/** What a file is looked at by. Errors: VALIDATION_ERROR. */
export function readPreview({ file_name, template_id, definition, source, sheet, header_line }: JsonObject) {
  return parse(querySchema, withoutAbsent({ file_name, template_id, definition, source, sheet, header_line }, []))
}

export function presentPreview(
  { rows, reading, ...rest }: SheetPreview,
  fitting_template_ids: string[],
  language: Language
) {
  return {
    rows: rows.map(({ line, cells, names }) => ({ line, cells, names })),
    ...rest,
    fitting_template_ids,
    reading: reading && {
      ...reading,
      results: reading.results.map((result) => presentResult(result, language)),
      errors: reading.errors.map((error) => presentError(error, language)),
      failures: reading.failures.map((error) => presentError(error, language)),
    },
  }
}

function presentResult(result: LineResult, language: Language) {
  const nothing = { line: null, why: null, errors: [] as ReturnType<typeof presentError>[] }
  if (result.outcome === "skipped") {
    return { ...nothing, outcome: result.outcome, number: result.line, why: presentMessage(result.why, language) }
  }
  if (result.outcome === "error") {
    const errors = result.errors.map((error) => presentError(error, language))
    return { ...nothing, outcome: result.outcome, number: result.line, errors }
  }
  const { kind, reference, order_reference, gross, fee, vat, net, currency, occurred_at, batch } = result.line
  const amounts = { gross: formatAmount(gross), fee: formatAmount(fee), vat: formatAmount(vat), net: formatAmount(net) }
  const line = { kind, reference, order_reference, ...amounts, currency, occurred_at: occurred_at.toISOString(), batch }
  return { ...nothing, outcome: result.outcome, number: result.line.line, line }
}

function presentError({ field, reason }: FieldError, language: Language) {
  return { field, reason: presentMessage(reason, language) }
}
