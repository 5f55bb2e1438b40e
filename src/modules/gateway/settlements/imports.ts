import { actorOf, type By } from "../kernel/database/audit"
import { Conditions } from "../kernel/database/conditions"
import { json, type Database } from "../kernel/database/database"
import { pageOf, type Page, type Window } from "../kernel/database/paging"
import { GatewayError } from "../kernel/errors"
import { newOrderedId } from "../kernel/text/ids"
import type { Cradle, Tenant } from "../kernel/types"
import { post, tenantNow } from "../ledger/records"
import { writeBatch } from "./batch"
import { onlyNumbered, type LineResult } from "./files/lines"
import {
  holdImport,
  IMPORT_COLUMNS,
  linesUndone,
  lockSource,
  noteSettlement,
  ownerOf,
  SILENT_SECONDS,
  sumsOfRow,
  type LineRow,
  type SettlementImport,
} from "./records"
import { requireOpenImport } from "./month-lock"
import type { FeeAgreement } from "./rules"
import { rematchImport, rematchWaiting } from "./rematch"
import { requireDeposited } from "./settled"
import { importMachine, type ImportState } from "./states"
import type { SettlementTermService } from "./terms"

/** How many lines that could not be read are kept with an import. */
const ERRORS_KEPT = 100

/** What is imported, and by which template; without one an acquirer's API says it. */
type Named = { template: { id: string | null; source: string }; file_name: string }
type SummedLines = Pick<LineRow, "currency" | "gross" | "fee" | "vat" | "expected" | "booked">

/**
 * Reads settlement files into lines, each matched with our money as it comes (decisions: Settlements). One transaction
 * for each batch: a process that dies leaves whole batches, and the same file again writes the rest.
 */
export class SettlementImportService {
  private readonly database: Database
  private readonly terms: SettlementTermService

  constructor({ database, settlementTermService }: Cradle & { settlementTermService: SettlementTermService }) {
    this.database = database
    this.terms = settlementTermService
  }

  /**
   * Writes a file's lines. `batches`: what the file says, in its order. It ends early when somebody stops the import;
   * lines that cannot be read stop nothing. Lines that waited for it are matched, as deposits of its settlements. Errors: SETTLEMENT_NOT_FOUND (the template), and those of reading the file,
   * after which what was written stays.
   */
  async run(
    tenant: Tenant & By,
    input: Named,
    batches: AsyncIterable<readonly LineResult[]>
  ): Promise<SettlementImport> {
    const { id, source } = await this.begin(tenant, input)
    const agreements = await this.terms.agreements(tenant, source)
    const numbers = input.template.id === null ? null : this.terms.numbers(source)
    try {
      for await (const results of onlyNumbered(batches, numbers)) {
        if (!(await this.write(tenant, id, source, results, agreements))) {
          return this.retrieve(tenant, id)
        }
      }
    } catch (error) {
      await this.end(tenant, id, "stop")
      throw error
    }
    const made = await this.end(tenant, id, "finish")
    await rematchWaiting(this.database, this.terms, tenant)
    return made
  }

  /** Stops an import that is being read after the batch that is being written. Errors: SETTLEMENT_NOT_FOUND, INVALID_STATE_TRANSITION. */
  async stop(tenant: Tenant & By, id: string): Promise<SettlementImport> {
    await this.database.transaction(async (sql) => {
      const found = await holdImport(sql, tenant, id)
      const { to } = importMachine.require(found.state, "stop")
      await sql.query("UPDATE gateway_settlement_import SET state = $2, updated_at = now() WHERE id = $1", [id, to])
      await noteSettlement(sql, tenant, "stopped", id, { read: found.read_count })
    })
    return this.retrieve(tenant, id)
  }

  /**
   * Takes a file out again, as if it had never been imported: its lines go, and what they moved in the ledger goes back.
   * Errors: SETTLEMENT_NOT_FOUND, INVALID_STATE_TRANSITION (also when money of its settlements has come to the bank).
   */
  async undo(tenant: Tenant & By, id: string, note: string): Promise<SettlementImport> {
    const { source } = await this.retrieve(tenant, id)
    const undone = await this.database.transaction(async (sql) => {
      // As a batch locks them: source, then import. The other order could deadlock.
      await lockSource(sql, tenant, source)
      const found = await holdImport(sql, tenant, id)
      const { to } = importMachine.require(found.state, "undo")
      await requireOpenImport(sql, tenant, source, id)
      const now = await tenantNow(sql, tenant)
      const rows = await sql.query<SummedLines>(
        `SELECT currency, sum(gross_minor)::text AS gross, sum(fee_minor)::text AS fee, sum(vat_minor)::text AS vat,
           sum(COALESCE(expected_minor, 0))::text AS expected, sum(booked_minor)::text AS booked
         FROM gateway_settlement_line WHERE import_id = $1 AND posted_as IS NOT NULL GROUP BY currency ORDER BY currency`,
        [id]
      )
      await post(
        sql,
        rows.map((sums) => {
          const { currency } = sums
          return linesUndone(`${id}:undone:${currency}`, ownerOf(tenant, currency), source, sumsOfRow(sums), now)
        })
      )
      const gone = await sql.query<{ batch: string }>(
        `WITH gone AS (DELETE FROM gateway_settlement_line WHERE import_id = $1 RETURNING COALESCE(batch, import_id) AS batch)
         SELECT DISTINCT batch FROM gone WHERE batch IS NOT NULL`,
        [id]
      )
      await requireDeposited(
        sql,
        tenant,
        source,
        gone.map(({ batch }) => batch)
      )
      const [row] = await sql.query<SettlementImport>(
        `UPDATE gateway_settlement_import SET state = $2, undone_at = $3, undone_by = $4, undone_note = $5, updated_at = now()
         WHERE id = $1 RETURNING ${IMPORT_COLUMNS}`,
        [id, to, now, actorOf(tenant).id, note]
      )
      await noteSettlement(sql, tenant, "undone", id, { file_name: found.file_name, lines: found.new_count, note })
      return row
    })
    await rematchWaiting(this.database, this.terms, tenant)
    return undone
  }

