import { messageOf } from "../../../i18n/message"
import { ADVISORY_LOCKS, type Database, type Sql, json } from "../kernel/database/database"
import { audit, type By } from "../kernel/database/audit"
import { clockNow, type Environment } from "../kernel/money/clock"
import { GatewayError } from "../kernel/errors"
import { canonicalNetwork } from "../kernel/http/ip"
import { newId } from "../kernel/text/ids"
import { DEFAULT_PAYMENT_SERVICES } from "./payment-services"
import { SERVICES, type Cradle, type ServiceName, type Tenant, type ZonedScope } from "../kernel/types"
import { CHANGEABLE, ENVIRONMENT_COLUMNS, type EnvironmentSettings } from "./records"
import type { StoredProfile } from "./profile-rules"

export type Merchant = {
  id: string
  number: number
  name: string
  email: string | null
  status: "active" | "suspended"
  verification_status: "unverified" | "pending" | "approved" | "rejected"
  settings: Record<string, unknown>
  profile: StoredProfile
  created_at: Date
}

type NewMerchant = { name: string; email?: string; verification_status?: Merchant["verification_status"] }

const COLUMNS = "id, number, name, email, status, verification_status, settings, profile, created_at"

/** What else of a merchant is by days of its time zone and stored. */
type Zoned = { moveToZone(sql: Sql, tenant: Tenant, zones: { before: string; after: string }): Promise<void> }

type EnvironmentChange = Partial<Pick<EnvironmentSettings, (typeof CHANGEABLE)[number]>> & {
  /** Services to switch on or off; the others stay as they are. */
  service_changes?: Partial<Record<ServiceName, boolean>>
}

const PROFILE = ["name", "email", "status", "verification_status", "settings"] as const

/** Merchants and the settings of their two environments. */
export class MerchantService {
  private readonly database: Database
  private readonly months: Zoned

  constructor({ database, settlementMonthService }: Cradle & { settlementMonthService: Zoned }) {
    this.database = database
    this.months = settlementMonthService
  }

  /** Creates a merchant with both environments and the default payment services. */
  async create(input: NewMerchant, by: By = {}): Promise<Merchant> {
    return this.database.transaction(async (sql) => {
      const merchant = await this.insert(sql, input)
      const { id, name, email, verification_status } = merchant
      const entry = { merchant_id: id, environment: null, by, action: "merchant.created" as const, resource_id: id }
      await audit(sql, { ...entry, after: { name, email, verification_status } })
      return merchant
    })
  }

  async list(): Promise<(Merchant & { time_zones: Record<Environment, string> })[]> {
    return this.database.query(
      `SELECT ${COLUMNS}, (SELECT json_object_agg(e.environment, e.time_zone) FROM gateway_merchant_environment e
         WHERE e.merchant_id = gateway_merchant.id) AS time_zones FROM gateway_merchant ORDER BY number DESC`
    )
  }

  /** By the text id or the contract's integer; throws MERCHANT_NOT_FOUND. */
  async retrieve(idOrNumber: string | number): Promise<Merchant> {
    const column = typeof idOrNumber === "number" ? "number" : "id"
    const [merchant] = await this.database.query<Merchant>(
      `SELECT ${COLUMNS} FROM gateway_merchant WHERE ${column} = $1`,
      [idOrNumber]
    )
    return merchant ?? notFound()
  }

  async update(id: string, change: Partial<Pick<Merchant, (typeof PROFILE)[number]>>, by: By = {}): Promise<Merchant> {
    return this.database.transaction(async (sql) => {
      const [before] = await sql.query<Merchant>(`SELECT ${COLUMNS} FROM gateway_merchant WHERE id = $1 FOR UPDATE`, [
        id,
      ])
      if (before === undefined) {
        return notFound()
      }
      const next = { ...before, ...definedOnly(change) }
      const [after] = await sql.query<Merchant>(
        `UPDATE gateway_merchant SET name = $2, email = $3, status = $4, verification_status = $5, settings = $6,
           updated_at = now()
         WHERE id = $1 RETURNING ${COLUMNS}`,
        [id, next.name, next.email, next.status, next.verification_status, json(next.settings)]
      )
      const action = "merchant.updated"
      await audit(sql, {
        merchant_id: id,
        environment: null,
        by,
        action,
        resource_id: id,
        ...difference(PROFILE, before, after),
      })
      return after
    })
  }

  /** A merchant's environment at the current moment of its clock; throws MERCHANT_NOT_FOUND. */
  async scope(merchant_id: string, environment: Environment): Promise<ZonedScope & { merchant_number: number }> {
    const [row] = await this.database.query<{ number: number; clock_offset_seconds: number; time_zone: string }>(
      `SELECT m.number, e.clock_offset_seconds, e.time_zone FROM gateway_merchant_environment e
       JOIN gateway_merchant m ON m.id = e.merchant_id WHERE e.merchant_id = $1 AND e.environment = $2`,
      [merchant_id, environment]
    )
    const { number: merchant_number, clock_offset_seconds, time_zone } = row ?? notFound()
    return { merchant_id, environment, now: clockNow(new Date(), clock_offset_seconds), time_zone, merchant_number }
  }

  async environment(tenant: Tenant): Promise<EnvironmentSettings> {
    const [row] = await this.database.query<EnvironmentSettings>(
      `SELECT ${ENVIRONMENT_COLUMNS} FROM gateway_merchant_environment WHERE merchant_id = $1 AND environment = $2`,
      [tenant.merchant_id, tenant.environment]
    )
    return row ?? notFound()
  }

