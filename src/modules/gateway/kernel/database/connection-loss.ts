/** By symbol, not by class: the driver throws its own errors, and other code reads their codes. */
const AWAY = Symbol.for("medusa-payment-gateway.database-away")
/**
 * SQLSTATEs of a server that stops or starts (57P01 to 57P03), has no connection left (53300) or has become a replica
 * (25006), and of a broken connection (class 08; PgBouncer's own errors too).
 */
const AWAY_STATES = /^(08[0-9A-Z]{3}|57P0[123]|53300|25006)$/
/** What Retry-After says while PostgreSQL is away, in seconds. */
export const RETRY_SECONDS = 5
/** How far an error's causes are followed: no library nests them deeper. */
const MAX_CAUSES = 5

/** Marks an error of a connection that could not be had, or that broke. */
export function markUnavailable(error: unknown): unknown {
  return typeof error === "object" && error !== null ? Object.assign(error, { [AWAY]: true }) : error
}

/**
 * Whether a statement failed because PostgreSQL could not be reached or does not take it now. The same statement may
 * succeed later; whether it has taken effect is unknown when the connection broke at its COMMIT.
 */
export function isDatabaseAway(error: unknown): boolean {
  let one = error
  for (let depth = 0; depth <= MAX_CAUSES && typeof one === "object" && one !== null; depth++) {
    const { code, cause } = one as { code?: unknown; cause?: unknown }
    if (AWAY in one || (typeof code === "string" && AWAY_STATES.test(code))) {
      return true
    }
    one = cause
  }
  return false
}