  /**
   * Looks again at the lines of a file that nobody knew, without those that somebody has undone: payments may have
   * finished since, and settlements been imported. Answers how many it has matched. Errors: SETTLEMENT_NOT_FOUND,
   * INVALID_STATE_TRANSITION.
   */
  async rematch(tenant: Tenant & By, id: string): Promise<number> {
    const { source, state } = await this.retrieve(tenant, id)
    importMachine.require(state, "rematch")
    const agreements = await this.terms.agreements(tenant, source)
    const matched = (await rematchImport(this.database, tenant, { id, source }, agreements)) ?? 0
    if (matched > 0) {
      await rematchWaiting(this.database, this.terms, tenant)
    }
    return matched
  }

  /** Throws SETTLEMENT_NOT_FOUND, for another tenant's too. */
  async retrieve({ merchant_id, environment }: Tenant, id: string): Promise<SettlementImport> {
    const [row] = await this.database.query<SettlementImport>(
      `SELECT ${IMPORT_COLUMNS} FROM gateway_settlement_import WHERE id = $1 AND merchant_id = $2 AND environment = $3`,
      [id, merchant_id, environment]
    )
    if (row === undefined) {
      throw new GatewayError("SETTLEMENT_NOT_FOUND")
    }
    return row
  }

  /** A window of the admin's list, the last imported first. */
  async list(
    { merchant_id, environment }: Tenant,
    { source, state, order }: { source?: string; state?: ImportState; order: { descending: boolean } },
    window: Window
  ): Promise<Page<SettlementImport>> {
    const conditions = new Conditions("i.merchant_id = ? AND i.environment = ?", merchant_id, environment)
      .when(source, "i.source = ?")
      .when(state, "i.state = ?")
    const direction = order.descending ? "DESC" : "ASC"
    const { where, values } = conditions
    const sorted = { order: `i.imported_at ${direction}, i.id ${direction}`, key: "i.imported_at, i.id" }
    const query = { table: "gateway_settlement_import i", where, values, ...sorted, columns: IMPORT_COLUMNS } as const
    return pageOf<SettlementImport>(this.database, query, window)
  }

  private async begin(tenant: Tenant & By, { template, file_name }: Named): Promise<SettlementImport> {
    const { merchant_id, environment } = tenant
    return this.database.transaction(async (sql) => {
      // The same file again continues it. Another one says nothing of it: the month waits until somebody stops it.
      await sql.query(
        `UPDATE gateway_settlement_import SET state = 'stopped', updated_at = now()
         WHERE merchant_id = $1 AND environment = $2 AND source = $3 AND file_name = $4 AND state = 'reading'
           AND updated_at < now() - $5 * interval '1 second'`,
        [merchant_id, environment, template.source, file_name, SILENT_SECONDS]
      )
      const [row] = await sql.query<SettlementImport>(
        `INSERT INTO gateway_settlement_import (id, merchant_id, environment, source, template_id, file_name, errors, created_by, imported_at)
         VALUES ($1, $2, $3, $4, $5, $6, '[]', $7, $8) RETURNING ${IMPORT_COLUMNS}`,
        [
          newOrderedId("gsi"),
          merchant_id,
          environment,
          template.source,
          template.id,
          file_name,
          actorOf(tenant).id,
          await tenantNow(sql, tenant),
        ]
      )
      await noteSettlement(sql, tenant, "imported", row.id, { file_name, source: template.source })
      return row
    })
  }

  /** False: the import was stopped, and nothing of the batch is written. */
  private async write(
    tenant: Tenant,
    id: string,
    source: string,
    results: readonly LineResult[],
    agreements: readonly FeeAgreement[]
  ): Promise<boolean> {
    return this.database.transaction(async (sql) => {
      await lockSource(sql, tenant, source)
      const held = await holdImport(sql, tenant, id)
      if (held.state !== "reading") {
        return false
      }
      const counted = await writeBatch(sql, { tenant, held, results, agreements })
      await sql.query(
        `UPDATE gateway_settlement_import SET read_count = read_count + $2, new_count = new_count + $3,
           known_count = known_count + $4, skipped_count = skipped_count + $5, postings = postings + $6, errors = $7,
           updated_at = now() WHERE id = $1`,
        [
          id,
          results.length,
          counted.fresh,
          counted.known,
          counted.skipped,
          counted.postings,
          json([...held.errors, ...counted.errors].slice(0, ERRORS_KEPT)),
        ]
      )
      return true
    })
  }

  private async end(tenant: Tenant & By, id: string, how: "finish" | "stop"): Promise<SettlementImport> {
    return this.database.transaction(async (sql) => {
      const found = await holdImport(sql, tenant, id)
      if (found.state !== "reading") {
        return found
      }
      const { to } = importMachine.require(found.state, how)
      const [row] = await sql.query<SettlementImport>(
        `UPDATE gateway_settlement_import SET state = $2, updated_at = now() WHERE id = $1 RETURNING ${IMPORT_COLUMNS}`,
        [id, to]
      )
      return row
    })
  }
}
