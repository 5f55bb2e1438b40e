import { GATEWAY_PROVIDERS } from "../kernel/provider-id"

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
