import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connected } from "../lib/database.mjs"
import { demoMonth } from "./month.mjs"
import { DEMO } from "./state.mjs"

const DUE_DAYS = 1
const DHAKA_MS = 6 * 3_600_000

/**
 * Gives a merchant last month's payments, and writes the files of its acquirers, courier and bank. Returns what was done,
 * to be shown.
 * @param number the merchant's, as the API shows it
 */
export async function makeMonth(databaseUrl, number, now = new Date()) {
  const name = lastMonth(now)
  const month = demoMonth(name)
  await connected(databaseUrl, async (client) => {
    const { rows } = await client.query("SELECT id FROM gateway_merchant WHERE number = $1", [number])
    await writeMonth(client, rows[0].id, month)
  })
  const folder = join(DEMO, `month-${name}`)
  mkdirSync(folder, { recursive: true })
  month.files.forEach((file) => writeFileSync(join(folder, file.name), file.text))
  return `${month.payments.length} payments of ${name} are there; the files of its settlements are in ${folder}`
}

/** As `2026-10`, in Bangladesh time. */
function lastMonth(now) {
  const [year, month] = new Date(now.getTime() + DHAKA_MS).toISOString().split("-").map(Number)
  return new Date(Date.UTC(year, month - 2, 1)).toISOString().slice(0, 7)
}

/** One table's rows, as JSON ($1); a column that is not named has its default. */
const into = (table, columns) =>
  `INSERT INTO ${table} (${columns.join(", ")})
   SELECT ${columns.join(", ")} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`

/**
 * Writes a month's payments, refunds, dispute and cash as if the gateway had taken them, with their postings. They are in
 * no acquirer's book. What is there already stays as it is.
 * @param client a connection to the store's database
 * @param month as demoMonth returns it
 */
export async function writeMonth(client, merchant_id, month) {
  const { rowCount } = await client.query("SELECT 1 FROM gateway_transaction WHERE id = $1", [month.payments[0].id])
  if (rowCount > 0) {
    return
  }
  const tenant = { merchant_id, environment: "sandbox" }
  const tables = [
    ...paymentRows(tenant, month),
    ["gateway_refund", month.refunds.map((refund) => refundRow(tenant, refund))],
    ["gateway_dispute", [disputeRow(tenant, month.dispute)]],
    ...cashRows(tenant, month.cash),
    ["gateway_ledger_entry", entries(tenant, month)],
  ]
  await client.query("BEGIN")
  for (const [table, rows] of tables) {
    await client.query(into(table, Object.keys(rows[0])), [JSON.stringify(rows)])
  }
  await client.query("COMMIT")
}

function paymentRows(tenant, { payments, refunds, dispute }) {
  const refunded = new Map()
  refunds.forEach(({ payment, minor }) => refunded.set(payment.id, (refunded.get(payment.id) ?? 0) + minor))
  const common = ({ order_id, minor }) => ({ ...tenant, order_id, currency: "BDT", amount_minor: minor })
  const sessions = payments.map((payment) => ({
    ...{ id: payment.session, ...common(payment), success_url: "", fail_url: "", cancel_url: "" },
    ...{ customer: { name: "Demo customer" }, customer_phone: "", source: "api" },
    ...{ opened_at: payment.at, expires_at: payment.at },
  }))
  const transactions = payments.map((payment) => ({
    ...{ id: payment.id, session_id: payment.session, ...common(payment), charge_minor: 0 },
    state: refunded.get(payment.id) === payment.minor ? "REFUNDED" : "SUCCESS",
    refunded_minor: refunded.get(payment.id) ?? 0,
    disputed_minor: dispute.payment === payment ? dispute.minor : 0,
    ...{ payment_method: payment.method, payment_service: payment.service, acquirer: payment.acquirer },
    ...{ acquirer_reference: payment.reference, attempts: 1, attempt_id: payment.attempt, return_count: 0 },
    ...{ expires_at: payment.at, verified_at: payment.at, finished_at: payment.at },
  }))
  const attempts = payments.map((payment) => ({
    ...{ id: payment.attempt, transaction_id: payment.id, ...tenant, number: 1, state: "SUCCEEDED", is_final: true },
    ...{ acquirer: payment.acquirer, payment_method: payment.method, payment_service: payment.service },
    ...{ currency: "BDT", amount_minor: payment.minor, charge_minor: 0, capture: "automatic", acquirer_ids: {} },
    ...{ details: {}, return_ids: {}, inquiry_count: 0, saves: false, acquirer_reference: payment.reference },
    ...{ started_at: payment.at, finished_at: payment.at },
  }))
  return [
    ["gateway_checkout_session", sessions],
    ["gateway_transaction", transactions],
    ["gateway_payment_attempt", attempts],
  ]
}

