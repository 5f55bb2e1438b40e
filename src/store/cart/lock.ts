import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { messageOf } from "../../i18n/message"
import { gatewayIn } from "../../modules/gateway"
import { GatewayError } from "../../modules/gateway/kernel/errors"

const WAIT_MS = 10_000
const RETRY_MS = 100
/** Longer than acquirers may take: one with its retries, or several of which the last has 30 seconds. */
const LOCK_SECONDS = 120

/**
 * Holds the lock that Medusa's own workflows take of a cart or an order, so that it stands still between the comparison
 * and the payment. In other processes than this one it may be no lock at all (Medusa's default is in memory): there the
 * gateway's rows decide, because a change of a cart has to end its checkout first, and what an order does not take any
 * more is given back.
 */
export async function whileLocked<Result>(
  container: MedusaContainer,
  id: string,
  work: () => Promise<Result>
): Promise<Result> {
  const giveUpAt = Date.now() + WAIT_MS
  for (;;) {
    const ownerId = `gateway:${randomUUID()}`
    const refused = await lock(container, id, ownerId)
    if (refused === null) {
      try {
        return await work()
      } finally {
        await container.resolve(Modules.LOCKING).release(id, { ownerId })
      }
    }
    if (Date.now() >= giveUpAt) {
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.cart_locked"), { cause: refused })
    }
    await sleep(RETRY_MS)
  }
}

/** Null when it is locked now; otherwise why it is not. */
async function lock(container: MedusaContainer, id: string, ownerId: string): Promise<unknown> {
  try {
    await container.resolve(Modules.LOCKING).acquire(id, { ownerId, expire: LOCK_SECONDS })
    return null
  } catch (error) {
    return error
  }
}

/**
 * Runs `work` with the right to make the order of a paid cart; null, without running it, while another run has that
 * right. A row of the gateway grants it, across all processes (docs/decisions/04).
 */
export async function withOrderRight<Result>(
  container: MedusaContainer,
  transaction_id: string,
  work: () => Promise<Result>
): Promise<Result | null> {
  const { cartCompletions } = gatewayIn(container)
  const token = randomUUID()
  if (!(await cartCompletions.lock(transaction_id, token))) {
    return null
  }
  try {
    return await work()
  } finally {
    await cartCompletions.unlock(transaction_id, token)
  }
}
