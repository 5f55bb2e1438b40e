import { ANSWER_MS, BY_DAY_LATER, HOURLY_DAYS, HOURS_OF_DAY } from "../kernel/database/counter-rules"
import { dayBefore } from "../kernel/database/counters"
import { GATEWAY_PROVIDERS } from "../kernel/text/provider-id"

/**
 * The smallest id that Medusa can have given to a payment since `$1`: a ULID begins with its milliseconds in ten
 * base-32 characters. The table has no index on its time, and this check runs every minute.
 */
const FIRST_ID = `
  (SELECT 'pay_' || string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', ((moment.ms >> (5 * place)) & 31)::int + 1, 1), '' ORDER BY place DESC)
   FROM (SELECT (extract(epoch FROM greatest($1::timestamptz, 'epoch')) * 1000)::bigint AS ms) AS moment, generate_series(0, 9) AS place)`

/**
 * Reads Medusa's own payment table, which is in the same database. Only the provider writes a payment's data, unlike a
 * payment session's. Unique indexes ensure that a transaction has one payment session and a payment session one
 * payment. So a transaction has at most one payment when each payment belongs to the checkout of its own payment
 * session. The sandbox purges checkouts after a week; their payments stay.
 */
export const MEDUSA_INVARIANT = {
  name: "one_medusa_payment_for_each_transaction",
  holds: "a transaction has at most one Medusa payment: its own payment session's",
  broken: `
    SELECT p.id AS subject, format('of %s, but its data is of %s', p.payment_session_id, p.data->>'session_id') AS detail
    FROM payment p
    WHERE p.provider_id LIKE '${GATEWAY_PROVIDERS}%' AND p.deleted_at IS NULL AND p.id >= ${FIRST_ID}
      AND EXISTS (
        SELECT 1 FROM gateway_checkout_session s
        WHERE s.id = p.data->>'session_id' AND s.payment_session_id IS DISTINCT FROM p.payment_session_id)`,
}

const QUARTER = (at: string) => `floor(extract(epoch FROM ${at}) / 900)::int`

/** Attempts whose money came, or is reserved. */
const PAID = "state IN ('AUTHORIZED', 'SUCCEEDED', 'SURPLUS', 'RETURNED', 'RELEASED')"

/** Payments whose amounts count on the days of their captures. */
const CAPTURED = "authorized_minor IS NOT NULL AND state IN ('SUCCESS', 'REFUNDED')"

