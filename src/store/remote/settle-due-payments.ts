import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import type { RemotePayment } from "../../modules/gateway/payments/remote-payments"
import { remoteProviders } from "./providers"
import { findRemotePayment, settleRemotePayment } from "./settle-remote-payment"
import { releaseUnclaimed, unclaimedPayments } from "./unclaimed-payments"

const BATCH = 500
/** A checkout lives for half an hour; nobody waits for what is still open after days. */
const OPEN_DAYS = 4
/** The shopper comes back, and the delivery arrives, sooner than this. */
const GRACE_SECONDS = 60
/** How far back to look for payments whose process died before it made the order. */
const AUTHORISED_HOURS = 6
const AUTHORISED_MAX = 2_000
const PAYABLE = {
  openDays: OPEN_DAYS,
  paidHours: AUTHORISED_HOURS,
  graceSeconds: GRACE_SECONDS,
  limit: AUTHORISED_MAX,
}

/**
 * Settles payments without a notification: Medusa loses a webhook that arrives while the process ends, and a shopper may
 * never return. Refunds what no payment session can take. It is no DueWork of the gateway's kernel: what is due are
 * Medusa's rows, which have no lease, and an absent deployment ends the run.
 */
export async function settleRemotePayments(scope: MedusaContainer): Promise<void> {
  const provider_ids = [...remoteProviders(scope).keys()]
  if (provider_ids.length === 0) {
    return
  }
  const sessions = [...(await withoutOutcome(scope, provider_ids)), ...(await withoutOrder(scope, provider_ids))]
  const isThere = await oneByOne(scope, sessions, String, async (id) => {
    const found = await findRemotePayment(scope, id)
    // What is left of the quota is for checkouts: the next run asks.
    if (found !== null && !found.remote.isScarce) {
      await settleRemotePayment(scope, found)
    }
  })
  if (isThere) {
    const unclaimed = await unclaimedPayments(scope, { ...PAYABLE, provider_ids })
    const idOf = ({ payment_session_id }: RemotePayment) => payment_session_id
    await oneByOne(scope, unclaimed, idOf, (payment) => releaseUnclaimed(scope, payment))
  }
}

/** Goes on after an error, unless the other deployment is away: then it answers false, and the next run asks. */
async function oneByOne<Item>(
  scope: MedusaContainer,
  items: readonly Item[],
  idOf: (item: Item) => string,
  work: (item: Item) => Promise<void>
): Promise<boolean> {
  const logger = scope.resolve(ContainerRegistrationKeys.LOGGER)
  for (const item of items) {
    try {
      await work(item)
    } catch (error) {
      const { message } = error as Error
      logger.warn(`gateway: payment session ${idOf(item)} could not be settled: ${message}`)
      if (GatewayError.is(error) && error.code === "SERVICE_UNAVAILABLE") {
        return false
      }
    }
  }
  return true
}

async function withoutOutcome(scope: MedusaContainer, provider_id: string[]): Promise<string[]> {
  const { data } = await scope.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: "payment_session",
    fields: ["id"],
    filters: {
      provider_id,
      status: ["pending", "requires_more"],
      created_at: { $gt: ago(OPEN_DAYS * 86_400), $lt: ago(GRACE_SECONDS) },
    },
    pagination: { take: BATCH, order: { created_at: "ASC" } },
  })
  return data.map(({ id }) => id)
}

/** Authorised, and neither has its cart become an order nor has the money gone back. */
async function withoutOrder(scope: MedusaContainer, provider_id: string[]): Promise<string[]> {
  const query = scope.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "payment_session",
    fields: ["id", "payment_collection_id", "payment.refunds.id"],
    filters: {
      provider_id,
      status: "authorized",
      authorized_at: { $gt: ago(AUTHORISED_HOURS * 3_600), $lt: ago(GRACE_SECONDS) },
    },
    pagination: { take: AUTHORISED_MAX, order: { authorized_at: "DESC" } },
  })
  const kept = (data as unknown as Authorised[]).filter(({ payment }) => (payment?.refunds ?? []).length === 0)
  const { data: links } = await query.graph({
    entity: "order_payment_collection",
    fields: ["payment_collection_id"],
    filters: { payment_collection_id: kept.map(({ payment_collection_id }) => payment_collection_id) },
  })
  const ordered = new Set(links.map(({ payment_collection_id }) => payment_collection_id))
  return kept.filter(({ payment_collection_id }) => !ordered.has(payment_collection_id)).map(({ id }) => id)
}

type Authorised = { id: string; payment_collection_id: string; payment?: { refunds?: unknown[] } | null }

const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString()
