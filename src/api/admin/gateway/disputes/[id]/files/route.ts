import { messageOf } from "../../../../../../i18n/message"
import { EVIDENCE_FILES_MAX_BYTES } from "../../../../../../modules/gateway/disputes/rules"
import { fault, GatewayError, validationError } from "../../../../../../modules/gateway/kernel/errors"
import { tenantEndpoint, type AdminContext } from "../../../../../admin-kit/endpoint"
import { BodyError, readBytes } from "../../../../../v2-kit/body"
import { presentWhole, readFileQuery } from "../../resource"

/** Longer than a small body may take: a scan of several megabytes comes over a slow line too. */
const UPLOAD_SECONDS = 120

/** Adds a file of evidence: the body is the file (`application/octet-stream`), `kind` and `name` are in the query. */
export const POST = tenantEndpoint(async (context) => {
  const { gateway, tenant, params, query, request } = context
  // Nobody uploads megabytes for a dispute that is not theirs.
  await gateway.disputes.retrieve(tenant, params.id)
  const file = readFileQuery(query)
  await gateway.disputeEvidence.add(tenant, params.id, { ...file, content: await contentOf(request) })
  return presentWhole(context, params.id)
})

/** Medusa's parsers leave this type alone; a body of theirs is no file, and empty here. */
async function contentOf(request: AdminContext["request"]): Promise<Buffer> {
  try {
    return await readBytes(request, { maxBytes: EVIDENCE_FILES_MAX_BYTES, seconds: UPLOAD_SECONDS })
  } catch (error) {
    if (!(error instanceof BodyError)) {
      throw error
    }
    if (error.problem === "too_large") {
      const megabytes = EVIDENCE_FILES_MAX_BYTES / 1_000_000
      throw validationError([fault("file", messageOf("rule.evidence_size", { megabytes }))])
    }
    throw new GatewayError(error.problem === "too_slow" ? "REQUEST_TIMEOUT" : "INVALID_REQUEST")
  }
}
