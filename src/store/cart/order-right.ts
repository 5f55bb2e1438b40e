import { randomUUID } from "node:crypto"
import type { MedusaContainer } from "@medusajs/framework/types"
import { gatewayIn } from "../../modules/gateway"

/**
 * Runs `work` with the right to make the order of a paid cart; null, without running it, while another run has that
 * right. A row of the gateway grants it, across all processes (docs/decisions/0014).
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
