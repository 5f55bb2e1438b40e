import { randomBytes } from "node:crypto"
import type { Logger } from "@medusajs/framework/types"
import { messageOf } from "../../../i18n/message"
import { audit, type By } from "../kernel/database/audit"
import { clockNow, type Environment } from "../kernel/money/clock"
import { GatewayError } from "../kernel/errors"
import { hashApiKey, newApiKey, type ApiKeyType } from "../kernel/text/ids"
import type { Database } from "../kernel/database/database"
import { Conditions } from "../kernel/database/conditions"
import { pageOf, type Page, type Window } from "../kernel/database/paging"
import type { Caller, Cradle, Tenant } from "../kernel/types"
import { callerQuery } from "./records"

export type ApiKey = {
  id: string
  merchant_id: string
  environment: Environment
  type: ApiKeyType
  name: string
  prefix: string
  last_four: string
  scopes: string[]
  expires_at: Date | null
  revoked_at: Date | null
  last_used_at: Date | null
  created_at: Date
}

const COLUMNS =
  "id, merchant_id, environment, type, name, prefix, last_four, scopes, expires_at, revoked_at, last_used_at, created_at"

const INSERT = `
  INSERT INTO gateway_api_key
    (id, merchant_id, environment, type, name, prefix, last_four, key_hash, scopes, expires_at)
  SELECT $1, m.id, $3, $4, $5, $6, $7, $8, $9, $10 FROM gateway_merchant m
  WHERE m.id = $2 AND ($3 = 'sandbox' OR m.verification_status = 'approved')
  RETURNING ${COLUMNS}`

/** What a restricted key may be allowed to do (contract 5.3; decisions: Environments). */
const SCOPES = [
  "checkout:write",
  "payments:read",
  "refunds:read",
  "refunds:write",
  "subscriptions:read",
  "subscriptions:write",
  "webhooks:read",
  "webhooks:write",
]

/** last_used_at only helps people who clean up keys: one write per minute is precise enough. */
const LAST_USED_PRECISION_MS = 60_000

type CallerRow = Omit<Caller, "now"> & { is_use_recorded: boolean }

/** A prepared statement that begins with `callerQuery`; its own parameters follow the first three. */
type CallerStatement = { name: string; text: string }

const AUTHENTICATE: CallerStatement = { name: "gateway_authenticate", text: callerQuery() }

/** The API keys of merchants (contract 5; decisions: Environments). */
export class ApiKeyService {
  readonly scopes: readonly string[] = SCOPES
  private readonly database: Database
  private readonly logger: Logger

  constructor({ database, logger }: Cradle) {
    this.database = database
    this.logger = logger
  }

  /**
   * Creates a key; only this result contains `key`. With `scopes` it is a restricted one. Production keys need an
   * approved business verification.
   */
  async create(input: {
    merchant_id: string
    environment: Environment
    name: string
    scopes?: string[]
    expires_at?: Date | null
    by?: By
  }): Promise<ApiKey & { key: string }> {
    const type: ApiKeyType = input.scopes === undefined ? "secret" : "restricted"
    const unknown = input.scopes?.find((scope) => !SCOPES.includes(scope))
    if (unknown !== undefined) {
      const reason = messageOf("field", {
        name: unknown,
        rule: messageOf("rule.known_scope", { scopes: SCOPES.join(", ") }),
      })
      throw new GatewayError("VALIDATION_ERROR", reason, { field: "scopes" })
    }
    const key = newApiKey(input.environment, type)
    const { merchant_id, environment, name, scopes = [], expires_at = null } = input
    return this.database.transaction(async (sql) => {
      const [row] = await sql.query<ApiKey>(INSERT, [
        `gak_${randomBytes(13).toString("hex")}`,
        merchant_id,
        environment,
        type,
        name,
        key.slice(0, 8),
        key.slice(-4),
        hashApiKey(key),
        scopes,
        expires_at,
      ])
      if (row === undefined) {
        throw new GatewayError("SERVICE_NOT_ENABLED", messageOf("refusal.verification_needed"))
      }
      const after = { name, type, scopes, expires_at, last_four: row.last_four }
      await audit(sql, {
        merchant_id,
        environment,
        by: input.by ?? {},
        action: "api_key.created",
        resource_id: row.id,
        after,
      })
      return { ...row, key }
    })
  }

