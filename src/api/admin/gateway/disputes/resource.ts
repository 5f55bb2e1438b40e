import { z } from "@medusajs/framework/zod"
import { messageOf } from "../../../../i18n/message"
import type { EvidenceFile } from "../../../../modules/gateway/disputes/evidence"
import type { ListedDispute } from "../../../../modules/gateway/disputes/list"
import {
  DISPUTE_REASONS,
  EVIDENCE_TEXT_MAX_CHARS,
  FILE_KINDS,
  type FileKind,
  NOTE_MAX_CHARS,
  REFERENCE_MAX_CHARS,
  awaitsResponse,
} from "../../../../modules/gateway/disputes/rules"
import type { Finding, NewDispute } from "../../../../modules/gateway/disputes/service"
import { FINDING_TRIGGERS } from "../../../../modules/gateway/disputes/states"
import { fault, validationError } from "../../../../modules/gateway/kernel/errors"
import { LIMITS } from "../../../../modules/gateway/kernel/limits"
import { formatAmount } from "../../../../modules/gateway/kernel/money/money"
import type { AdminContext, TenantContext } from "../../../admin-kit/endpoint"
import { one } from "../../../admin-kit/list"
import { type Names, namesOf } from "../../../admin-kit/present"
import { presentDispute } from "../../../api/v2/payments/disputes/resource"
import type { JsonObject } from "../../../v2-kit/body"
import { amount, check, flag, instant, parse, rule, text, withoutAbsent } from "../../../v2-kit/validate"
import type { Scope } from "../../../../modules/gateway/kernel/types"
import { AREAS } from "../../../admin-kit/areas"
import { mayDo } from "../../../admin-kit/permissions"

/** As `/api/v2` presents it, under the name that ids have here, and with what admins see besides. */
export function presentAdminDispute(dispute: ListedDispute) {
  const { dispute_id: id, ...rest } = presentDispute(dispute)
  return {
    id,
    ...rest,
    order_number: dispute.order_number,
    source: dispute.source,
    acquirer: dispute.acquirer,
    awaits_response: awaitsResponse(dispute),
    note: dispute.note,
    recorded_by: dispute.recorded_by,
  }
}

/** A dispute's page: its evidence, and what was done about it, oldest first. */
export async function presentWhole({ gateway, tenant, request }: TenantContext, id: string) {
  const dispute = await gateway.disputeList.one(tenant, id)
  const files = await gateway.disputeEvidence.list(tenant, id)
  const history = await gateway.disputeList.history(tenant, id)
  const names = await namesOf(request.scope, [
    dispute.recorded_by,
    ...files.map(({ uploaded_by }) => uploaded_by),
    ...history.map(({ actor_id }) => actor_id),
  ])
  const nameOf = (who: string) => names.get(who) ?? who
  return {
    dispute: {
      ...presentAdminDispute(dispute),
      recorded_by_name: nameOf(dispute.recorded_by),
      evidence_text: dispute.evidence_text,
      files: files.map((file) => presentFile(file, names)),
      history: history.map(({ actor_id, ...entry }) => ({ ...entry, actor_name: nameOf(actor_id) })),
    },
  }
}

function presentFile({ uploaded_by, ...file }: EvidenceFile, names: Names) {
  return { ...file, uploaded_by_name: names.get(uploaded_by) ?? uploaded_by }
}

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

/** More than a payment ever has: a bank takes one up again a few times at most. */
const DISPUTES_MAX = 100

/** The disputes of a payment of `tenant`; null: the admin may not see them. */
export async function disputesFor(
  { gateway, request }: Pick<AdminContext, "gateway" | "request">,
  tenant: Scope,
  transaction_id: string
): Promise<ListedDispute[] | null> {
  if (!(await mayDo(request, { resource: AREAS.disputes, operation: "read" }))) {
    return null
  }
  return (await gateway.disputeList.page(tenant, { transaction_id }, { per_page: DISPUTES_MAX, offset: 0 })).rows
}
