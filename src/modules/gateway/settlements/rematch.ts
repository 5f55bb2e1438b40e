import type { By } from "../kernel/database/audit"
import type { Database } from "../kernel/database/database"
import type { Tenant } from "../kernel/types"
import { rematchLines } from "./batch"
import { holdImport, LINE_COLUMNS, lockSource, noteSettlement, type LineRow } from "./records"
import type { FeeAgreement } from "./rules"
import { BANK, importMachine } from "./states"

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

/** Looks again at what banks have brought and nobody knows: a statement may come before the settlements in it. */
export async function rematchStatements(database: Database, tenant: Tenant & By): Promise<void> {
  const waiting = await database.query<{ id: string; source: string }>(
    `SELECT i.id, i.source FROM gateway_settlement_import i
     WHERE i.merchant_id = $1 AND i.environment = $2 AND i.source LIKE '${BANK}%' AND i.state IN ('finished', 'stopped')
       AND EXISTS (SELECT 1 FROM gateway_settlement_line l
         WHERE l.import_id = i.id AND l.state = 'unknown' AND NOT 'undone' = ANY(l.reasons))
     ORDER BY i.imported_at, i.id`,
    [tenant.merchant_id, tenant.environment]
  )
  for (const statement of waiting) {
    await rematchImport(database, tenant, statement, [])
  }
}
