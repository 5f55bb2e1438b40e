import { randomBytes, randomUUID } from "node:crypto"
import { messageOf } from "../../../i18n/message"
import type { EmiConfiguration } from "./rules"
import { overlap, overlapMessage } from "./import-rules"
import { emiFields, readEmiSettings, type EmiField, type EmiFields, type EmiSettings } from "./input"
import { GatewayError, validationError } from "../kernel/errors"
import { audit, type By } from "../kernel/database/audit"
import type { DoneTo } from "../kernel/database/logged-actions"
import type { Database, Sql } from "../kernel/database/database"
import { Conditions, startingWith } from "../kernel/database/conditions"
import { pageOf, type Page, type Window } from "../kernel/database/paging"
import { UUID } from "../kernel/text/ids"
import type { Cradle, Tenant } from "../kernel/types"

/** A configuration as an admin sees it. */
export type EmiConfigurationRow = EmiConfiguration & {
  id: string
  is_active: boolean
  archived_at: Date | null
  created_at: Date
  updated_at: Date
}

export type EmiFilter = Window & {
  archived: boolean
  bank_name?: string
  q?: string
  order: { by: "created_at" | "bank"; descending: boolean }
}

const SETTINGS = [
  "bank_name",
  "tenure_months",
  "rate_ppm",
  "method",
  "fee_kind",
  "fee_value",
  "min_amount_minor",
  "max_amount_minor",
  "is_active",
  "merchant_absorbs",
  "card_prefixes",
] as const satisfies readonly (keyof EmiSettings)[]

/** The terms that determine the figures: a change of any of them makes a new revision. */
const TERMS = ["bank_name", "tenure_months", "rate_ppm", "method", "fee_kind", "fee_value", "merchant_absorbs"] as const

const COLUMNS = `id, uuid, revision, ${SETTINGS.join(", ")}, archived_at, created_at, updated_at`

const IS_NEW_REVISION = `(${TERMS.join(", ")}) IS DISTINCT FROM (${TERMS.map((name) => `$${SETTINGS.indexOf(name) + 4}`).join(", ")})`

/**
 * The banks' EMI configurations, managed by admins (decisions: EMI). Every write holds the lock of its merchant and
 * environment, so that no two offers of a bank for one tenure can cover the same amount.
 */
