import { randomBytes, randomUUID } from "node:crypto"
import { json } from "../kernel/database"
import { messageOf, type Message } from "../../../i18n/message"
import { audit, type By } from "../kernel/audit"
import type { DoneTo } from "../kernel/logged-actions"
import { addSeconds } from "../kernel/clock"
import { GatewayError } from "../kernel/errors"
import { ALL_EVENTS } from "../kernel/events"
import { isRowNumber } from "../kernel/ids"
import { SEALED } from "../kernel/sealed-columns"
import type { SecretBox } from "../kernel/secret-box"
import { newWebhookSecret, type SignatureFormat } from "./signature"
import type { Database, Sql } from "../kernel/database"
import type { Cradle, Scope, Tenant } from "../kernel/types"
import { ensureIpnSecret, replaceIpnSecret, type IpnSecret } from "./ipn-secret"

export type WebhookEndpoint = Tenant & {
  id: string
  number: number
  uuid: string
  endpoint_url: string
  event_types: string[]
  signature_format: SignatureFormat
  is_active: boolean
  disabled_reason: Message | null
  /** Since when every delivery has failed, by the merchant's clock; null after a success. */
  failing_since: Date | null
  /** By the merchant's clock. */
  created_at: Date
}

/** `secret` as the column holds it. */
type StoredSecret = { id: string; secret: string }
type StoredSigning = StoredSecret & { endpoint_url: string; signature_format: SignatureFormat }

/** How a sample is signed. */
export type Signing = { secret: string; format: SignatureFormat }

const COLUMNS =
  "id, number, uuid, merchant_id, environment, endpoint_url, event_types, signature_format, is_active, disabled_reason, failing_since, created_at"
const CHANGEABLE = ["endpoint_url", "event_types", "signature_format", "is_active"] as const
const ROTATION_SECONDS = 86_400

/** The fields of an endpoint that audit entries show. */
const AUDITED = [...CHANGEABLE, "disabled_reason"] as const

/** The webhook endpoints of merchants (contract 4.7; decisions: Webhooks). */
export class WebhookEndpointService {
  private readonly database: Database
  private readonly secretBox: SecretBox

  constructor({ database, secretBox }: Cradle) {
    this.database = database
    this.secretBox = secretBox
  }

  /** Only this result contains `secret`. The caller has checked the URL. */
  async create(
    tenant: Tenant & By,
    input: { endpoint_url: string; event_types: string[]; signature_format?: SignatureFormat }
  ): Promise<WebhookEndpoint & { secret: string }> {
    const secret = newWebhookSecret()
    const id = `gwe_${randomBytes(13).toString("hex")}`
    return this.database.transaction(async (sql) => {
      const [row] = await sql.query<WebhookEndpoint>(
        `INSERT INTO gateway_webhook_endpoint
           (id, uuid, merchant_id, environment, endpoint_url, event_types, signature_format, secret, created_at)
         SELECT $1, $2, merchant_id, environment, $5, $6, $7, $8, now() + clock_offset_seconds * interval '1 second'
         FROM gateway_merchant_environment WHERE merchant_id = $3 AND environment = $4 RETURNING ${COLUMNS}`,
        [
          id,
          randomUUID(),
          tenant.merchant_id,
          tenant.environment,
          input.endpoint_url,
          input.event_types,
          input.signature_format ?? "hex",
          this.secretBox.seal(secret, SEALED.endpointSecret, id),
        ]
      )
      await auditEndpoint(sql, tenant, "created", null, row)
      return { ...row, secret }
    })
  }

