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

/** Payments that are being settled in this process, for whoever asks meanwhile. */
const settling = new Map<string, Promise<SettledPayment>>()

/**
 * What became of a payment, for a caller whom nobody knows: from this store's own rows when the outcome is final, else
 * by asking, within limits. A payment that may not be asked about now is answered as it was last known.
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
