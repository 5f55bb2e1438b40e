import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { GATEWAY_MODULE } from "../../modules/gateway"
import type { RemotePayment } from "../../modules/gateway/payments/remote-payments"
import type GatewayModuleService from "../../modules/gateway/service"

/**
 * Whether any money of a payment is on its way back, or may be. The other deployment says SUCCESS until a refund is
 * complete, which takes days where it needs an approval or the acquirer is slow; an order made meanwhile would give goods
 * and money. Medusa's row is there first; this store's is left when Medusa deletes its own after an unknown outcome.
 */
export async function isMoneyGoingBack(
  container: MedusaContainer,
  { transaction_id, payment_session_id }: Pick<RemotePayment, "transaction_id" | "payment_session_id">
): Promise<boolean> {
  const { remoteRefunds } = container.resolve<GatewayModuleService>(GATEWAY_MODULE)
  if ((await remoteRefunds.list(transaction_id)).some(({ state }) => state !== "refused")) {
    return true
  }
  const { data } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: "payment_session",
    fields: ["id", "payment.refunds.id"],
    filters: { id: payment_session_id },
  })
  const [session] = data as unknown as { payment?: { refunds?: unknown[] } | null }[]
  return (session?.payment?.refunds ?? []).length > 0
}
