import { tenantEndpoint } from "../../../../admin-kit/endpoint"

/**
 * Of whom files may come: acquirers, and whoever has a template or an agreement already. `is_used`: the tenant has an
 * account there, a template or an agreement. `is_fetchable`: `imports/fetch` takes it.
 */
export const GET = tenantEndpoint(async ({ gateway, tenant }) => {
  const used = await gateway.settlementTerms.sources(tenant)
  const fetchable = await gateway.settlementFetches.sources(tenant)
  const acquirers = (await gateway.acquirerAccounts.list(tenant)).map(({ definition: { id, name }, account }) => ({
    source: id,
    name,
    is_used: account !== null || used.includes(id),
    is_fetchable: fetchable.includes(id),
  }))
  const others = [...used, ...(tenant.environment === "sandbox" ? ["sandbox"] : [])].filter(
    (source, at, all) => all.indexOf(source) === at && !acquirers.some((one) => one.source === source)
  )
  return {
    sources: [...others.map((source) => ({ source, name: null, is_used: true, is_fetchable: false })), ...acquirers],
  }
})
