import json, os, urllib.error, urllib.request

request = urllib.request.Request(
    os.environ["GATEWAY_URL"] + "/payments/refund",
    method="POST",
    headers={
        "X-Merchant-API-Key": os.environ["GATEWAY_KEY"],
        "Content-Type": "application/json",
        "Idempotency-Key": "refund-order-1001",
    },
    data=json.dumps({
        "transaction_id": os.environ["TRANSACTION_ID"],
        "refund_amount": "250.50",
        "refund_reason": "One parcel was damaged",
    }).encode(),
)
try:
    answer = json.load(urllib.request.urlopen(request))
except urllib.error.HTTPError as refusal:
    error = json.load(refusal)["error"]
    raise SystemExit(f'{refusal.code} {error["code"]}: {error["message"]}')
print(answer["data"]["refund_id"])