export class EmiConfigurationService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /** Archived configurations are listed only on request, and then no others. */
  async list(
    tenant: Tenant,
    { archived, bank_name, q, order, ...window }: EmiFilter
  ): Promise<Page<EmiConfigurationRow>> {
    const filter = new Conditions("c.merchant_id = ? AND c.environment = ?", tenant.merchant_id, tenant.environment)
      .add(archived ? "c.archived_at IS NOT NULL" : "c.archived_at IS NULL")
      .when(bank_name?.toLowerCase(), "lower(c.bank_name) = ?")
      .when(q === undefined ? undefined : startingWith(q.toLowerCase()), "lower(c.bank_name) LIKE ?")
    const direction = order.descending ? "DESC" : "ASC"
    const columns =
      order.by === "bank"
        ? ["lower(c.bank_name)", "c.tenure_months", "c.min_amount_minor", "c.id"]
        : ["c.created_at", "c.id"]
    return pageOf(
      this.database,
      {
        table: "gateway_emi_configuration c",
        where: filter.where,
        values: filter.values,
        order: columns.map((column) => `${column} ${direction}`).join(", "),
        key:
          order.by === "bank" ? "lower(c.bank_name), c.tenure_months, c.min_amount_minor, c.id" : "c.created_at, c.id",
        columns: COLUMNS,
      },
      window
    )
  }

  async retrieve(tenant: Tenant, uuid: string): Promise<EmiConfigurationRow> {
    return this.one(this.database, tenant, uuid)
  }

  /** Throws the errors of the fields, and VALIDATION_ERROR when the configuration would overlap another one. */
  async create(tenant: Tenant, fields: EmiFields, by: By): Promise<EmiConfigurationRow> {
    const settings = required(fields)
    return this.locked(tenant, async (sql) => {
      await this.requireRoom(sql, tenant, settings, null)
      return this.insert(sql, tenant, settings, by)
    })
  }

  /** Changes only the given fields. An archived configuration has to be restored first: 409. */
  async change(tenant: Tenant, uuid: string, fields: EmiFields, by: By): Promise<EmiConfigurationRow> {
    return this.locked(tenant, async (sql) => {
      const current = await this.one(sql, tenant, uuid)
      if (current.archived_at !== null) {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.emi_archived"))
      }
      const given = Object.entries(fields).filter(([, value]) => value !== undefined)
      const settings = required({ ...emiFields(current), ...Object.fromEntries(given) })
      await this.requireRoom(sql, tenant, settings, uuid)
      return this.update(sql, tenant, current, settings, by)
    })
  }

  /** Removes the configuration from every offer; idempotent. Transactions keep their agreed plan. */
  async archive(tenant: Tenant, uuid: string, by: By): Promise<EmiConfigurationRow> {
    return this.locked(tenant, async (sql) =>
      this.setArchived(sql, tenant, await this.one(sql, tenant, uuid), true, by)
    )
  }

  /** Offers the configuration again; 422 when another one overlaps it now. */
  async restore(tenant: Tenant, uuid: string, by: By): Promise<EmiConfigurationRow> {
    return this.locked(tenant, async (sql) => {
      const current = await this.one(sql, tenant, uuid)
      await this.requireRoom(sql, tenant, current, uuid)
      return this.setArchived(sql, tenant, current, false, by)
    })
  }

  /** Runs `work` in one transaction under the lock of the tenant's configurations, so that its checks stay true. */
  async locked<Result>(tenant: Tenant, work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.database.transaction(async (sql) => {
      await sql.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [
        `gateway_emi ${tenant.merchant_id} ${tenant.environment}`,
      ])
      return work(sql)
    })
  }

  /** All configurations that are not archived: a bank's table has some hundred lines. */
  async all(tenant: Tenant): Promise<EmiConfigurationRow[]> {
    return this.current(this.database, tenant)
  }

  /** All configurations that are not archived, the active ones last: of two equal ones the later one counts. */
  async current(sql: Sql, tenant: Tenant): Promise<EmiConfigurationRow[]> {
    return sql.query<EmiConfigurationRow>(
      `SELECT ${COLUMNS} FROM gateway_emi_configuration
       WHERE merchant_id = $1 AND environment = $2 AND archived_at IS NULL ORDER BY is_active, created_at`,
      [tenant.merchant_id, tenant.environment]
    )
  }

  /** Like `update` and `setArchived`, this does not check for overlaps: the caller holds the lock and has checked. */
  async insert(sql: Sql, tenant: Tenant, settings: EmiSettings, by: By): Promise<EmiConfigurationRow> {
    const [row] = await sql.query<EmiConfigurationRow>(
      `INSERT INTO gateway_emi_configuration (id, uuid, merchant_id, environment, ${SETTINGS.join(", ")})
       VALUES ($1, $2, $3, $4, ${SETTINGS.map((_, index) => `$${index + 5}`).join(", ")}) RETURNING ${COLUMNS}`,
      [
        `gec_${randomBytes(13).toString("hex")}`,
        randomUUID(),
        tenant.merchant_id,
        tenant.environment,
        ...valuesOf(settings),
      ]
    )
    await note(sql, tenant, by, "created", null, row)
    return row
  }

  async update(
    sql: Sql,
    tenant: Tenant,
    current: EmiConfigurationRow,
    settings: EmiSettings,
    by: By
  ): Promise<EmiConfigurationRow> {
    const [row] = await sql.query<EmiConfigurationRow>(
      `UPDATE gateway_emi_configuration
       SET ${SETTINGS.map((name, index) => `${name} = $${index + 4}`).join(", ")},
           revision = revision + CASE WHEN ${IS_NEW_REVISION} THEN 1 ELSE 0 END, updated_at = now()
       WHERE uuid = $1 AND merchant_id = $2 AND environment = $3 RETURNING ${COLUMNS}`,
      [current.uuid, tenant.merchant_id, tenant.environment, ...valuesOf(settings)]
    )
    await note(sql, tenant, by, "updated", current, row)
    return row
  }

  async setArchived(
    sql: Sql,
    tenant: Tenant,
    current: EmiConfigurationRow,
    archived: boolean,
    by: By
  ): Promise<EmiConfigurationRow> {
    if ((current.archived_at !== null) === archived) {
      return current
    }
    const [row] = await sql.query<EmiConfigurationRow>(
      `UPDATE gateway_emi_configuration SET archived_at = CASE WHEN $2 THEN now() END, updated_at = now()
       WHERE id = $1 RETURNING ${COLUMNS}`,
      [current.id, archived]
    )
    await note(sql, tenant, by, archived ? "archived" : "restored", current, row)
    return row
  }

  private async requireRoom(sql: Sql, tenant: Tenant, settings: EmiSettings, uuid: string | null): Promise<void> {
    const others = (await this.current(sql, tenant)).filter((row) => row.uuid !== uuid)
    const overlapping = others.find((row) => overlap(settings, row))
    if (overlapping !== undefined) {
      const field: EmiField = "minimum_amount"
      throw validationError([{ field, code: "VALIDATION_ERROR", reason: overlapMessage(overlapping) }])
    }
  }

  private async one(sql: Sql, tenant: Tenant, uuid: string): Promise<EmiConfigurationRow> {
    const [row] = UUID.test(uuid)
      ? await sql.query<EmiConfigurationRow>(
          `SELECT ${COLUMNS} FROM gateway_emi_configuration WHERE uuid = $1 AND merchant_id = $2 AND environment = $3`,
          [uuid, tenant.merchant_id, tenant.environment]
        )
      : []
    if (row === undefined) {
      throw new GatewayError("EMI_CONFIGURATION_NOT_FOUND")
    }
    return row
  }
}

async function note(
  sql: Sql,
  tenant: Tenant,
  by: By,
  done: DoneTo<"emi_configuration">,
  before: EmiConfigurationRow | null,
  after: EmiConfigurationRow
): Promise<void> {
  const seen = (row: EmiConfigurationRow) => ({ ...emiFields(row), archived_at: row.archived_at })
  const action = `emi_configuration.${done}` as const
  await audit(sql, {
    ...tenant,
    by,
    action,
    resource_id: after.uuid,
    before: before && seen(before),
    after: seen(after),
  })
}

function required(fields: EmiFields): EmiSettings {
  const { value, failures } = readEmiSettings(fields)
  if (value === null) {
    throw validationError(failures)
  }
  return value
}

function valuesOf(settings: EmiSettings): unknown[] {
  return SETTINGS.map((name) => settings[name])
}
