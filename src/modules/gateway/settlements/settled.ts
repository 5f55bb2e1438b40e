import { messageOf } from "../../../i18n/message"
import { json, type Sql } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import { newOrderedId } from "../kernel/text/ids"
import type { Tenant } from "../kernel/types"
import { isWithin, type Allocation, type SettlementKey, type Settled } from "./deposit-rules"
import { BANK } from "./states"

type Row = SettlementKey & { currency: string; net: string; deposited: string }

/** What the settlements of these names bring and what of it has come, for each of their currencies. Under their lock. */
export async function settledOf(
  sql: Sql,
  { merchant_id, environment }: Tenant,
  keys: readonly SettlementKey[]
): Promise<Settled[]> {
  if (keys.length === 0) {
    return []
  }
  const rows = await sql.query<Row>(
    `SELECT k.source, k.batch, x.currency, sum(x.net)::text AS net, sum(x.deposited)::text AS deposited
     FROM json_to_recordset($3::json) AS k (source text, batch text)
     JOIN LATERAL (
       SELECT l.currency, CASE WHEN l.posted_as IS NULL THEN 0 ELSE l.gross_minor - l.fee_minor - l.vat_minor END AS net,
         0 AS deposited
       FROM gateway_settlement_line l WHERE l.merchant_id = $1 AND l.environment = $2 AND l.source = k.source
         AND (l.batch = k.batch OR (l.batch IS NULL AND l.import_id = k.batch))
       UNION ALL SELECT a.currency, 0, a.amount_minor FROM gateway_settlement_allocation a
       WHERE a.merchant_id = $1 AND a.environment = $2 AND a.source = k.source AND a.batch = k.batch) x ON true
     WHERE k.source IS NOT NULL AND k.batch IS NOT NULL
     GROUP BY k.source, k.batch, x.currency`,
    [merchant_id, environment, json(keys.map(({ source, batch }) => ({ source, batch })))]
  )
  return rows.map((row) => ({ ...row, net: BigInt(row.net), deposited: BigInt(row.deposited) }))
}

/** Before a deposit brings parts of settlements: the sandbox's purge, which takes no lock of sources, leaves them. */
export async function holdSettlements(
  sql: Sql,
  { merchant_id, environment }: Tenant,
  keys: readonly SettlementKey[]
): Promise<void> {
  if (keys.length > 0) {
    await sql.query(
      `SELECT 1 FROM gateway_settlement_import WHERE id IN (
         SELECT l.import_id FROM json_to_recordset($3::json) AS k (source text, batch text)
         JOIN gateway_settlement_line l ON l.merchant_id = $1 AND l.environment = $2 AND l.source = k.source
           AND (l.batch = k.batch OR (l.batch IS NULL AND l.import_id = k.batch)))
       ORDER BY id FOR KEY SHARE`,
      [merchant_id, environment, json(keys.map(({ source, batch }) => ({ source, batch })))]
    )
  }
}

/** Those settlements of a source of which something has come to the bank. */
export async function depositedOf(
  sql: Sql,
  tenant: Tenant,
  source: string,
  batches: readonly string[]
): Promise<Settled[]> {
  const keys = await sql.query<SettlementKey>(
    `SELECT DISTINCT source, batch FROM gateway_settlement_allocation
     WHERE merchant_id = $1 AND environment = $2 AND source = $3 AND batch = ANY($4)`,
    [tenant.merchant_id, tenant.environment, source, batches]
  )
  return settledOf(sql, tenant, keys)
}

/**
 * What has come to the bank of a settlement stays within what its lines bring. After a change of them, which the caller
 * takes back by this error. Throws INVALID_STATE_TRANSITION that names the deposit.
 */
export async function requireDeposited(
  sql: Sql,
  tenant: Tenant,
  source: string,
  batches: readonly string[]
): Promise<void> {
  const settled = await depositedOf(sql, tenant, source, batches)
  const broken = settled.find(({ net, deposited }) => !isWithin(deposited, net))
  if (broken === undefined) {
    return
  }
  const [deposit] = await sql.query<{ line: number; file_name: string }>(
    `SELECT d.line, i.file_name FROM gateway_settlement_allocation a
     JOIN gateway_settlement_line d ON d.id = a.deposit_id JOIN gateway_settlement_import i ON i.id = d.import_id
     WHERE a.merchant_id = $1 AND a.environment = $2 AND a.source = $3 AND a.batch = $4 AND a.currency = $5
     ORDER BY a.id DESC LIMIT 1`,
    [tenant.merchant_id, tenant.environment, source, broken.batch, broken.currency]
  )
  const { line, file_name: file } = deposit
  throw new GatewayError(
    "INVALID_STATE_TRANSITION",
    messageOf("refusal.settlement_deposited", { batch: broken.batch, line, file })
  )
}

/**
 * All settlements that have a name. It goes from one name to the next in the index: a settlement may have 100,000 lines.
 */
export async function settlementNames(sql: Sql, { merchant_id, environment }: Tenant): Promise<SettlementKey[]> {
  return sql.query<SettlementKey>(
    `WITH RECURSIVE named AS (
       (SELECT l.source, l.batch FROM gateway_settlement_line l
        WHERE l.merchant_id = $1 AND l.environment = $2 AND l.batch IS NOT NULL ORDER BY l.source, l.batch LIMIT 1)
       UNION ALL SELECT n.source, n.batch FROM named CROSS JOIN LATERAL (
         SELECT l.source, l.batch FROM gateway_settlement_line l
         WHERE l.merchant_id = $1 AND l.environment = $2 AND l.batch IS NOT NULL AND (l.source, l.batch) > (named.source, named.batch)
         ORDER BY l.source, l.batch LIMIT 1) n)
     SELECT source, batch FROM named WHERE source IS NOT NULL AND batch IS NOT NULL AND source NOT LIKE '${BANK}%'`,
    [merchant_id, environment]
  )
}

type Brought = Allocation & { deposit_id: string; currency: string }

/** Writes what bank's lines bring, before the ledger is posted to. */
export async function insertAllocations(
  sql: Sql,
  { merchant_id, environment }: Tenant,
  brought: readonly Brought[],
  created_by: string
): Promise<void> {
  if (brought.length > 0) {
    const rows = brought.map(({ amount, ...of }) => ({
      id: newOrderedId("gsa"),
      ...of,
      amount_minor: amount.toString(),
    }))
    await sql.query(
      `INSERT INTO gateway_settlement_allocation (id, merchant_id, environment, deposit_id, source, batch, currency, amount_minor, created_by)
       SELECT id, $1, $2, deposit_id, source, batch, currency, amount_minor, $3
       FROM json_to_recordset($4::json) AS one (id text, deposit_id text, source text, batch text, currency text, amount_minor bigint)`,
      [merchant_id, environment, created_by, json(rows)]
    )
  }
}
