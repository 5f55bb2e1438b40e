import type { By } from "../kernel/database/audit"
import type { Database } from "../kernel/database/database"
import type { Tenant } from "../kernel/types"
import { rematchLines } from "./batch"
import { holdImport, LINE_COLUMNS, lockSource, noteSettlement, type LineRow } from "./records"
import type { FeeAgreement } from "./rules"
import { BANK, importMachine } from "./states"
import type { SettlementTermService } from "./terms"

/** How many lines a transaction looks at again. */
const LINES = 1_000

/**
 * Looks again at the unknown lines of an import, without those that somebody has undone. Answers how many it has matched;
 * null: the import is being read, or is undone.
 */
export async function rematchImport(
  database: Database,
  tenant: Tenant & By,
  { id, source }: { id: string; source: string },
  agreements: readonly FeeAgreement[]
): Promise<number | null> {
  let all = 0
  for (let after: number | undefined = 0; after !== undefined;) {
    const looked = await rematchPart(database, tenant, { id, source, after }, agreements)
    if (looked === null) {
      return null
    }
    all += looked.matched
    after = looked.last
  }
  return all
}

type Part = { id: string; source: string; after: number }

async function rematchPart(
  database: Database,
  tenant: Tenant & By,
  { id, source, after }: Part,
  agreements: readonly FeeAgreement[]
): Promise<{ matched: number; last: number | undefined } | null> {
  return database.transaction(async (sql) => {
    await lockSource(sql, tenant, source)
    const held = await holdImport(sql, tenant, id)
    if (importMachine.find(held.state, "rematch") === null) {
      return null
    }
    const rows = await sql.query<LineRow>(
      `SELECT ${LINE_COLUMNS} FROM gateway_settlement_line l WHERE l.import_id = $1 AND l.state = 'unknown'
         AND NOT 'undone' = ANY(l.reasons) AND l.line > $2 ORDER BY l.line LIMIT ${LINES}`,
      [id, after]
    )
    const { matched, postings } = await rematchLines(sql, { tenant, held, rows, agreements })
    if (matched > 0) {
      const set = "UPDATE gateway_settlement_import SET postings = postings + $2, updated_at = now() WHERE id = $1"
      await sql.query(set, [id, postings])
      await noteSettlement(sql, tenant, "rematched", id, { file_name: held.file_name, lines: matched })
    }
    return { matched, last: rows.length < LINES ? undefined : rows.at(-1)?.line }
  })
}

/**
 * After an import or its undo, looks again at lines that waited for it: what banks have brought, as a statement may come
 * before its settlements, and lines whose money or settlement was taken. So the files that are in make the same books,
 * whatever else was imported and undone.
 */
export async function rematchWaiting(
  database: Database,
  terms: SettlementTermService,
  tenant: Tenant & By
): Promise<void> {
  const waiting = await database.query<{ id: string; source: string }>(
    `SELECT i.id, i.source FROM gateway_settlement_import i
     WHERE i.merchant_id = $1 AND i.environment = $2 AND i.state IN ('finished', 'stopped')
       AND EXISTS (SELECT 1 FROM gateway_settlement_line l WHERE l.import_id = i.id AND l.state = 'unknown'
         AND CASE WHEN i.source LIKE '${BANK}%' THEN NOT 'undone' = ANY(l.reasons) ELSE l.reasons && ARRAY['taken', 'deposited'] END)
     ORDER BY i.source LIKE '${BANK}%', i.imported_at, i.id`,
    [tenant.merchant_id, tenant.environment]
  )
  for (const one of waiting) {
    await rematchImport(database, tenant, one, await terms.agreements(tenant, one.source))
  }
}
