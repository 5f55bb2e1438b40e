import type { CashOrder } from "../../../../modules/gateway/cash/records"
import type { TenantContext } from "../../../admin-kit/endpoint"
import { namesOf } from "../../../admin-kit/present"
import { presentCashOrder, presentCollection } from "./resource"

/** A cash order on the page of Medusa's order: whose it is, and its sums. */
export async function presentOnOrder(gateway: TenantContext["gateway"], order: CashOrder) {
  const { merchant_id, environment } = order
  const scope = await gateway.merchants.scope(merchant_id, environment)
  return { ...presentCashOrder(order, await gateway.cashList.lateBefore(scope)), merchant_id, environment }
}

/** A cash order's page, with what the store's rule says of the advance when it is refused. Throws CASH_ORDER_NOT_FOUND, for another tenant's too. */
export async function presentWhole({ gateway, tenant, request }: TenantContext, id: string) {
  const order = await gateway.cashList.one(tenant, id)
  const collections = await gateway.cash.collections(id)
  const { refused_advance } = await gateway.cashSettings.retrieve(tenant)
  const names = await namesOf(
    request.scope,
    collections.map(({ recorded_by }) => recorded_by)
  )
  return {
    cash_order: {
      ...presentCashOrder(order, await gateway.cashList.lateBefore(tenant)),
      refused_advance,
      collections: collections.map((collection) => presentCollection(collection, names)),
    },
  }
}
