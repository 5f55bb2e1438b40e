import json, os, urllib.error, urllib.request

request = urllib.request.Request(
    os.environ["GATEWAY_URL"] + "/payments/checkout",
    method="POST",
    headers={
        "X-Merchant-API-Key": os.environ["GATEWAY_KEY"],
        "Content-Type": "application/json",
        "Idempotency-Key": "checkout-order-1001",
    },
    data=json.dumps({
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
            "country": "Bangladesh",
        },
    }).encode(),
)
try:
    answer = json.load(urllib.request.urlopen(request))
except urllib.error.HTTPError as refusal:
    error = json.load(refusal)["error"]
    raise SystemExit(f'{refusal.code} {error["code"]}: {error["message"]}')
print(answer["data"]["checkout_url"])
