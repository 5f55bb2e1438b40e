import type { Sql } from "../../../src/modules/gateway/kernel/database/database"

/*
 * Statements whose row types are wrong, each in its own way, and some that are right: what `npm run check-rows` must
 * find, and must not. Nobody calls them.
 */

const COLUMNS = "id, amount_minor, state, completed_at"

type History = { history: { at: Date; what: string }[] }
type Listed = { id: string; number: number }

export async function wrong(sql: Sql): Promise<unknown[]> {
  return [
    await sql.query<{ id: number }>("SELECT id FROM gateway_refund"),
    await sql.query<{ total: bigint }>("SELECT count(*) AS total FROM gateway_refund"),
    await sql.query<{ created_at: string }>("SELECT created_at FROM gateway_refund"),
    await sql.query<{ id: string; note: string | null }>(`SELECT ${COLUMNS} FROM gateway_refund`),
    await sql.query<{ completed_at: Date }>(`SELECT ${COLUMNS} FROM gateway_refund`),
    await sql.query<{ uuid: string }>(
      "SELECT e.uuid FROM gateway_webhook_delivery d LEFT JOIN gateway_webhook_endpoint e ON e.id = d.endpoint_id"
    ),
    await sql.query<History>("SELECT history FROM gateway_order_refund"),
    await sql.query<{ state: "pending" | "completed" }>("SELECT state FROM gateway_refund"),
    await sql.query<{ event_types: number[] }>("SELECT event_types FROM gateway_webhook_endpoint"),
    await sql.query<{ id: string }>("SELECT id FROM gateway_refunds"),
    await sql.query("UPDATE gateway_refund SET amount = $1"),
    await listed(sql, "uuid, number::text"),
    await made(sql, Math.random() < 0.5 ? ["id"] : []),
  ]
}

function listed(sql: Sql, columns: string): Promise<Listed[]> {
  return sql.query<Listed>(`SELECT ${columns} FROM gateway_webhook_endpoint`)
}

/** Its columns are known only while it runs. */
function made(sql: Sql, columns: string[]): Promise<{ id: string }[]> {
  return sql.query<{ id: string }>(`SELECT ${columns.concat(String(Date.now())).join(", ")} FROM gateway_refund`)
}

export async function right(sql: Sql, limit: number, only?: string): Promise<unknown[]> {
  const where = only === undefined ? "" : "AND merchant_id = $2"
  return [
    await sql.query<{ id: string; completed_at: Date | null; missing?: string }>(
      `SELECT ${COLUMNS} FROM gateway_refund`
    ),
    await sql.query<{ completed_at: Date }>(
      `SELECT completed_at FROM gateway_refund WHERE completed_at IS NOT NULL ${where} LIMIT ${limit}`
    ),
    await sql.query<{ total: string; at: Date | null }>(
      "SELECT count(*) AS total, max(created_at) AS at FROM gateway_refund"
    ),
    await listed(sql, "id, number"),
  ]
}
