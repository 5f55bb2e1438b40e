import json, os, urllib.error, urllib.request

request = urllib.request.Request(
    os.environ["GATEWAY_URL"] + "/payments/subscriptions",
    method="POST",
    headers={
        "X-Merchant-API-Key": os.environ["GATEWAY_KEY"],
        "Content-Type": "application/json",
        "Idempotency-Key": "subscription-rahima",
    },
    data=json.dumps({
        "subscription_plan_id": int(os.environ["PLAN_ID"]),
        "customer": {
            "name": "Rahima Khatun",
            "email": "rahima@example.com",
            "phone": "01712345678",
        },
    }).encode(),
)
try:
    answer = json.load(urllib.request.urlopen(request))
except urllib.error.HTTPError as refusal:
    error = json.load(refusal)["error"]
    raise SystemExit(f'{refusal.code} {error["code"]}: {error["message"]}')
print(answer["uuid"])
