import { randomUUID } from "node:crypto"
import { GatewayError } from "../kernel/errors"
import { newId, publicId } from "../kernel/text/ids"
import { audit, type By } from "../kernel/database/audit"
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

/** What changes of a customer; what is absent stays. */
export type CustomerChange = Partial<Pick<NewCustomer, "name" | "email">> &
  Partial<Pick<NewCustomer, "phone" | "phone_e164">>

/** PostgreSQL's code for a value that a unique index has already. */
const DUPLICATE = "23505"

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

  /**
   * Changes who is billed. What is issued from now on has the new name and address; what was issued keeps its own. The
   * same change twice is written down once. Errors: CUSTOMER_NOT_FOUND; CUSTOMER_EXISTS when the address is another
   * customer's: two customers are never merged.
   */
  async update(scope: Scope & By, id: string, change: CustomerChange): Promise<Customer> {
    try {
      return await this.database.transaction(async (sql) => {
        const { id: row_id } = await this.retrieve(scope, id, sql)
        return this.change(sql, scope, row_id, change)
      })
    } catch (error) {
      throw Object(error).code === DUPLICATE
        ? new GatewayError("CUSTOMER_EXISTS", undefined, { field: "email" })
        : error
    }
  }

  /**
   * The store's customer has changed. Followed are the customers that only this account has bought with: an account's
   * address proves nothing, so a customer who was there before it, or whom somebody else bills, stays as they are.
   * Answers those whose new address is another customer's: their address stays, name and phone follow.
   */
  async follow(scope: Scope & By, store_customer_id: string, change: CustomerChange): Promise<Customer[]> {
    const own = await this.database.query<{ uuid: string }>(
      `SELECT c.uuid FROM gateway_customer c
       WHERE c.merchant_id = $1 AND c.environment = $2 AND c.store_customer_id = $3 AND NOT EXISTS (
         SELECT 1 FROM gateway_subscription s LEFT JOIN gateway_store_purchase g ON g.subscription_id = s.id
         WHERE s.customer_id = c.id AND g.store_customer_id IS DISTINCT FROM c.store_customer_id)`,
      [scope.merchant_id, scope.environment, store_customer_id]
    )
    const kept: Customer[] = []
    for (const { uuid } of own) {
      try {
        await this.update(scope, uuid, change)
      } catch (error) {
        if (!GatewayError.is(error) || error.code !== "CUSTOMER_EXISTS") {
          throw error
        }
        const rest = { ...change }
        delete rest.email
        kept.push(await this.update(scope, uuid, rest))
      }
    }
    return kept
  }

  /** Locks subscriptions first, as billing does. A new subscription waits for the customer's row (`gateway_customer_key`). */
  private async change(sql: Sql, scope: Scope & By, id: string, change: CustomerChange): Promise<Customer> {
    await sql.query("SELECT 1 FROM gateway_subscription WHERE customer_id = $1 ORDER BY id FOR NO KEY UPDATE", [id])
    const [before] = await sql.query<Customer & { phone_e164: string | null }>(
      `SELECT ${COLUMNS}, phone_e164 FROM gateway_customer WHERE id = $1 FOR UPDATE`,
      [id]
    )
    const next = { ...before, ...change }
    const { name, email, phone, phone_e164 } = next
    if (name === before.name && email === before.email && phone === before.phone) {
      return before
    }
    await sql.query(
      `UPDATE gateway_customer SET name = $2, email = $3, email_key = $4, phone = $5, phone_e164 = $6, updated_at = now()
       WHERE id = $1`,
      [id, name, email, email.toLowerCase(), phone, phone_e164]
    )
    await sql.query(
      "UPDATE gateway_subscription SET customer_email_key = $2, updated_at = now() WHERE customer_id = $1 AND customer_email_key <> $2",
      [id, email.toLowerCase()]
    )
    const { merchant_id, environment } = before
    const action = "customer.updated" as const
    const facts = { before: factsOf(before), after: factsOf(next) }
    await audit(sql, { merchant_id, environment, by: scope, action, resource_id: before.uuid, ...facts })
    return next
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

/** The fields of a customer that audit entries show. */
function factsOf({ name, email, phone }: Customer) {
  return { name, email, phone }
}