  /**
   * Changes only the given settings; the IP allow-list is stored in canonical CIDR form (contract 5.5). Another
   * time zone moves the lines of open settlement months too (decisions: Days).
   */
  async configure(
    tenant: Tenant & By,
    { service_changes, ...change }: EnvironmentChange
  ): Promise<EnvironmentSettings> {
    const values: Record<string, unknown> = { ...change }
    values.ip_allow_list = change.ip_allow_list?.map((one) => requireNetwork(one))
    for (const column of ["retry_days", "cancellation_reasons", "refund_role_limits"] as const) {
      values[column] = change[column] === undefined ? undefined : json(change[column])
    }
    const { merchant_id, environment } = tenant
    return this.database.transaction(async (sql) => {
      const [before] = await sql.query<EnvironmentSettings>(
        `SELECT ${ENVIRONMENT_COLUMNS} FROM gateway_merchant_environment WHERE merchant_id = $1 AND environment = $2 FOR UPDATE`,
        [merchant_id, environment]
      )
      if (before === undefined) {
        return notFound()
      }
      if (service_changes !== undefined) {
        const services = change.services ?? before.services
        values.services = SERVICES.filter((name) => service_changes[name] ?? services.includes(name))
      }
      const columns = CHANGEABLE.filter((column) => values[column] !== undefined)
      if (columns.length === 0) {
        return before
      }
      const assignments = columns.map((column, index) => `${column} = $${index + 3}`).join(", ")
      const [after] = await sql.query<EnvironmentSettings>(
        `UPDATE gateway_merchant_environment SET ${assignments}, updated_at = now()
         WHERE merchant_id = $1 AND environment = $2 RETURNING ${ENVIRONMENT_COLUMNS}`,
        [merchant_id, environment, ...columns.map((column) => values[column])]
      )
      if (after.time_zone !== before.time_zone) {
        await this.months.moveToZone(sql, tenant, { before: before.time_zone, after: after.time_zone })
      }
      const entry = { merchant_id, environment, by: tenant, action: "settings.updated" as const }
      await audit(sql, { ...entry, resource_id: merchant_id, ...difference(CHANGEABLE, before, after) })
      return after
    })
  }

  /**
   * The merchant that receives the payments of the store's own carts: the first one, created when there is none. A lock
   * prevents two processes that start at once from creating two. The store is its own bank: its refunds may overdraw.
   * Its shoppers get receipts, because nobody else would send them.
   */
  async storeMerchant(name: string): Promise<Merchant> {
    const first = `SELECT ${COLUMNS} FROM gateway_merchant ORDER BY number LIMIT 1`
    const [existing] = await this.database.query<Merchant>(first)
    if (existing !== undefined) {
      return existing
    }
    return this.database.transaction(async (sql) => {
      await sql.query(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.storeMerchant})`)
      const [winner] = await sql.query<Merchant>(first)
      return winner ?? (await this.insert(sql, { name }, true))
    })
  }

  private async insert(sql: Sql, input: NewMerchant, isStore = false): Promise<Merchant> {
    const [merchant] = await sql.query<Merchant>(
      `INSERT INTO gateway_merchant (id, name, email, verification_status)
       VALUES ($1, $2, $3, $4) RETURNING ${COLUMNS}`,
      [newId("mer"), input.name, input.email ?? null, input.verification_status ?? "unverified"]
    )
    for (const environment of ["sandbox", "production"] as const) {
      await this.createEnvironment(sql, merchant.id, environment, isStore)
    }
    return merchant
  }

  private async createEnvironment(sql: Sql, id: string, environment: Environment, isStore: boolean): Promise<void> {
    await sql.query(
      `INSERT INTO gateway_merchant_environment (id, merchant_id, environment, services, ip_allow_list, may_overdraw, receipts)
       VALUES ($1, $2, $3, $4, '{}', $5, $5)`,
      [newId("menv"), id, environment, SERVICES, isStore]
    )
    await sql.query(
      `INSERT INTO gateway_payment_service
         (id, merchant_id, environment, service_id, code, name, kind, fee_basis_points, fee_fixed_minor, supports_refunds)
       SELECT 'gps_' || md5(random()::text || clock_timestamp()::text), $1, $2, service_id, code, name, kind,
              fee_basis_points, fee_fixed_minor, supports_refunds
       FROM jsonb_to_recordset($3::jsonb) AS template (service_id int, code text, name text, kind text,
              fee_basis_points int, fee_fixed_minor int, supports_refunds boolean)`,
      [id, environment, JSON.stringify(DEFAULT_PAYMENT_SERVICES)]
    )
  }
}

function difference<Name extends string>(
  names: readonly Name[],
  before: Record<Name, unknown>,
  after: Record<Name, unknown>
) {
  const pick = (row: Record<Name, unknown>) => Object.fromEntries(names.map((name) => [name, row[name]]))
  return { before: pick(before), after: pick(after) }
}

/** The given members, null included; undefined ones are left out. */
function definedOnly<Change extends object>(change: Change): Partial<Change> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<Change>
}

function requireNetwork(text: string): string {
  const network = canonicalNetwork(text)
  if (network === null) {
    const reason = messageOf("field", { name: text, rule: messageOf("rule.network") })
    throw new GatewayError("VALIDATION_ERROR", reason, { field: "ip_allow_list" })
  }
  return network
}

function notFound(): never {
  throw new GatewayError("MERCHANT_NOT_FOUND")
}
