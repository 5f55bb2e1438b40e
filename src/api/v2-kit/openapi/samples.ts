/** Made by `npm run openapi` from examples/api, by operationId. Do not edit. */
type Sample = { lang: string; label: string; source: string }
export const SAMPLES: Readonly<Record<string, readonly Sample[] | undefined>> = {
  createCheckout: [
    {
      lang: "Shell",
      label: "curl",
      source:
        'curl -sS --fail-with-body "$GATEWAY_URL/payments/checkout" \\\n  -H "X-Merchant-API-Key: $GATEWAY_KEY" \\\n  -H "Content-Type: application/json" \\\n  -H "Idempotency-Key: checkout-order-1001" \\\n  -d \'{\n    "order_id": "order-1001",\n    "currency": "BDT",\n    "order_amount": "1250.50",\n    "success_url": "https://shop.example.com/paid",\n    "fail_url": "https://shop.example.com/failed",\n    "cancel_url": "https://shop.example.com/cancelled",\n    "customer": {\n      "name": "Rahima Khatun",\n      "email": "rahima@example.com",\n      "phone": "01712345678",\n      "address": "House 7, Road 3, Dhanmondi",\n      "city": "Dhaka",\n      "postcode": "1205",\n      "country": "Bangladesh"\n    }\n  }\'\n',
    },
    {
      lang: "JavaScript",
      label: "Node",
      source:
        'const response = await fetch(`${process.env.GATEWAY_URL}/payments/checkout`, {\n  method: "POST",\n  headers: {\n    "X-Merchant-API-Key": process.env.GATEWAY_KEY,\n    "Content-Type": "application/json",\n    "Idempotency-Key": "checkout-order-1001",\n  },\n  body: JSON.stringify({\n    order_id: "order-1001",\n    currency: "BDT",\n    order_amount: "1250.50",\n    success_url: "https://shop.example.com/paid",\n    fail_url: "https://shop.example.com/failed",\n    cancel_url: "https://shop.example.com/cancelled",\n    customer: {\n      name: "Rahima Khatun",\n      email: "rahima@example.com",\n      phone: "01712345678",\n      address: "House 7, Road 3, Dhanmondi",\n      city: "Dhaka",\n      postcode: "1205",\n      country: "Bangladesh",\n    },\n  }),\n})\nconst answer = await response.json()\nif (!response.ok) {\n  throw new Error(`${response.status} ${answer.error.code}: ${answer.error.message}`)\n}\nconsole.log(answer.data.checkout_url)\n',
    },
    {
      lang: "PHP",
      label: "PHP",
      source:
        "<?php\n$context = stream_context_create(['http' => [\n    'ignore_errors' => true,\n    'method' => 'POST',\n    'header' => [\n        'X-Merchant-API-Key: ' . getenv('GATEWAY_KEY'),\n        'Content-Type: application/json',\n        'Idempotency-Key: checkout-order-1001',\n    ],\n    'content' => json_encode([\n        'order_id' => 'order-1001',\n        'currency' => 'BDT',\n        'order_amount' => '1250.50',\n        'success_url' => 'https://shop.example.com/paid',\n        'fail_url' => 'https://shop.example.com/failed',\n        'cancel_url' => 'https://shop.example.com/cancelled',\n        'customer' => [\n            'name' => 'Rahima Khatun',\n            'email' => 'rahima@example.com',\n            'phone' => '01712345678',\n            'address' => 'House 7, Road 3, Dhanmondi',\n            'city' => 'Dhaka',\n            'postcode' => '1205',\n            'country' => 'Bangladesh',\n        ],\n    ]),\n]]);\n$answer = json_decode(file_get_contents(getenv('GATEWAY_URL') . '/payments/checkout', false, $context), true);\nif (!is_array($answer)) {\n    throw new RuntimeException('The gateway did not answer');\n}\nif (isset($answer['error'])) {\n    throw new RuntimeException($answer['error']['code'] . ': ' . $answer['error']['message']);\n}\necho $answer['data']['checkout_url'], \"\\n\";\n",
    },
    {
      lang: "Python",
      label: "Python",
      source:
        'import json, os, urllib.error, urllib.request\n\nrequest = urllib.request.Request(\n    os.environ["GATEWAY_URL"] + "/payments/checkout",\n    method="POST",\n    headers={\n        "X-Merchant-API-Key": os.environ["GATEWAY_KEY"],\n        "Content-Type": "application/json",\n        "Idempotency-Key": "checkout-order-1001",\n    },\n    data=json.dumps({\n        "order_id": "order-1001",\n        "currency": "BDT",\n        "order_amount": "1250.50",\n        "success_url": "https://shop.example.com/paid",\n        "fail_url": "https://shop.example.com/failed",\n        "cancel_url": "https://shop.example.com/cancelled",\n        "customer": {\n            "name": "Rahima Khatun",\n            "email": "rahima@example.com",\n            "phone": "01712345678",\n            "address": "House 7, Road 3, Dhanmondi",\n            "city": "Dhaka",\n            "postcode": "1205",\n            "country": "Bangladesh",\n        },\n    }).encode(),\n)\ntry:\n    answer = json.load(urllib.request.urlopen(request))\nexcept urllib.error.HTTPError as refusal:\n    error = json.load(refusal)["error"]\n    raise SystemExit(f\'{refusal.code} {error["code"]}: {error["message"]}\')\nprint(answer["data"]["checkout_url"])\n',
    },
  ],
  createPlan: [
    {
      lang: "Shell",
      label: "curl",
      source:
        'curl -sS --fail-with-body "$GATEWAY_URL/payments/subscription-plans" \\\n  -H "X-Merchant-API-Key: $GATEWAY_KEY" \\\n  -H "Content-Type: application/json" \\\n  -H "Idempotency-Key: plan-tea-club" \\\n  -d \'{\n    "plan_name": "Tea club",\n    "amount": "500.00",\n    "interval_count": 1,\n    "interval_unit": "MONTH"\n  }\'\n',
    },
    {
      lang: "JavaScript",
      label: "Node",
      source:
        'const response = await fetch(`${process.env.GATEWAY_URL}/payments/subscription-plans`, {\n  method: "POST",\n  headers: {\n    "X-Merchant-API-Key": process.env.GATEWAY_KEY,\n    "Content-Type": "application/json",\n    "Idempotency-Key": "plan-tea-club",\n  },\n  body: JSON.stringify({\n    plan_name: "Tea club",\n    amount: "500.00",\n    interval_count: 1,\n    interval_unit: "MONTH",\n  }),\n})\nconst answer = await response.json()\nif (!response.ok) {\n  throw new Error(`${response.status} ${answer.error.code}: ${answer.error.message}`)\n}\nconsole.log(answer.id)\n',
    },
    {
      lang: "PHP",
      label: "PHP",
      source:
        "<?php\n$context = stream_context_create(['http' => [\n    'ignore_errors' => true,\n    'method' => 'POST',\n    'header' => [\n        'X-Merchant-API-Key: ' . getenv('GATEWAY_KEY'),\n        'Content-Type: application/json',\n        'Idempotency-Key: plan-tea-club',\n    ],\n    'content' => json_encode([\n        'plan_name' => 'Tea club',\n        'amount' => '500.00',\n        'interval_count' => 1,\n        'interval_unit' => 'MONTH',\n    ]),\n]]);\n$answer = json_decode(file_get_contents(getenv('GATEWAY_URL') . '/payments/subscription-plans', false, $context), true);\nif (!is_array($answer)) {\n    throw new RuntimeException('The gateway did not answer');\n}\nif (isset($answer['error'])) {\n    throw new RuntimeException($answer['error']['code'] . ': ' . $answer['error']['message']);\n}\necho $answer['id'], \"\\n\";\n",
    },
    {
      lang: "Python",
      label: "Python",
      source:
        'import json, os, urllib.error, urllib.request\n\nrequest = urllib.request.Request(\n    os.environ["GATEWAY_URL"] + "/payments/subscription-plans",\n    method="POST",\n    headers={\n        "X-Merchant-API-Key": os.environ["GATEWAY_KEY"],\n        "Content-Type": "application/json",\n        "Idempotency-Key": "plan-tea-club",\n    },\n    data=json.dumps({\n        "plan_name": "Tea club",\n        "amount": "500.00",\n        "interval_count": 1,\n        "interval_unit": "MONTH",\n    }).encode(),\n)\ntry:\n    answer = json.load(urllib.request.urlopen(request))\nexcept urllib.error.HTTPError as refusal:\n    error = json.load(refusal)["error"]\n    raise SystemExit(f\'{refusal.code} {error["code"]}: {error["message"]}\')\nprint(answer["id"])\n',
    },
  ],
  createRefund: [
    {
      lang: "Shell",
      label: "curl",
      source:
        'curl -sS --fail-with-body "$GATEWAY_URL/payments/refund" \\\n  -H "X-Merchant-API-Key: $GATEWAY_KEY" \\\n  -H "Content-Type: application/json" \\\n  -H "Idempotency-Key: refund-order-1001" \\\n  -d \'{\n    "transaction_id": "\'$TRANSACTION_ID\'",\n    "refund_amount": "250.50",\n    "refund_reason": "One parcel was damaged"\n  }\'\n',
    },
    {
      lang: "JavaScript",
      label: "Node",
      source:
        'const response = await fetch(`${process.env.GATEWAY_URL}/payments/refund`, {\n  method: "POST",\n  headers: {\n    "X-Merchant-API-Key": process.env.GATEWAY_KEY,\n    "Content-Type": "application/json",\n    "Idempotency-Key": "refund-order-1001",\n  },\n  body: JSON.stringify({\n    transaction_id: process.env.TRANSACTION_ID,\n    refund_amount: "250.50",\n    refund_reason: "One parcel was damaged",\n  }),\n})\nconst answer = await response.json()\nif (!response.ok) {\n  throw new Error(`${response.status} ${answer.error.code}: ${answer.error.message}`)\n}\nconsole.log(answer.data.refund_id)\n',
    },
    {
      lang: "PHP",
      label: "PHP",
      source:
        "<?php\n$context = stream_context_create(['http' => [\n    'ignore_errors' => true,\n    'method' => 'POST',\n    'header' => [\n        'X-Merchant-API-Key: ' . getenv('GATEWAY_KEY'),\n        'Content-Type: application/json',\n        'Idempotency-Key: refund-order-1001',\n    ],\n    'content' => json_encode([\n        'transaction_id' => getenv('TRANSACTION_ID'),\n        'refund_amount' => '250.50',\n        'refund_reason' => 'One parcel was damaged',\n    ]),\n]]);\n$answer = json_decode(file_get_contents(getenv('GATEWAY_URL') . '/payments/refund', false, $context), true);\nif (!is_array($answer)) {\n    throw new RuntimeException('The gateway did not answer');\n}\nif (isset($answer['error'])) {\n    throw new RuntimeException($answer['error']['code'] . ': ' . $answer['error']['message']);\n}\necho $answer['data']['refund_id'], \"\\n\";\n",
    },
    {
      lang: "Python",
      label: "Python",
      source:
        'import json, os, urllib.error, urllib.request\n\nrequest = urllib.request.Request(\n    os.environ["GATEWAY_URL"] + "/payments/refund",\n    method="POST",\n    headers={\n        "X-Merchant-API-Key": os.environ["GATEWAY_KEY"],\n        "Content-Type": "application/json",\n        "Idempotency-Key": "refund-order-1001",\n    },\n    data=json.dumps({\n        "transaction_id": os.environ["TRANSACTION_ID"],\n        "refund_amount": "250.50",\n        "refund_reason": "One parcel was damaged",\n    }).encode(),\n)\ntry:\n    answer = json.load(urllib.request.urlopen(request))\nexcept urllib.error.HTTPError as refusal:\n    error = json.load(refusal)["error"]\n    raise SystemExit(f\'{refusal.code} {error["code"]}: {error["message"]}\')\nprint(answer["data"]["refund_id"])\n',
    },
  ],
  createSubscription: [
    {
      lang: "Shell",
      label: "curl",
      source:
        'curl -sS --fail-with-body "$GATEWAY_URL/payments/subscriptions" \\\n  -H "X-Merchant-API-Key: $GATEWAY_KEY" \\\n  -H "Content-Type: application/json" \\\n  -H "Idempotency-Key: subscription-rahima" \\\n  -d \'{\n    "subscription_plan_id": \'$PLAN_ID\',\n    "customer": {\n      "name": "Rahima Khatun",\n      "email": "rahima@example.com",\n      "phone": "01712345678"\n    }\n  }\'\n',
    },
    {
      lang: "JavaScript",
      label: "Node",
      source:
        'const response = await fetch(`${process.env.GATEWAY_URL}/payments/subscriptions`, {\n  method: "POST",\n  headers: {\n    "X-Merchant-API-Key": process.env.GATEWAY_KEY,\n    "Content-Type": "application/json",\n    "Idempotency-Key": "subscription-rahima",\n  },\n  body: JSON.stringify({\n    subscription_plan_id: Number(process.env.PLAN_ID),\n    customer: {\n      name: "Rahima Khatun",\n      email: "rahima@example.com",\n      phone: "01712345678",\n    },\n  }),\n})\nconst answer = await response.json()\nif (!response.ok) {\n  throw new Error(`${response.status} ${answer.error.code}: ${answer.error.message}`)\n}\nconsole.log(answer.uuid)\n',
    },
    {
      lang: "PHP",
      label: "PHP",
      source:
        "<?php\n$context = stream_context_create(['http' => [\n    'ignore_errors' => true,\n    'method' => 'POST',\n    'header' => [\n        'X-Merchant-API-Key: ' . getenv('GATEWAY_KEY'),\n        'Content-Type: application/json',\n        'Idempotency-Key: subscription-rahima',\n    ],\n    'content' => json_encode([\n        'subscription_plan_id' => (int) getenv('PLAN_ID'),\n        'customer' => [\n            'name' => 'Rahima Khatun',\n            'email' => 'rahima@example.com',\n            'phone' => '01712345678',\n        ],\n    ]),\n]]);\n$answer = json_decode(file_get_contents(getenv('GATEWAY_URL') . '/payments/subscriptions', false, $context), true);\nif (!is_array($answer)) {\n    throw new RuntimeException('The gateway did not answer');\n}\nif (isset($answer['error'])) {\n    throw new RuntimeException($answer['error']['code'] . ': ' . $answer['error']['message']);\n}\necho $answer['uuid'], \"\\n\";\n",
    },
    {
      lang: "Python",
      label: "Python",
      source:
        'import json, os, urllib.error, urllib.request\n\nrequest = urllib.request.Request(\n    os.environ["GATEWAY_URL"] + "/payments/subscriptions",\n    method="POST",\n    headers={\n        "X-Merchant-API-Key": os.environ["GATEWAY_KEY"],\n        "Content-Type": "application/json",\n        "Idempotency-Key": "subscription-rahima",\n    },\n    data=json.dumps({\n        "subscription_plan_id": int(os.environ["PLAN_ID"]),\n        "customer": {\n            "name": "Rahima Khatun",\n            "email": "rahima@example.com",\n            "phone": "01712345678",\n        },\n    }).encode(),\n)\ntry:\n    answer = json.load(urllib.request.urlopen(request))\nexcept urllib.error.HTTPError as refusal:\n    error = json.load(refusal)["error"]\n    raise SystemExit(f\'{refusal.code} {error["code"]}: {error["message"]}\')\nprint(answer["uuid"])\n',
    },
  ],
  verifyTransaction: [
    {
      lang: "Shell",
      label: "curl",
      source:
        'curl -sS --fail-with-body "$GATEWAY_URL/payments/verify/$TRANSACTION_ID" \\\n  -H "X-Merchant-API-Key: $GATEWAY_KEY"\n',
    },
    {
      lang: "JavaScript",
      label: "Node",
      source:
        'const response = await fetch(`${process.env.GATEWAY_URL}/payments/verify/${process.env.TRANSACTION_ID}`, {\n  headers: { "X-Merchant-API-Key": process.env.GATEWAY_KEY },\n})\nconst answer = await response.json()\nif (!response.ok) {\n  throw new Error(`${response.status} ${answer.error.code}: ${answer.error.message}`)\n}\nconsole.log(answer.data.status)\n',
    },
    {
      lang: "PHP",
      label: "PHP",
      source:
        "<?php\n$context = stream_context_create(['http' => [\n    'ignore_errors' => true,\n    'header' => ['X-Merchant-API-Key: ' . getenv('GATEWAY_KEY')],\n]]);\n$answer = json_decode(file_get_contents(getenv('GATEWAY_URL') . '/payments/verify/' . getenv('TRANSACTION_ID'), false, $context), true);\nif (!is_array($answer)) {\n    throw new RuntimeException('The gateway did not answer');\n}\nif (isset($answer['error'])) {\n    throw new RuntimeException($answer['error']['code'] . ': ' . $answer['error']['message']);\n}\necho $answer['data']['status'], \"\\n\";\n",
    },
    {
      lang: "Python",
      label: "Python",
      source:
        'import json, os, urllib.error, urllib.request\n\nrequest = urllib.request.Request(\n    os.environ["GATEWAY_URL"] + "/payments/verify/" + os.environ["TRANSACTION_ID"],\n    headers={"X-Merchant-API-Key": os.environ["GATEWAY_KEY"]},\n)\ntry:\n    answer = json.load(urllib.request.urlopen(request))\nexcept urllib.error.HTTPError as refusal:\n    error = json.load(refusal)["error"]\n    raise SystemExit(f\'{refusal.code} {error["code"]}: {error["message"]}\')\nprint(answer["data"]["status"])\n',
    },
  ],
}