/** The counts of the rows themselves, in the terms of kernel/database/counter-rules.ts. */
const COUNTED = `
  SELECT merchant_id, environment, 'plan' AS subject, CASE WHEN is_active THEN 'active' ELSE 'archived' END AS label,
         '' AS currency, number / 4096 AS bucket, 0::bigint AS amount, 0::bigint AS fee FROM gateway_plan
  UNION ALL SELECT merchant_id, environment, 'customer', '', '', number / 4096, 0, 0 FROM gateway_customer
  UNION ALL SELECT merchant_id, environment, 'link', '', '', floor(extract(epoch FROM created_at) / 3600)::int, 0, 0 FROM gateway_payment_link
  UNION ALL SELECT merchant_id, environment, 'invoice', status, '', number / 4096, 0, 0 FROM gateway_invoice
  UNION ALL SELECT merchant_id, environment, 'subscription', status, '', number / 4096, 0, 0 FROM gateway_subscription
  UNION ALL SELECT merchant_id, environment, 'delivery', '', '', number / 4096, 0, 0 FROM gateway_webhook_delivery
  UNION ALL SELECT merchant_id, environment, 'event', event_type, '', floor(extract(epoch FROM created_at) / 3600)::int, 0, 0 FROM gateway_event
  UNION ALL SELECT merchant_id, environment, 'entry', string_agg(account, ',' ORDER BY account), currency,
      floor(extract(epoch FROM occurred_at) / 3600)::int, 0, 0
    FROM gateway_ledger_entry GROUP BY posting, merchant_id, environment, currency, occurred_at
  UNION ALL SELECT merchant_id, environment, 'balance', kind, currency, ${QUARTER("occurred_at")}, amount_minor, 0
    FROM gateway_ledger_entry WHERE account = 'merchant_balance' AND kind <> 'payment'
  UNION ALL SELECT merchant_id, environment, 'refund', state, currency, ${QUARTER("requested_at")}, amount_minor, 0
    FROM gateway_refund
  UNION ALL SELECT merchant_id, environment, 'payment',
      replace(state, 'REFUNDED', 'SUCCESS') || ':' || COALESCE(payment_service, ''), currency, ${QUARTER("finished_at")},
      CASE WHEN ${CAPTURED} THEN 0 ELSE amount_minor END, CASE WHEN ${CAPTURED} THEN 0 ELSE charge_minor END
    FROM gateway_transaction WHERE state IN ('SUCCESS', 'REFUNDED', 'FAILED', 'CANCELLED', 'EXPIRED') AND finished_at IS NOT NULL
  UNION ALL SELECT merchant_id, environment, 'attempt',
      CASE WHEN ${PAID} THEN 'paid' WHEN passed_on THEN 'passed_on'
        WHEN state = 'DECLINED' AND error_code NOT IN ('CANCELLED', 'EXPIRED') THEN 'declined' ELSE 'left' END
      || ':' || COALESCE(width_bucket(answer_ms, '{${ANSWER_MS.join(",")}}'::int[]), -1) || ':' || payment_service || ':' || acquirer,
      currency, ${QUARTER("finished_at")}, CASE WHEN state = 'SUCCEEDED' THEN amount_minor ELSE 0 END, 0
    FROM gateway_payment_attempt WHERE finished_at IS NOT NULL
  UNION ALL SELECT merchant_id, environment, 'recurring', interval_count || ':' || interval_unit, currency, 0, amount_minor, 0
    FROM gateway_subscription WHERE status IN ('ACTIVE', 'PAST_DUE')
  UNION ALL SELECT merchant_id, environment, 'started', '', '', ${QUARTER("running_since")}, 0, 0
    FROM gateway_subscription WHERE running_since IS NOT NULL
  UNION ALL SELECT merchant_id, environment, 'ended', '', '', ${QUARTER("COALESCE(cancelled_at, ended_at, updated_at)")}, 0, 0
    FROM gateway_subscription WHERE running_since IS NOT NULL AND status IN ('CANCELLED', 'EXPIRED')`

/** A payment is counted once, and each of its captures adds to the sums of its own day. */
const COUNTED_CAPTURES = `
  SELECT merchant_id, environment, 'payment', 'SUCCESS:' || payment_service, currency, ${QUARTER("completed_at")}, amount_minor, charge_minor, 0
  FROM gateway_capture WHERE state = 'completed'`

const OWNER = "merchant_id, environment, subject, label, currency"
const KEY = `${OWNER}, bucket`
const FIRST_HOUR_APART = `(floor(extract(epoch FROM now()) / 86400)::int - ${HOURLY_DAYS}) * ${HOURS_OF_DAY}`
/** What is counted by the hour at first and by the day later is compared as it is read (kernel/database/counters.ts). */
const BUCKET = `CASE WHEN subject IN (${BY_DAY_LATER.map((subject) => `'${subject}'`).join(", ")})
  THEN ${dayBefore(FIRST_HOUR_APART)} ELSE bucket END`

/** Reads every counted row, so it runs only with the nightly check of everything. */
export const COUNTER_INVARIANT = {
  name: "counters_equal_rows",
  holds: "what lists and the overview count by is what there is",
  broken: `
    WITH counted AS (
      SELECT ${OWNER}, ${BUCKET} AS bucket, sum(each) AS count, sum(amount) AS amount, sum(fee) AS fee FROM (
        SELECT *, 1 AS each FROM (${COUNTED}) AS counted_rows UNION ALL ${COUNTED_CAPTURES}) AS rows
      WHERE $1::timestamptz = '-infinity' GROUP BY 1, 2, 3, 4, 5, 6),
    kept AS (
      SELECT ${OWNER}, ${BUCKET} AS bucket, sum(count) AS count, sum(amount_minor) AS amount, sum(fee_minor) AS fee FROM gateway_counter
      WHERE $1::timestamptz = '-infinity' GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(count) <> 0 OR sum(amount_minor) <> 0 OR sum(fee_minor) <> 0)
    SELECT concat_ws(' ', ${KEY}) AS subject,
           format('kept %s %s %s, counted %s %s %s', kept.count, kept.amount, kept.fee, counted.count, counted.amount, counted.fee) AS detail
    FROM counted FULL JOIN kept USING (${KEY})
    WHERE (counted.count, counted.amount, counted.fee) IS DISTINCT FROM (kept.count, kept.amount, kept.fee)`,
}
