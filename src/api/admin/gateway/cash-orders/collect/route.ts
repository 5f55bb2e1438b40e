import { GatewayError } from "../../../../../modules/gateway/kernel/errors"
import { followOrders } from "../../../../../store/cash/follow-order"
import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { presentMessage } from "../../../../admin-kit/present"
import { readMany } from "../resource"

/** The whole cash of many orders came. Answers each: recorded, or why not. Medusa's captures follow by a task. */
export const POST = tenantEndpoint(async ({ gateway, tenant, body, request }) => {
  const { ids, courier, note } = readMany(body)
  await followOrders(request.scope, await gateway.cashList.some(tenant, ids))
  const outcomes: object[] = []
  for (const id of ids) {
    try {
      // All that is due at that moment: a key that a part has used would never take the rest.
      const whole = { amount: null, charge: 0n, source: "admin" as const, request_key: `admin:whole:${id}` }
      await gateway.cash.collect(id, { ...whole, courier, note }, tenant)
      outcomes.push({ id, outcome: "recorded", reason: null })
    } catch (error) {
      if (!GatewayError.is(error)) {
        throw error
      }
      outcomes.push({ id, outcome: "refused", reason: presentMessage(error.reason) })
    }
  }
  return { outcomes }
})
