const response = await fetch(`${process.env.GATEWAY_URL}/payments/refund`, {
  method: "POST",
  headers: {
    "X-Merchant-API-Key": process.env.GATEWAY_KEY,
    "Content-Type": "application/json",
    "Idempotency-Key": "refund-order-1001",
  },
  body: JSON.stringify({
    transaction_id: process.env.TRANSACTION_ID,
    refund_amount: "250.50",
    refund_reason: "One parcel was damaged",
  }),
})
const answer = await response.json()
if (!response.ok) {
  throw new Error(`${response.status} ${answer.error.code}: ${answer.error.message}`)
}
console.log(answer.data.refund_id)