  async list(merchantId: string, environment: Environment): Promise<ApiKey[]> {
    return this.database.query<ApiKey>(
      `SELECT ${COLUMNS} FROM gateway_api_key WHERE merchant_id = $1 AND environment = $2 ORDER BY created_at DESC, id`,
      [merchantId, environment]
    )
  }

  /** The names of these keys as admins read them, by id; of revoked keys too. */
  async names(ids: readonly string[]): Promise<[id: string, name: string][]> {
    const keys = await this.database.query<Pick<ApiKey, "id" | "name" | "prefix" | "last_four">>(
      "SELECT id, name, prefix, last_four FROM gateway_api_key WHERE id = ANY($1)",
      [ids]
    )
    return keys.map(({ id, name, prefix, last_four }) => [id, `${name} (${prefix}…${last_four})`])
  }

  /** The admin's list; `q` is a part of the name. A merchant has only a few keys. */
  async page(
    tenant: Tenant,
    filter: { q?: string; order: { descending: boolean } },
    window: Window
  ): Promise<Page<ApiKey>> {
    const conditions = new Conditions("k.merchant_id = ? AND k.environment = ?", tenant.merchant_id, tenant.environment)
    conditions.when(filter.q, "strpos(lower(k.name), lower(?)) > 0")
    const direction = filter.order.descending ? "DESC" : "ASC"
    const { where, values } = conditions
    const order = `k.created_at ${direction}, k.id ${direction}`
    return pageOf(
      this.database,
      { table: "gateway_api_key k", where, values, order, key: "k.created_at, k.id", columns: COLUMNS },
      window
    )
  }

  /** Takes effect with the next request; idempotent. Throws NOT_FOUND, for other merchants' keys too. */
  async revoke(tenant: Tenant & By, id: string): Promise<ApiKey> {
    const { merchant_id, environment } = tenant
    return this.database.transaction(async (sql) => {
      const [before] = await sql.query<ApiKey>(
        `SELECT ${COLUMNS} FROM gateway_api_key WHERE id = $1 AND merchant_id = $2 AND environment = $3 FOR UPDATE`,
        [id, merchant_id, environment]
      )
      if (before === undefined) {
        throw new GatewayError("NOT_FOUND", messageOf("refusal.api_key_unknown"))
      }
      if (before.revoked_at !== null) {
        return before
      }
      const [after] = await sql.query<ApiKey>(
        `UPDATE gateway_api_key SET revoked_at = now(), updated_at = now() WHERE id = $1 RETURNING ${COLUMNS}`,
        [id]
      )
      await audit(sql, {
        merchant_id,
        environment,
        by: tenant,
        action: "api_key.revoked",
        resource_id: id,
        before: { name: before.name, revoked_at: null },
        after: { name: before.name, revoked_at: after.revoked_at },
      })
      return after
    })
  }

  /**
   * The owner of a well-formed key, found by its hash, with the statement's other columns; null when the key is unknown,
   * revoked or expired. One statement per request.
   */
  async authenticate<Beside extends object>(
    keyHash: string,
    real: Date,
    statement: CallerStatement = AUTHENTICATE,
    values: readonly unknown[] = []
  ): Promise<(Caller & Beside) | null> {
    const [row] = await this.database.query<CallerRow & Beside>(
      statement.text,
      [keyHash, real, new Date(real.getTime() - LAST_USED_PRECISION_MS), ...values],
      statement.name
    )
    if (row === undefined) {
      return null
    }
    if (!row.is_use_recorded) {
      this.touch(row.key_id)
    }
    // Not a copy: the row is ours, and spreading one of twenty columns costs more than reading it.
    return Object.assign(row, { now: clockNow(real, row.clock_offset_seconds) })
  }

  /** Not awaited: a failure does not affect the request. */
  private touch(id: string): void {
    this.database
      .query("UPDATE gateway_api_key SET last_used_at = now() WHERE id = $1", [id])
      .catch((error: Error) =>
        this.logger.warn(`gateway: the last use of an API key was not recorded: ${error.message}`)
      )
  }
}
