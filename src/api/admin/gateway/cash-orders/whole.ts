import type { TenantContext } from "../../../admin-kit/endpoint"
import { namesOf } from "../../../admin-kit/present"
import { presentCashOrder, presentCollection } from "./resource"

/** A cash order's page. Throws CASH_ORDER_NOT_FOUND, for another tenant's too. */
export async function presentWhole({ gateway, tenant, request }: TenantContext, id: string) {
  const order = await gateway.cashList.one(tenant, id)
  const collections = await gateway.cash.collections(id)
  const names = await namesOf(
    request.scope,
    collections.map(({ recorded_by }) => recorded_by)
  )
  return {
    cash_order: {
      ...presentCashOrder(order, await gateway.cashList.lateBefore(tenant)),
      collections: collections.map((collection) => presentCollection(collection, names)),
    },
  }
}
