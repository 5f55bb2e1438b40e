import type { Sql } from "../kernel/database/database"
import type { Tenant } from "../kernel/types"
import type { SealedAccount } from "./accounts"

/** A row of gateway_acquirer_account (models/acquirers.ts). */
export type AccountRow = SealedAccount & {
  acquirer: string
  is_active: boolean
  position: number
  services: string[]
  tested_at: Date | null
  test_problem: string | null
  worked_at: Date | null
}

const COLUMNS = "id, acquirer, is_active, position, services, settings, credentials, tested_at, test_problem, worked_at"

/** In the order in which they are asked. */
export function listAccounts(sql: Sql, { merchant_id, environment }: Tenant): Promise<AccountRow[]> {
  return sql.query<AccountRow>(
    `SELECT ${COLUMNS} FROM gateway_acquirer_account WHERE merchant_id = $1 AND environment = $2
     ORDER BY position, acquirer`,
    [merchant_id, environment]
  )
}

export async function findAccount(
  sql: Sql,
  { merchant_id, environment }: Tenant,
  acquirer: string,
  lock: "FOR UPDATE" | "" = ""
): Promise<AccountRow | null> {
  const [row] = await sql.query<AccountRow>(
    `SELECT ${COLUMNS} FROM gateway_acquirer_account
     WHERE merchant_id = $1 AND environment = $2 AND acquirer = $3 ${lock}`,
    [merchant_id, environment, acquirer]
  )
  return row ?? null
}

type Written = Pick<AccountRow, "id" | "is_active" | "services" | "settings" | "credentials">

/** Without a position it comes last. Returns null when the tenant has an account at the acquirer already. */
export async function insertAccount(
  sql: Sql,
  { merchant_id, environment }: Tenant,
  acquirer: string,
  { id, is_active, position, services, settings, credentials }: Written & { position: number | null }
): Promise<AccountRow | null> {
  const [row] = await sql.query<AccountRow>(
    `INSERT INTO gateway_acquirer_account
       (id, merchant_id, environment, acquirer, is_active, position, services, settings, credentials)
     SELECT $1, $2, $3, $4, $5,
       COALESCE($6::int, (SELECT max(a.position) + 1 FROM gateway_acquirer_account a
                          WHERE a.merchant_id = $2 AND a.environment = $3), 1),
       $7::text[], $8::jsonb, $9
     ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
    [id, merchant_id, environment, acquirer, is_active, position, services, JSON.stringify(settings), credentials]
  )
  return row ?? null
}

/** Without a position it comes last. `isChanged`: other credentials, so what tests have found is void. */
export async function updateAccount(
  sql: Sql,
  { id, is_active, position, services, settings, credentials }: Written & { position: number | null },
  isChanged: boolean
): Promise<AccountRow> {
  const [row] = await sql.query<AccountRow>(
    `UPDATE gateway_acquirer_account own
     SET is_active = $2,
       position = COALESCE($3::int, (SELECT max(other.position) + 1 FROM gateway_acquirer_account other
                                     WHERE other.merchant_id = own.merchant_id
                                       AND other.environment = own.environment AND other.id <> own.id), 1),
       services = $4::text[], settings = $5::jsonb,
       credentials = $6, tested_at = CASE WHEN $7::boolean THEN NULL ELSE tested_at END,
       test_problem = CASE WHEN $7::boolean THEN NULL ELSE test_problem END,
       worked_at = CASE WHEN $7::boolean THEN NULL ELSE worked_at END, updated_at = now()
     WHERE id = $1 RETURNING ${COLUMNS}`,
    [id, is_active, position, services, JSON.stringify(settings), credentials, isChanged]
  )
  return row
}

/** Notes what a test has found, unless other credentials were stored meanwhile. */
export async function noteTest(
  sql: Sql,
  { id, credentials }: Pick<AccountRow, "id" | "credentials">,
  problem: string | null
): Promise<void> {
  await sql.query(
    `UPDATE gateway_acquirer_account
     SET tested_at = now(), test_problem = $3::text,
       worked_at = CASE WHEN $3::text IS NULL THEN now() ELSE worked_at END, updated_at = now()
     WHERE id = $1 AND credentials = $2`,
    [id, credentials, problem]
  )
}

/** Whether the acquirer may still be asked about a payment or a refund of the tenant. */
export async function hasOpenMoney(sql: Sql, { merchant_id, environment }: Tenant, acquirer: string): Promise<boolean> {
  const [{ is_open }] = await sql.query<{ is_open: boolean }>(
    `SELECT EXISTS (SELECT FROM gateway_payment_attempt
                    WHERE merchant_id = $1 AND environment = $2 AND acquirer = $3 AND inquiry_at IS NOT NULL
                      AND state NOT IN ('SUCCEEDED', 'DECLINED'))
         OR EXISTS (SELECT FROM gateway_transaction
                    WHERE merchant_id = $1 AND environment = $2 AND state = 'HELD' AND acquirer = $3)
         OR EXISTS (SELECT FROM gateway_authorization
                    WHERE merchant_id = $1 AND environment = $2 AND state IN ('open', 'releasing') AND acquirer = $3)
         OR EXISTS (SELECT FROM gateway_refund r JOIN gateway_payment_attempt a ON a.transaction_id = r.transaction_id
                    WHERE r.merchant_id = $1 AND r.environment = $2 AND r.state = 'processing' AND a.acquirer = $3)
       AS is_open`,
    [merchant_id, environment, acquirer]
  )
  return is_open
}
