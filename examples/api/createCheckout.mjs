const response = await fetch(`${process.env.GATEWAY_URL}/payments/checkout`, {
  method: "POST",
  headers: {
    "X-Merchant-API-Key": process.env.GATEWAY_KEY,
    "Content-Type": "application/json",
    "Idempotency-Key": "checkout-order-1001",
  },
  body: JSON.stringify({
    order_id: "order-1001",
    currency: "BDT",
    order_amount: "1250.50",
    success_url: "https://shop.example.com/paid",
    fail_url: "https://shop.example.com/failed",
    cancel_url: "https://shop.example.com/cancelled",
    customer: {
      name: "Rahima Khatun",
      email: "rahima@example.com",
      phone: "01712345678",
      address: "House 7, Road 3, Dhanmondi",
      city: "Dhaka",
      postcode: "1205",
      country: "Bangladesh",
    },
  }),
})
const answer = await response.json()
if (!response.ok) {
  throw new Error(`${response.status} ${answer.error.code}: ${answer.error.message}`)
}
console.log(answer.data.checkout_url)
