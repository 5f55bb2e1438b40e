/** Every charge in the acquirer's book that moved money, with its subscription and period. */
const CHARGED = `
  SELECT t.id AS transaction_id, o.key, o.amount_minor, s.subscription_id, s.subscription_period AS period
  FROM gateway_sandbox_operation o
  LEFT JOIN gateway_payment_attempt a ON a.id = o.key LEFT JOIN gateway_transaction t ON t.id = a.transaction_id LEFT JOIN gateway_checkout_session s ON s.id = t.session_id
  WHERE o.kind = 'charge' AND o.outcome = 'SUCCESS'`
const RENEWED = `SELECT * FROM (${CHARGED}) charge WHERE subscription_id IS NOT NULL`

/**
 * Records that are still to be charged. That of a subscription that ended before its first payment stays PENDING: the
 * shopper could have paid it until then, and nobody will.
 */
export const OPEN_RECORDS = `
  SELECT r.id, r.status FROM gateway_billing_record r JOIN gateway_subscription s ON s.id = r.subscription_id
  WHERE r.status = 'PROCESSING' OR (r.status = 'PENDING' AND s.status NOT IN ('CANCELLED', 'EXPIRED'))`

/** Of every subscription, whose ever it is: what must not exist once everything is settled. */
export const PERIODS = {
  "subscriptions and periods that were charged more than once": `
    SELECT subscription_id, period FROM (${RENEWED}) charged GROUP BY 1, 2 HAVING count(*) > 1`,
  "paid periods that were not charged, or charges of periods that are not paid": `
    SELECT COALESCE(r.subscription_id, charged.subscription_id) AS subscription_id, COALESCE(r.period, charged.period) AS period
    FROM (SELECT * FROM gateway_billing_record WHERE status = 'SUCCESS') r
    FULL JOIN (${RENEWED}) charged ON charged.transaction_id = r.transaction_id
    WHERE r.id IS NULL OR charged.key IS NULL OR charged.amount_minor <> r.amount_minor`,
  "records that are not settled": OPEN_RECORDS,
  "periods that overlap, or leave a gap": `
    SELECT r.subscription_id, r.period FROM gateway_billing_record r
    JOIN gateway_billing_record next ON next.subscription_id = r.subscription_id AND next.period = r.period + 1
    WHERE r.status = 'SUCCESS' AND next.status = 'SUCCESS' AND r.period_end <> next.period_start`,
  "paid periods without their one paid invoice": `
    SELECT r.id FROM gateway_billing_record r
    LEFT JOIN gateway_invoice i ON i.subscription_id = r.subscription_id AND i.period = r.period AND i.status = 'PAID'
      AND i.amount_minor = r.amount_minor
    WHERE r.status = 'SUCCESS' GROUP BY r.id HAVING count(i.id) <> 1`,
  "payments without exactly one event": `
    SELECT r.id FROM gateway_billing_record r
    LEFT JOIN gateway_event e ON e.resource_id = r.subscription_id AND e.event_type = 'subscription.payment_succeeded'
      AND e.data ->> 'transaction_id' = r.transaction_id
    WHERE r.status = 'SUCCESS' GROUP BY r.id HAVING count(e.id) <> 1`,
}

/** What must not exist once everything is settled, where all payments are renewals of one merchant: by name, its query. */
export const BOOKS = {
  ...PERIODS,
  "charges in the acquirer's book that are not in ours": `
    SELECT key FROM (${CHARGED}) charged WHERE subscription_id IS NULL
      OR NOT EXISTS (SELECT 1 FROM gateway_transaction t WHERE t.id = charged.transaction_id AND t.state IN ('SUCCESS', 'REFUNDED'))`,
  "payments of ours that the acquirer does not know": `
    SELECT t.id FROM gateway_transaction t WHERE t.state = 'SUCCESS'
      AND NOT EXISTS (SELECT 1 FROM gateway_sandbox_operation o WHERE o.key = t.attempt_id AND o.outcome = 'SUCCESS' AND o.amount_minor = t.amount_minor)`,
  "subscriptions that do not stand where their records say": `
    SELECT s.id, s.status, s.paid_period, s.billing_cycle_count, max(r.period) AS last, count(r.id)::int AS paid
    FROM gateway_subscription s LEFT JOIN gateway_billing_record r ON r.subscription_id = s.id AND r.status = 'SUCCESS'
    GROUP BY s.id HAVING s.paid_period <> COALESCE(max(r.period), 1) OR count(r.id) <> s.paid_period - 1
      OR s.billing_cycle_count <> s.paid_period OR s.awaiting_transaction_id IS NOT NULL OR s.lock_token IS NOT NULL`,
  "missing numbers of invoices": `
    SELECT count(*), max(number), min(number) FROM gateway_invoice HAVING count(*) <> max(number) OR min(number) <> 1`,
}
