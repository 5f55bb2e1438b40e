import { planEmiImport, readEmiTable, type EmiImportPlan } from "./import-rules"
import { refuseFaults } from "../kernel/csv"
import { GatewayError } from "../kernel/errors"
import type { By } from "../kernel/audit"
import type { Sql } from "../kernel/database"
import type { Cradle, Tenant } from "../kernel/types"
import type { EmiConfigurationRow, EmiConfigurationService } from "./configurations"

export type EmiImport = {
  csv: string
  /** Only say what would be done. */
  dry_run: boolean
  /** The table is the whole of its banks: archive what they have beyond it. */
  archive_missing: boolean
}

/** A bank's table in one go: all of its lines, or with any error none of them (decisions: EMI). */
export class EmiImportService {
  private readonly configurations: EmiConfigurationService

  constructor({ emiConfigurationService }: Cradle & { emiConfigurationService: EmiConfigurationService }) {
    this.configurations = emiConfigurationService
  }

  /** Throws VALIDATION_ERROR with every line's errors in `details`. */
  async run(tenant: Tenant, { csv, dry_run, archive_missing }: EmiImport, by: By): Promise<EmiImportPlan> {
    const { lines, errors } = readEmiTable(csv)
    refuseFaults(errors)
    return this.configurations.locked(tenant, async (sql) => {
      const known = await this.configurations.current(sql, tenant)
      const plan = planEmiImport(known, lines, archive_missing)
      refuseFaults(plan.errors)
      if (!dry_run) {
        await this.write(sql, tenant, plan, new Map(known.map((row) => [row.uuid, row])), by)
      }
      return plan
    })
  }

  /** The plan is free of overlaps as a whole, and the lock is held: its steps need no check of their own. */
  private async write(
    sql: Sql,
    tenant: Tenant,
    plan: EmiImportPlan,
    known: Map<string, EmiConfigurationRow>,
    by: By
  ): Promise<void> {
    for (const { uuid } of plan.archive) {
      await this.configurations.setArchived(sql, tenant, rowOf(known, uuid), true, by)
    }
    for (const { uuid, settings } of plan.change) {
      await this.configurations.update(sql, tenant, rowOf(known, uuid), settings, by)
    }
    for (const { settings } of plan.create) {
      await this.configurations.insert(sql, tenant, settings, by)
    }
  }
}

/** The plan was made of these very rows. */
function rowOf(known: Map<string, EmiConfigurationRow>, uuid: string): EmiConfigurationRow {
  const row = known.get(uuid)
  if (row === undefined) {
    throw new GatewayError("EMI_CONFIGURATION_NOT_FOUND")
  }
  return row
}
