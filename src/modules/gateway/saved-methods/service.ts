import { createHash, randomBytes } from "node:crypto"
import type { InstrumentSummary } from "../acquirers/port"
import { type By, audit, isAttributed } from "../kernel/database/audit"
import type { Database, Sql } from "../kernel/database/database"
import { SEALED } from "../kernel/database/sealed-columns"
import { type SecretBox, UnreadableSecret } from "../kernel/database/secret-box"
import { GatewayError } from "../kernel/errors"
import { SESSION_ID } from "../kernel/text/ids"
import type { Cradle } from "../kernel/types"
import type { PaymentRecord } from "../payments/records"
import type { ForgettingService } from "./forgetting"
import { type Holder, type MethodOwner, type SavedMethod, copiesOf, withoutCopies } from "./rules"

/** A storefront uses the proof at once; real time. */
const PROOF_SECONDS = 300

/** 256 random bits, as `newSecret` makes them. */
const SECRET = /^[A-Za-z0-9_-]{43}$/

/**
 * Which browser may use a customer's saved methods on a checkout (docs/decisions/07). The page's address is not
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
function browserOf(key: string | null): string | null {
  return key !== null && SECRET.test(key) ? hashOf(key) : null
}

function newSecret(): string {
  return randomBytes(32).toString("base64url")
}

/** SHA-256 is enough for a random secret of 256 bits. */
function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex")
}

/** `used_by_subscription`: a subscription is charged with it, so it cannot be removed. */
export type OwnMethod = SavedMethod & { used_by_subscription: boolean }

/** A saved method that pays a checkout; `row_id` is the instrument's own id. */
type ChosenMethod = Pick<SavedMethod, "acquirer" | "method" | "service"> & {
  row_id: string
  token: string
  summary: InstrumentSummary
}

const COLUMNS =
  "i.uuid AS id, i.acquirer, i.method, i.service, i.brand, i.last_four, i.account, i.expiry_month, i.expiry_year, i.opened_at"

const OWN = `i.merchant_id = $1 AND i.environment = $2 AND (i.store_customer_id = $3 OR i.customer_id = $4)
  AND i.removed_at IS NULL AND i.token IS NOT NULL`

const HAS_SUBSCRIPTION = `
  EXISTS (SELECT 1 FROM gateway_subscription u WHERE u.instrument_id = i.id AND u.status NOT IN ('CANCELLED', 'EXPIRED'))`

/** A payment with the method has no outcome yet and still needs it, so the method cannot be removed. */
const HAS_OPEN_ATTEMPT = `
  EXISTS (SELECT 1 FROM gateway_payment_attempt a
          WHERE a.instrument_id = i.id AND a.state IN ('STARTED', 'REDIRECTED', 'CONFIRMING', 'HELD'))`

/** What customers of the store have saved to pay with (docs/decisions/07), and what billed customers are charged with. */
export class SavedMethodService {
  private readonly database: Database
  private readonly secretBox: SecretBox
  private readonly forgetting: ForgettingService

  constructor({ database, secretBox, forgettingService }: Cradle & { forgettingService: ForgettingService }) {
    this.database = database
    this.secretBox = secretBox
    this.forgetting = forgettingService
  }

  /** The customer's saved methods, newest first. What was saved twice is one, and in use as soon as one of it is. */
  async list(owner: MethodOwner): Promise<OwnMethod[]> {
    const all = await this.all(owner)
    return withoutCopies(all).map((method) => ({
      ...method,
      used_by_subscription: copiesOf(all, method).some(({ used_by_subscription }) => used_by_subscription),
    }))
  }

  private async all(owner: MethodOwner): Promise<OwnMethod[]> {
    const { merchant_id, environment, store_customer_id, customer_id = null } = owner
    return this.database.query<OwnMethod>(
      `SELECT ${COLUMNS}, ${HAS_SUBSCRIPTION} AS used_by_subscription FROM gateway_instrument i
       WHERE ${OWN} ORDER BY i.opened_at DESC, i.id DESC`,
      [merchant_id, environment, store_customer_id, customer_id]
    )
  }

  /**
   * What the browser with this key may pay the checkout with, newest first. Null: the checkout is a guest's, or the
   * browser has not shown that its visitor is the customer.
   */
  async ofBrowser(record: PaymentRecord, key: string | null): Promise<SavedMethod[] | null> {
    const { merchant_id, environment, store_customer_id } = record
    return store_customer_id !== null && (await this.maySave(this.database, record, key))
      ? this.all({ merchant_id, environment, store_customer_id })
      : null
  }

  /** Whether this browser may save a method for the checkout's customer, and use what that customer has saved. */
  async maySave(sql: Sql, { session_id, store_customer_id }: PaymentRecord, key: string | null): Promise<boolean> {
    const browser = browserOf(key)
    if (browser === null || store_customer_id === null) {
      return false
    }
    const known = await sql.query("SELECT 1 FROM gateway_checkout_session WHERE id = $1 AND account_browser = $2", [
      session_id,
      browser,
    ])
    return known.length === 1
  }

