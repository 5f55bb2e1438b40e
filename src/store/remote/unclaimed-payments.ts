import type { MedusaContainer, Query } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { GATEWAY_MODULE } from "../../modules/gateway"
import type { PayableRequest, RemotePayment } from "../../modules/gateway/payments/remote-payments"
import type GatewayModuleService from "../../modules/gateway/service"
import { askStatus } from "../../providers/gateway-payment/remote/session"
import { refundRemotely } from "../../providers/gateway-payment/remote/refund"
import { remoteGatewayOf } from "./providers"

type Graph = Pick<Query, "graph">

/** A Medusa payment, as far as it says whether there is money in it. */
type Payment = {
  payment_session_id: string
  captured_at: Date | string | null
  canceled_at: Date | string | null
  refunds?: unknown[]
}
type Session = { id: string; payment_collection_id: string; payment_collection?: { payments?: Payment[] } }

/**
 * Checkouts in another deployment whose money no order can take: their payment session is gone (a second tab has begun
 * anew while the first one's checkout was being opened, or a host's code has deleted its payment collection), or the
 * order of its cart has been paid through another payment session. Nobody but this store knows of them.
 */
export async function unclaimedPayments(container: MedusaContainer, request: PayableRequest): Promise<RemotePayment[]> {
  const { remotePayments } = container.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const payable = await withoutMedusaPayment(query, await remotePayments.payable(request))
  if (payable.length === 0) {
    return []
  }
  const ids = payable.map(({ payment_session_id }) => payment_session_id)
  const sessions = await sessionsAmong(query, ids)
  const ordered = await collectionsWithOrder(query, [...sessions.values()])
  return payable.filter(({ payment_session_id }) => {
    const session = sessions.get(payment_session_id)
    return session === undefined || (ordered.has(session.payment_collection_id) && isPaidByAnother(session))
  })
}

/**
 * Ends an unclaimed checkout that is unpaid, and gives the money of a paid one back, through the path of Medusa's own
 * refunds: noted, asked for under one key, and asked for again by the next run while its outcome is unknown.
 */
export async function releaseUnclaimed(container: MedusaContainer, payment: RemotePayment): Promise<void> {
  const remote = remoteGatewayOf(container, payment.provider_id)
  if (remote === null || remote.isScarce) {
    return
  }
  const gateway = container.resolve<GatewayModuleService>(GATEWAY_MODULE)
  if ((await askStatus({ gateway, remote }, payment)) === "PENDING") {
    // One that is being paid at this moment is refused; what became of it is asked now and by the next run.
    await remote.expire(payment.session_id)
  }
  if ((await askStatus({ gateway, remote }, payment)) !== "SUCCESS") {
    return
  }
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { id, transaction_id, amount_minor } = payment
  const request = {
    transaction_id,
    amount: BigInt(amount_minor),
    whole: true,
    idempotency_key: `unclaimed:${id}`,
  }
  await refundRemotely({ gateway, query, remote }, request)
  await askStatus({ gateway, remote }, payment)
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
  logger.warn(`gateway: the payment ${transaction_id} was given back: no payment session of this store can take it`)
}

/** A payment that Medusa knows of, or has known, is on an order, or Medusa gives it back. */
async function withoutMedusaPayment(query: Graph, payable: RemotePayment[]): Promise<RemotePayment[]> {
  const ids = payable.map(({ payment_session_id }) => payment_session_id)
  const { data } = await query.graph({
    entity: "payment",
    fields: ["payment_session_id"],
    filters: { payment_session_id: ids },
    withDeleted: true,
  })
  const known = new Set(data.map(({ payment_session_id }) => payment_session_id))
  return payable.filter(({ payment_session_id }) => !known.has(payment_session_id))
}

async function sessionsAmong(query: Graph, ids: string[]): Promise<Map<string, Session>> {
  const payments = ["payment_session_id", "captured_at", "canceled_at", "refunds.id"]
  const { data } = await query.graph({
    entity: "payment_session",
    fields: ["id", "payment_collection_id", ...payments.map((field) => `payment_collection.payments.${field}`)],
    filters: { id: ids },
  })
  return new Map((data as unknown as Session[]).map((session) => [session.id, session]))
}

async function collectionsWithOrder(query: Graph, sessions: Session[]): Promise<Set<string>> {
  const { data } = await query.graph({
    entity: "order_payment_collection",
    fields: ["payment_collection_id"],
    filters: { payment_collection_id: sessions.map(({ payment_collection_id }) => payment_collection_id) },
  })
  return new Set(data.map(({ payment_collection_id }) => payment_collection_id))
}

/** Money that has gone back pays for nothing: the shopper may be paying anew. */
function isPaidByAnother({ id, payment_collection }: Session): boolean {
  return (payment_collection?.payments ?? []).some(
    ({ payment_session_id, captured_at, canceled_at, refunds }) =>
      payment_session_id !== id && captured_at !== null && canceled_at === null && (refunds ?? []).length === 0
  )
}
