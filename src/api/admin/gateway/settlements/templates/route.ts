import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { namesOf } from "../../../../admin-kit/present"
import { presentTemplate, readNewTemplate } from "../resource"

/** The newest version of each template, by name. */
export const GET = tenantEndpoint(async ({ gateway, tenant, request }) => {
  const templates = await gateway.settlementTerms.templates(tenant)
  const names = await namesOf(
    request.scope,
    templates.map(({ created_by }) => created_by)
  )
  return { templates: templates.map((template) => presentTemplate(template, names)) }
})

/** Saves a template: the next version, where its name is known. */
export const POST = tenantEndpoint(async ({ gateway, tenant, body }) => ({
  template: presentTemplate(await gateway.settlementTerms.save(tenant, readNewTemplate(body, tenant.time_zone))),
}))
