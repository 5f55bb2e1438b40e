import { messageOf } from "../../../i18n/message"
import { ACQUIRERS } from "../acquirers/definitions"
import { actorOf, type By } from "../kernel/database/audit"
import { json, type Database, type Sql } from "../kernel/database/database"
import { fault, GatewayError, validationError } from "../kernel/errors"
import { formatAmount } from "../kernel/money/money"
import { newOrderedId } from "../kernel/text/ids"
import type { Cradle, Tenant } from "../kernel/types"
import type { Numbered } from "./files/lines"
import type { SettlementTemplate } from "./files/template"
import { noteSettlement, TEMPLATE_COLUMNS, type StoredTemplate } from "./records"
import type { FeeAgreement } from "./rules"

type NewTemplate = { name: string; source: string; definition: SettlementTemplate }
export type NewAgreement = FeeAgreement & { source: string }
const AGREEMENT_COLUMNS = "payment_service, valid_from, rate_basis_points, fixed_minor, vat_basis_points"

/** How the files of each source are read, and which fees were agreed with it (decisions: Settlements). */
export class SettlementTermService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /** The newest version of each template, by name. */
  async templates({ merchant_id, environment }: Tenant): Promise<StoredTemplate[]> {
    return this.database.query<StoredTemplate>(
      `SELECT DISTINCT ON (name) ${TEMPLATE_COLUMNS} FROM gateway_settlement_template
       WHERE merchant_id = $1 AND environment = $2 ORDER BY name, version DESC`,
      [merchant_id, environment]
    )
  }

  /** All versions of a template, the newest first. */
  async versions({ merchant_id, environment }: Tenant, name: string): Promise<StoredTemplate[]> {
    return this.database.query<StoredTemplate>(
      `SELECT ${TEMPLATE_COLUMNS} FROM gateway_settlement_template
       WHERE merchant_id = $1 AND environment = $2 AND name = $3 ORDER BY version DESC`,
      [merchant_id, environment, name]
    )
  }

  /** The sources of templates, agreements and imports, which an acquirer's API gives without a template, by name. */
  async sources({ merchant_id, environment }: Tenant): Promise<string[]> {
    const rows = await this.database.query<{ source: string }>(
      `SELECT source FROM gateway_settlement_template WHERE merchant_id = $1 AND environment = $2
       UNION SELECT source FROM gateway_fee_agreement WHERE merchant_id = $1 AND environment = $2
       UNION SELECT source FROM gateway_settlement_import WHERE merchant_id = $1 AND environment = $2 ORDER BY source`,
      [merchant_id, environment]
    )
    return rows.map(({ source }) => source)
  }

  /** Throws SETTLEMENT_NOT_FOUND, for another tenant's too. */
  async template({ merchant_id, environment }: Tenant, id: string): Promise<StoredTemplate> {
    const [row] = await this.database.query<StoredTemplate>(
      `SELECT ${TEMPLATE_COLUMNS} FROM gateway_settlement_template WHERE id = $1 AND merchant_id = $2 AND environment = $3`,
      [id, merchant_id, environment]
    )
    if (row === undefined) {
      throw new GatewayError("SETTLEMENT_NOT_FOUND")
    }
    return row
  }

  /** Saves a template as the next version of its name. Throws VALIDATION_ERROR when the name is another source's, or the source is known in other capitals. */
  async save(tenant: Tenant & By, { name, source, definition }: NewTemplate): Promise<StoredTemplate> {
    const { merchant_id, environment } = tenant
    return this.database.transaction(async (sql) => {
      await sql.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [
        `${merchant_id}:${environment}:${name}`,
      ])
      const [last] = await sql.query<StoredTemplate>(
        `SELECT ${TEMPLATE_COLUMNS} FROM gateway_settlement_template
         WHERE merchant_id = $1 AND environment = $2 AND name = $3 ORDER BY version DESC LIMIT 1`,
        [merchant_id, environment, name]
      )
      await requireSpelling(sql, tenant, source)
      if (last !== undefined && last.source !== source) {
        throw validationError([fault("source", messageOf("rule.template_source", { source: last.source }))])
      }
      const [row] = await sql.query<StoredTemplate>(
        `INSERT INTO gateway_settlement_template (id, merchant_id, environment, name, version, source, definition, created_by)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${TEMPLATE_COLUMNS}`,
        [
          newOrderedId("gst"),
          merchant_id,
          environment,
          name,
          (last?.version ?? 0) + 1,
          source,
          json(definition),
          actorOf(tenant).id,
        ]
      )
      await noteSettlement(sql, tenant, "template_created", row.id, { name, version: row.version, source })
      return row
    })
  }

  /** By what lines of a source's files are known where its API names the same movements; null: it has no such API. */
  numbers(source: string): Numbered | null {
    const { name, movement_prefix: prefix } = ACQUIRERS.find(({ id }) => id === source) ?? {}
    return name === undefined || prefix === undefined ? null : { name, prefix }
  }

  /** What was agreed with a source, oldest first. */
  async agreements({ merchant_id, environment }: Tenant, source: string): Promise<FeeAgreement[]> {
    return this.database.query<FeeAgreement>(
      `SELECT ${AGREEMENT_COLUMNS} FROM gateway_fee_agreement
       WHERE merchant_id = $1 AND environment = $2 AND source = $3 ORDER BY valid_from, payment_service`,
      [merchant_id, environment, source]
    )
  }

  /** Writes what holds from a day on; the same day again replaces it. Lines that are compared already keep what was. */
  async agree(tenant: Tenant & By, agreement: NewAgreement): Promise<FeeAgreement[]> {
    const { merchant_id, environment } = tenant
    const { source, payment_service, valid_from, rate_basis_points, fixed_minor, vat_basis_points } = agreement
    await this.database.transaction(async (sql) => {
      await sql.query(
        `INSERT INTO gateway_fee_agreement (id, merchant_id, environment, source, payment_service, valid_from, rate_basis_points,
           fixed_minor, vat_basis_points, created_by)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         ON CONFLICT (merchant_id, environment, source, payment_service, valid_from)
         DO UPDATE SET rate_basis_points = excluded.rate_basis_points, fixed_minor = excluded.fixed_minor,
           vat_basis_points = excluded.vat_basis_points, created_by = excluded.created_by, updated_at = now()`,
        [
          newOrderedId("gfa"),
          merchant_id,
          environment,
          source,
          payment_service,
          valid_from,
          rate_basis_points,
          fixed_minor,
          vat_basis_points,
          actorOf(tenant).id,
        ]
      )
      await noteSettlement(sql, tenant, "fee_agreed", source, {
        source,
        payment_service,
        valid_from,
        rate_percent: formatAmount(rate_basis_points),
        fixed_minor,
        vat_percent: formatAmount(vat_basis_points),
      })
    })
    return this.agreements(tenant, source)
  }
}

/** One courier under two spellings would show the cash that it collected in the months of both. */
async function requireSpelling(sql: Sql, { merchant_id, environment }: Tenant, source: string): Promise<void> {
  const [other] = await sql.query<{ source: string }>(
    `SELECT source FROM gateway_settlement_template
     WHERE merchant_id = $1 AND environment = $2 AND lower(source) = lower($3) AND source <> $3 LIMIT 1`,
    [merchant_id, environment, source]
  )
  if (other !== undefined) {
    throw validationError([fault("source", messageOf("rule.source_spelling", { source: other.source }))])
  }
}
