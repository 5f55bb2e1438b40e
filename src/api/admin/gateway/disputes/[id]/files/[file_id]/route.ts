import { tenantEndpoint, tenantFileEndpoint } from "../../../../../../admin-kit/endpoint"
import { presentWhole } from "../../../resource"

/** A file of evidence, as a download: the browser never shows what somebody has uploaded. */
export const GET = tenantFileEndpoint(async ({ gateway, tenant, params }) => {
  const { content, media_type, file_name } = await gateway.disputeEvidence.read(tenant, params.id, params.file_id)
  return { content, type: media_type, file: file_name }
})

export const DELETE = tenantEndpoint(async (context) => {
  const { gateway, tenant, params } = context
  await gateway.disputeEvidence.remove(tenant, params.id, params.file_id)
  return presentWhole(context, params.id)
})
