import type { BigNumberInput, MedusaContainer, Query } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN } from "@medusajs/framework/utils"
import type { RemotePayment } from "../../modules/gateway/payments/remote-payments"
import { ENDED } from "../../providers/gateway-payment/remote/session"
import { OPEN_SESSIONS } from "./settle-remote-payment"

type Graph = Pick<Query, "graph">

/** A Medusa payment, as far as it says whether there is money in it. */
type Payment = {
  payment_session_id: string
  amount: BigNumberInput
  captured_at: Date | string | null
  canceled_at: Date | string | null
  refunds?: { amount: BigNumberInput }[]
}
type Session = {
  id: string
  status: string
  payment_collection_id: string
  payment_collection?: { payments?: Payment[] }
}

export type SortedPayments = {
  /**
   * Checkouts whose money no order can take: their payment session is gone (a second tab has begun anew while the first
   * one's checkout was being opened, or a host's code has deleted its payment collection), or the order of its cart has
   * been paid through another payment session. Nobody but this store knows of them.
   */
  unclaimed: RemotePayment[]
  /** Known to be paid, and still without an order. */
  paid: RemotePayment[]
  open: RemotePayment[]
  /** Medusa shows their outcome: nothing is left to do. */
  done: RemotePayment[]
}

/** Sorts payments by what Medusa's rows say of them, without asking anybody. */
export async function sortPayments(
  container: MedusaContainer,
  payments: readonly RemotePayment[]
): Promise<SortedPayments> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const ids = payments.map(({ payment_session_id }) => payment_session_id)
  const sessions = await sessionsAmong(query, ids)
  const known = await withMedusaPayment(query, ids)
  const ordered = await collectionsWithOrder(query, [...sessions.values()])
  const sorted: SortedPayments = { unclaimed: [], paid: [], open: [], done: [] }
  for (const payment of payments) {
    const session = sessions.get(payment.payment_session_id)
    const facts = {
      session,
      isKnown: known.has(payment.payment_session_id),
      hasOrder: session !== undefined && ordered.has(session.payment_collection_id),
    }
    sorted[kindOf(payment, facts)].push(payment)
  }
  return sorted
}

/** `isKnown`: Medusa has, or has had, a payment of it. Then it is on an order, or Medusa gives the money back. */
function kindOf(
  { status }: RemotePayment,
  { session, isKnown, hasOrder }: { session: Session | undefined; isKnown: boolean; hasOrder: boolean }
): keyof SortedPayments {
  if (ENDED.includes(status)) {
    return session !== undefined && OPEN_SESSIONS.includes(session.status) ? "open" : "done"
  }
  if (status === "REFUNDED" || (isKnown && (session === undefined || hasOrder))) {
    return "done"
  }
  if (session === undefined || (hasOrder && isPaidByAnother(session))) {
    return "unclaimed"
  }
  return status === "SUCCESS" || session.status === "authorized" ? "paid" : "open"
}

async function withMedusaPayment(query: Graph, ids: string[]): Promise<Set<string>> {
  const { data } = await query.graph({
    entity: "payment",
    fields: ["payment_session_id"],
    filters: { payment_session_id: ids },
    withDeleted: true,
  })
  return new Set(data.map(({ payment_session_id }) => payment_session_id))
}

async function sessionsAmong(query: Graph, ids: string[]): Promise<Map<string, Session>> {
  const payments = ["payment_session_id", "amount", "captured_at", "canceled_at", "refunds.amount"]
  const { data } = await query.graph({
    entity: "payment_session",
    fields: [
      "id",
      "status",
      "payment_collection_id",
      ...payments.map((field) => `payment_collection.payments.${field}`),
    ],
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

/** Money that has gone back whole pays for nothing: the shopper may be paying anew. */
function isPaidByAnother({ id, payment_collection }: Session): boolean {
  return (payment_collection?.payments ?? []).some(
    ({ payment_session_id, amount, captured_at, canceled_at, refunds }) =>
      payment_session_id !== id &&
      captured_at !== null &&
      canceled_at === null &&
      MathBN.gt(amount, MathBN.sum(0, ...(refunds ?? []).map((refund) => refund.amount)))
  )
}
