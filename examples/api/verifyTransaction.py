import json, os, urllib.error, urllib.request

request = urllib.request.Request(
    os.environ["GATEWAY_URL"] + "/payments/verify/" + os.environ["TRANSACTION_ID"],
    headers={"X-Merchant-API-Key": os.environ["GATEWAY_KEY"]},
)
try:
    answer = json.load(urllib.request.urlopen(request))
except urllib.error.HTTPError as refusal:
    error = json.load(refusal)["error"]
    raise SystemExit(f'{refusal.code} {error["code"]}: {error["message"]}')
print(answer["data"]["status"])
