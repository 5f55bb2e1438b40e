const response = await fetch(`${process.env.GATEWAY_URL}/payments/subscriptions`, {
  method: "POST",
  headers: {
    "X-Merchant-API-Key": process.env.GATEWAY_KEY,
    "Content-Type": "application/json",
    "Idempotency-Key": "subscription-rahima",
  },
  body: JSON.stringify({
    subscription_plan_id: Number(process.env.PLAN_ID),
    customer: {
      name: "Rahima Khatun",
      email: "rahima@example.com",
      phone: "01712345678",
    },
  }),
})
const answer = await response.json()
if (!response.ok) {
  throw new Error(`${response.status} ${answer.error.code}: ${answer.error.message}`)
}
console.log(answer.uuid)
