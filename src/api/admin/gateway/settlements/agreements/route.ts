import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { presentAgreement, readAgreement, readSource } from "../resource"

/** The fees that were agreed with a `source`, oldest first. */
export const GET = tenantEndpoint(async ({ gateway, tenant, query }) => ({
  agreements: (await gateway.settlementTerms.agreements(tenant, readSource(query))).map(presentAgreement),
}))

/** What a `source` keeps from the day `valid_from` on: `rate_percent`, `fixed`, `vat_percent`; of one `payment_service` or all. */
export const POST = tenantEndpoint(async ({ gateway, tenant, body }) => ({
  agreements: (await gateway.settlementTerms.agree(tenant, readAgreement(body))).map(presentAgreement),
}))
