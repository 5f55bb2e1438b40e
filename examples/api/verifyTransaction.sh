curl -sS --fail-with-body "$GATEWAY_URL/payments/verify/$TRANSACTION_ID" \
  -H "X-Merchant-API-Key: $GATEWAY_KEY"