function refundRow(tenant, { id, payment, minor, at, reference }) {
  return {
    ...{
      id,
      transaction_id: payment.id,
      ...tenant,
      state: "completed",
      type: minor === payment.minor ? "full" : "partial",
    },
    ...{
      amount_minor: minor,
      currency: "BDT",
      reason: "Goods came back",
      notify_customer: false,
      requested_by: "demo",
    },
    ...{ requested_at: at, completed_at: at, acquirer_reference: reference, acquirer_ids: {}, inquiry_count: 0 },
  }
}

function disputeRow(tenant, { id, payment, minor, fee, at, reference }) {
  return {
    ...{
      id,
      ...tenant,
      transaction_id: payment.id,
      state: "under_review",
      source: "acquirer",
      acquirer: payment.acquirer,
    },
    ...{ acquirer_reference: reference, reason: "product_not_received", amount_minor: minor, fee_minor: fee },
    ...{ fee_returned: false, currency: "BDT", recorded_by: "demo", opened_at: at, recorded_at: at, submitted_at: at },
  }
}

function cashRows(tenant, cash) {
  const orders = cash.map(({ id, number, minor, at }) => ({
    ...{
      id,
      ...tenant,
      currency: "BDT",
      state: "collected",
      total_minor: minor,
      advance_minor: 0,
      collected_minor: minor,
    },
    ...{ given_up_minor: 0, changes: 0, returned_minor: 0, cart_id: `cart_${id}`, payment_session_id: `payses_${id}` },
    ...{ order_id: `order_${id}`, order_number: number, customer_name: "Demo customer", district: "Dhaka" },
    ...{
      advance_back: false,
      goods_back: false,
      authorized_at: orderedAt(at),
      placed_at: orderedAt(at),
      closed_at: at,
    },
    ...{ attempts: 0 },
  }))
  const collections = cash.map(({ id, collection, minor, charge, at }) => ({
    ...{ id: collection, ...tenant, cash_order_id: id, currency: "BDT", amount_minor: minor, charge_minor: charge },
    ...{ source: "csv", courier: "Pathao", recorded_by: "demo", request_key: collection, capture_id: `capt_${id}` },
    collected_at: at,
  }))
  return [
    ["gateway_cash_order", orders],
    ["gateway_cash_collection", collections],
  ]
}

const orderedAt = (at) => new Date(at.getTime() - DUE_DAYS * 86_400_000)

/** As the ledger's rules post them (src/modules/gateway/ledger). */
function entries(tenant, { payments, refunds, dispute, cash }) {
  const post = (posting, kind, occurred_at, amounts, about = {}) =>
    Object.entries(amounts).map(([account, amount_minor]) => ({
      ...{ id: `${posting}:${account}`, posting, kind, account, ...tenant, currency: "BDT", amount_minor, occurred_at },
      ...{ transaction_id: null, dispute_id: null, refund_id: null, ...about },
    }))
  const paid = payments.flatMap(({ id, minor, at }) =>
    post(`${id}:paid`, "payment", at, { acquirer_clearing: -minor, merchant_balance: minor }, { transaction_id: id })
  )
  const refunded = refunds.flatMap(({ id, payment, minor, at }) => {
    const about = { transaction_id: payment.id, refund_id: id }
    return [
      ...post(`${id}:reserved`, "refund_reserved", at, { merchant_balance: -minor, refunds: minor }, about),
      ...post(`${id}:settled`, "refund_completed", at, { refunds: -minor, acquirer_clearing: minor }, about),
    ]
  })
  const { id, payment, minor, fee, at } = dispute
  const about = { transaction_id: payment.id, dispute_id: id }
  const sums = { dispute_claims: -minor, acquirer_clearing: minor, merchant_balance: -minor, disputes: minor }
  const disputed = [
    ...post(`${id}:opened`, "dispute_opened", at, sums, about),
    ...post(`${id}:fee`, "dispute_fee", at, { merchant_balance: -fee, acquirer_clearing: fee }, about),
  ]
  const inCash = cash.flatMap((order) => [
    ...post(`${order.id}:due`, "cash_ordered", orderedAt(order.at), {
      cash_due: -order.minor,
      cash_orders: order.minor,
    }),
    ...post(`${order.id}:${order.collection}`, "cash_collected", order.at, {
      cash_due: order.minor,
      cash_received: order.charge - order.minor,
      courier_charges: -order.charge,
    }),
  ])
  return [...paid, ...refunded, ...disputed, ...inCash]
}
