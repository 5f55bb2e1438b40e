curl -sS --fail-with-body "$GATEWAY_URL/payments/checkout" \
  -H "X-Merchant-API-Key: $GATEWAY_KEY" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: checkout-order-1001" \
  -d '{
    "order_id": "order-1001",
    "currency": "BDT",
    "order_amount": "1250.50",
    "success_url": "https://shop.example.com/paid",
    "fail_url": "https://shop.example.com/failed",
    "cancel_url": "https://shop.example.com/cancelled",
    "customer": {
      "name": "Rahima Khatun",
      "email": "rahima@example.com",
      "phone": "01712345678",
      "address": "House 7, Road 3, Dhanmondi",
      "city": "Dhaka",
      "postcode": "1205",
      "country": "Bangladesh"
    }
  }'
