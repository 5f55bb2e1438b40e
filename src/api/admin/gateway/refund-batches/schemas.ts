import { z } from "@medusajs/framework/zod"
import type { JsonObject } from "../../../v2-kit/body"
import { flag, parse, required, rule, text } from "../../../v2-kit/validate"

const schema = z.object({
  csv: z.string(required(rule("csv"))),
  /** Only say what would be done. */
  dry_run: flag.default(false),
  /** The form makes it, so that a second click does not create a second batch. */
  request_key: text(64).nullish(),
})

export function readBatchInput(body: JsonObject): z.output<typeof schema> {
  return parse(schema, body)
}
