import { codeOf } from "./errors"

/**
 * Whether a cart has been paid already, in another browser or another tab: this browser still has its id, and every
 * change of it is refused. Forget it then, and start a new one. Takes a cart (with its field `completed_at`) or the
 * error of a request that changes one.
 */
export function isSpent(cartOrError: unknown): boolean {
  if (cartOrError instanceof Error) {
    return codeOf(cartOrError) === "cart_completed"
  }
  const { completed_at } = Object(cartOrError) as { completed_at?: unknown }
  return completed_at !== null && completed_at !== undefined
}
