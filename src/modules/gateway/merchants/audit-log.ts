import type { Actor } from "../kernel/database/audit"
import type { Database } from "../kernel/database/database"
import type { Environment } from "../kernel/money/clock"
import { numberedKey, numberedOrder } from "../kernel/database/numbered-lists"
import { Conditions, startingWith } from "../kernel/database/conditions"
import { pageOf, type Page, type Window } from "../kernel/database/paging"
import type { Cradle, Tenant } from "../kernel/types"

type AuditFilter = {
  /** The id of what was changed, of the actor, or of the request; or the address that it came from. */
  q?: string
  /** An action or the beginning of one, such as `webhook_endpoint.` */
  action?: string
  actor_type?: Actor["type"]
  from?: Date
  to?: Date
  order: { descending: boolean }
}

export type LoggedChange = {
  id: string
  environment: Environment | null
  actor_type: Actor["type"]
  actor_id: string
  /** The name of a merchant's key, or a billed customer's e-mail address; Medusa knows the names of the other actors. */
  actor_label: string | null
  action: string
  resource_id: string
  changes: Record<string, { from: unknown; to: unknown }>
  /** The address of the request that made the change; null for background work. */
  address: string | null
  request_id: string | null
  created_at: Date
}

const COLUMNS = `
  a.id, a.environment, a.actor_type, a.actor_id, a.action, a.resource_id, a.changes, a.address, a.request_id, a.created_at,
  COALESCE(k.name || ' (' || k.prefix || '…' || k.last_four || ')', c.email) AS actor_label`
const JOIN = `LEFT JOIN gateway_api_key k ON a.actor_type = 'merchant_key' AND k.id = a.actor_id
  LEFT JOIN gateway_customer c ON a.actor_type = 'customer' AND c.id = a.actor_id`

/** What `q` is compared with. */
const SEARCHED = ["resource_id", "actor_id", "request_id", "address"] as const

/** Reads the audit log, which kernel/database/audit.ts writes. */
export class AuditLogService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /** The entries of one environment, and those of the merchant as a whole. */
  async list(tenant: Tenant, filter: AuditFilter, window: Window): Promise<Page<LoggedChange>> {
    const conditions = new Conditions("a.merchant_id = ?", tenant.merchant_id)
    conditions.add("(a.environment = ? OR a.environment IS NULL)", tenant.environment)
    const { q, action } = filter
    conditions
      .when(action === undefined ? undefined : startingWith(action), "a.action LIKE ?")
      .when(filter.actor_type, "a.actor_type = ?")
      .when(filter.from, "a.created_at >= ?")
      .when(filter.to, "a.created_at < ?")
    const { where, values } = conditions
    const list = {
      table: "gateway_audit_entry a",
      where,
      values,
      order: numberedOrder("a", filter, "number"),
      key: numberedKey("a", filter, "number"),
      columns: COLUMNS,
      join: JOIN,
      search: q === undefined ? undefined : SEARCHED.map((column) => ({ sql: `${column} = ?`, values: [q] })),
    } as const
    return pageOf(this.database, list, window)
  }
}
