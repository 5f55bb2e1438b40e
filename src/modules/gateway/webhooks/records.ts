import { audit, type By } from "../kernel/database/audit"
import type { Subscribed } from "../kernel/database/events"
import type { Sql } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import { isRowNumber } from "../kernel/text/ids"
import type { DoneTo } from "../kernel/database/logged-actions"
import type { Tenant } from "../kernel/types"
import type { Message } from "../../../i18n/message"
import type { SignatureFormat } from "./signature"

export type WebhookEndpoint = Tenant & {
  id: string
  number: number
  uuid: string
  endpoint_url: string
  event_types: Subscribed[]
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

/** The attempts `a` of a delivery `d`, in the partition that goes with its own. */
export const ATTEMPTS_OF_DELIVERY = "a.delivery_id = d.id AND a.delivery_created_at = d.created_at"

/** All times on the merchant's clock, as in the event itself; the rows of deliveries, `d`, store real time. */
export const DELIVERY_TIMES = `
  d.next_attempt_at + c.clock_offset_seconds * interval '1 second' AS next_attempt_at, d.occurred_at AS created_at,
  CASE WHEN d.delivered_at IS NOT NULL THEN
    (SELECT max(a.attempted_at) FROM gateway_webhook_attempt a WHERE ${ATTEMPTS_OF_DELIVERY}) END AS delivered_at`

/** The address that the last attempt called; before the first one, where it will go. `e` is its endpoint, if any. */
export const DELIVERY_URL = `
  COALESCE((SELECT a.url FROM gateway_webhook_attempt a WHERE ${ATTEMPTS_OF_DELIVERY} ORDER BY a.attempt DESC LIMIT 1),
    e.endpoint_url, d.ipn_url) AS url`

/** Both are written by one statement (kernel/database/outbox.ts), and so at one moment: only one partition is looked into. */
export const EVENT_OF_DELIVERY = "v.event_id = d.event_id AND v.created_at = d.created_at"

/** What `DELIVERY_TIMES` needs, joined to the deliveries. */
export const DELIVERY_TIMES_FROM = `
  LEFT JOIN gateway_event v ON ${EVENT_OF_DELIVERY}
  JOIN gateway_merchant_environment c ON c.merchant_id = d.merchant_id AND c.environment = d.environment`
