const response = await fetch(`${process.env.GATEWAY_URL}/payments/subscription-plans`, {
  method: "POST",
  headers: {
    "X-Merchant-API-Key": process.env.GATEWAY_KEY,
    "Content-Type": "application/json",
    "Idempotency-Key": "plan-tea-club",
  },
  body: JSON.stringify({
    plan_name: "Tea club",
    amount: "500.00",
    interval_count: 1,
    interval_unit: "MONTH",
  }),
})
const answer = await response.json()
if (!response.ok) {
  throw new Error(`${response.status} ${answer.error.code}: ${answer.error.message}`)
}
console.log(answer.id)
