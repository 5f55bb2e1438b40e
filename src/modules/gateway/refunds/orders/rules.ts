/**
 * A refund that Medusa's payment provider requests has this prefix and the id of Medusa's refund as its request key.
 */
export const MEDUSA_KEY = "medusa:"

/** The worker's task that brings Medusa's orders in line with what became of refunds. */
export const SYNC_TASK = "sync-order-refunds"

/**
 * For how long a refund that Medusa requested is not synced to its order: Medusa writes its refund first and the
 * order's transaction last, and may still be writing.
 */
export const MEDUSA_SECONDS = 120
