import { balanceToCollect, collectBalance } from "../../../../../../store/balance/collect"
import { storeEndpoint } from "../../../../../admin-kit/endpoint"
import { publicUrlOf } from "../../../../../v2-kit/target"
import { presentBalance } from "./resource"

/** What is outstanding of an order, and the link that asks for it: for the order's page. */
export const GET = storeEndpoint(async ({ gateway, request, params }) => {
  const balance = await balanceToCollect(request.scope, params.id)
  return { balance: presentBalance(balance, publicUrlOf(gateway, request)) }
})

/** Makes the link that asks for it, or shows the one that is open. */
export const POST = storeEndpoint(async ({ gateway, request, params, actor }) => {
  await collectBalance(request.scope, params.id, { actor })
  const balance = await balanceToCollect(request.scope, params.id)
  return { balance: presentBalance(balance, publicUrlOf(gateway, request)) }
})
