import type { Gateway } from "../../modules/gateway/container"
import type { Scope } from "../../modules/gateway/kernel/types"

/**
 * The store's own merchant in the deployment's environment, at the current moment of its clock (docs/decisions/13).
 */
export async function storeScope(
  gateway: Pick<Gateway, "merchants" | "options">
): Promise<Scope & { merchant_number: number }> {
  const { environment, storeMerchantName } = gateway.options
  const { id } = await gateway.merchants.storeMerchant(storeMerchantName)
  return gateway.merchants.scope(id, environment)
}
