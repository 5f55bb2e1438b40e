import { randomBytes, randomUUID } from "node:crypto"
import { json } from "../kernel/database/database"
import { messageOf } from "../../../i18n/message"
import { doneBefore, type By } from "../kernel/database/audit"
import { GatewayError } from "../kernel/errors"
import { ALL_EVENTS, type Subscribed } from "../kernel/database/events"
import { LIMITS } from "../kernel/limits"
import { SEALED } from "../kernel/database/sealed-columns"
import type { SecretBox } from "../kernel/database/secret-box"
import { newWebhookSecret, type SignatureFormat } from "./signature"
import type { Database, Sql } from "../kernel/database/database"
import type { Cradle, Scope, Tenant } from "../kernel/types"
import { ensureIpnSecret, replaceIpnSecret, type IpnSecret } from "./ipn-secret"
import {
  auditEndpoint,
  CHANGEABLE,
  ENDPOINT_COLUMNS,
  endpointNotFound,
  lockEndpoint,
  ownEndpoint,
  type WebhookEndpoint,
} from "./records"
import { ENDPOINT_SECRETS, eraseEnded, rotate, type SecretRow } from "./rotated-secrets"

export type { WebhookEndpoint } from "./records"

/** `secret` as the column holds it. */
type StoredSigning = { id: string; secret: string; endpoint_url: string; signature_format: SignatureFormat }

type EndpointWithSecret = WebhookEndpoint & { secret: string }

/** How a sample is signed. */
export type Signing = { secret: string; format: SignatureFormat }

/** The webhook endpoints of merchants (contract 4.7; decisions: Webhooks). */
export class WebhookEndpointService {
  private readonly database: Database
  private readonly secretBox: SecretBox

  constructor({ database, secretBox }: Cradle) {
    this.database = database
    this.secretBox = secretBox
  }

