import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { presentTemplate, readNewTemplate } from "../resource"

/** The newest version of each template, by name. */
export const GET = tenantEndpoint(async ({ gateway, tenant }) => ({
  templates: (await gateway.settlementTerms.templates(tenant)).map(presentTemplate),
}))

/** Saves a template: the next version, where its name is known. */
export const POST = tenantEndpoint(async ({ gateway, tenant, body }) => ({
  template: presentTemplate(await gateway.settlementTerms.save(tenant, readNewTemplate(body))),
}))
