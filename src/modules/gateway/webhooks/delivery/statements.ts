import { LIMITS } from "../../kernel/limits"
import type { SignatureFormat } from "../signature"
import type { StoredSecrets } from "../signing"

/** Longer than a delivery and its record can take: what is still locked afterwards belongs to a process that died. */
const LEASE_SECONDS = 2 * LIMITS.webhookResponseSeconds

/**
 * Claims fairly. It finds the receivers with due deliveries by skipping through the index, takes at most as many from
 * each as this process may still have in flight to it, and alternates between them. So a receiver that hangs delays
 * only its own deliveries, and one with a long backlog does not delay the others. The bounds of `created_at` keep the
 * update out of the partitions that have none of them.
 */
export const CLAIM = `
  WITH RECURSIVE receivers AS (
    (SELECT receiver_key FROM gateway_webhook_delivery WHERE state = 'pending' ORDER BY receiver_key LIMIT 1)
    UNION ALL
    SELECT (SELECT d.receiver_key FROM gateway_webhook_delivery d WHERE d.state = 'pending' AND d.receiver_key > receivers.receiver_key
            ORDER BY d.receiver_key LIMIT 1)
    FROM receivers WHERE receivers.receiver_key IS NOT NULL),
  due AS (
    SELECT id, created_at FROM (
      SELECT picked.id, picked.created_at, picked.next_attempt_at,
             row_number() OVER (PARTITION BY receivers.receiver_key ORDER BY picked.next_attempt_at, picked.number)
               + COALESCE(($3::jsonb -> receivers.receiver_key ->> 1)::int, 0) AS turn
      FROM receivers CROSS JOIN LATERAL (
        SELECT d.id, d.created_at, d.number, d.next_attempt_at FROM gateway_webhook_delivery d
        WHERE d.receiver_key = receivers.receiver_key AND d.state = 'pending' AND d.next_attempt_at <= now()
          AND (d.locked_until IS NULL OR d.locked_until <= now())
          AND ($4::text IS NULL OR d.merchant_id = $4 AND d.environment = 'sandbox')
        ORDER BY d.next_attempt_at, d.number
        LIMIT COALESCE(($3::jsonb -> receivers.receiver_key ->> 0)::int, $2) FOR UPDATE SKIP LOCKED) picked
      WHERE receivers.receiver_key IS NOT NULL) turns
    ORDER BY turn, next_attempt_at LIMIT $1),
  claimed AS (
    UPDATE gateway_webhook_delivery d SET locked_until = now() + ${LEASE_SECONDS} * interval '1 second', lock_token = $5
    FROM due WHERE d.id = due.id AND d.created_at = due.created_at
      AND d.created_at BETWEEN (SELECT min(created_at) FROM due) AND (SELECT max(created_at) FROM due) RETURNING d.*)
  SELECT c.id, to_char(c.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS created_at, c.receiver_key, c.lock_token, c.merchant_id, c.environment, c.attempts, c.failures, c.event_id, c.event_type,
         v.occurred_at, v.data, v.traceparent, m.number AS merchant_number, x.clock_offset_seconds, c.endpoint_id,
         e.is_active AS endpoint_active, COALESCE(e.endpoint_url, c.ipn_url) AS url, c.ipn_body, e.signature_format,
         x.id AS environment_id, CASE WHEN c.endpoint_id IS NULL THEN x.ipn_secret ELSE e.secret END AS secret,
         CASE WHEN c.endpoint_id IS NULL THEN x.previous_ipn_secrets ELSE e.previous_secrets END AS previous_secrets
  FROM claimed c
  JOIN gateway_event v ON v.event_id = c.event_id AND v.created_at = c.created_at
  JOIN gateway_merchant m ON m.id = c.merchant_id
  JOIN gateway_merchant_environment x ON x.merchant_id = c.merchant_id AND x.environment = c.environment
  LEFT JOIN gateway_webhook_endpoint e ON e.id = c.endpoint_id
  ORDER BY c.next_attempt_at, c.number`

/** Switches an endpoint off. Deliveries that are being recorded are skipped, as in GIVE_UP (webhooks/endpoints.ts): they want this endpoint next. */
export const DISABLE = `
  WITH disabled AS (
    UPDATE gateway_webhook_endpoint SET is_active = false, disabled_reason = $2, disabled_notified_at = NULL,
      locked_until = NULL, updated_at = now()
    WHERE id = $1 AND is_active RETURNING id, merchant_id, environment),
  given_up AS (
    UPDATE gateway_webhook_delivery SET state = 'failed', last_error = $3, updated_at = now()
    WHERE (id, created_at) IN (
      SELECT d.id, d.created_at FROM gateway_webhook_delivery d JOIN disabled ON d.endpoint_id = disabled.id
      WHERE d.state = 'pending' FOR UPDATE OF d SKIP LOCKED))
  SELECT merchant_id, environment FROM disabled`

/** The deliveries of a merchant's sandbox that are due. */
export const COUNT_DUE = `
  SELECT count(*)::int AS due FROM gateway_webhook_delivery
  WHERE merchant_id = $1 AND environment = 'sandbox' AND state = 'pending' AND next_attempt_at <= now()`

