/**
 * How long requests under way have to end, and after them once more the work whose clients have left. A client that takes
 * longer is cut off.
 */
export const DRAIN_MS = 30_000
/** How long it may take to write the request log: a connection may have to be waited for (gateway.ts). */
const CLOSE_MS = 15_000
/** After this time the primary kills a process that has not ended. No regular end takes so long (serve.ts). */
export const KILL_MS = 2 * DRAIN_MS + CLOSE_MS
