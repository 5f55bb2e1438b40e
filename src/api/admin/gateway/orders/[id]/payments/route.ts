import { storeEndpoint } from "../../../../../admin-kit/endpoint"
import { presentTimeline } from "../../../payments/[id]/resource"

/** The payments of one of the store's orders, each with its timeline: for the order's page. */
export const GET = storeEndpoint(async ({ gateway, params }) => {
  const owners = await gateway.paymentTimelines.ofOrder(params.id)
  const payments = await Promise.all(
    owners.map(async ({ merchant_id, environment, transaction_id }) => {
      const scope = await gateway.merchants.scope(merchant_id, environment)
      return presentTimeline(await gateway.paymentTimelines.retrieve(scope, transaction_id), scope.now)
    })
  )
  return { payments, count: payments.length }
})
