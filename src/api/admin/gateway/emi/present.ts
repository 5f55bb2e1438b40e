import { emiFields } from "../../../../modules/gateway/emi/input"
import type { EmiImportPlan } from "../../../../modules/gateway/emi/import-rules"
import type { EmiConfigurationRow } from "../../../../modules/gateway/emi/configurations"

/** A configuration with its fields as an admin writes them, plus what the gateway adds. `id` is the uuid. */
export function presentEmiConfiguration(row: EmiConfigurationRow) {
  const { uuid: id, revision, archived_at, created_at, updated_at } = row
  return { id, ...emiFields(row), revision, archived_at, created_at, updated_at }
}

/** What an import did, or would do, with each line. */
export function presentEmiImport(plan: EmiImportPlan, dry_run: boolean) {
  const { create, change, unchanged, archive } = plan
  const lines = [
    ...create.map(({ line, settings }) => ({ line, action: "create", ...emiFields(settings) })),
    ...change.map(({ line, settings, uuid: id }) => ({ line, action: "change", id, ...emiFields(settings) })),
    ...unchanged.map(({ line, settings, uuid: id }) => ({ line, action: "unchanged", id, ...emiFields(settings) })),
  ]
  return {
    dry_run,
    created: create.length,
    changed: change.length,
    unchanged: unchanged.length,
    archived: archive.length,
    lines: lines.sort((one, other) => one.line - other.line),
    archive: archive.map((configuration) => ({ id: configuration.uuid, ...emiFields(configuration) })),
  }
}
