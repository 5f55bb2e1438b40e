import { namesOf, type Names } from "../../../admin-kit/names"
import type { TenantContext } from "../../../admin-kit/endpoint"
import type { EvidenceFile } from "../../../../modules/gateway/disputes/evidence"
import type { ListedDispute } from "../../../../modules/gateway/disputes/list"
import { awaitsResponse } from "../../../../modules/gateway/disputes/rules"
import { presentDispute } from "../../../api/v2/payments/disputes/resource"

/** As `/api/v2` presents it, under the name that ids have here, and with what admins see besides. */
export function presentAdminDispute(dispute: ListedDispute): Record<string, unknown> {
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
export async function presentWhole({ gateway, tenant, request }: TenantContext, id: string): Promise<object> {
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

function presentFile({ uploaded_by, ...file }: EvidenceFile, names: Names): object {
  return { ...file, uploaded_by_name: names.get(uploaded_by) ?? uploaded_by }
}
