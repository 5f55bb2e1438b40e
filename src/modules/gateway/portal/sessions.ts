import { audit, type By } from "../kernel/database/audit"
import type { Database } from "../kernel/database/database"
import { hashPortalToken, newOrderedId, newPortalToken, PORTAL_TOKEN } from "../kernel/text/ids"
import type { Cradle, Scope, Tenant } from "../kernel/types"
import type { Customer, CustomerService } from "../subscriptions/customers"
import { endSession, insertSession, purgeSessions, touchSession, type FoundSession, type PortalOwner } from "./records"

/** A link as it is given out once; `token` is nowhere else. */
export type PortalLink = { id: string; token: string; expires_at: Date }

/** Links to the customer portal, and the sessions that they open (docs/decisions/18). */
export class PortalSessionService {
  private readonly database: Database
  private readonly customers: CustomerService

  constructor({ database, customerService }: Cradle & { customerService: CustomerService }) {
    this.database = database
    this.customers = customerService
  }

  /** For a customer whom the merchant bills. Errors: CUSTOMER_NOT_FOUND, for another tenant's too. */
  async create(
    scope: Scope & By,
    request: { customer_id: string; return_url: string | null },
    idempotency_id: string | null = null
  ): Promise<PortalLink & { customer: Customer }> {
    const customer = await this.customers.retrieve(scope, request.customer_id)
    const { merchant_id, environment } = scope
    const owner = { merchant_id, environment, customer_id: customer.id, store_customer_id: null }
    return this.database.transaction(async (sql) => {
      const token = newPortalToken()
      const { return_url } = request
      const made = await insertSession(sql, { ...owner, ...newRow(token), return_url, idempotency_id })
      if (made.is_new) {
        const after = { customer: customer.email, return_url }
        const action = "portal_session.created" as const
        await audit(sql, { merchant_id, environment, by: scope, action, resource_id: made.id, after })
      }
      return { id: made.id, token, expires_at: made.expires_at, customer }
    })
  }

  /** For a signed-in customer of the store: what they own by their account, whatever their e-mail address is. */
  async createForStore(
    { merchant_id, environment }: Tenant,
    { store_customer_id, return_url }: { store_customer_id: string; return_url: string | null }
  ): Promise<PortalLink> {
    const token = newPortalToken()
    const owner: PortalOwner = { merchant_id, environment, customer_id: null, store_customer_id }
    const made = await insertSession(this.database, { ...owner, ...newRow(token), return_url, idempotency_id: null })
    return { id: made.id, token, expires_at: made.expires_at }
  }

  /** The session behind a link; this use prolongs it. Null: there is no such link, or it ended long ago. */
  async open(token: string): Promise<FoundSession | null> {
    return PORTAL_TOKEN.test(token) ? touchSession(this.database, hashPortalToken(token)) : null
  }

  async end({ id }: { id: string }): Promise<void> {
    await endSession(this.database, id)
  }

  purge(): Promise<number> {
    return purgeSessions(this.database)
  }
}

function newRow(token: string): { id: string; token_hash: string } {
  return { id: newOrderedId("prs"), token_hash: hashPortalToken(token) }
}
