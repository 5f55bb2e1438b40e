import { randomUUID } from "node:crypto"
import type { Sql } from "../kernel/database/database"
import { newId } from "../kernel/text/ids"
import { SEALED } from "../kernel/database/sealed-columns"
import { UnreadableSecret, type SecretBox } from "../kernel/database/secret-box"
import type { PaymentRecord } from "../payments/records"
import { lockUsable } from "./instrument-tokens"
import type { Cradle, Tenant } from "../kernel/types"

type Owner = Tenant & { customer_id: string }
/** Exactly one of the customers: the merchant's, or the store's, who has saved it with this attempt. */
type NewOwner = Tenant & {
  customer_id: string | null
  store_customer_id: string | null
  saved_attempt_id: string | null
}
type Customers = "customer_id" | "store_customer_id"

/** What customers can be charged with: encrypted tokens of acquirers, and what may be shown of them. Never a number. */
export class InstrumentService {
  private readonly secretBox: SecretBox

  constructor({ secretBox }: Pick<Cradle, "secretBox">) {
    this.secretBox = secretBox
  }

  /**
   * Moves a payment's kept instrument to its customer; null when the acquirer kept none. A token that the customer
   * already has stays one instrument. What was paid with, or saved as, a saved method of the store's customer is that
   * instrument (docs/decisions/07).
   */
  async keep(sql: Sql, owner: Owner, payment: PaymentRecord, at: Date): Promise<string | null> {
    const { kept_instrument: kept, acquirer, transaction_id, attempt_instrument_id } = payment
    if (attempt_instrument_id !== null) {
      return (await lockUsable(sql, attempt_instrument_id)) ? attempt_instrument_id : null
    }
    if (kept === null || acquirer === null) {
      return null
    }
    const token = this.secretBox.open(kept.token, SEALED.keptToken, transaction_id)
    await sql.query("SELECT 1 FROM gateway_customer WHERE id = $1 FOR NO KEY UPDATE", [owner.customer_id])
    const known = await this.find(sql, owner, "customer_id", owner.customer_id, acquirer, token)
    const id =
      known === null
        ? await this.insert(sql, { ...owner, store_customer_id: null, saved_attempt_id: null }, payment, token, at)
        : await this.update(sql, known, payment)
    await sql.query("UPDATE gateway_transaction SET kept_instrument = NULL WHERE id = $1", [transaction_id])
    return id
  }

  /**
   * Saves the instrument of a successful payment for later checkouts of the store's customer, if the shopper has agreed
   * and the acquirer has kept it. `sql` holds the transaction's lock.
   */
  async save(sql: Sql, payment: PaymentRecord, at: Date): Promise<void> {
    const { kept_instrument: kept, acquirer, transaction_id, store_customer_id, attempt_id, attempt_saves } = payment
    if (attempt_saves !== true || kept === null || acquirer === null || store_customer_id === null) {
      return
    }
    const token = this.secretBox.open(kept.token, SEALED.keptToken, transaction_id)
    const owner = { ...payment, customer_id: null, saved_attempt_id: attempt_id }
    const known = await this.find(sql, owner, "store_customer_id", store_customer_id, acquirer, token)
    const id =
      known === null ? await this.insert(sql, owner, payment, token, at) : await this.update(sql, known, payment)
    await sql.query("UPDATE gateway_transaction SET kept_instrument = NULL WHERE id = $1", [transaction_id])
    await sql.query("UPDATE gateway_payment_attempt SET instrument_id = $2, updated_at = now() WHERE id = $1", [
      attempt_id,
      id,
    ])
  }

  /**
   * Encrypted texts cannot be compared, so the customer's tokens are decrypted. Locked: one that its customer is removing
   * is waited for, and not found then; otherwise a subscription would be charged with a forgotten method.
   */
  private async find(
    sql: Sql,
    { merchant_id, environment }: Tenant,
    customers: Customers,
    customer: string,
    acquirer: string,
    token: string
  ): Promise<string | null> {
    const rows = await sql.query<{ id: string; token: string }>(
      `SELECT id, token FROM gateway_instrument
       WHERE ${customers} = $1 AND merchant_id = $2 AND environment = $3 AND acquirer = $4 AND token IS NOT NULL
         AND removed_at IS NULL ORDER BY id FOR NO KEY UPDATE`,
      [customer, merchant_id, environment, acquirer]
    )
    return rows.find((row) => this.holds(row, token))?.id ?? null
  }

  /** A token that cannot be decrypted counts as unknown: its key may be lost, and the customer is paying right now. */
  private holds(row: { id: string; token: string }, token: string): boolean {
    try {
      return this.secretBox.open(row.token, SEALED.instrumentToken, row.id) === token
    } catch (error) {
      if (error instanceof UnreadableSecret) {
        return false
      }
      throw error
    }
  }

  private async insert(sql: Sql, owner: NewOwner, payment: PaymentRecord, token: string, at: Date): Promise<string> {
    const { instrument, acquirer, payment_method, payment_service, kept_instrument: kept } = payment
    const id = newId("gin")
    await sql.query(
      `INSERT INTO gateway_instrument (id, uuid, merchant_id, environment, customer_id, acquirer, token, method, service,
         brand, last_four, account, expiry_month, expiry_year, opened_at, store_customer_id, saved_attempt_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
      [
        id,
        randomUUID(),
        owner.merchant_id,
        owner.environment,
        owner.customer_id,
        acquirer,
        this.secretBox.seal(token, SEALED.instrumentToken, id),
        payment_method,
        payment_service,
        instrument?.brand ?? null,
        instrument?.last_four ?? null,
        instrument?.account ?? null,
        kept?.expiry_month ?? null,
        kept?.expiry_year ?? null,
        at,
        owner.store_customer_id,
        owner.saved_attempt_id,
      ]
    )
    return id
  }

  private async update(sql: Sql, id: string, { instrument, kept_instrument: kept }: PaymentRecord): Promise<string> {
    await sql.query(
      `UPDATE gateway_instrument SET brand = $2, last_four = $3, account = $4, expiry_month = $5, expiry_year = $6,
         updated_at = now() WHERE id = $1`,
      [
        id,
        instrument?.brand ?? null,
        instrument?.last_four ?? null,
        instrument?.account ?? null,
        kept?.expiry_month ?? null,
        kept?.expiry_year ?? null,
      ]
    )
    return id
  }
}
