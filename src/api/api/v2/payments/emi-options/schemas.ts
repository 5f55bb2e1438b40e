import { z } from "@medusajs/framework/zod"
import { LIMITS } from "../../../../../modules/gateway/kernel/limits"
import type { JsonObject } from "../../../../v2-kit/body"
import { described } from "../../../../v2-kit/described"
import { parse, rule, withoutAbsent } from "../../../../v2-kit/validate"

/** What the answer may be asked to contain besides the contract's members. */
const INCLUDABLE = ["cards"] as const

export const querySchema = z.object({
  include: z
    .string(rule("each_of", { values: INCLUDABLE.join(", ") }))
    .transform(
      described((names: string) => names.split(",", LIMITS.choicesMax + 1), { type: "string", enum: INCLUDABLE })
    )
    .refine((names) => names.length <= LIMITS.choicesMax && names.every((name) => INCLUDABLE.includes(name as never)), {
      error: rule("each_of", { values: INCLUDABLE.join(", ") }),
    })
    .optional(),
})

/** `include=cards`: each tenure says which cards it is for (docs/decisions/0051). */
export function readInclude(query: JsonObject): { cards: boolean } {
  return { cards: parse(querySchema, withoutAbsent(query, [])).include?.includes("cards") ?? false }
}
