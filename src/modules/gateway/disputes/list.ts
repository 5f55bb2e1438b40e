import type { Database } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import { Conditions } from "../kernel/database/conditions"
import { idsAndPayments, spellings } from "../kernel/database/numbered-lists"
import { fromNearerEnd, pageWithTotals, sumOf, type Page, type Window } from "../kernel/database/paging"
import type { Cradle, Scope, Tenant } from "../kernel/types"
import { DISPUTE_COLUMNS, type Dispute } from "./records"
import type { DisputeState } from "./states"

/** A dispute with the order that was paid. */
export type ListedDispute = Dispute & { order_id: string; order_number: string }

type DisputeHistoryEntry = {
  at: Date
  action: string
  actor_type: string
  actor_id: string
  changes: Record<string, { from: unknown; to: unknown }>
}

export type DisputeFilter = {
  /** The id of a dispute or payment, the acquirer's number of it, or the order's. */
  q?: string
  status?: readonly DisputeState[]
  transaction_id?: string
  /** The uuid of a subscription: disputes of any of its payments. */
  subscription_id?: string
  /** When the bank opened it, on the merchant's clock. */
  from?: Date
  to?: Date
  order: { descending: boolean }
}

const COLUMNS = `${DISPUTE_COLUMNS}, t.order_id, COALESCE(s.order_number, t.order_id) AS order_number`
const JOIN =
  "JOIN gateway_transaction t ON t.id = d.transaction_id JOIN gateway_checkout_session s ON s.id = t.session_id"

/** Lists of disputes, the last opened first, along the index of merchant, environment and time. */
export class DisputeListService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /** A window of the admin's list. */
  async list(scope: Scope, filter: DisputeFilter, window: Window): Promise<Page<ListedDispute>> {
    const conditions = conditionsOf(scope, filter)
    if (filter.q !== undefined) {
      const found = await idsAndPayments(this.database, scope, filter.q)
      const named = "d.id = ANY(?) OR d.transaction_id = ANY(?) OR d.acquirer_reference = ANY(?)"
      conditions.add(`(${named})`, found, found, spellings(filter.q))
    }
    const { where, values } = conditions
    const direction = filter.order.descending ? "DESC" : "ASC"
    return pageWithTotals<ListedDispute>(
      this.database,
      {
        table: "gateway_dispute d",
        where,
        values,
        order: `d.opened_at ${direction}, d.id ${direction}`,
        columns: COLUMNS,
        join: JOIN,
        key: "d.opened_at, d.id",
        sums: {
          currency: "d.currency",
          // An inquiry, open or closed, has taken nothing.
          amounts: [
            sumOf("open_amount", "d.amount_minor", "d.state IN ('needs_response', 'under_review')"),
            sumOf("lost_amount", "d.amount_minor", "d.state = 'lost'"),
            sumOf("fee_amount", "d.fee_minor", "d.state NOT IN ('inquiry', 'closed') AND NOT d.fee_returned"),
          ],
        },
      },
      window
    )
  }

  /**
   * A page and the exact total, for `/api/v2`. Counted, and skipped by OFFSET: an acquirer closes the account of a
   * merchant long before one payment in a hundred is disputed, so even a million payments have a short list.
   */
  async page(
    scope: Scope,
    filter: Pick<DisputeFilter, "status" | "transaction_id">,
    page: { per_page: number; offset: number }
  ): Promise<{ rows: ListedDispute[]; total: number }> {
    const { where, values } = conditionsOf(scope, filter)
    const [{ total }] = await this.database.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM gateway_dispute d WHERE ${where}`,
      values
    )
    const order = "d.opened_at DESC, d.id DESC"
    const { by, limit, offset } = fromNearerEnd(order, { limit: page.per_page, offset: page.offset }, total)
    // The index alone decides which ids are skipped.
    const ids = `SELECT d.id FROM gateway_dispute d WHERE ${where}
       ORDER BY ${by} LIMIT $${values.length + 1} OFFSET $${values.length + 2}`
    const rows = await this.database.query<ListedDispute>(
      `SELECT ${COLUMNS} FROM gateway_dispute d ${JOIN} WHERE d.id = ANY(ARRAY(${ids})) ORDER BY ${order}`,
      [...values, limit, offset]
    )
    return { rows, total }
  }

  /** One dispute as the lists have it. Throws DISPUTE_NOT_FOUND, for another tenant's too. */
  async one({ merchant_id, environment }: Tenant, id: string): Promise<ListedDispute> {
    const [row] = await this.database.query<ListedDispute>(
      `SELECT ${COLUMNS} FROM gateway_dispute d ${JOIN} WHERE d.id = $1 AND d.merchant_id = $2 AND d.environment = $3`,
      [id, merchant_id, environment]
    )
    if (row === undefined) {
      throw new GatewayError("DISPUTE_NOT_FOUND")
    }
    return row
  }

  /** What was done about a dispute, oldest first, by real time: its entries of the audit log. */
  async history({ merchant_id, environment }: Tenant, id: string): Promise<DisputeHistoryEntry[]> {
    return this.database.query<DisputeHistoryEntry>(
      `SELECT created_at AS at, action, actor_type, actor_id, changes FROM gateway_audit_entry
       WHERE resource_id = $1 AND merchant_id = $2 AND environment = $3 ORDER BY created_at, id`,
      [id, merchant_id, environment]
    )
  }
}

function conditionsOf(scope: Scope, filter: Omit<DisputeFilter, "order" | "q">): Conditions {
  const { status, transaction_id, subscription_id, from, to } = filter
  return new Conditions("d.merchant_id = ? AND d.environment = ?", scope.merchant_id, scope.environment)
    .oneOf("d.state", status)
    .when(transaction_id, "d.transaction_id = ?")
    .when(
      subscription_id,
      `EXISTS (SELECT 1 FROM gateway_subscription u
         WHERE u.uuid = ? AND u.merchant_id = d.merchant_id AND u.environment = d.environment AND (
           EXISTS (SELECT 1 FROM gateway_billing_record r WHERE r.transaction_id = d.transaction_id AND r.subscription_id = u.id)
           OR EXISTS (SELECT 1 FROM gateway_transaction p JOIN gateway_checkout_session c ON c.id = p.session_id
                      WHERE p.id = d.transaction_id AND c.subscription_id = u.id)))`
    )
    .when(from, "d.opened_at >= ?")
    .when(to, "d.opened_at < ?")
}