  async list(
    tenant: Tenant,
    page: { per_page: number; offset: number }
  ): Promise<{ rows: WebhookEndpoint[]; total: number }> {
    const [{ total }] = await this.database.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM gateway_webhook_endpoint
       WHERE merchant_id = $1 AND environment = $2 AND deleted_at IS NULL`,
      [tenant.merchant_id, tenant.environment]
    )
    const rows = await this.database.query<WebhookEndpoint>(
      `SELECT ${COLUMNS} FROM gateway_webhook_endpoint
       WHERE merchant_id = $1 AND environment = $2 AND deleted_at IS NULL ORDER BY number DESC LIMIT $3 OFFSET $4`,
      [tenant.merchant_id, tenant.environment, page.per_page, page.offset]
    )
    return { rows, total }
  }

  /** By the integer id or the uuid; throws WEBHOOK_NOT_FOUND, for other merchants' endpoints too. */
  async retrieve(tenant: Tenant, id: string): Promise<WebhookEndpoint> {
    const [row] = await this.database.query<WebhookEndpoint>(
      `SELECT ${COLUMNS} FROM gateway_webhook_endpoint WHERE ${own(id)}`,
      [tenant.merchant_id, tenant.environment, id]
    )
    return row ?? notFound()
  }

  /** Enabling an endpoint resets its failures; disabling it gives up its pending deliveries. */
  async update(
    tenant: Tenant & By,
    id: string,
    change: Partial<Pick<WebhookEndpoint, (typeof CHANGEABLE)[number]>>
  ): Promise<WebhookEndpoint> {
    const columns = CHANGEABLE.filter((column) => change[column] !== undefined)
    const assignments = columns.map((column, index) => `${column} = $${index + 4}`)
    if (change.is_active === true) {
      assignments.push("disabled_reason = NULL", "failing_since = NULL")
    }
    return this.database.transaction(async (sql) => {
      const before = await this.lock(sql, tenant, id)
      const [row] = await sql.query<WebhookEndpoint>(
        `UPDATE gateway_webhook_endpoint SET ${[...assignments, "updated_at = now()"].join(", ")}
         WHERE ${own(id)} RETURNING ${COLUMNS}`,
        [tenant.merchant_id, tenant.environment, id, ...columns.map((column) => change[column])]
      )
      if (change.is_active === false) {
        await sql.query(GIVE_UP, [row.id, json(messageOf("delivery.endpoint_off"))])
      }
      await auditEndpoint(sql, tenant, "updated", before, row)
      return row
    })
  }

  /** Gives up its pending deliveries and erases its secrets at once; its log stays readable. */
  async remove(tenant: Tenant & By, id: string): Promise<WebhookEndpoint> {
    return this.database.transaction(async (sql) => {
      const before = await this.lock(sql, tenant, id)
      const [row] = await sql.query<WebhookEndpoint>(
        `UPDATE gateway_webhook_endpoint SET deleted_at = now(), is_active = false, secret = NULL, previous_secret = NULL,
           previous_secret_until = NULL, updated_at = now()
         WHERE ${own(id)} RETURNING ${COLUMNS}`,
        [tenant.merchant_id, tenant.environment, id]
      )
      await sql.query(GIVE_UP, [row.id, json(messageOf("delivery.endpoint_deleted"))])
      await auditEndpoint(sql, tenant, "deleted", before, null)
      return row
    })
  }

  /** The old secret remains valid as a second signature for 24 hours on the merchant's clock. */
  async rotateSecret(scope: Scope & By, id: string): Promise<WebhookEndpoint & { secret: string }> {
    const secret = newWebhookSecret()
    return this.database.transaction(async (sql) => {
      const [stored] = await sql.query<StoredSecret>(
        `SELECT id, secret FROM gateway_webhook_endpoint WHERE ${own(id)} AND secret IS NOT NULL FOR UPDATE`,
        [scope.merchant_id, scope.environment, id]
      )
      if (stored === undefined) {
        return notFound()
      }
      const previous = this.secretBox.move(
        stored.secret,
        SEALED.endpointSecret,
        SEALED.endpointPreviousSecret,
        stored.id
      )
      const until = previous === null ? null : addSeconds(scope.now, ROTATION_SECONDS)
      const [row] = await sql.query<WebhookEndpoint>(
        `UPDATE gateway_webhook_endpoint SET previous_secret = $2, previous_secret_until = $3, secret = $4, updated_at = now()
         WHERE id = $1 RETURNING ${COLUMNS}`,
        [stored.id, previous, until, this.secretBox.seal(secret, SEALED.endpointSecret, stored.id)]
      )
      await auditEndpoint(sql, scope, "secret_rotated", null, null, row.id)
      return { ...row, secret }
    })
  }

  /** What signs an endpoint's deliveries, for a test delivery; throws WEBHOOK_NOT_FOUND. */
  async signing(tenant: Tenant, id: string): Promise<Signing & { endpoint_url: string }> {
    const [row] = await this.database.query<StoredSigning>(
      `SELECT id, endpoint_url, secret, signature_format FROM gateway_webhook_endpoint WHERE ${own(id)} AND secret IS NOT NULL`,
      [tenant.merchant_id, tenant.environment, id]
    )
    return row === undefined ? notFound() : this.opened(row)
  }

  /**
   * What signs deliveries to a URL: the secret of the endpoint that is registered there, else the IPN secret. Of several
   * endpoints, one that is switched on and receives the event; of these the latest.
   */
  async signingOfUrl(tenant: Tenant, url: string, event_type: string): Promise<Signing> {
    const [row] = await this.database.query<StoredSigning>(
      `SELECT id, endpoint_url, secret, signature_format FROM gateway_webhook_endpoint
       WHERE merchant_id = $1 AND environment = $2 AND endpoint_url = $3 AND deleted_at IS NULL AND secret IS NOT NULL
       ORDER BY is_active DESC, event_types && ARRAY[$4::text, '${ALL_EVENTS}'] DESC, number DESC LIMIT 1`,
      [tenant.merchant_id, tenant.environment, url, event_type]
    )
    return row === undefined ? { secret: (await this.ipnSecret(tenant)).secret, format: "hex" } : this.opened(row)
  }

  /** The merchant's own IPN secret, made when it is first asked for or first needed. */
  async ipnSecret(tenant: Tenant): Promise<IpnSecret> {
    return ensureIpnSecret(this.database, this.secretBox, tenant)
  }

  /** The old secret remains valid as a second signature for 24 hours on the merchant's clock. */
  async rotateIpnSecret(scope: Scope & By): Promise<IpnSecret> {
    const { merchant_id, environment } = scope
    return this.database.transaction(async (sql) => {
      const rotated = await replaceIpnSecret(sql, this.secretBox, scope, ROTATION_SECONDS)
      await audit(sql, { merchant_id, environment, by: scope, action: "ipn_secret.rotated", resource_id: merchant_id })
      return rotated
    })
  }

  /** Erases secrets whose overlap is over; returns how many. */
  async forgetPrevious(): Promise<number> {
    let forgotten = 0
    for (const statement of FORGET) {
      forgotten += (await this.database.query(statement)).length
    }
    return forgotten
  }

  private opened({ id, endpoint_url, secret, signature_format: format }: StoredSigning) {
    return { endpoint_url, secret: this.secretBox.open(secret, SEALED.endpointSecret, id), format }
  }

  private async lock(sql: Sql, tenant: Tenant, id: string): Promise<WebhookEndpoint> {
    const [row] = await sql.query<WebhookEndpoint>(
      `SELECT ${COLUMNS} FROM gateway_webhook_endpoint WHERE ${own(id)} FOR UPDATE`,
      [tenant.merchant_id, tenant.environment, id]
    )
    return row ?? notFound()
  }
}

async function auditEndpoint(
  sql: Sql,
  by: Tenant & By,
  done: DoneTo<"webhook_endpoint">,
  before: WebhookEndpoint | null,
  after: WebhookEndpoint | null,
  id = (after ?? before)?.id ?? ""
): Promise<void> {
  const { merchant_id, environment } = by
  const action = `webhook_endpoint.${done}` as const
  await audit(sql, {
    merchant_id,
    environment,
    by,
    action,
    resource_id: id,
    before: audited(before),
    after: audited(after),
  })
}

function audited(row: WebhookEndpoint | null): Record<string, unknown> | null {
  return row && Object.fromEntries(AUDITED.map((name) => [name, row[name]]))
}

/** Skips rows that are locked by a change: the next run erases them. */
const FORGET = [
  `UPDATE gateway_webhook_endpoint SET previous_secret = NULL, previous_secret_until = NULL
   WHERE id IN (
     SELECT w.id FROM gateway_webhook_endpoint w
     JOIN gateway_merchant_environment e ON e.merchant_id = w.merchant_id AND e.environment = w.environment
     WHERE w.previous_secret IS NOT NULL
       AND w.previous_secret_until <= now() + e.clock_offset_seconds * interval '1 second' FOR UPDATE OF w SKIP LOCKED)
   RETURNING id`,
  `UPDATE gateway_merchant_environment SET previous_ipn_secret = NULL, previous_ipn_secret_until = NULL
   WHERE id IN (
     SELECT id FROM gateway_merchant_environment
     WHERE previous_ipn_secret IS NOT NULL
       AND previous_ipn_secret_until <= now() + clock_offset_seconds * interval '1 second' FOR UPDATE SKIP LOCKED)
   RETURNING id`,
]

/**
 * The caller holds the endpoint. A delivery that is being recorded is locked by a process that wants the endpoint next, so
 * waiting for it would be a deadlock: it is skipped, and the dispatcher gives it up when it sees the endpoint.
 */
const GIVE_UP = `
  UPDATE gateway_webhook_delivery SET state = 'failed', last_error = $2, updated_at = now()
  WHERE (id, created_at) IN (
    SELECT id, created_at FROM gateway_webhook_delivery WHERE endpoint_id = $1 AND state = 'pending' FOR UPDATE SKIP LOCKED)`

/** SQL: the endpoint that a path names by its integer id or its uuid, which is `$3`. */
const own = (id: string) =>
  `merchant_id = $1 AND environment = $2 AND ${isRowNumber(id) ? "number = $3::bigint" : "uuid = $3"} AND deleted_at IS NULL`

function notFound(): never {
  throw new GatewayError("WEBHOOK_NOT_FOUND")
}
