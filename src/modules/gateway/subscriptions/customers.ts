import { randomUUID } from "node:crypto"
import { GatewayError } from "../kernel/errors"
import { newId, publicId } from "../kernel/text/ids"
import type { Database, Sql } from "../kernel/database/database"
import { placeOf } from "../kernel/database/counters"
import type { Cradle, Scope, Tenant } from "../kernel/types"

export type Customer = Tenant & {
  id: string
  number: number
  uuid: string
  name: string
  email: string
  phone: string | null
  store_customer_id: string | null
  opened_at: Date
}

/** `phone` as it was sent, `phone_e164` normalised. */
export type NewCustomer = {
  name: string
  email: string
  phone: string | null
  phone_e164: string | null
  store_customer_id?: string | null
}

const COLUMNS = "id, number, uuid, merchant_id, environment, name, email, phone, store_customer_id, opened_at"

/** The customers that merchants bill (contract 4.6; decisions: Plans and subscriptions). */
export class CustomerService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /**
   * Returns the customer with this e-mail address, ignoring case, or creates one. An existing customer keeps name and
   * address; a missing phone number or store customer is added.
   */
  async getOrCreate(sql: Sql, scope: Scope, customer: NewCustomer): Promise<Customer> {
    const [row] = await sql.query<Customer>(
      `INSERT INTO gateway_customer AS c (id, uuid, merchant_id, environment, name, email, email_key, phone, phone_e164,
         store_customer_id, opened_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       ON CONFLICT (merchant_id, environment, email_key) DO UPDATE SET
         phone = COALESCE(c.phone, excluded.phone), phone_e164 = COALESCE(c.phone_e164, excluded.phone_e164),
         store_customer_id = COALESCE(c.store_customer_id, excluded.store_customer_id), updated_at = now()
       RETURNING ${COLUMNS}`,
      [
        newId("gcu"),
        randomUUID(),
        scope.merchant_id,
        scope.environment,
        customer.name,
        customer.email,
        customer.email.toLowerCase(),
        customer.phone,
        customer.phone_e164,
        customer.store_customer_id ?? null,
        scope.now,
      ]
    )
    return row
  }

  /** Newest first. */
  async list(
    tenant: Tenant,
    filter: { email?: string },
    page: { per_page: number; offset: number }
  ): Promise<{ rows: Customer[]; total: number }> {
    const { merchant_id, environment } = tenant
    if (filter.email !== undefined) {
      // An address belongs to one customer: the list has that one or none.
      const found = await this.database.query<Customer>(
        `SELECT ${COLUMNS} FROM gateway_customer WHERE merchant_id = $1 AND environment = $2 AND email_key = $3`,
        [merchant_id, environment, filter.email.toLowerCase()]
      )
      return { rows: page.offset === 0 ? found : [], total: found.length }
    }
    const { total, before, skip } = await placeOf(this.database, tenant, "customer", page.offset)
    const rows = await this.database.query<Customer>(
      `SELECT ${COLUMNS} FROM gateway_customer WHERE merchant_id = $1 AND environment = $2 AND number < $3
       ORDER BY number DESC LIMIT $4 OFFSET $5`,
      [merchant_id, environment, before, page.per_page, skip]
    )
    return { rows, total }
  }

  /** By the integer id or the uuid; throws CUSTOMER_NOT_FOUND, for other merchants' customers too. */
  async retrieve(tenant: Tenant, id: string, sql: Sql = this.database): Promise<Customer> {
    const named = publicId(id)
    const rows =
      named === null
        ? []
        : await sql.query<Customer>(
            `SELECT ${COLUMNS} FROM gateway_customer WHERE merchant_id = $1 AND environment = $2 AND ${named.column} = $3`,
            [tenant.merchant_id, tenant.environment, named.value]
          )
    if (rows.length === 0) {
      throw new GatewayError("CUSTOMER_NOT_FOUND")
    }
    return rows[0]
  }
}
