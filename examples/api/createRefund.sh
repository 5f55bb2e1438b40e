curl -sS --fail-with-body "$GATEWAY_URL/payments/refund" \
  -H "X-Merchant-API-Key: $GATEWAY_KEY" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: refund-order-1001" \
  -d '{
    "transaction_id": "'$TRANSACTION_ID'",
    "refund_amount": "250.50",
    "refund_reason": "One parcel was damaged"
  }'
