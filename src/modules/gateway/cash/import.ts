import type { By } from "../kernel/database/audit"
import type { Database } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import { refuseFaults } from "../kernel/text/csv"
import type { Cradle, Tenant } from "../kernel/types"
import { planCashImport, readCashFile, type CashLine, type CashOutcome, type DueOrder } from "./import-rules"
import { CASH_ORDER_COLUMNS, type CashOrder } from "./records"
import { cashDue } from "./rules"
import type { CashService } from "./service"

export type CashImport = { csv: string; courier: string | null; dry_run: boolean }

/** Records the cash of a courier's file, line by line (decisions: Cash on delivery). */
export class CashImportService {
  private readonly database: Database
  private readonly cash: CashService

  constructor({ database, cashService }: Cradle & { cashService: CashService }) {
    this.database = database
    this.cash = cashService
  }

  /**
   * What becomes of each line; with `dry_run` what would. A line that is refused stops no other: a courier's file is paid
   * out as a whole, and what is right in it must not wait. Throws VALIDATION_ERROR when the file cannot be read.
   */
  async run(tenant: Tenant & By, { csv, courier, dry_run }: CashImport): Promise<CashOutcome[]> {
    const { lines, errors } = readCashFile(csv)
    refuseFaults(errors)
    const planned = planCashImport(lines, await this.orders(tenant, lines), await this.known(tenant, lines))
    if (dry_run) {
      return planned
    }
    const outcomes: CashOutcome[] = []
    for (const line of planned) {
      outcomes.push(
        line.outcome === "recorded" && line.order_id !== null
          ? await this.record(tenant, line, line.order_id, courier)
          : line
      )
    }
    return outcomes
  }

  /** The orders that a file names. Throws VALIDATION_ERROR when the file cannot be read. */
  async named(tenant: Tenant, csv: string): Promise<CashOrder[]> {
    const { lines, errors } = readCashFile(csv)
    refuseFaults(errors)
    return this.rows(tenant, lines)
  }

  private async record(
    tenant: Tenant & By,
    line: CashOutcome,
    id: string,
    courier: string | null
  ): Promise<CashOutcome> {
    const { collected: amount, charge, date, key: request_key } = line
    const note = date === "" ? null : date
    try {
      const input = { amount, charge, source: "csv" as const, courier, note, request_key }
      const { is_new } = await this.cash.collect(id, input, tenant)
      return { ...line, outcome: is_new ? "recorded" : "known", reason: null }
    } catch (error) {
      // Somebody else has recorded cash of this order since the file was read.
      if (!GatewayError.is(error)) {
        throw error
      }
      return { ...line, outcome: "refused", reason: error.reason }
    }
  }

  private async rows({ merchant_id, environment }: Tenant, lines: readonly CashLine[]): Promise<CashOrder[]> {
    return this.database.query<CashOrder>(
      `SELECT ${CASH_ORDER_COLUMNS} FROM gateway_cash_order o
       WHERE merchant_id = $1 AND environment = $2 AND order_number = ANY($3) AND placed_at IS NOT NULL`,
      [merchant_id, environment, lines.map(({ order_number }) => order_number)]
    )
  }

  private async orders(tenant: Tenant, lines: readonly CashLine[]): Promise<DueOrder[]> {
    const rows = await this.rows(tenant, lines)
    return rows.map((row) => {
      const { id, order_number, currency } = row
      return { id, order_number: order_number ?? "", due: cashDue(row), currency }
    })
  }

  private async known({ merchant_id, environment }: Tenant, lines: readonly CashLine[]): Promise<Set<string>> {
    const rows = await this.database.query<{ request_key: string }>(
      "SELECT request_key FROM gateway_cash_collection WHERE merchant_id = $1 AND environment = $2 AND request_key = ANY($3)",
      [merchant_id, environment, lines.map(({ key }) => key)]
    )
    return new Set(rows.map(({ request_key }) => request_key))
  }
}
