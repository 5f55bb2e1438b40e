import { randomBytes, randomUUID } from "node:crypto"
import { Pool } from "@medusajs/framework/pg"

/**
 * What a hand-written route would do for the same refund: lock the transaction with FOR UPDATE, check, reserve and
 * commit; ask the acquirer, whose book is a table like the sandbox's; lock again, settle and commit. It writes the same
 * rows, one prepared statement per table, on as many connections as the store's own pool has.
 */
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 })

type Query = {
  query(config: { name: string; text: string; values: unknown[] }): Promise<{ rows: Record<string, unknown>[] }>
}
type Line = [account: string, amount: number]

const LOCK = `
  SELECT t.id, t.merchant_id, t.state, t.currency, t.amount_minor, t.refunded_minor, t.verified_at, t.attempt_id
  FROM gateway_transaction t WHERE t.id = $1 AND t.merchant_id = $2 AND t.environment = 'sandbox' FOR UPDATE`
const RESERVE = "UPDATE gateway_transaction SET refunded_minor = refunded_minor + $2, updated_at = now() WHERE id = $1"
const INSERT = `
  INSERT INTO gateway_refund (id, transaction_id, merchant_id, environment, state, type, amount_minor, currency, reason,
    requested_by, requested_at, inquiry_at)
  VALUES ($1, $2, $3, 'sandbox', 'processing', 'partial', $4, 'BDT', $5, 'bench', now(), now() + interval '5 minutes')`
const POST = `
  INSERT INTO gateway_ledger_entry (id, posting, kind, account, merchant_id, environment, currency, amount_minor,
    transaction_id, refund_id, occurred_at)
  VALUES ($1, $2, $3, $4, $5, 'sandbox', 'BDT', $6, $7, $8, now()), ($9, $2, $3, $10, $5, 'sandbox', 'BDT', $11, $7, $8, now())`
const EVENT = `
  INSERT INTO gateway_event (id, event_id, merchant_id, environment, event_type, resource_id, data, occurred_at)
  VALUES ($1, $2, $3, 'sandbox', $4, $5, $6, now())`
const ASK = `
  INSERT INTO gateway_sandbox_operation (id, key, kind, charge_key, outcome, amount_minor, currency, reference, available_at)
  SELECT $1, $2, 'refund', key, 'SUCCESS', $4, currency, $5, now() FROM gateway_sandbox_operation WHERE kind = 'charge'
    AND key = $3`
const SETTLE = `
  UPDATE gateway_refund SET state = 'completed', acquirer_reference = $2, completed_at = now(), inquiry_at = NULL, updated_at = now()
  WHERE id = $1 AND state = 'processing'`

type Body = { transaction_id: string; refund_amount: string; refund_reason: string }

export async function refundPlainly(merchant_id: string, { transaction_id, refund_amount, refund_reason }: Body) {
  const id = `rfd_${randomBytes(14).toString("hex")}`
  const amount = Math.round(Number(refund_amount) * 100)
  const reference = `SBX${randomBytes(8).toString("hex").toUpperCase()}`
  const about = { id, transaction_id, merchant_id, amount }
  let charge_key: unknown
  await locked(about, async (client, row) => {
    charge_key = row.attempt_id
    if (row.state !== "SUCCESS" || Number(row.amount_minor) - Number(row.refunded_minor) < amount) {
      throw new Error("the benchmark has used a transaction up")
    }
    await client.query({ name: "bench_refund_reserve", text: RESERVE, values: [transaction_id, amount] })
    await client.query({
      name: "bench_refund_insert",
      text: INSERT,
      values: [id, transaction_id, merchant_id, amount, refund_reason],
    })
    await post(client, about, "reserved", [
      ["merchant_balance", -amount],
      ["refunds", amount],
    ])
    await insertEvent(client, about, "refund.initiated", row)
    await insertEvent(client, about, "refund.processing", row)
  })
  await pool.query({
    name: "bench_refund_ask",
    text: ASK,
    values: [`sbo_${id}`, id, charge_key, amount, reference],
  })
  await locked(about, async (client, row) => {
    await client.query({ name: "bench_refund_settle", text: SETTLE, values: [id, reference] })
    await post(client, about, "settled", [
      ["acquirer_clearing", amount],
      ["refunds", -amount],
    ])
    await insertEvent(client, about, "refund.completed", row)
  })
  const created_at = new Date().toISOString()
  return {
    success: true,
    data: {
      refund_id: id,
      transaction_id,
      refund_amount,
      refund_status: "processing",
      estimated_completion: created_at,
      created_at,
    },
  }
}

type About = { id: string; transaction_id: string; merchant_id: string; amount: number }

async function locked(
  about: About,
  work: (client: Query, row: Record<string, unknown>) => Promise<void>
): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    const { rows } = await client.query({
      name: "bench_refund_lock",
      text: LOCK,
      values: [about.transaction_id, about.merchant_id],
    })
    await work(client, rows[0])
    await client.query("COMMIT")
  } catch (error) {
    await client.query("ROLLBACK")
    throw error
  } finally {
    client.release()
  }
}

async function post(
  client: Query,
  { id, transaction_id, merchant_id }: About,
  what: string,
  [one, other]: [Line, Line]
): Promise<void> {
  const posting = `${id}:${what}`
  const values = [
    `${posting}:${one[0]}`,
    posting,
    what === "reserved" ? "refund_reserved" : "refund_completed",
    one[0],
    merchant_id,
    one[1],
    transaction_id,
    id,
    `${posting}:${other[0]}`,
    other[0],
    other[1],
  ]
  await client.query({ name: "bench_refund_post", text: POST, values })
}

async function insertEvent(
  client: Query,
  { id, transaction_id, merchant_id, amount }: About,
  event_type: string,
  row: Record<string, unknown>
): Promise<void> {
  const data = {
    refund_id: id,
    transaction_id,
    refund_amount: (amount / 100).toFixed(2),
    refund_status: event_type.slice(7),
    original_amount: row.amount_minor,
    remaining_amount: row.refunded_minor,
  }
  const values = [
    `gev_${randomBytes(14).toString("hex")}`,
    randomUUID(),
    merchant_id,
    event_type,
    id,
    JSON.stringify(data),
  ]
  await client.query({ name: "bench_refund_event", text: EVENT, values })
}
