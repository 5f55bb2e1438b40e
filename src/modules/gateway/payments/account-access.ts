import { createHash, randomBytes } from "node:crypto"
import type { Database } from "../kernel/database"
import { GatewayError } from "../kernel/errors"
import { SESSION_ID } from "../kernel/ids"
import type { Cradle } from "../kernel/types"
import type { Holder } from "./saved-method-rules"

/** A storefront uses the proof at once; real time. */
const PROOF_SECONDS = 300

/** 256 random bits, as `newSecret` makes them. */
const SECRET = /^[A-Za-z0-9_-]{43}$/

/**
 * Which browser may use a customer's saved methods on a checkout (docs/decisions/0047). The page's address is not
 * enough, because it can be passed on. The signed-in storefront gets a one-time proof; the browser that shows it gets a
 * key. Only hashes of both are stored.
 */
export class AccountAccessService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /**
   * A proof for the customer's own browser; an earlier one becomes invalid. Errors: SESSION_NOT_FOUND, also for a
   * checkout that is not this customer's or can no longer be paid.
   */
  async issue(holder: Holder, session_id: string): Promise<{ proof: string; seconds: number }> {
    const proof = newSecret()
    const issued = await this.database.query(
      `UPDATE gateway_checkout_session s
       SET account_proof = $5, account_proof_expires_at = now() + $6 * interval '1 second', updated_at = now()
       FROM gateway_transaction t
       WHERE s.id = $1 AND s.merchant_id = $2 AND s.environment = $3 AND s.store_customer_id = $4
         AND t.session_id = s.id AND t.state = 'OPEN'
       RETURNING s.id`,
      [session_id, holder.merchant_id, holder.environment, holder.store_customer_id, hashOf(proof), PROOF_SECONDS]
    )
    if (issued.length === 0) {
      throw new GatewayError("SESSION_NOT_FOUND")
    }
    return { proof, seconds: PROOF_SECONDS }
  }

  /**
   * Exchanges a proof for the key of this browser; the key of an earlier browser becomes invalid. Null: the proof is
   * wrong, used or too old. Of several requests with one proof exactly one gets a key.
   */
  async claim(session_id: string, proof: string): Promise<string | null> {
    if (!SESSION_ID.test(session_id) || !SECRET.test(proof)) {
      return null
    }
    const key = newSecret()
    const claimed = await this.database.query(
      `UPDATE gateway_checkout_session
       SET account_proof = NULL, account_proof_expires_at = NULL, account_browser = $3, updated_at = now()
       WHERE id = $1 AND account_proof = $2 AND account_proof_expires_at > now() RETURNING id`,
      [session_id, hashOf(proof), hashOf(key)]
    )
    return claimed.length === 1 ? key : null
  }
}

/** What the database stores of a browser's key; null for what cannot be a key. */
export function browserOf(key: string | null): string | null {
  return key !== null && SECRET.test(key) ? hashOf(key) : null
}

function newSecret(): string {
  return randomBytes(32).toString("base64url")
}

/** SHA-256 is enough for a random secret of 256 bits. */
function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex")
}
