import type { BigNumberInput, MedusaContainer, Query } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import type { RemotePayment } from "../../modules/gateway/payments/remote-payments"
import { ENDED } from "../../providers/gateway-payment/remote/session"
import { holdsMoney } from "../cart/order-state"
import { OPEN_SESSIONS } from "./settle-remote-payment"

type Graph = Pick<Query, "graph">

/** A Medusa payment, as far as it says whether there is money in it. */
type Payment = {
  payment_session_id: string
  amount: BigNumberInput
  canceled_at: Date | string | null
  refunds?: { amount: BigNumberInput }[]
}
type Session = {
  id: string
  status: string
  payment_collection_id: string
  payment_collection?: { payments?: Payment[] }
}

type KnownPayment = { payment_session_id: string; payment_collection_id: string; captures?: { id: string }[] }

export type SortedPayments = {
  /**
   * Checkouts whose money no order can take: their payment session is gone (a second tab has begun anew while the first
   * one's checkout was being opened, or a host's code has deleted its payment collection, perhaps after a refund that came
   * to nothing), or the order of its cart has been paid through another payment session. Nobody but this store knows of
   * them.
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
  const known = await paymentsAmong(query, ids)
  const all = [...known.values()].flat()
  const collections = [...sessions.values(), ...all].map(({ payment_collection_id }) => payment_collection_id)
  const ordered = await collectionsWithOrder(query, collections)
  const shown = await capturesShown(query, all)
  const sorted: SortedPayments = { unclaimed: [], paid: [], open: [], done: [] }
  for (const payment of payments) {
    const session = sessions.get(payment.payment_session_id)
    const its = known.get(payment.payment_session_id) ?? []
    const collection = session?.payment_collection_id ?? its[0]?.payment_collection_id
    const facts = {
      session,
      isKnown: its.length > 0,
      hasOrder: collection !== undefined && ordered.has(collection),
      isShown: its.some(({ captures }) => (captures ?? []).every(({ id }) => shown.has(id))),
    }
    sorted[kindOf(payment, facts)].push(payment)
  }
  return sorted
}

type Facts = {
  session: Session | undefined
  /** Medusa has, or has had, a payment of it. Only an order shows that it pays for something. */
  isKnown: boolean
  hasOrder: boolean
  /** An order shows the payment's money: one that does not is partial (made-order.ts). */
  isShown: boolean
}

function kindOf({ status }: RemotePayment, { session, isKnown, hasOrder, isShown }: Facts): keyof SortedPayments {
  if (ENDED.includes(status)) {
    return session !== undefined && OPEN_SESSIONS.includes(session.status) ? "open" : "done"
  }
  if (status === "REFUNDED" || (isKnown && hasOrder && (isShown || session === undefined))) {
    return "done"
  }
  if (session === undefined || (hasOrder && isPaidByAnother(session))) {
    return "unclaimed"
  }
  return status === "SUCCESS" || session.status === "authorized" ? "paid" : "open"
}

/** Medusa's payments, deleted ones included, by payment session. */
async function paymentsAmong(query: Graph, ids: string[]): Promise<Map<string, KnownPayment[]>> {
  const { data } = await query.graph({
    entity: "payment",
    fields: ["payment_session_id", "payment_collection_id", "captures.id"],
    filters: { payment_session_id: ids },
    withDeleted: true,
  })
  const known = new Map<string, KnownPayment[]>()
  for (const payment of data as unknown as KnownPayment[]) {
    known.set(payment.payment_session_id, [...(known.get(payment.payment_session_id) ?? []), payment])
  }
  return known
}

/** The captures that orders show. */
async function capturesShown(query: Graph, payments: readonly KnownPayment[]): Promise<Set<string>> {
  const reference_id = payments.flatMap(({ captures }) => (captures ?? []).map(({ id }) => id))
  if (reference_id.length === 0) {
    return new Set()
  }
  const { data } = await query.graph({
    entity: "order_transaction",
    fields: ["reference_id"],
    filters: { reference: "capture", reference_id },
  })
  return new Set((data as { reference_id: string }[]).map((row) => row.reference_id))
}

async function sessionsAmong(query: Graph, ids: string[]): Promise<Map<string, Session>> {
  const payments = ["payment_session_id", "amount", "canceled_at", "refunds.amount"]
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

/**
 * A deleted link counts when its order is there: a host's code that deletes a payment collection deletes its links too.
 * Medusa's rollback of an order deletes both.
 */
async function collectionsWithOrder(query: Graph, payment_collection_id: string[]): Promise<Set<string>> {
  const { data } = await query.graph({
    entity: "order_payment_collection",
    fields: ["payment_collection_id", "order_id"],
    filters: { payment_collection_id },
    withDeleted: true,
  })
  const orders = await query.graph({
    entity: "order",
    fields: ["id"],
    filters: { id: data.map(({ order_id }) => order_id) },
  })
  const made = new Set(orders.data.map(({ id }) => id))
  return new Set(data.flatMap((link) => (made.has(link.order_id) ? [link.payment_collection_id] : [])))
}

/**
 * An authorised payment counts: the order waits for its capture, as for cash on delivery. Money that has gone back whole
 * pays for nothing: the shopper may be paying anew.
 */
function isPaidByAnother({ id, payment_collection }: Session): boolean {
  return (payment_collection?.payments ?? []).some(
    (payment) => payment.payment_session_id !== id && holdsMoney(payment)
  )
}