/** When the next one is due by the merchant's clock, after `$2` if that is given; what a worker is sending is not. */
export const NEXT_DUE = `
  SELECT min(d.next_attempt_at + e.clock_offset_seconds * interval '1 second') AS at
  FROM gateway_webhook_delivery d
  JOIN gateway_merchant_environment e ON e.merchant_id = d.merchant_id AND e.environment = d.environment
  WHERE d.merchant_id = $1 AND d.environment = 'sandbox' AND d.state = 'pending'
    AND (d.locked_until IS NULL OR d.locked_until <= now())
    AND ($2::timestamptz IS NULL OR d.next_attempt_at + e.clock_offset_seconds * interval '1 second' > $2)`

/** A row of CLAIM. */
export type ClaimedDelivery = StoredSecrets & {
  id: string
  /** Finds its partition; as text, because a Date has no microseconds. */
  created_at: string
  receiver_key: string
  lock_token: string
  attempts: number
  failures: number
  event_id: string
  event_type: string
  occurred_at: Date
  data: Record<string, unknown>
  /** Of the change that the event reports. */
  traceparent: string | null
  merchant_number: number
  clock_offset_seconds: number
  /** Null for an IPN. */
  endpoint_active: boolean | null
  url: string
  ipn_body: Record<string, unknown> | null
  signature_format: SignatureFormat | null
}

/**
 * Records an attempt and its consequences; only the claim that holds the token writes anything. A delivery that was
 * given up meanwhile (its endpoint was deleted, or disabled by another attempt) is not tried again.
 */
export const RECORD = `
  WITH recorded AS (
    UPDATE gateway_webhook_delivery SET
      state = CASE WHEN $3 = 'pending' THEN state ELSE $3 END, attempts = attempts + 1, failures = $4,
      next_attempt_at = now() + $5::float8 * interval '1 second',
      last_status_code = $6, last_error = $7, delivered_at = CASE WHEN $3 = 'delivered' THEN now() END,
      locked_until = NULL, lock_token = NULL, updated_at = now()
    WHERE id = $1 AND created_at = $13 AND lock_token = $2 RETURNING id, created_at, attempts, endpoint_id),
  logged AS (
    INSERT INTO gateway_webhook_attempt
      (id, delivery_id, delivery_created_at, attempt, attempted_at, url, duration_ms, status_code, response, error)
    SELECT $8, id, created_at, attempts, $9, $12, $10, $6, $11, $7 FROM recorded)
  UPDATE gateway_webhook_endpoint e SET
    failing_since = CASE WHEN $3 = 'delivered' THEN NULL ELSE COALESCE(e.failing_since, $9) END, updated_at = now()
  FROM recorded WHERE e.id = recorded.endpoint_id AND ($3 <> 'delivered' OR e.failing_since IS NOT NULL)
  RETURNING e.id, e.failing_since`

export type Acknowledged = {
  id: string
  created_at: string
  lock_token: string
  attempt_id: string
  attempted_at: Date
  url: string
  duration_ms: number
  status_code: number
  response: string | null
}

/**
 * RECORD for many acknowledged deliveries. Endpoints are locked in one order, so that two processes cannot deadlock.
 * `$2` and `$3` are the first and the last of their `created_at`: no other partitions are planned for.
 */
export const RECORD_ACKNOWLEDGED = `
  WITH input AS (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS i (id text, created_at timestamptz, lock_token text, attempt_id text,
      attempted_at timestamptz, url text, duration_ms int, status_code int, response text)),
  recorded AS (
    UPDATE gateway_webhook_delivery d SET
      state = 'delivered', attempts = d.attempts + 1, failures = 0, next_attempt_at = now(),
      last_status_code = i.status_code, last_error = NULL, delivered_at = now(),
      locked_until = NULL, lock_token = NULL, updated_at = now()
    FROM input i WHERE d.id = i.id AND d.created_at = i.created_at AND d.lock_token = i.lock_token
      AND d.created_at BETWEEN $2 AND $3
    RETURNING d.id, d.created_at, d.attempts, d.endpoint_id, i.attempt_id, i.attempted_at, i.url, i.duration_ms, i.status_code,
      i.response),
  logged AS (
    INSERT INTO gateway_webhook_attempt
      (id, delivery_id, delivery_created_at, attempt, attempted_at, url, duration_ms, status_code, response)
    SELECT attempt_id, id, created_at, attempts, attempted_at, url, duration_ms, status_code, response FROM recorded),
  recovered AS (
    SELECT e.id FROM gateway_webhook_endpoint e
    WHERE e.id IN (SELECT endpoint_id FROM recorded) AND e.failing_since IS NOT NULL ORDER BY e.id FOR UPDATE)
  UPDATE gateway_webhook_endpoint e SET failing_since = NULL, updated_at = now()
  FROM recovered WHERE e.id = recovered.id`

/** The parameters of RECORD_ACKNOWLEDGED. */
export function acknowledgedValues(items: readonly Acknowledged[]): unknown[] {
  const times = items.map(({ created_at }) => created_at).sort()
  return [JSON.stringify(items), times[0], times.at(-1)]
}
