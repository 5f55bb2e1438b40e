/** Every payment that has taken money by our books; `returned` ones were given back because nothing was bought. */
const ATTEMPTS = `
  SELECT id, transaction_id, state, acquirer_reference AS reference, COALESCE(surplus_minor, amount_minor) AS amount, return_key, acquirer
  FROM gateway_payment_attempt`
const REFUNDS = `
  SELECT r.id, r.transaction_id, r.state, r.acquirer_reference AS reference, r.amount_minor AS amount, t.acquirer
  FROM gateway_refund r JOIN gateway_transaction t ON t.id = r.transaction_id`

/** Differences that SQL alone finds, for `wrongInBooks`. */
export const BOOKS = {
  "payments without exactly one event": `
    SELECT t.id FROM gateway_transaction t LEFT JOIN gateway_event e ON e.resource_id = t.id AND e.event_type = 'payment.succeeded'
    GROUP BY t.id HAVING count(e.id) <> CASE WHEN t.state IN ('SUCCESS', 'REFUNDED') THEN 1 ELSE 0 END`,
  "refunds without exactly one event for each state": `
    SELECT r.id FROM gateway_refund r LEFT JOIN gateway_event e ON e.resource_id = r.id GROUP BY r.id
    HAVING array_agg(e.event_type ORDER BY e.event_type) <> CASE r.state WHEN 'processing'
      THEN ARRAY['refund.initiated', 'refund.processing'] ELSE ARRAY['refund.' || r.state, 'refund.initiated', 'refund.processing'] END`,
  "periods that were charged more than once": `
    SELECT s.subscription_id, s.subscription_period FROM gateway_checkout_session s JOIN gateway_transaction t ON t.session_id = s.id
    WHERE s.subscription_id IS NOT NULL AND t.state IN ('SUCCESS', 'REFUNDED') GROUP BY 1, 2 HAVING count(*) > 1`,
  "paid periods whose charge is not a payment of ours": `
    SELECT r.id FROM gateway_billing_record r LEFT JOIN gateway_transaction t ON t.id = r.transaction_id
    WHERE r.status = 'SUCCESS' AND (t.state IS NULL OR t.state NOT IN ('SUCCESS', 'REFUNDED') OR t.amount_minor <> r.amount_minor)`,
}

/**
 * Compares the providers' books with ours, movement by movement.
 * @param movements see providers.mjs
 * @param named what the provider's book calls an attempt or refund of ours at this acquirer
 * @param unknown `{ key, acquirer }` of refunds of which nobody but an operator can say whether they are in the
 * provider's book
 * @returns what differs, as sentences; none: every movement is one attempt, refund or return of ours, once
 */
export async function differences(client, movements, { named = (id) => id, unknown = [] } = {}) {
  const attempts = (await client.query(ATTEMPTS)).rows.map((attempt) => ({
    ...attempt,
    id: named(attempt.id, attempt.acquirer),
    return_key: attempt.return_key && named(attempt.return_key, attempt.acquirer),
  }))
  const refunds = (await client.query(REFUNDS)).rows.map((refund) => ({
    ...refund,
    id: named(refund.id, refund.acquirer),
  }))
  const undecided = new Set(unknown.map(({ key, acquirer }) => named(key, acquirer)))
  return [
    ...paymentsThatDiffer(
      attempts,
      movements.filter(({ kind }) => kind === "payment")
    ),
    ...refundsThatDiffer(
      attempts,
      refunds,
      movements.filter(({ kind, key }) => kind === "refund" && !undecided.has(key))
    ),
  ]
}

function paymentsThatDiffer(attempts, payments) {
  const byId = new Map(attempts.map((attempt) => [attempt.id, attempt]))
  const booked = attempts.filter(({ state }) => ["SUCCEEDED", "SURPLUS", "RETURNED"].includes(state))
  const byReference = new Map(booked.map((attempt) => [attempt.reference, attempt]))
  const seen = new Map()
  const wrong = []
  for (const { id, key, amount } of payments) {
    const ours = byReference.get(id)
    seen.set(id, (seen.get(id) ?? 0) + 1)
    if (ours === undefined) {
      wrong.push(`the payment ${id} of the attempt ${key} (${byId.get(key)?.state ?? "unknown"}) is not in our book`)
    } else if (ours.amount !== amount) {
      wrong.push(`the payment ${id} of ${key}: ${amount} there, ${ours.amount} here`)
    } else if (
      ours.id !== key &&
      (ours.state === "SUCCEEDED" || byId.get(key)?.transaction_id !== ours.transaction_id)
    ) {
      wrong.push(`the payment ${id} of ${key} is booked as the attempt ${ours.id}`)
    }
  }
  const once = booked.filter(({ reference }) => seen.get(reference) !== 1)
  return [
    ...wrong,
    ...once.map(
      ({ id, state }) => `the attempt ${id} (${state}) is ${seen.get(byId.get(id).reference) ?? 0} payments there`
    ),
  ]
}

function refundsThatDiffer(attempts, refunds, movements) {
  const expected = new Map([
    ...refunds
      .filter(({ state }) => state === "completed")
      .map(({ id, amount, reference }) => [id, { amount, reference }]),
    ...attempts
      .filter(({ state }) => state === "RETURNED")
      .map(({ return_key, amount }) => [return_key, { amount, reference: null }]),
  ])
  const seen = new Set()
  const wrong = []
  for (const { id, key, amount } of movements) {
    const ours = expected.get(key)
    if (ours === undefined || seen.has(key)) {
      const state = refunds.find((refund) => refund.id === key)?.state ?? "unknown"
      wrong.push(`the refund ${id} of ${key} (${state}) ${seen.has(key) ? "is a second one" : "is not in our book"}`)
    } else if (ours.amount !== amount || (ours.reference !== null && ours.reference !== id)) {
      wrong.push(`the refund ${id} of ${key}: ${amount} there, ${ours.amount} as ${ours.reference} here`)
    }
    seen.add(key)
  }
  return [
    ...wrong,
    ...[...expected.keys()].filter((key) => !seen.has(key)).map((key) => `the refund ${key} was not made there`),
  ]
}