  /**
   * The method that the shopper has chosen, with its token; its row is locked, so that it cannot be removed before the
   * attempt is written. Errors: PAYMENT_METHOD_NOT_FOUND, also for another customer's, and for a browser without the
   * checkout's key; SERVICE_UNAVAILABLE when the token cannot be decrypted.
   */
  async choose(sql: Sql, { session_id }: PaymentRecord, id: string, key: string | null): Promise<ChosenMethod> {
    const [row] = await sql.query<SavedMethod & { row_id: string; token: string }>(
      `SELECT ${COLUMNS}, i.id AS row_id, i.token FROM gateway_checkout_session s
       JOIN gateway_instrument i ON i.merchant_id = s.merchant_id AND i.environment = s.environment
         AND i.store_customer_id = s.store_customer_id
       WHERE s.id = $1 AND s.account_browser = $2 AND i.uuid = $3 AND i.removed_at IS NULL AND i.token IS NOT NULL
       FOR NO KEY UPDATE OF i`,
      [session_id, browserOf(key), id]
    )
    if (row === undefined) {
      throw new GatewayError("PAYMENT_METHOD_NOT_FOUND")
    }
    const { acquirer, method, service, row_id } = row
    return { acquirer, method, service, row_id, token: this.open(row), summary: summaryOf(row) }
  }

  /**
   * Removes a method from the checkouts, then makes its acquirer forget it: every copy of it, or the next one would show
   * up in its place. Errors: PAYMENT_METHOD_NOT_FOUND, for other customers' too; PAYMENT_METHOD_IN_USE while a
   * subscription is charged with it, or a payment with it is open.
   */
  async remove(owner: MethodOwner & By, id: string): Promise<void> {
    const { merchant_id, environment, store_customer_id, customer_id = null } = owner
    const row_ids = await this.database.transaction(async (sql) => {
      const rows = await sql.query<SavedMethod & { row_id: string }>(
        `SELECT ${COLUMNS}, i.id AS row_id FROM gateway_instrument i WHERE ${OWN} ORDER BY i.id FOR NO KEY UPDATE`,
        [merchant_id, environment, store_customer_id, customer_id]
      )
      const row = rows.find((method) => method.id === id)
      if (row === undefined) {
        throw new GatewayError("PAYMENT_METHOD_NOT_FOUND")
      }
      const copies = copiesOf(rows, row).map(({ row_id }) => row_id)
      // A separate statement: it sees what the previous holder of the rows' locks has written.
      const removed = await sql.query(
        `UPDATE gateway_instrument i SET removed_at = now(), forget_at = now(), updated_at = now()
         WHERE i.id = ANY($1) AND NOT ${HAS_SUBSCRIPTION} AND NOT ${HAS_OPEN_ATTEMPT} RETURNING 1`,
        [copies]
      )
      if (removed.length < copies.length) {
        throw new GatewayError("PAYMENT_METHOD_IN_USE")
      }
      if (isAttributed(owner)) {
        const { method, service, last_four } = row
        const action = "payment_method.removed" as const
        const before = { method, service, last_four }
        await audit(sql, { merchant_id, environment, by: owner, action, resource_id: id, before })
      }
      return copies
    })
    for (const row_id of row_ids) {
      await this.forgetting.run({ only: row_id })
    }
  }

  /**
   * Removes all methods of a customer who leaves the store. One that a subscription is charged with is no longer offered,
   * and forgotten when no subscription uses it any more.
   */
  async removeAll({ merchant_id, environment, store_customer_id }: Holder): Promise<void> {
    const values = [merchant_id, environment, store_customer_id, null]
    const gone = await this.database.transaction(async (sql) => {
      await sql.query(`SELECT 1 FROM gateway_instrument i WHERE ${OWN} ORDER BY i.id FOR NO KEY UPDATE`, values)
      return sql.query<{ id: string; forget_at: Date | null }>(
        `UPDATE gateway_instrument i SET removed_at = now(), updated_at = now(),
           forget_at = CASE WHEN ${HAS_SUBSCRIPTION} THEN NULL ELSE now() END
         WHERE ${OWN} RETURNING i.id, i.forget_at`,
        values
      )
    })
    for (const { id } of gone.filter(({ forget_at }) => forget_at !== null)) {
      await this.forgetting.run({ only: id })
    }
  }

  private open({ row_id, token }: { row_id: string; token: string }): string {
    try {
      return this.secretBox.open(token, SEALED.instrumentToken, row_id)
    } catch (error) {
      if (error instanceof UnreadableSecret) {
        throw new GatewayError("SERVICE_UNAVAILABLE")
      }
      throw error
    }
  }
}

function summaryOf({ brand, last_four, account }: SavedMethod): InstrumentSummary {
  const known = Object.entries({ brand, last_four, account }).filter(([, value]) => value !== null)
  return Object.fromEntries(known)
}
