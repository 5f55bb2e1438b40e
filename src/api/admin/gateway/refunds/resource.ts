import { z } from "@medusajs/framework/zod"
import { formatAmount } from "../../../../modules/gateway/kernel/money/money"
import type { OperatorFinding } from "../../../../modules/gateway/kernel/types"
import { estimatedCompletion } from "../../../../modules/gateway/refunds/rules"
import type { Refund, RefundRequest } from "../../../../modules/gateway/refunds/service"
import { readRefund } from "../../../api/v2/payments/refund/resource"
import type { JsonObject } from "../../../v2-kit/body"
import { amount, flag, parse, text, withoutAbsent } from "../../../v2-kit/validate"
import type { Names } from "../../../admin-kit/present"

/** All details of a refund for the admin. Amounts in the payment's currency. */
export function presentRefund(refund: Refund) {
  return {
    id: refund.id,
    transaction_id: refund.transaction_id,
    merchant_id: refund.merchant_id,
    environment: refund.environment,
    status: refund.state,
    type: refund.type,
    amount: formatAmount(refund.amount_minor),
    currency: refund.currency,
    reason: refund.reason,
    metadata: refund.metadata ?? {},
    held_for: refund.held_for,
    requested_by: refund.requested_by,
    reviewed_by: refund.reviewed_by,
    review_note: refund.review_note,
    /** What an admin wrote for the shop in Medusa's own dialog. */
    note: typeof refund.metadata?.note === "string" ? refund.metadata.note : null,
    batch_id: refund.batch_id,
    acquirer_reference: refund.acquirer_reference,
    error_code: refund.error_code,
    error_message: refund.error_message,
    unresolved: presentUnresolved(refund),
    estimated_completion: estimatedCompletion(refund.created_at).toISOString(),
    created_at: refund.created_at.toISOString(),
    completed_at: refund.completed_at?.toISOString() ?? null,
    /** Of a refund that failed: when an admin has dealt with it; null: it needs attention. */
    dealt_with_at: refund.dealt_with_at?.toISOString() ?? null,
    dealt_with_by: refund.dealt_with_by,
    dealt_with_note: refund.dealt_with_note,
  }
}

/** Whose names `presentActors` shows. */
export function actorsOf({ requested_by, reviewed_by, dealt_with_by }: Refund): string[] {
  return [requested_by, reviewed_by ?? [], dealt_with_by ?? []].flat()
}

/** Who requested, decided and dealt with it, by their names; whoever has none any more, and what is no person, by the id. */
export function presentActors({ requested_by, reviewed_by, dealt_with_by }: Refund, names: Names) {
  const name = (id: string | null) => id && (names.get(id) ?? id)
  return {
    requested_by_name: name(requested_by),
    reviewed_by_name: name(reviewed_by),
    dealt_with_by_name: name(dealt_with_by),
  }
}

/** Only the acquirer's dashboard shows what became of it; null: the acquirer itself reports it. */
function presentUnresolved({ id: key, state, operator_since: since }: Refund) {
  return state === "processing" && since !== null ? { key, since: since.toISOString() } : null
}

const NOTE_MAX_CHARS = 500
const REFERENCE_MAX_CHARS = 100

const keySchema = z.object({ request_key: text(64).optional() })
/** `reference` and `amount` as the acquirer's dashboard shows them; the amount in the payment's currency. */
const found = { moved: flag, note: text(NOTE_MAX_CHARS) }
const movedSchema = z.object({ ...found, reference: text(REFERENCE_MAX_CHARS), amount })
const findingSchema = z.object(found)
const dealtWithSchema = z.object({ note: text(NOTE_MAX_CHARS) })
const reviewSchema = z.object({ note: text(NOTE_MAX_CHARS).optional() })

/**
 * The members of contract 4.8, and `request_key`, which the form makes so that a second click is not a second refund.
 */
export function readNewRefund(body: JsonObject): Omit<RefundRequest, "requested_by"> {
  return { ...readRefund(body), request_key: readRequestKey(body) }
}

/** The key that a form makes, so that what it sends twice is done once; null: it sends none. */
export function readRequestKey(body: JsonObject): string | null {
  const { request_key } = parse(keySchema, withoutAbsent(body, ["metadata"]))
  return request_key === undefined ? null : `admin:${request_key}`
}

export function readNote(body: JsonObject): string | null {
  return parse(reviewSchema, withoutAbsent(body, [])).note ?? null
}

/** How an admin has dealt with a refund that failed. */
export function readDealtWith(body: JsonObject): string {
  return parse(dealtWithSchema, withoutAbsent(body, [])).note
}

/** What somebody has found in the acquirer's dashboard about a payment or refund of unknown outcome. */
export function readFinding(body: JsonObject): OperatorFinding {
  const sent = withoutAbsent(body, [])
  if (sent.moved === true) {
    return { ...parse(movedSchema, sent), moved: true }
  }
  return { ...parse(findingSchema, sent), moved: false }
}

/** Which attempt somebody has looked up; absent: the one that is unresolved. */
export function readKey(body: JsonObject): string | undefined {
  return parse(z.object({ key: text(REFERENCE_MAX_CHARS).optional() }), withoutAbsent(body, [])).key
}
