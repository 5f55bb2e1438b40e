import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { presentCashSettings, readCashSettings } from "./resource"

/** How the store takes cash on delivery: the rules of the advance, in order, and what follows. */
export const GET = tenantEndpoint(async ({ gateway, tenant }) => ({
  cash_settings: presentCashSettings(await gateway.cashSettings.retrieve(tenant)),
}))

/** Changes what is sent; `rules` replaces all of them. */
export const POST = tenantEndpoint(async ({ gateway, tenant, body }) => ({
  cash_settings: presentCashSettings(await gateway.cashSettings.update(tenant, readCashSettings(body))),
}))
