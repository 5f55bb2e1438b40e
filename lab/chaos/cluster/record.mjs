import { say } from "../../../scripts/lib/console.mjs"
import { PERIODS } from "../billing-books.mjs"
import { wrongInBooks } from "../run.mjs"

/** What follows a fault: the proxy checks again after a second, the pooler logs in again after a second. */
const AFTER_MS = 5_000

/**
 * Differences between what clients were answered and what the database has. `$1`: JSON of the named part of the record.
 */
const RECORD = {
  "acknowledged payments that are not paid, or not with their amount": [
    "orders",
    `SELECT o.* FROM json_to_recordset($1) AS o (order_id text, transaction_id text, amount numeric, paid boolean)
     LEFT JOIN gateway_transaction t ON t.id = o.transaction_id
     WHERE o.paid AND (t.id IS NULL OR t.state NOT IN ('SUCCESS', 'REFUNDED') OR t.order_id <> o.order_id
       OR t.amount_minor <> o.amount * 100)`,
  ],
  "orders that were paid more than once": [
    "orders",
    `SELECT o.order_id, count(*) FROM json_to_recordset($1) AS o (order_id text)
     JOIN gateway_transaction t ON t.order_id = o.order_id AND t.state IN ('SUCCESS', 'REFUNDED')
     GROUP BY o.order_id HAVING count(*) > 1`,
  ],
  "payments whose success is not exactly one event": [
    "orders",
    `SELECT o.transaction_id, count(e.id) FROM json_to_recordset($1) AS o (transaction_id text, paid boolean)
     LEFT JOIN gateway_event e ON e.resource_id = o.transaction_id AND e.event_type = 'payment.succeeded'
     WHERE o.paid GROUP BY o.transaction_id HAVING count(e.id) <> 1`,
  ],
  "payments with an event of a refund before that of their success": [
    "orders",
    `SELECT o.transaction_id FROM json_to_recordset($1) AS o (transaction_id text, paid boolean)
     JOIN gateway_event e ON e.resource_id = o.transaction_id AND e.event_type = 'payment.succeeded'
     JOIN gateway_event r ON r.data ->> 'transaction_id' = o.transaction_id AND r.event_type LIKE 'refund.%'
     WHERE r.created_at < e.created_at`,
  ],
  "acknowledged refunds that are missing, or have another amount": [
    "refunds",
    `SELECT r.* FROM json_to_recordset($1) AS r (key text, refund_id text, transaction_id text, amount numeric)
     LEFT JOIN gateway_refund f ON f.id = r.refund_id
     WHERE r.refund_id IS NOT NULL AND (f.id IS NULL OR f.transaction_id <> r.transaction_id
       OR f.amount_minor <> r.amount * 100 OR f.state = 'failed')`,
  ],
  "requests for a refund that were done more than once": [
    "refunds",
    `SELECT r.key, count(*) FROM json_to_recordset($1) AS r (key text)
     JOIN gateway_refund f ON f.reason = r.key GROUP BY r.key HAVING count(*) > 1`,
  ],
  // docs/decisions/04: an order, or the money back once the tries are used up.
  "paid carts with neither exactly one order nor all of their money back, or with another order than was acknowledged":
    [
      "carts",
      `SELECT c.cart_id, c.order_id, min(o.order_id) AS made, count(o.order_id), max(back.amount) AS given_back
     FROM json_to_recordset($1) AS c (cart_id text, order_id text)
     LEFT JOIN order_cart o ON o.cart_id = c.cart_id AND o.deleted_at IS NULL
     LEFT JOIN gateway_cart_completion d ON d.cart_id = c.cart_id
     LEFT JOIN gateway_transaction t ON t.id = d.transaction_id
     LEFT JOIN LATERAL (SELECT sum(f.amount_minor) AS amount FROM gateway_refund f
       WHERE f.transaction_id = t.id AND f.state = 'completed') AS back ON true
     GROUP BY c.cart_id, c.order_id
     HAVING CASE count(o.order_id)
       WHEN 1 THEN c.order_id <> min(o.order_id) OR max(back.amount) IS NOT NULL
       WHEN 0 THEN c.order_id IS NOT NULL OR min(d.state) IS DISTINCT FROM 'given_back' OR max(back.amount) IS DISTINCT FROM max(t.amount_minor)
       ELSE true END`,
    ],
  "subscriptions whose acknowledged first payment is missing": [
    "subscriptions",
    `SELECT sold.uuid FROM json_array_elements_text($1) AS sold (uuid)
     LEFT JOIN gateway_subscription s ON s.uuid = sold.uuid WHERE s.id IS NULL OR s.paid_period IS NULL OR s.paid_period < 1`,
  ],
}

/** Differences inside the database. */
const BOOKS = {
  ...PERIODS,
  "payments of which more went back than came": `
    SELECT t.id FROM gateway_transaction t JOIN gateway_refund f ON f.transaction_id = t.id AND f.state = 'completed'
    GROUP BY t.id, t.amount_minor HAVING sum(f.amount_minor) > t.amount_minor`,
  "deliveries that failed for good, or are not over": `
    SELECT id, state FROM gateway_webhook_delivery WHERE state <> 'delivered'`,
}

/**
 * Compares what the clients recorded with the database and with the moments of the faults, and prints all of it.
 * @param record `{ answers, clients, shoppers, renewals, receiver }`
 * @param windows the faults (faults.mjs)
 * @returns the number of differences
 */
export async function differences(client, record, windows) {
  const { clients, shoppers, renewals, receiver } = record
  const parts = {
    orders: [...clients.orders.values()].map((order) => ({ ...order, looks: undefined })),
    refunds: [...clients.refunds.values()],
    carts: [...shoppers.carts.values()],
    subscriptions: [...renewals.paid],
  }
  let wrong = answered(record, windows)
  for (const [what, [part, sql]] of Object.entries(RECORD)) {
    const { rows } = await client.query(sql, [JSON.stringify(parts[part])])
    wrong += reported(what, rows)
  }
  const { rows: events } = await client.query("SELECT event_id, event_type FROM gateway_event")
  const missing = events.filter(({ event_id }) => !receiver.events.has(event_id))
  wrong += reported("events that never arrived at the merchant's receiver", missing)
  wrong += reported("repeated deliveries that differ from the first", Array(receiver.changed).fill("a delivery"))
  wrong += reported("looks at a payment that had gone back to an earlier state", clients.wentBack())
  return wrong + (await wrongInBooks(client, BOOKS))
}

/** Requests that failed although nothing was broken at that moment, or that nobody answered at all. */
function answered({ answers, receiver }, windows) {
  const counts = [...answers.counts].sort(([, one], [, other]) => other - one)
  say(`answers: ${counts.map(([what, count]) => `${count} × ${what}`).join(", ")}`)
  const arrivals = [...receiver.events.values()].reduce((total, { times }) => total + times, 0)
  say(`${receiver.events.size} events arrived, ${arrivals - receiver.events.size} deliveries repeated`)
  const beyond = answers.faults
    .filter(({ from, to }) => !windows.some((window) => from <= window.to + AFTER_MS && to >= window.from))
    .map(({ from, to, what }) => ({ at: new Date(from).toISOString(), took_ms: to - from, what }))
  say(`${answers.unanswered} requests that nobody answered as long as they were tried`)
  return answers.unanswered + reported("failed requests while nothing was broken", beyond)
}

function reported(what, rows) {
  const examples = rows.slice(0, 3).map((row) => JSON.stringify(row))
  say(`${rows.length} ${what}${rows.length === 0 ? "" : `, like ${examples.join(" ")}`}`)
  return rows.length
}
