import { planEmiImport, readEmiTable, type EmiImportPlan } from "./import-rules"
import { refuseFaults } from "../kernel/text/csv"
import { GatewayError } from "../kernel/errors"
import type { By } from "../kernel/database/audit"
import type { Sql } from "../kernel/database/database"
import type { Cradle, Tenant } from "../kernel/types"
import type { EmiConfigurationRow, EmiConfigurationService } from "./configurations"

export type EmiImport = {
  csv: string
  /** Only report what the import would do. */
  dry_run: boolean
  /** The table is complete for its banks: archive the configurations that it lacks. */
  archive_missing: boolean
}

/** Imports a bank's table: all of its lines or, with any error, none of them (decisions: EMI). */
export class EmiImportService {
  private readonly configurations: EmiConfigurationService

  constructor({ emiConfigurationService }: Cradle & { emiConfigurationService: EmiConfigurationService }) {
    this.configurations = emiConfigurationService
  }

  /** Throws VALIDATION_ERROR with the errors of all lines in `details`. */
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

  /** The plan as a whole has no overlaps and the lock is held, so the single steps check nothing. */
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

/** Never undefined: the plan was made from these rows. */
function rowOf(known: Map<string, EmiConfigurationRow>, uuid: string): EmiConfigurationRow {
  const row = known.get(uuid)
  if (row === undefined) {
    throw new GatewayError("EMI_CONFIGURATION_NOT_FOUND")
  }
  return row
}
