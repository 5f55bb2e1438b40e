import { Merchant } from "./merchant.mjs"

const LIMIT = 100
const PART = "90.00"
const PARTS = 11

/** Nobody gets more back than a limit allows by splitting it: over payments, requests at once, batches and the admin. */
export async function refundLimits({ store, token, random, report }) {
  const figures = {}
  for (const setting of ["refund_approval_threshold", "refund_daily_limit", "refund_daily_key_limit"]) {
    const merchant = await Merchant.create(store.url, token, `l${random.hex(8)}`)
    await merchant.admin("POST", "/settings", { [setting]: `${LIMIT}.00` })
    const payments = []
    for (let count = 0; count < (setting === "refund_approval_threshold" ? 1 : PARTS); count++) {
      payments.push(await merchant.paid({ order_amount: "5000.00" }))
    }
    const part = (index) => ({
      transaction_id: payments[index % payments.length].transaction_id,
      refund_amount: PART,
      refund_reason: "split",
    })
    const parts = Array.from({ length: PARTS }, (_, index) => part(index))
    await Promise.all([
      ...parts.map((one) => merchant.call("POST", "/payments/refund", one)),
      merchant.call("POST", "/payments/refunds/batch", { refunds: parts }),
      ...parts.map((one, index) => merchant.admin("POST", "/refunds", { ...one, request_key: `split-${index}` })),
    ])
    const { refunds } = await merchant.admin("GET", "/refunds?limit=100")
    const loose = refunds.filter(({ held_for }) => held_for !== "approval")
    const most = mostOf(setting, loose)
    figures[setting] = { requested: refunds.length, without_approval: loose.length }
    if (most > LIMIT || refunds.length !== 3 * PARTS) {
      report({ what: `${setting} falls to splitting`, detail: `${most} of ${LIMIT}, ${refunds.length} refunds` })
    }
  }
  return figures
}

/** The sum that the limit is about; of requesters, the largest. */
function mostOf(setting, refunds) {
  const sums = new Map()
  for (const { amount, requested_by } of refunds) {
    const key = setting === "refund_daily_key_limit" ? requested_by : ""
    sums.set(key, (sums.get(key) ?? 0) + Number(amount))
  }
  return Math.max(0, ...sums.values())
}
