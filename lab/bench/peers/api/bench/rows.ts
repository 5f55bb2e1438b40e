import { createHash, randomBytes } from "node:crypto"
import type { MedusaRequest } from "@medusajs/framework/http"
import { Pool } from "@medusajs/framework/pg"

/**
 * What a hand-written route would do for the same rows: one prepared statement on a pool of pg itself, with as many
 * connections as the store's own pool, no validation, no idempotency, no limits, no error shapes.
 */
export const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 })

const INSERT = `
  WITH session AS (
    INSERT INTO gateway_checkout_session
      (id, merchant_id, environment, order_id, currency, amount_minor, description, success_url, fail_url, cancel_url,
       ipn_url, customer, customer_phone, shipping, items, payment_info, metadata, source, opened_at, expires_at)
    VALUES ($1, $2, 'sandbox', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, 'api', $17, $18)
    RETURNING id)
  INSERT INTO gateway_transaction
    (id, session_id, merchant_id, environment, order_id, currency, amount_minor, expires_at)
  SELECT $19, id, $2, 'sandbox', $3, $4, $5, $18 FROM session`

const SELECT = `
  SELECT t.id AS transaction_id, t.order_id, t.state, t.currency, t.amount_minor, t.charge_minor, t.payment_service,
         t.acquirer_reference, t.expires_at, t.verified_at, s.customer
  FROM gateway_transaction t JOIN gateway_checkout_session s ON s.id = t.session_id
  WHERE t.id = $1 AND t.merchant_id = $2 AND t.environment = 'sandbox'`

const CALLER = `
  SELECT k.merchant_id, k.scopes, k.expires_at, k.revoked_at, m.status, e.services, e.ip_allow_list,
         e.rate_limit_requests, e.clock_offset_seconds
  FROM gateway_api_key k
  JOIN gateway_merchant m ON m.id = k.merchant_id
  JOIN gateway_merchant_environment e ON e.merchant_id = k.merchant_id AND e.environment = k.environment
  WHERE k.key_hash = $1`

export const LIFE_MS = 30 * 60_000

/** Finds the merchant of the request's key, by one statement. */
export async function merchantOfKey(request: MedusaRequest): Promise<string> {
  const hash = createHash("sha256").update(String(request.headers["x-merchant-api-key"])).digest("hex")
  const { rows } = await pool.query({ name: "bench_caller", text: CALLER, values: [hash] })
  if (rows.length === 0 || rows[0].revoked_at !== null || rows[0].status !== "active") {
    throw new Error("the benchmark sent a key that does not work")
  }
  return rows[0].merchant_id
}

/** The merchant from a header of the load: for routes that do not look a key up. */
export function merchantOfHeader(request: MedusaRequest): string {
  return String(request.headers["x-bench-merchant"])
}

export type Body = Record<string, string> & { customer: { phone: string } }

export async function insertCheckout(merchant_id: string, body: Body) {
  const session_id = `ses_${randomBytes(24).toString("base64url")}`
  const transaction_id = `txn${randomBytes(16).toString("hex")}`
  const now = Date.now()
  const expires_at = new Date(now + LIFE_MS)
  const values = [
    session_id,
    merchant_id,
    body.order_id,
    body.currency,
    Math.round(Number(body.order_amount) * 100),
    body.order_description,
    body.success_url,
    body.fail_url,
    body.cancel_url,
    body.ipn_url,
    JSON.stringify(body.customer),
    body.customer.phone,
    JSON.stringify(body.shipping),
    JSON.stringify(body.order_items),
    JSON.stringify(body.payment_info),
    JSON.stringify(body.metadata),
    new Date(now),
    expires_at,
    transaction_id,
  ]
  await pool.query({ name: "bench_insert", text: INSERT, values })
  return checkoutAnswer(session_id, transaction_id, expires_at)
}

export function checkoutAnswer(session_id: string, transaction_id: string, expires_at: Date) {
  const checkout_url = `http://localhost/pay/${session_id}`
  const data = { checkout_url, session_id, expires_at: expires_at.toISOString(), transaction_id }
  return { success: true, message: "Checkout session created", data, meta: {} }
}

export async function selectTransaction(merchant_id: string, transaction_id: string) {
  const { rows } = await pool.query({ name: "bench_select", text: SELECT, values: [transaction_id, merchant_id] })
  return verifyAnswer(rows[0])
}

type Verified = Record<string, string> & { amount_minor: number; charge_minor: number }

export function verifyAnswer(row: Verified) {
  const data = {
    transaction_id: row.transaction_id,
    order_id: row.order_id,
    verified: row.verified_at !== null,
    status: row.state,
    amount: (row.amount_minor / 100).toFixed(4),
    currency: row.currency,
    charge_amount: (row.charge_minor / 100).toFixed(4),
    payment_method: row.payment_service,
    payment_reference_id: row.acquirer_reference,
    customer: row.customer,
  }
  const meta = { timestamp: new Date().toISOString(), status_code: 200 }
  return { success: true, message: "Transaction found", data, meta }
}
