/** What Medusa's payment provider asks for goes by the id of Medusa's own refund. */
export const MEDUSA_KEY = "medusa:"

/** The worker's task that brings Medusa's orders in line with what became of refunds. */
export const SYNC_TASK = "sync-order-refunds"

/** Medusa writes its refund first and the order's transaction last: before that time it is left alone. */
export const MEDUSA_SECONDS = 120
