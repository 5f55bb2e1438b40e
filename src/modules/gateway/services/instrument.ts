import { randomUUID } from "node:crypto"
import { newId } from "../domain/ids"
import type { Sql } from "../database"
import type { PaymentRecord } from "../records"
import type { Tenant } from "../types"

/** What customers can be charged with: acquirers' tokens, and what may be shown of them. Never a number. */
export class InstrumentService {
  /** Keeps what a payment was made with, for its customer; null when the acquirer has not kept it. */
  async keep(
    sql: Sql,
    owner: Tenant & { customer_id: string },
    payment: PaymentRecord,
    at: Date
  ): Promise<string | null> {
    const { kept_instrument: kept, instrument, acquirer, payment_method, payment_service } = payment
    if (kept === null || acquirer === null) {
      return null
    }
    const [{ id }] = await sql.query<{ id: string }>(
      `INSERT INTO gateway_instrument (id, uuid, merchant_id, environment, customer_id, acquirer, token, method, service,
         brand, last_four, account, expiry_month, expiry_year, opened_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
       ON CONFLICT (customer_id, acquirer, token) DO UPDATE SET brand = excluded.brand, last_four = excluded.last_four,
         account = excluded.account, expiry_month = excluded.expiry_month, expiry_year = excluded.expiry_year, updated_at = now()
       RETURNING id`,
      [
        newId("gin"), randomUUID(), owner.merchant_id, owner.environment, owner.customer_id, acquirer, kept.token,
        payment_method, payment_service, instrument?.brand ?? null, instrument?.last_four ?? null,
        instrument?.account ?? null, kept.expiry_month ?? null, kept.expiry_year ?? null, at,
      ]
    )
    return id
  }
}
