import { audit, doneBefore, type By } from "../kernel/database/audit"
import { SEALED } from "../kernel/database/sealed-columns"
import type { SecretBox } from "../kernel/database/secret-box"
import { IPN_SECRETS, previousSecrets, rotate, type SecretRow } from "./rotated-secrets"
import { newWebhookSecret } from "./signature"
import type { Database, Sql } from "../kernel/database/database"
import type { Scope, Tenant } from "../kernel/types"

/** `previous_secret_until`: when the last of the earlier ones stops signing along; null: there is none. */
export type IpnSecret = { secret: string; previous_secret_until: Date | null }

const FIND = `
  SELECT id, ipn_secret AS secret, previous_ipn_secrets AS previous_secrets FROM gateway_merchant_environment
  WHERE merchant_id = $1 AND environment = $2`

/** The merchant's own IPN secret, created at its first use. */
export async function ensureIpnSecret(database: Database, box: SecretBox, tenant: Tenant): Promise<IpnSecret> {
  const [row] = await database.query<SecretRow>(FIND, [tenant.merchant_id, tenant.environment])
  return row.secret === null ? database.transaction((sql) => firstSecret(sql, box, tenant)) : read(box, row, row.secret)
}

/** A concurrent second caller finds the first one's secret: with two, each would sign with its own. */
async function firstSecret(sql: Sql, box: SecretBox, tenant: Tenant): Promise<IpnSecret> {
  const [row] = await sql.query<SecretRow>(`${FIND} FOR UPDATE`, [tenant.merchant_id, tenant.environment])
  if (row.secret !== null) {
    return read(box, row, row.secret)
  }
  const secret = newWebhookSecret()
  await sql.query("UPDATE gateway_merchant_environment SET ipn_secret = $2, updated_at = now() WHERE id = $1", [
    row.id,
    box.seal(secret, SEALED.ipnSecret, row.id),
  ])
  return { secret, previous_secret_until: null }
}

/** Creates a new secret; the old one also signs for its time (LIMITS). Errors: INVALID_STATE_TRANSITION. */
export async function replaceIpnSecret(sql: Sql, box: SecretBox, scope: Scope & By): Promise<IpnSecret> {
  const { merchant_id, environment } = scope
  const [row] = await sql.query<SecretRow>(`${FIND} FOR UPDATE`, [merchant_id, environment])
  if (row.secret !== null && (await doneBefore(sql, scope)) !== null) {
    return read(box, row, row.secret)
  }
  const { secret, stored, until } = rotate(box, IPN_SECRETS, row, scope.now)
  await sql.query(
    `UPDATE gateway_merchant_environment SET ipn_secret = $2, previous_ipn_secrets = $3, updated_at = now()
     WHERE id = $1`,
    [row.id, stored.secret, stored.previous_secrets]
  )
  await audit(sql, { merchant_id, environment, by: scope, action: "ipn_secret.rotated", resource_id: merchant_id })
  return { secret, previous_secret_until: until }
}

function read(box: SecretBox, row: SecretRow, stored: string): IpnSecret {
  const [latest] = previousSecrets(box, IPN_SECRETS, row)
  return { secret: box.open(stored, SEALED.ipnSecret, row.id), previous_secret_until: latest?.until ?? null }
}
