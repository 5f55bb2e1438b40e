const response = await fetch(`${process.env.GATEWAY_URL}/payments/verify/${process.env.TRANSACTION_ID}`, {
  headers: { "X-Merchant-API-Key": process.env.GATEWAY_KEY },
})
const answer = await response.json()
if (!response.ok) {
  throw new Error(`${response.status} ${answer.error.code}: ${answer.error.message}`)
}
console.log(answer.data.status)
