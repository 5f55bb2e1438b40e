import { processPaymentWorkflow } from "@medusajs/medusa/core-flows"
import type { MedusaContainer, PaymentSessionDTO } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules, PaymentActions } from "@medusajs/framework/utils"
import type { TransactionStatus } from "../../modules/gateway/domain/state-machines/transaction"
import { askStatus } from "../../providers/gateway-payment/remote/ask"
import type { RemoteGateway } from "../../providers/gateway-payment/remote/client"
import { readSessionData, type RemoteSessionData } from "../../providers/gateway-payment/remote/session"
import { remoteGatewayOf } from "./providers"

const OPEN = ["pending", "requires_more"]
const ENDED: readonly TransactionStatus[] = ["FAILED", "CANCELLED", "EXPIRED"]

type Found = PaymentSessionDTO & { remote: RemoteGateway; known: RemoteSessionData }

export type RemotePayment = { data: RemoteSessionData; status: TransactionStatus; order_id: string | null; cart_id: string | null }

/**
 * Asks the other deployment what became of a payment, and does what follows: a paid cart gets its order (or, when none
 * can be made of it, Medusa gives the money back), and the payment session of an unpaid one says so. Null when the
 * payment session is none of another deployment's. Errors of the question are thrown; of the order, logged.
 */
export async function settleRemotePayment(container: MedusaContainer, payment_session_id: string): Promise<RemotePayment | null> {
  const before = await find(container, payment_session_id)
  if (before === null) {
    return null
  }
  const data = await askAndTell(container, before)
  const cart_id = await cartOf(container, before)
  let order_id = await orderOf(container, cart_id)
  if (data.status !== "SUCCESS" || order_id !== null) {
    return { data, status: data.status, order_id, cart_id }
  }
  try {
    const input = { action: PaymentActions.SUCCESSFUL, data: { session_id: before.id, amount: data.amount } }
    await processPaymentWorkflow(container).run({ input })
  } catch (error) {
    const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
    logger.warn(`gateway: no order yet of the paid cart ${cart_id} (${data.transaction_id}): ${(error as { message?: string }).message}`)
  }
  order_id = await orderOf(container, cart_id)
  const after = order_id === null ? await find(container, payment_session_id) : null
  const status = order_id === null ? await statusWithoutOrder(container, after) : "SUCCESS"
  return { data, status, order_id, cart_id }
}

/** Without an order the money is on its way back, or the order is still to come. */
async function statusWithoutOrder(container: MedusaContainer, session: Found | null): Promise<TransactionStatus> {
  const asked = session === null ? null : await askAndTell(container, session)
  return asked === null || asked.status === "REFUNDED" ? "REFUNDED" : "PENDING"
}

/**
 * Medusa's subscriber ignores payments that came to nothing, so that is written on the payment session here; through
 * the provider, which asks again. Nothing else is: authorising may be writing to the session at this moment.
 */
async function askAndTell(container: MedusaContainer, session: Found): Promise<RemoteSessionData> {
  const data = await askStatus(session.remote, session.known)
  if (ENDED.includes(data.status) && OPEN.includes(session.status)) {
    const { id, amount, currency_code } = session
    await container.resolve(Modules.PAYMENT).updatePaymentSession({ id, amount, currency_code, data: session.known })
  }
  return data
}

async function find(container: MedusaContainer, id: string): Promise<Found | null> {
  const payments = container.resolve(Modules.PAYMENT)
  const [session] = await payments.listPaymentSessions({ id: [id] })
  const remote = session === undefined ? null : remoteGatewayOf(container, session.provider_id)
  const known = readSessionData(session?.data)
  return remote === null || known === null ? null : { ...session, remote, known }
}

async function cartOf(container: MedusaContainer, { payment_collection_id }: Found): Promise<string | null> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({ entity: "cart_payment_collection", fields: ["cart_id"], filters: { payment_collection_id } })
  return data[0]?.cart_id ?? null
}

async function orderOf(container: MedusaContainer, cart_id: string | null): Promise<string | null> {
  if (cart_id === null) {
    return null
  }
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({ entity: "order_cart", fields: ["order_id"], filters: { cart_id } })
  return data[0]?.order_id ?? null
}
