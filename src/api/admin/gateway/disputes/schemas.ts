import { z } from "@medusajs/framework/zod"
import { messageOf } from "../../../../i18n/message"
import {
  DISPUTE_REASONS,
  EVIDENCE_TEXT_MAX_CHARS,
  FILE_KINDS,
  NOTE_MAX_CHARS,
  REFERENCE_MAX_CHARS,
  type FileKind,
} from "../../../../modules/gateway/disputes/rules"
import { FINDING_TRIGGERS } from "../../../../modules/gateway/disputes/states"
import type { Finding, NewDispute } from "../../../../modules/gateway/disputes/service"
import { fault, validationError } from "../../../../modules/gateway/kernel/errors"
import { LIMITS } from "../../../../modules/gateway/kernel/limits"
import { formatAmount } from "../../../../modules/gateway/kernel/money"
import { one } from "../../../admin-kit/list"
import type { JsonObject } from "../../../v2-kit/body"
import { amount, check, flag, instant, parse, rule, text, withoutAbsent } from "../../../v2-kit/validate"

const newSchema = z.object({
  transaction_id: text(64),
  reference: text(REFERENCE_MAX_CHARS).refine((value) => value.trim() !== "", rule("not_blank")),
  amount: amount.refine((minor) => minor > 0n, rule("more_than", { min: "0.00" })).optional(),
  fee: amount
    .refine(
      (minor) => minor <= LIMITS.orderAmountMaxMinor,
      rule("max", { max: formatAmount(LIMITS.orderAmountMaxMinor) })
    )
    .default(0n),
  reason: one(DISPUTE_REASONS).default("general"),
  is_inquiry: flag.default(false),
  opened_at: instant.optional(),
  due_by: instant.optional(),
  note: text(NOTE_MAX_CHARS).optional(),
})

/** `now`: the merchant's clock; a bank has opened the dispute by then. */
export function readNewDispute(body: JsonObject, now: Date): NewDispute {
  const { value, failures } = check(newSchema, withoutAbsent(body, []))
  const isLater = value?.opened_at !== undefined && value.opened_at > now
  if (value === null || isLater) {
    throw validationError(isLater ? [fault("opened_at", messageOf("rule.past"))] : failures)
  }
  const { reference, opened_at = null, due_by = null, note = null, ...rest } = value
  return { ...rest, reference: reference.trim(), opened_at, due_by, note }
}

const findingSchema = z.object({
  on: one(FINDING_TRIGGERS),
  fee_returned: flag.default(false),
  due_by: instant.optional(),
})

export function readFinding(body: JsonObject): Finding {
  const { due_by = null, ...finding } = parse(findingSchema, withoutAbsent(body, []))
  return { ...finding, due_by }
}

const evidenceSchema = z.object({ evidence_text: text(EVIDENCE_TEXT_MAX_CHARS).optional() })

/** Null: no text. */
export function readEvidence(body: JsonObject): string | null {
  return parse(evidenceSchema, withoutAbsent(body, [])).evidence_text ?? null
}

const fileSchema = z.object({ kind: one(FILE_KINDS), name: text(255).default("evidence") })

/** The file itself is the body; the query says what it is and what it was called. */
export function readFileQuery(query: JsonObject): { kind: FileKind; name: string } {
  return parse(fileSchema, withoutAbsent(query, []))
}
