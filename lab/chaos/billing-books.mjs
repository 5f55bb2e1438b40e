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
    FROM (SELECT * FROM gateway_billing_record WHERE status = 'SUCCESS' AND transaction_id IS NOT NULL) r
    FULL JOIN (${RENEWED}) charged ON charged.transaction_id = r.transaction_id
    WHERE r.id IS NULL OR charged.key IS NULL OR charged.amount_minor <> r.amount_minor`,
  "records that are not settled": OPEN_RECORDS,
  "periods that overlap, or leave a gap": `
    SELECT r.subscription_id, r.period FROM gateway_billing_record r
    JOIN gateway_billing_record next ON next.subscription_id = r.subscription_id AND next.period = r.period + 1
    WHERE r.status = 'SUCCESS' AND next.status = 'SUCCESS' AND (r.period_end > next.period_start OR r.period_end < next.period_start
      -- An overdue period that is switched to another interval begins anew: the weeks before it are not charged.
      AND NOT EXISTS (SELECT 1 FROM gateway_event e WHERE e.resource_id = r.subscription_id
        AND e.event_type = 'subscription.changed' AND e.occurred_at BETWEEN r.period_end AND next.period_start))`,
  "paid periods without their one paid invoice": `
    SELECT r.id FROM gateway_billing_record r
    LEFT JOIN gateway_invoice i ON i.subscription_id = r.subscription_id AND i.period = r.period AND i.status = 'PAID'
      AND i.amount_minor = r.amount_minor
    WHERE r.status = 'SUCCESS' GROUP BY r.id HAVING count(i.id) <> 1`,
  "payments without exactly one event": `
    SELECT r.id FROM gateway_billing_record r
    LEFT JOIN gateway_event e ON e.resource_id = r.subscription_id AND e.event_type = 'subscription.payment_succeeded'
      AND e.data ->> 'transaction_id' = r.transaction_id
    WHERE r.status = 'SUCCESS' AND r.transaction_id IS NOT NULL GROUP BY r.id HAVING count(e.id) <> 1`,
}

/**
 * Writes down each change of a subscription's credits and each period that is paid, with its database transaction: their
 * sums alone would not show a credit that was given twice and used once too often.
 */
export const CREDIT_LOG = `
  CREATE TABLE chaos_credit (subscription_id text, period int, change_minor int, xid xid8 DEFAULT pg_current_xact_id());
  CREATE TABLE chaos_paid (subscription_id text, period int, credit_minor int, xid xid8 DEFAULT pg_current_xact_id());
  CREATE FUNCTION chaos_balance(credits jsonb) RETURNS int LANGUAGE sql AS
    $$ SELECT COALESCE(sum((credit->>'amount_minor')::int), 0)::int FROM jsonb_array_elements(credits) credit $$;
  CREATE FUNCTION chaos_log_credit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO chaos_credit (subscription_id, period, change_minor)
    VALUES (NEW.id, OLD.current_period, chaos_balance(NEW.credits) - chaos_balance(OLD.credits)); RETURN NULL; END $$;
  CREATE FUNCTION chaos_log_paid() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO chaos_paid (subscription_id, period, credit_minor) VALUES (NEW.subscription_id, NEW.period, NEW.credit_minor);
    RETURN NULL; END $$;
  CREATE TRIGGER chaos_credit AFTER UPDATE ON gateway_subscription FOR EACH ROW
    WHEN (OLD.credits IS DISTINCT FROM NEW.credits) EXECUTE FUNCTION chaos_log_credit();
  CREATE TRIGGER chaos_paid AFTER UPDATE ON gateway_billing_record FOR EACH ROW
    WHEN (OLD.status <> 'SUCCESS' AND NEW.status = 'SUCCESS' AND NEW.credit_minor <> 0) EXECUTE FUNCTION chaos_log_paid();
  CREATE TRIGGER chaos_paid_at_once AFTER INSERT ON gateway_billing_record FOR EACH ROW
    WHEN (NEW.status = 'SUCCESS' AND NEW.credit_minor <> 0) EXECUTE FUNCTION chaos_log_paid()`

/** What the log of credits must not show. A payment takes its credit away, or leaves what is too little to be charged. */
const CREDITS = {
  "paid periods that did not use their credit once": `
    SELECT p.subscription_id, p.period, p.credit_minor FROM chaos_paid p
    WHERE (SELECT count(*) FROM chaos_credit c
           WHERE c.subscription_id = p.subscription_id AND c.xid = p.xid AND c.change_minor = -p.credit_minor) <> 1`,
  "credits that were used without a paid period": `
    SELECT c.subscription_id, c.period, c.change_minor FROM chaos_credit c
    WHERE c.change_minor < 0 AND NOT EXISTS (SELECT 1 FROM chaos_paid p
      WHERE p.subscription_id = c.subscription_id AND p.xid = c.xid AND p.credit_minor = -c.change_minor)`,
  "credits that were given twice for a period, or of more than its price": `
    SELECT c.subscription_id, c.period, sum(c.change_minor) FROM chaos_credit c
    LEFT JOIN chaos_paid p ON p.subscription_id = c.subscription_id AND p.xid = c.xid AND p.credit_minor = -c.change_minor
    LEFT JOIN gateway_billing_record r ON r.subscription_id = c.subscription_id AND r.period = c.period
    WHERE c.change_minor > 0 AND p.xid IS NULL
    GROUP BY c.subscription_id, c.period, r.amount_minor, r.credit_minor
    HAVING count(*) > 1 OR sum(c.change_minor) > COALESCE(r.amount_minor + r.credit_minor, 0)`,
}

/** What must not exist once everything is settled, where all payments are renewals of one merchant: by name, its query. */
export const BOOKS = {
  ...PERIODS,
  ...CREDITS,
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
  "subscriptions that were charged after their end": `
    SELECT id, billing_cycles, billing_cycle_count, cycles_before FROM gateway_subscription
    WHERE billing_cycle_count - cycles_before > billing_cycles`,
  "missing numbers of invoices": `
    SELECT count(*), max(number), min(number) FROM gateway_invoice HAVING count(*) <> max(number) OR min(number) <> 1`,
}
