import type { MedusaContainer } from "@medusajs/framework/types"
import { GATEWAY_MODULE } from "../../modules/gateway"
import { countedNetwork } from "../../modules/gateway/kernel/ip"
import type GatewayModuleService from "../../modules/gateway/service"
import type { FoundRemotely } from "./settle-remote-payment"

/** For each payment, in any number of processes. */
const ONCE_IN_SECONDS = 2
/** In a minute. */
const ASKS_PER_PAYMENT = 10
/** In a minute. Many shoppers of one mobile network share an address. */
const ASKS_PER_ADDRESS = 60

/**
 * Runs `ask` when an anonymous caller may make this store ask the other deployment about a payment now; null when not.
 * Every request counts against the quota that this store's checkouts need. Nothing is lost by not asking: the
 * signed delivery and the task `settle-remote-payments` come without a hint.
 */
export async function askWithinLimits<Answer>(
  container: MedusaContainer,
  { payment, remote }: Pick<FoundRemotely, "payment" | "remote">,
  address: string | null,
  ask: () => Promise<Answer>
): Promise<Answer | null> {
  const { remotePayments, rateLimits } = container.resolve<GatewayModuleService>(GATEWAY_MODULE)
  if (remote.isScarce || !(await remotePayments.mayAsk(payment.id, ONCE_IN_SECONDS))) {
    return null
  }
  const readings = [
    await rateLimits.take(`remote_payment:${payment.id}`, ASKS_PER_PAYMENT),
    ...(address === null ? [] : [await rateLimits.take(`remote_address:${countedNetwork(address)}`, ASKS_PER_ADDRESS)]),
  ]
  if (readings.some(({ allowed }) => !allowed)) {
    return null
  }
  try {
    return await ask()
  } catch (error) {
    // The request failed: the next caller may try at once.
    await remotePayments.mayAskAgain(payment.id)
    throw error
  }
}
