import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { namesOf } from "../../../../../admin-kit/present"
import { presentTemplate } from "../../resource"

/** One version of a template, and all versions of its name, the newest first. */
export const GET = tenantEndpoint(async ({ gateway, tenant, params, request }) => {
  const template = await gateway.settlementTerms.template(tenant, params.id)
  const versions = await gateway.settlementTerms.versions(tenant, template.name)
  const names = await namesOf(
    request.scope,
    versions.map(({ created_by }) => created_by)
  )
  return { template: presentTemplate(template, names), versions: versions.map((one) => presentTemplate(one, names)) }
})
