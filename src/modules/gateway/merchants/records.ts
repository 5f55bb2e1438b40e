import type { Sql } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import type { Tenant } from "../kernel/types"

/** The time zone (IANA) on whose calendar a merchant bills. Errors: MERCHANT_NOT_FOUND. */
export async function timeZoneOf(sql: Sql, { merchant_id, environment }: Tenant): Promise<string> {
  const [row] = await sql.query<{ time_zone: string }>(
    "SELECT time_zone FROM gateway_merchant_environment WHERE merchant_id = $1 AND environment = $2",
    [merchant_id, environment]
  )
  if (row === undefined) {
    throw new GatewayError("MERCHANT_NOT_FOUND")
  }
  return row.time_zone
}

/**
 * The query for a key's caller ($1 to $3), plus `columns` from `join`: an operation that reads one row needs one query
 * instead of two. The query itself decides whether a key is invalid, so that nothing else is sent and parsed.
 */
export function callerQuery(columns = "", join = ""): string {
  return `
    SELECT k.id AS key_id, k.type AS key_type, k.scopes, k.merchant_id, k.environment, m.number AS merchant_number,
           m.status AS merchant_status, e.services, e.ip_allow_list, e.rate_limit_requests, e.clock_offset_seconds, e.shop_modules,
           COALESCE(k.last_used_at >= $3, false) AS is_use_recorded ${columns}
    FROM gateway_api_key k
    JOIN gateway_merchant m ON m.id = k.merchant_id
    JOIN gateway_merchant_environment e ON e.merchant_id = k.merchant_id AND e.environment = k.environment
    ${join}
    WHERE k.key_hash = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)`
}
