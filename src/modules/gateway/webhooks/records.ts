import { audit, type By } from "../kernel/audit"
import type { Sql } from "../kernel/database"
import { GatewayError } from "../kernel/errors"
import { isRowNumber } from "../kernel/ids"
import type { DoneTo } from "../kernel/logged-actions"
import type { Tenant } from "../kernel/types"
import type { Message } from "../../../i18n/message"
import type { SignatureFormat } from "./signature"

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

export const ENDPOINT_COLUMNS =
  "id, number, uuid, merchant_id, environment, endpoint_url, event_types, signature_format, is_active, disabled_reason, failing_since, created_at"

export const CHANGEABLE = ["endpoint_url", "event_types", "signature_format", "is_active"] as const

/** The fields of an endpoint that audit entries show. */
const AUDITED = [...CHANGEABLE, "disabled_reason"] as const

/** SQL: the endpoint that a path names by its integer id or its uuid, which is `$3`; `$1` and `$2` are the tenant. */
export const ownEndpoint = (id: string) =>
  `merchant_id = $1 AND environment = $2 AND ${isRowNumber(id) ? "number = $3::bigint" : "uuid = $3"} AND deleted_at IS NULL`

/** Locks the endpoint until the transaction of `sql` ends; throws WEBHOOK_NOT_FOUND, for other merchants' too. */
export async function lockEndpoint(sql: Sql, tenant: Tenant, id: string): Promise<WebhookEndpoint> {
  const [row] = await sql.query<WebhookEndpoint>(
    `SELECT ${ENDPOINT_COLUMNS} FROM gateway_webhook_endpoint WHERE ${ownEndpoint(id)} FOR UPDATE`,
    [tenant.merchant_id, tenant.environment, id]
  )
  return row ?? endpointNotFound()
}

export function endpointNotFound(): never {
  throw new GatewayError("WEBHOOK_NOT_FOUND")
}

export async function auditEndpoint(
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
