import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { remoteProviders } from "./providers"
import { findRemotePayment, settleRemotePayment } from "./settle-remote-payment"

const BATCH = 500
/** A checkout lives for half an hour; nobody waits for what is still open after days. */
const OPEN_DAYS = 4
/** The shopper comes back, and the delivery arrives, sooner than this. */
const GRACE_SECONDS = 60
/** How far back to look for payments whose process died before it made the order. */
const AUTHORISED_HOURS = 6
const AUTHORISED_MAX = 2_000

/**
 * Settles payments without a notification: Medusa loses a webhook that arrives while the process ends, and a shopper may
 * never return. It is no DueWork of the gateway's kernel: what is due are Medusa's rows, which have no lease, and
 * an absent deployment ends the run.
 */
export async function settleRemotePayments(scope: MedusaContainer): Promise<void> {
  const logger = scope.resolve(ContainerRegistrationKeys.LOGGER)
  for (const id of await unsettled(scope)) {
    try {
      const found = await findRemotePayment(scope, id)
      // What is left of the quota is for checkouts: the next run asks.
      if (found !== null && !found.remote.isScarce) {
        await settleRemotePayment(scope, found)
      }
    } catch (error) {
      logger.warn(`gateway: payment session ${id} could not be settled: ${(error as Error).message}`)
      if (GatewayError.is(error) && error.code === "SERVICE_UNAVAILABLE") {
        // It is away: the others are asked about by the next run.
        return
      }
    }
  }
}

async function unsettled(scope: MedusaContainer): Promise<string[]> {
  const provider_id = [...remoteProviders(scope).keys()]
  return provider_id.length === 0
    ? []
    : [...(await withoutOutcome(scope, provider_id)), ...(await withoutOrder(scope, provider_id))]
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
