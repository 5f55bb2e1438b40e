curl -sS --fail-with-body "$GATEWAY_URL/payments/subscription-plans" \
  -H "X-Merchant-API-Key: $GATEWAY_KEY" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: plan-tea-club" \
  -d '{
    "plan_name": "Tea club",
    "amount": "500.00",
    "interval_count": 1,
    "interval_unit": "MONTH"
  }'