  /**
   * Only this result contains `secret`. The caller has checked the URL. A repeated request finds the endpoint that it has
   * made, with the secret that this has by now. Errors: INVALID_REQUEST (there are as many as there may be),
   * WEBHOOK_NOT_FOUND (it is deleted meanwhile).
   */
  async create(
    tenant: Tenant & By,
    input: { endpoint_url: string; event_types: Subscribed[]; signature_format?: SignatureFormat }
  ): Promise<EndpointWithSecret> {
    const secret = newWebhookSecret()
    const id = `gwe_${randomBytes(13).toString("hex")}`
    return this.database.transaction(async (sql) => {
      await sql.query(LOCK_ENVIRONMENT, [tenant.merchant_id, tenant.environment])
      const made = await doneBefore(sql, tenant)
      if (made !== null) {
        return this.withSecret(sql, made)
      }
      await requireRoom(sql, tenant)
      const [row] = await sql.query<WebhookEndpoint>(
        `INSERT INTO gateway_webhook_endpoint
           (id, uuid, merchant_id, environment, endpoint_url, event_types, signature_format, secret, created_at)
         SELECT $1, $2, merchant_id, environment, $5, $6, $7, $8, now() + clock_offset_seconds * interval '1 second'
         FROM gateway_merchant_environment WHERE merchant_id = $3 AND environment = $4 RETURNING ${ENDPOINT_COLUMNS}`,
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
    const total = await countEndpoints(this.database, tenant)
    const rows = await this.database.query<WebhookEndpoint>(
      `SELECT ${ENDPOINT_COLUMNS} FROM gateway_webhook_endpoint
       WHERE merchant_id = $1 AND environment = $2 AND deleted_at IS NULL ORDER BY number DESC LIMIT $3 OFFSET $4`,
      [tenant.merchant_id, tenant.environment, page.per_page, page.offset]
    )
    return { rows, total }
  }

  /** By the integer id or the uuid; throws WEBHOOK_NOT_FOUND, for other merchants' endpoints too. */
  async retrieve(tenant: Tenant, id: string): Promise<WebhookEndpoint> {
    const [row] = await this.database.query<WebhookEndpoint>(
      `SELECT ${ENDPOINT_COLUMNS} FROM gateway_webhook_endpoint WHERE ${ownEndpoint(id)}`,
      [tenant.merchant_id, tenant.environment, id]
    )
    return row ?? endpointNotFound()
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
      const before = await lockEndpoint(sql, tenant, id)
      const [row] = await sql.query<WebhookEndpoint>(
        `UPDATE gateway_webhook_endpoint SET ${[...assignments, "updated_at = now()"].join(", ")}
         WHERE ${ownEndpoint(id)} RETURNING ${ENDPOINT_COLUMNS}`,
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
      const before = await lockEndpoint(sql, tenant, id)
      const [row] = await sql.query<WebhookEndpoint>(
        `UPDATE gateway_webhook_endpoint SET deleted_at = now(), is_active = false, secret = NULL,
           previous_secrets = NULL, updated_at = now()
         WHERE ${ownEndpoint(id)} RETURNING ${ENDPOINT_COLUMNS}`,
        [tenant.merchant_id, tenant.environment, id]
      )
      await sql.query(GIVE_UP, [row.id, json(messageOf("delivery.endpoint_deleted"))])
      await auditEndpoint(sql, tenant, "deleted", before, null)
      return row
    })
  }

  /**
   * The old secret also signs for 24 hours on the merchant's clock, and so does every earlier one. A repeated request
   * finds the secret that the endpoint has by now. Errors: WEBHOOK_NOT_FOUND, INVALID_STATE_TRANSITION (too many sign
   * along).
   */
  async rotateSecret(scope: Scope & By, id: string): Promise<EndpointWithSecret> {
    return this.database.transaction(async (sql) => {
      const [found] = await sql.query<SecretRow>(
        `SELECT id, secret, previous_secrets FROM gateway_webhook_endpoint WHERE ${ownEndpoint(id)} FOR UPDATE`,
        [scope.merchant_id, scope.environment, id]
      )
      if (found === undefined) {
        return endpointNotFound()
      }
      if ((await doneBefore(sql, scope)) !== null) {
        return this.withSecret(sql, found.id)
      }
      const { secret, stored } = rotate(this.secretBox, ENDPOINT_SECRETS, found, scope.now)
      const [row] = await sql.query<WebhookEndpoint>(
        `UPDATE gateway_webhook_endpoint SET secret = $2, previous_secrets = $3, updated_at = now()
         WHERE id = $1 RETURNING ${ENDPOINT_COLUMNS}`,
        [found.id, stored.secret, stored.previous_secrets]
      )
      await auditEndpoint(sql, scope, "secret_rotated", null, null, row.id)
      return { ...row, secret }
    })
  }

  /** What signs an endpoint's deliveries, for a test delivery; throws WEBHOOK_NOT_FOUND. */
  async signing(tenant: Tenant, id: string): Promise<Signing & { endpoint_url: string }> {
    const [row] = await this.database.query<StoredSigning>(
      `SELECT id, endpoint_url, secret, signature_format FROM gateway_webhook_endpoint WHERE ${ownEndpoint(id)} AND secret IS NOT NULL`,
      [tenant.merchant_id, tenant.environment, id]
    )
    return row === undefined ? endpointNotFound() : this.opened(row)
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

  /** As rotateSecret. Errors: INVALID_STATE_TRANSITION. */
  async rotateIpnSecret(scope: Scope & By): Promise<IpnSecret> {
    return this.database.transaction((sql) => replaceIpnSecret(sql, this.secretBox, scope))
  }

  /** Erases secrets whose overlap is over; returns in how many places. */
  async forgetPrevious(): Promise<number> {
    return eraseEnded(this.database, this.secretBox)
  }

  /** By the row's id. */
  private async withSecret(sql: Sql, id: string): Promise<EndpointWithSecret> {
    const [row] = await sql.query<EndpointWithSecret>(
      `SELECT ${ENDPOINT_COLUMNS}, secret FROM gateway_webhook_endpoint WHERE id = $1 AND secret IS NOT NULL`,
      [id]
    )
    return row === undefined
      ? endpointNotFound()
      : { ...row, secret: this.secretBox.open(row.secret, SEALED.endpointSecret, id) }
  }

  private opened({ id, endpoint_url, secret, signature_format: format }: StoredSigning) {
    return { endpoint_url, secret: this.secretBox.open(secret, SEALED.endpointSecret, id), format }
  }
}

async function countEndpoints(sql: Sql, { merchant_id, environment }: Tenant): Promise<number> {
  const [{ total }] = await sql.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM gateway_webhook_endpoint
     WHERE merchant_id = $1 AND environment = $2 AND deleted_at IS NULL`,
    [merchant_id, environment]
  )
  return total
}

/** `sql` holds LOCK_ENVIRONMENT. Errors: INVALID_REQUEST. */
async function requireRoom(sql: Sql, tenant: Tenant): Promise<void> {
  const { webhookEndpointsMax: max } = LIMITS
  if ((await countEndpoints(sql, tenant)) >= max) {
    throw new GatewayError("INVALID_REQUEST", messageOf("refusal.too_many_endpoints", { max }))
  }
}

/** Endpoints of a merchant and environment are made one after another, so that together they keep to their limit. */
const LOCK_ENVIRONMENT =
  "SELECT 1 FROM gateway_merchant_environment WHERE merchant_id = $1 AND environment = $2 FOR NO KEY UPDATE"

/**
 * The caller holds the endpoint. A delivery that is being recorded is locked by a process that wants the endpoint next, so
 * waiting for it would be a deadlock: it is skipped, and the dispatcher gives it up when it sees the endpoint.
 */
const GIVE_UP = `
  UPDATE gateway_webhook_delivery SET state = 'failed', last_error = $2, updated_at = now()
  WHERE (id, created_at) IN (
    SELECT id, created_at FROM gateway_webhook_delivery WHERE endpoint_id = $1 AND state = 'pending' FOR UPDATE SKIP LOCKED)`
