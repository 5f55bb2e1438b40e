import type { Sql } from "../kernel/database/database"
import { SEALED, type SealedColumn } from "../kernel/database/sealed-columns"

/** What the gateway's tables say about a deployment's set-up. */
type SetUp = {
  /** Ids of the keys that stored secrets are encrypted with. */
  secret_keys: string[]
  /** Keys that work, by environment. */
  api_keys: { sandbox: number; production: number }
  /** Whether a merchant has an active account at an included acquirer, by environment. */
  accounts: { sandbox: boolean; production: boolean }
}

const COLUMNS: readonly SealedColumn[] = Object.values(SEALED)

/** A secret is stored as `enc:v1:<key id>:<text>` (kernel/database/secret-box.ts). */
const SECRET_KEYS = COLUMNS.map(({ table, column, member }) => {
  const text = member === undefined ? column : `(${column} ->> '${member}')`
  return `SELECT split_part(${text}, ':', 3) AS key_id FROM ${table} WHERE starts_with(${text}, 'enc:v1:')`
}).join(" UNION ")

/** Reads whole tables of secrets: for a person who asks once, not for a request. */
export async function readSetUp(sql: Sql): Promise<SetUp> {
  const keys = await sql.query<{ key_id: string }>(SECRET_KEYS)
  const [counts] = await sql.query<{ sandbox: number; production: number }>(
    `SELECT count(*) FILTER (WHERE environment = 'sandbox')::int AS sandbox,
       count(*) FILTER (WHERE environment = 'production')::int AS production
     FROM gateway_api_key WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`
  )
  const [accounts] = await sql.query<{ sandbox: boolean; production: boolean }>(
    `SELECT EXISTS (SELECT FROM gateway_acquirer_account WHERE is_active AND environment = 'sandbox') AS sandbox,
       EXISTS (SELECT FROM gateway_acquirer_account WHERE is_active AND environment = 'production') AS production`
  )
  return { secret_keys: keys.map(({ key_id }) => key_id).sort(), api_keys: counts, accounts }
}
