curl -sS --fail-with-body "$GATEWAY_URL/payments/subscriptions" \
  -H "X-Merchant-API-Key: $GATEWAY_KEY" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: subscription-rahima" \
  -d '{
    "subscription_plan_id": '$PLAN_ID',
    "customer": {
      "name": "Rahima Khatun",
      "email": "rahima@example.com",
      "phone": "01712345678"
    }
  }'
