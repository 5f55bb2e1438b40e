import { z } from "@medusajs/framework/zod"
import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { parse, rule, text, withoutAbsent } from "../../../../../v2-kit/validate"

const NOTE_MAX_CHARS = 1_000
const noteSchema = z.object({
  note: text(NOTE_MAX_CHARS).refine((value) => value.trim() !== "", rule("not_blank")),
})

/** Adds a note to a payment; its page shows it. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body }) => {
  const { note } = parse(noteSchema, withoutAbsent(body, []))
  await gateway.paymentTimelines.addNote(tenant, params.id, note.trim())
  return { payment: { id: params.id } }
})
