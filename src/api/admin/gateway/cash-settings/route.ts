import { requireSms } from "../../../../store/cash/codes"
import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { presentCashSettings, readCashSettings } from "./resource"

/** How the store takes cash on delivery: the rules of the advance, in order, and what follows. */
export const GET = tenantEndpoint(async ({ gateway, tenant }) => ({
  cash_settings: presentCashSettings(await gateway.cashSettings.retrieve(tenant)),
}))

/** Changes what is sent; `rules` replaces all of them. Errors: VALIDATION_ERROR, for `phone_code` without a provider of SMS too. */
export const POST = tenantEndpoint(async ({ gateway, tenant, body, request }) => {
  const change = readCashSettings(body)
  if (change.phone_code === true) {
    await requireSms(request.scope)
  }
  return { cash_settings: presentCashSettings(await gateway.cashSettings.update(tenant, change)) }
})
