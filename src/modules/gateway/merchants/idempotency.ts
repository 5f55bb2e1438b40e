import { randomBytes, randomUUID } from "node:crypto"
import { addSeconds } from "../kernel/money/clock"
import { GatewayError } from "../kernel/errors"
import { LIMITS } from "../kernel/limits"
import { SEALED } from "../kernel/database/sealed-columns"
import type { SecretBox } from "../kernel/database/secret-box"
import type { Database } from "../kernel/database/database"
import type { Cradle, Scope } from "../kernel/types"

/** The right to run a request once. `id` outlives a crashed process, so that its work is found again. */
export type IdempotencyClaim = { id: string; lease_token: string }
type StoredAnswer = { status: number; body: string }

/**
 * A key without an answer keeps its id for the same request, however far the sandbox clock has moved since: under that id
 * the work of a process that ended is found. With another one a refund would be made twice.
 */
const CLAIM = `
  INSERT INTO gateway_idempotency_key AS k
    (id, merchant_id, environment, key, fingerprint, lease_token, leased_until, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 second', $8)
  ON CONFLICT (merchant_id, environment, key) DO UPDATE SET
    id = CASE WHEN k.status IS NULL AND k.fingerprint = excluded.fingerprint THEN k.id
              WHEN k.expires_at <= $9 THEN excluded.id ELSE k.id END,
    fingerprint = excluded.fingerprint, lease_token = excluded.lease_token, leased_until = excluded.leased_until,
    expires_at = excluded.expires_at, status = NULL, body = NULL, updated_at = now()
  WHERE (k.status IS NOT NULL OR k.leased_until <= now())
    AND (k.expires_at <= $9 OR (k.status IS NULL AND k.fingerprint = excluded.fingerprint))
  RETURNING k.id, k.lease_token`

/**
 * The 24 hours begin anew when the request itself has moved the clock: its key would have expired before its answer. A
 * difference of seconds is left, because the column is indexed and every request would write another index entry.
 */
const FINISH = `
  UPDATE gateway_idempotency_key k SET status = $3, body = $4, updated_at = now(),
    expires_at = CASE WHEN kept.until > k.expires_at + $6 * interval '1 second' THEN kept.until ELSE k.expires_at END
  FROM gateway_merchant_environment e
  CROSS JOIN LATERAL (SELECT now() + (e.clock_offset_seconds + $5) * interval '1 second' AS until) kept
  WHERE k.id = $1 AND k.lease_token = $2 AND e.merchant_id = k.merchant_id AND e.environment = k.environment`

/**
 * Idempotency-Key: one request, one answer, for 24 hours on the merchant's clock (decisions: Requests). Answers are
 * stored encrypted: some contain a secret that is shown once, and a replay has to show it again.
 */
export class IdempotencyService {
  private readonly database: Database
  private readonly secretBox: SecretBox

  constructor({ database, secretBox }: Cradle) {
    this.database = database
    this.secretBox = secretBox
  }

  /** Returns a claim to run, or the stored answer. Errors: IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_USE. */
  async begin(scope: Scope, key: string, fingerprint: string): Promise<IdempotencyClaim | StoredAnswer> {
    const [claim] = await this.database.query<IdempotencyClaim>(CLAIM, [
      `idem_${randomBytes(13).toString("hex")}`,
      scope.merchant_id,
      scope.environment,
      key,
      fingerprint,
      randomUUID(),
      LIMITS.idempotencyLeaseSeconds,
      addSeconds(scope.now, LIMITS.idempotencyLifeSeconds),
      scope.now,
    ])
    return claim ?? this.stored(scope, key, fingerprint)
  }

  /** Writes nothing when another process has taken the claim over meanwhile. */
  async finish(claim: IdempotencyClaim, answer: StoredAnswer): Promise<void> {
    await this.database.query(FINISH, [
      claim.id,
      claim.lease_token,
      answer.status,
      this.secretBox.seal(answer.body, SEALED.idempotentAnswer, claim.id),
      LIMITS.idempotencyLifeSeconds,
      LIMITS.idempotencyLeaseSeconds,
    ])
  }

  /** Prolongs the lease of a request that still runs. */
  async renew(claim: IdempotencyClaim): Promise<void> {
    await this.database.query(
      `UPDATE gateway_idempotency_key SET leased_until = now() + $3 * interval '1 second', updated_at = now()
       WHERE id = $1 AND lease_token = $2 AND status IS NULL`,
      [claim.id, claim.lease_token, LIMITS.idempotencyLeaseSeconds]
    )
  }

  /** Releases a claim whose answer must not be stored (5xx): the same key may run again at once. */
  async release(claim: IdempotencyClaim): Promise<void> {
    await this.database.query(
      "UPDATE gateway_idempotency_key SET leased_until = now(), updated_at = now() WHERE id = $1 AND lease_token = $2",
      [claim.id, claim.lease_token]
    )
  }

  /**
   * Deletes keys that have expired by their merchant's clock, and returns how many. A key without an answer stays for
   * 24 hours of real time too: its request runs, or has ended and may be sent again, and the sandbox clock can pass a
   * day in a second.
   */
  async purge(): Promise<number> {
    const gone = await this.database.query(
      `DELETE FROM gateway_idempotency_key k USING gateway_merchant_environment e
       WHERE e.merchant_id = k.merchant_id AND e.environment = k.environment
         AND k.expires_at <= now() + e.clock_offset_seconds * interval '1 second'
         AND (k.status IS NOT NULL OR k.leased_until <= now() - $1 * interval '1 second')
       RETURNING k.id`,
      [LIMITS.idempotencyLifeSeconds]
    )
    return gone.length
  }

  private async stored(scope: Scope, key: string, fingerprint: string): Promise<StoredAnswer> {
    const [row] = await this.database.query<{
      id: string
      fingerprint: string
      status: number | null
      body: string | null
    }>(
      `SELECT id, fingerprint, status, body FROM gateway_idempotency_key
       WHERE merchant_id = $1 AND environment = $2 AND key = $3`,
      [scope.merchant_id, scope.environment, key]
    )
    if (row !== undefined && row.fingerprint !== fingerprint) {
      throw new GatewayError("IDEMPOTENCY_KEY_REUSED", undefined, { field: "Idempotency-Key" })
    }
    if (row === undefined || row.status === null || row.body === null) {
      throw new GatewayError("IDEMPOTENCY_KEY_IN_USE", undefined, { field: "Idempotency-Key" })
    }
    return { status: row.status, body: this.secretBox.open(row.body, SEALED.idempotentAnswer, row.id) }
  }
}
