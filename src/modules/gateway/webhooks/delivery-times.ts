/** All times on the merchant's clock, as in the event itself; the rows of deliveries, `d`, store real time. */
export const DELIVERY_TIMES = `
  d.next_attempt_at + c.clock_offset_seconds * interval '1 second' AS next_attempt_at, COALESCE(v.occurred_at, d.created_at) AS created_at,
  CASE WHEN d.delivered_at IS NOT NULL THEN
    (SELECT max(a.attempted_at) FROM gateway_webhook_attempt a WHERE a.delivery_id = d.id) END AS delivered_at`

/** The address that the last attempt called; before the first one, where it will go. `e` is its endpoint, if any. */
export const DELIVERY_URL = `
  COALESCE((SELECT a.url FROM gateway_webhook_attempt a WHERE a.delivery_id = d.id ORDER BY a.attempt DESC LIMIT 1),
    e.endpoint_url, d.ipn_url) AS url`

/** What `DELIVERY_TIMES` needs, joined to the deliveries. */
export const DELIVERY_TIMES_FROM = `
  LEFT JOIN gateway_event v ON v.event_id = d.event_id
  JOIN gateway_merchant_environment c ON c.merchant_id = d.merchant_id AND c.environment = d.environment`
