import json, os, urllib.error, urllib.request

request = urllib.request.Request(
    os.environ["GATEWAY_URL"] + "/payments/subscription-plans",
    method="POST",
    headers={
        "X-Merchant-API-Key": os.environ["GATEWAY_KEY"],
        "Content-Type": "application/json",
        "Idempotency-Key": "plan-tea-club",
    },
    data=json.dumps({
        "plan_name": "Tea club",
        "amount": "500.00",
        "interval_count": 1,
        "interval_unit": "MONTH",
    }).encode(),
)
try:
    answer = json.load(urllib.request.urlopen(request))
except urllib.error.HTTPError as refusal:
    error = json.load(refusal)["error"]
    raise SystemExit(f'{refusal.code} {error["code"]}: {error["message"]}')
print(answer["id"])
