import { addSeconds } from "../kernel/clock"
import { SEALED } from "../kernel/sealed-columns"
import type { SecretBox } from "../kernel/secret-box"
import { newWebhookSecret } from "./signature"
import type { Database, Sql } from "../kernel/database"
import type { Scope, Tenant } from "../kernel/types"

export type IpnSecret = { secret: string; previous_secret_until: Date | null }

type Row = { id: string; ipn_secret: string | null; previous_ipn_secret_until: Date | null }

const FIND = `
  SELECT id, ipn_secret, previous_ipn_secret_until FROM gateway_merchant_environment
  WHERE merchant_id = $1 AND environment = $2`

/** The merchant's own IPN secret, created at its first use. */
export async function ensureIpnSecret(database: Database, box: SecretBox, tenant: Tenant): Promise<IpnSecret> {
  const [row] = await database.query<Row>(FIND, [tenant.merchant_id, tenant.environment])
  return row.ipn_secret === null
    ? database.transaction((sql) => firstSecret(sql, box, tenant))
    : read(box, row, row.ipn_secret)
}

/** A concurrent second caller finds the first one's secret: with two, each would sign with its own. */
async function firstSecret(sql: Sql, box: SecretBox, tenant: Tenant): Promise<IpnSecret> {
  const [row] = await sql.query<Row>(`${FIND} FOR UPDATE`, [tenant.merchant_id, tenant.environment])
  if (row.ipn_secret !== null) {
    return read(box, row, row.ipn_secret)
  }
  const secret = newWebhookSecret()
  await sql.query("UPDATE gateway_merchant_environment SET ipn_secret = $2, updated_at = now() WHERE id = $1", [
    row.id,
    box.seal(secret, SEALED.ipnSecret, row.id),
  ])
  return { secret, previous_secret_until: row.previous_ipn_secret_until }
}

/** Creates a new secret; the old one remains valid as a second signature for `seconds` on the merchant's clock. */
export async function replaceIpnSecret(sql: Sql, box: SecretBox, scope: Scope, seconds: number): Promise<IpnSecret> {
  const [row] = await sql.query<Row>(`${FIND} FOR UPDATE`, [scope.merchant_id, scope.environment])
  const secret = newWebhookSecret()
  const previous = row.ipn_secret && box.move(row.ipn_secret, SEALED.ipnSecret, SEALED.previousIpnSecret, row.id)
  const until = previous === null ? null : addSeconds(scope.now, seconds)
  await sql.query(
    `UPDATE gateway_merchant_environment
     SET ipn_secret = $2, previous_ipn_secret = $3, previous_ipn_secret_until = $4, updated_at = now() WHERE id = $1`,
    [row.id, box.seal(secret, SEALED.ipnSecret, row.id), previous, until]
  )
  return { secret, previous_secret_until: until }
}

function read(box: SecretBox, row: Row, stored: string): IpnSecret {
  return { secret: box.open(stored, SEALED.ipnSecret, row.id), previous_secret_until: row.previous_ipn_secret_until }
}
