import { messageOf } from "../../../i18n/message"
import type { Sql } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import type { Tenant } from "../kernel/types"
import { lockSources } from "./records"

/** The last month of a source that is closed; what counts in it or before is locked. null: none is. */
export async function closedUntil(
  sql: Sql,
  { merchant_id, environment }: Tenant,
  source: string
): Promise<string | null> {
  const [{ month }] = await sql.query<{ month: string | null }>(
    `SELECT max(month) AS month FROM gateway_settlement_month
     WHERE merchant_id = $1 AND environment = $2 AND source = $3 AND state = 'closed'`,
    [merchant_id, environment, source]
  )
  return month
}

/**
 * For what changes the figures of a month. `sql` holds the lock of the source. Throws MONTH_CLOSED when this month, or a
 * later one, is closed.
 */
export async function requireOpenMonth(sql: Sql, tenant: Tenant, source: string, month: string): Promise<void> {
  const closed = await closedUntil(sql, tenant, source)
  if (closed !== null && month <= closed) {
    throw new GatewayError("MONTH_CLOSED", messageOf("refusal.month_closed", { source, month: closed }))
  }
}

type Brought = { source: string; month: string }
const BROUGHT = `SELECT b.source, min(l.month) AS month FROM gateway_settlement_allocation b
  JOIN gateway_settlement_line l ON l.id = b.deposit_id`

/** For what a line of a bank brings: it counts in the months of those whose settlements it brings. As above. */
export async function requireOpenDeposit(sql: Sql, tenant: Tenant, deposit_id: string): Promise<void> {
  await requireAll(
    sql,
    tenant,
    await sql.query<Brought>(`${BROUGHT} WHERE l.id = $1 AND l.month IS NOT NULL GROUP BY 1`, [deposit_id])
  )
}

/** For all lines of an import, and what they bring. As above. */
export async function requireOpenImport(sql: Sql, tenant: Tenant, source: string, import_id: string): Promise<void> {
  const [{ month }] = await sql.query<{ month: string | null }>(
    "SELECT min(month) AS month FROM gateway_settlement_line WHERE import_id = $1",
    [import_id]
  )
  if (month !== null) {
    await requireOpenMonth(sql, tenant, source, month)
  }
  await requireAll(
    sql,
    tenant,
    await sql.query<Brought>(`${BROUGHT} WHERE l.import_id = $1 AND l.month IS NOT NULL GROUP BY 1`, [import_id])
  )
}

async function requireAll(sql: Sql, tenant: Tenant, brought: readonly Brought[]): Promise<void> {
  await lockSources(
    sql,
    tenant,
    brought.map(({ source }) => source)
  )
  for (const { source, month } of brought) {
    await requireOpenMonth(sql, tenant, source, month)
  }
}
