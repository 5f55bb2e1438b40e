import type { MedusaContainer } from "@medusajs/framework/types"
import { askOnHint } from "./ask-on-hint"
import {
  findRemotePayment,
  knownSettlement,
  OPEN_SESSIONS,
  settleRemotePayment,
  type FoundRemotely,
  type SettledPayment,
} from "./settle-remote-payment"

/** Payments that this process is settling; concurrent callers share the result. */
const settling = new Map<string, Promise<SettledPayment>>()

/**
 * The outcome of a payment, for an anonymous caller: from this store's own rows when it is final, otherwise by asking the
 * other deployment, within limits. Beyond the limits it answers what was last known.
 */
export async function settleOnHint(
  container: MedusaContainer,
  found: FoundRemotely,
  address: string
): Promise<SettledPayment> {
  const known = await knownSettlement(container, found)
  if (isFinal(known, found)) {
    return known
  }
  const { id } = found.payment
  const running = settling.get(id) ?? settleOnce(container, found, address).finally(() => settling.delete(id))
  settling.set(id, running)
  return running
}

/** An order stays, whatever is refunded later; what came to nothing is final once Medusa's payment session says so. */
function isFinal({ status, order_id }: SettledPayment, { session }: FoundRemotely): boolean {
  return order_id !== null || (status !== "PENDING" && !OPEN_SESSIONS.includes(session.status))
}

async function settleOnce(container: MedusaContainer, found: FoundRemotely, address: string): Promise<SettledPayment> {
  const settled = await askOnHint(container, found, address, () => settleRemotePayment(container, found))
  return settled ?? knownSettlement(container, (await findRemotePayment(container, found.session.id)) ?? found)
}
