import type { KeptInstrument } from "../acquirers/port"
import type { Sql } from "../kernel/database/database"
import { SEALED } from "../kernel/database/sealed-columns"
import type { SecretBox } from "../kernel/database/secret-box"

/**
 * A kept instrument in the form a transaction's row stores until it becomes an instrument: with its token encrypted.
 */
export function encryptKeptInstrument(
  box: SecretBox,
  kept: KeptInstrument | undefined,
  transaction_id: string
): KeptInstrument | null {
  return kept === undefined ? null : { ...kept, token: box.seal(kept.token, SEALED.keptToken, transaction_id) }
}

/**
 * Erases the tokens of those given instruments that no running subscription uses any more. What may be shown of an
 * instrument stays. A saved method stays until its customer removes it; if that has happened, its acquirer is made to
 * forget it now. The caller has already written the new state of its subscriptions in the transaction of `sql`.
 */
export async function eraseUnusedTokens(sql: Sql, instrument_ids: readonly string[]): Promise<void> {
  if (instrument_ids.length === 0) {
    return
  }
  const values = [[...new Set(instrument_ids)]]
  // Customers first and in order, as when an instrument is kept: nobody can start to use an instrument while it is
  // erased.
  await sql.query(LOCK_CUSTOMERS, values)
  await sql.query(ERASE, values, "gateway_erase_unused_tokens")
}

/**
 * Whether the instrument can still be charged. Locked, so that it is not removed while a subscription begins to use it
 * again; one that is being removed is waited for.
 */
export async function lockUsable(sql: Sql, instrument_id: string): Promise<boolean> {
  const found = await sql.query(
    `SELECT 1 FROM gateway_instrument WHERE id = $1 AND token IS NOT NULL AND removed_at IS NULL FOR NO KEY UPDATE`,
    [instrument_id]
  )
  return found.length > 0
}

const LOCK_CUSTOMERS = `
  SELECT 1 FROM gateway_customer WHERE id IN (SELECT customer_id FROM gateway_instrument WHERE id = ANY($1) AND token IS NOT NULL)
  ORDER BY id FOR NO KEY UPDATE`

const ERASE = `
  UPDATE gateway_instrument i SET updated_at = now(),
    token = CASE WHEN i.store_customer_id IS NULL THEN NULL ELSE i.token END,
    forget_at = CASE WHEN i.store_customer_id IS NULL THEN NULL ELSE now() END
  WHERE i.id = ANY($1) AND i.token IS NOT NULL AND (i.store_customer_id IS NULL OR i.removed_at IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM gateway_subscription s WHERE s.instrument_id = i.id AND s.status <> 'EXPIRED')`
